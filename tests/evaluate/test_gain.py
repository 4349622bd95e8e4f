"""The table of ε for most of the gain is what the committed sweeps say."""

import csv
import math
from importlib.resources import files
from pathlib import Path

import pytest

from dpgep_core import ALGORITHMS, evaluate, load_dataset, solve
from dpgep_core.evaluate.gain import SHARE, gain_table, gain_target, read_gains
from dpgep_core.kept_table import kept_rows

FOLDER = Path(__file__).parents[2] / "docs" / "algorithms" / "gain"
FILES = sorted(FOLDER.glob("*.csv"))


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def results():
    return [row for path in FILES for row in rows_of(path)]


def made(accuracy, *, gain=(0.4, 0.42), accounted=None):
    """Results of one method at ε = 0.1, 1 and 10 beside the exact one, two seeds."""
    common = {"dataset": "wine", "model": "fda"}
    rows = [
        common | {"algorithm": "exact", "epsilon": "", "seed": str(i), "lda_accuracy": str(0.5 + each),
                  "lda_accuracy_random": "0.5", "accounted_epsilon": ""} for i, each in enumerate(gain)
    ]  # fmt: skip
    for place, value in zip((0.1, 1.0, 10.0), accuracy, strict=True):
        proved = str(2 * place) if accounted is None else accounted
        rows += [common | {"algorithm": "ssp", "epsilon": str(place), "seed": str(i), "lda_accuracy": str(value),
                           "lda_accuracy_random": "0.5", "accounted_epsilon": proved} for i in range(2)]  # fmt: skip
    return rows


TARGET = 0.5 + SHARE * 0.41


def test_an_epsilon_is_read_between_two_of_the_grid():
    (found,) = read_gains(made((0.5, TARGET - 0.01, TARGET + 0.01)))
    assert found.epsilon == pytest.approx(math.sqrt(10))
    assert found.accounted == pytest.approx(2 * math.sqrt(10))
    assert (found.least, found.most, found.seeds) == (0.1, 10, 2)


@pytest.mark.parametrize(
    ("accuracy", "epsilon"),
    [((0.5, 0.6, 0.7), math.inf), ((0.9, 0.95, 0.99), 0.0), ((0.95, 0.6, 0.7), math.inf)],
    ids=["not reached", "from the first", "reached and lost"],
)
def test_outside_the_grid(accuracy, epsilon):
    (found,) = read_gains(made(accuracy))
    assert found.epsilon == epsilon
    assert math.isnan(found.accounted)


def test_a_ledger_without_a_bound_proves_none():
    (found,) = read_gains(made((0.5, 0.6, 0.95), accounted=""))
    assert found.epsilon < math.inf
    assert found.accounted == math.inf


def test_a_gain_of_chance_has_no_threshold():
    assert list(read_gains(made((0.5, 0.6, 0.95), gain=(0.4, -0.1)))) == []
    assert gain_target([0.5] * 5, [0.5 + each for each in (0.03, 0.04, 0.05, 0.0, 0.06)]) is not None
    assert gain_target([0.5] * 5, [0.5 + each for each in (0.03, 0.04, 0.05, -0.03, 0.06)]) is None  # 1.9 errors
    assert gain_target([0.5, 0.5], [0.9, 0.92]) == pytest.approx(TARGET)


def test_the_table_is_what_the_committed_sweeps_say(results):
    assert FILES
    text = files("dpgep_core.evaluate").joinpath("gain.csv").read_text(encoding="utf-8")
    kept = list(csv.DictReader(text.splitlines()))
    assert kept == list(kept_rows(read_gains(results)))
    moved = [row | {"lda_accuracy": str(float(row["lda_accuracy"]) - 0.02 * (row["algorithm"] == "ssp"))}
             for row in results]  # fmt: skip
    assert kept != list(kept_rows(read_gains(moved)))


def test_every_entry_fits():
    for (_, model, algorithm), entry in gain_table().items():
        assert ALGORITHMS[algorithm].private
        assert model in ALGORITHMS[algorithm].models
        assert entry.epsilon == 0 or entry.least < entry.epsilon <= entry.most or math.isinf(entry.epsilon)


@pytest.mark.slow
def test_the_results_are_those_of_solving(results):
    """Five cells again, at the ε about which the entry was read."""
    data = load_dataset("wine")
    asked = {"dataset": "wine", "model": "fda", "algorithm": "ssp", "epsilon": "3.0"}
    told = [row for row in results if asked.items() <= row.items()]
    assert len(told) == 5
    for row in told:
        release = solve(data, "fda", "ssp", epsilon=3.0, seed=int(row["seed"]))
        found = evaluate(release, data, classifiers=("lda",)).accuracy["lda"]
        assert found.private.accuracy == pytest.approx(float(row["lda_accuracy"]), abs=1e-6)
        assert found.random.accuracy == pytest.approx(float(row["lda_accuracy_random"]), abs=1e-6)
