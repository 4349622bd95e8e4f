"""Before a sweep runs, its time is told: from such cells, from the sizes of the rows, and as a guess at last."""

from functools import cache
from typing import Any

import pytest

from dashboard.compute.sweeps import estimate, spec
from dashboard.compute.sweeps.estimate import GUESS, START, estimate_time
from dpgep_core.datasets import dataset_sizes, load_dataset
from dpgep_core.evaluate.forecast import Speed
from dpgep_core.experiments.grid import Cell

USUAL: dict[str, Any] = {"datasets": ["wine"], "models": ["fda"], "algorithms": ["ssp", "dprf"], "epsilon": [0.1, 1.0],
                         "seeds": 2, "classifiers": ["lda"]}  # fmt: skip


@pytest.fixture(autouse=True)
def usual_speed(monkeypatch):
    monkeypatch.setattr(estimate, "machine_speed", lambda: Speed(1.0, 1.0, 1.0))
    estimate._shares.cache_clear()
    yield
    estimate._shares.cache_clear()


def cells(**changed: Any) -> tuple[Cell, ...]:
    return spec.check_sweep(USUAL | changed)[1]


def test_what_such_cells_took_comes_first():
    found = estimate_time(cells(), {("wine", "ssp"): 3.0, ("wine", "dprf"): 5.0})
    assert found.seconds == pytest.approx(START + 4 * 3 + 4 * 5)
    assert found.words == "about 36 s, as such cells took here before"


def test_the_rest_is_told_from_the_sizes():
    found = estimate_time(cells(), {("wine", "ssp"): 3.0})
    assert (found.timed, found.foretold) == (4, 4)
    assert found.words == "about 16 s, as such cells took here before, 4 cells by the sizes of the data"
    assert START + 12 < found.seconds < START + 12.5


def test_a_row_at_a_time_takes_longer_on_more_rows():
    rows = {name: dataset_sizes(name).n for name in ("wine", "digits", "adult")}
    found = {
        name: estimate_time(cells(datasets=[name], models=["pca"], algorithms=["dp_vrpca"]), {}).seconds - START
        for name in rows
    }
    assert found["wine"] < 1 < found["adult"]
    assert found["adult"] / found["digits"] > rows["adult"] / rows["digits"]


def test_sums_are_made_once_for_a_seed_and_once_for_all_where_the_split_is_published(monkeypatch):
    once, each = 100.0, 1.0
    monkeypatch.setattr(estimate, "_shares", cache(lambda *_: (once, each)))
    for name, splits in {"wine": 2, "mnist": 1}.items():
        assert (load_dataset(name).X_test is not None) == (splits == 1)
        found = estimate_time(cells(datasets=[name]), {})
        assert found.seconds == START + splits * once + 8 * each


def test_more_components_rows_and_steps_take_longer():
    plain = estimate_time(cells(datasets=["adult"], models=["pca"], algorithms=["ppi"]), {}).seconds
    for changed in ({"n_components": [20]}, {"n_iterations": [200]}):
        more = estimate_time(cells(datasets=["adult"], models=["pca"], algorithms=["ppi"], **changed), {}).seconds
        assert more > plain
    fewer = estimate_time(cells(datasets=["adult"], models=["pca"], algorithms=["ppi"], n=[1000]), {}).seconds
    assert fewer < plain


def test_other_classifiers_come_on_top_and_are_told_so():
    found = estimate_time(cells(classifiers=["lda", "rbf_svm"]), {})
    assert found.words == "at least 4 s, by the sizes of the data; classifiers beside LDA come on top"
    timed = estimate_time(cells(classifiers=["rbf_svm"]), {("wine", "ssp"): 3.0, ("wine", "dprf"): 5.0})
    assert "at least" not in timed.words


def test_a_guess_where_nothing_is_known(monkeypatch):
    monkeypatch.setattr(estimate, "measured_algorithms", frozenset)
    found = estimate_time(cells(), {})
    assert (found.seconds, found.words) == (START + 8 * GUESS, "about 8 s, a guess")
    half = estimate_time(cells(), {("wine", "ssp"): 1.0})
    assert half.words == "about 10 s, as such cells took here before, 4 cells a guess"


def test_rows_that_cannot_be_read_are_a_guess(monkeypatch, tmp_path):
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    (tmp_path / "own.csv").write_text("a,b,c\n1,2,x\n2,3,y\n")
    some = cells(datasets=["own"])
    (tmp_path / "own.csv").unlink()
    assert estimate_time(some, {}).words == "about 8 s, a guess"


def test_sizes_follow_the_file(monkeypatch, tmp_path):
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    file = tmp_path / "own.csv"
    file.write_text("a,b,c\n1,2,x\n2,3,y\n4,3,y\n")
    assert dataset_sizes("own").n == 3
    file.write_text("a,b,c\n1,2,x\n2,3,y\n4,3,y\n5,6,x\n")
    assert dataset_sizes("own").n == 4
