"""The time that `dpgep paper all` foretells follows the data set, the classifier and the method of each cell."""

from collections import Counter
from dataclasses import replace

import pytest

from dpgep_core.experiments.cell_runner import CellRunner
from dpgep_core.experiments.papers import EXHIBITS, ReproductionRequest
from dpgep_core.experiments.papers.bundled_results import bundled_reproduction
from dpgep_core.experiments.papers.cell_seconds import Foretold, foretell, kind_of, measured_seconds, rates_of
from dpgep_core.experiments.papers.everything import plan_everything
from dpgep_core.experiments.papers.exhibit import Scope
from dpgep_core.experiments.papers.places import RANDOM_METHOD
from dpgep_core.experiments.papers.reproduce import _key, plan_reproduction
from dpgep_core.experiments.store import cell_store

FIGURE = "chen-figure-1"


@pytest.fixture
def only_adult(monkeypatch):
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)
    monkeypatch.setattr("dpgep_core.experiments.papers.data.dataset_names", lambda: ["adult"])


def ask(exhibit):
    return ReproductionRequest(exhibit=exhibit, quick=True, classifiers=("linear_svm", "random_forest"))


def takes(kind):
    """Seconds of a cell of `ask`: the linear SVM makes the release, and the forest after it finds it."""
    data, classifier, _ = kind
    return measured_seconds()[kind if classifier == "linear_svm" else (data, classifier, RANDOM_METHOD)]


def test_every_kind_of_cell_that_trains_a_classifier_was_measured():
    trained = [one for one in EXHIBITS.values() if one.classifiers]
    here = {name: name for one in trained for name in one.data}
    kinds = {kind_of(task) for one in trained for task in one.tasks(Scope(quick=False, data=here))}
    assert len(kinds) == 6 * 3 * 7  # data sets, classifiers, methods
    assert kinds == set(measured_seconds())
    assert all(seconds > 0 for seconds in measured_seconds().values())


def test_what_is_left_is_the_sum_of_what_each_kind_takes(only_adult, tmp_path):
    (plan,) = plan_everything({FIGURE: EXHIBITS[FIGURE]}, tmp_path / "s.sqlite", ask)
    kinds = [kind_of(task) for task in dict(plan.plan.keyed).values()]
    assert {kind[1] for kind in kinds} == {"linear_svm", "random_forest"}
    assert plan.left.seconds == pytest.approx(sum(map(takes, kinds)))
    assert foretell(ask(EXHIBITS[FIGURE])) == Foretold(plan.left.seconds, 0)
    shared = Counter(kind for kind in kinds if kind[2] == RANDOM_METHOD)
    assert set(shared.values()) == {1}  # once for a seed, though it is drawn at every ε


def test_a_release_is_charged_once_to_the_classifiers_that_follow_each_other():
    """On CIFAR-10 a release of DPSR takes most of the time, and three classifiers are not three of them."""
    table = EXHIBITS["chen-table-3"]
    tasks = table.tasks(Scope(quick=False, data={"CIFAR10": "cifar10"}))

    def seconds(*classifiers):
        some = [task for task in tasks if task.labels["classifier"] in classifiers]
        return rates_of({table: ()}, {}).foretold(table, some).seconds

    trained = sum(measured_seconds()["CIFAR10", name, RANDOM_METHOD] for name in ("rbf_svm", "random_forest"))
    first, together = seconds("linear_svm"), seconds(*table.classifiers)
    assert together == pytest.approx(first + 180 * trained)  # nine methods and settings with twenty seeds
    assert together < 0.7 * sum(map(seconds, table.classifiers))


def test_cells_that_were_computed_here_tell_the_time_of_their_kind(only_adult, tmp_path):
    store = tmp_path / "s.sqlite"
    keyed = plan_reproduction(ask(EXHIBITS[FIGURE])).keyed
    known, took = ("a9a", "random_forest", "DPSR"), (100.0, 300.0)
    done = [key for key, task in keyed if kind_of(task) == known][: len(took)]
    with cell_store(store) as kept:
        for key, seconds in zip(done, took, strict=True):
            kept.put(key, {}, {}, seconds)
    (plan,) = plan_everything({FIGURE: EXHIBITS[FIGURE]}, store, ask)
    waiting = [kind_of(task) for key, task in dict(keyed).items() if key not in done]
    assert plan.done == len(done)
    expected = sum(200.0 if kind == known else takes(kind) for kind in waiting)
    assert plan.left.seconds == pytest.approx(expected)


def test_what_was_never_measured_is_counted_and_comes_last(monkeypatch, tmp_path):
    """Shang's Figure 1 was measured on a9a alone, whose 123 columns say nothing about 784."""
    known, unknown = EXHIBITS["shang-figure-1"], EXHIBITS["chen-supplement-figure-5"]
    measured = replace(bundled_reproduction(known), computed=252.0, done=252)
    measured = replace(measured, lines=tuple(line for line in measured.lines if line.labels["data"] == "a9a"))
    monkeypatch.setattr("dpgep_core.experiments.papers.data.dataset_names", lambda: ["adult", "mnist"])
    monkeypatch.setattr(
        "dpgep_core.experiments.papers.cell_seconds.bundled_reproduction",
        lambda exhibit: measured if exhibit is known else None,
    )
    assert foretell(ReproductionRequest(exhibit=known, data=("a9a",))) == Foretold(252.0, 0)
    both = foretell(ReproductionRequest(exhibit=known))
    assert both == Foretold(252.0, 252)
    assert both.words == "about 4 min and 252 cells of kinds that were never measured"
    assert [Foretold(*one).words for one in ((0.4, 0), (0.0, 2), (0.4, 1))] == [
        "less than a second", "2 cells of kinds that were never measured",
        "less than a second and 1 cell of kinds that were never measured",
    ]  # fmt: skip
    few = {one.key: one for one in (unknown, known)}
    plans = plan_everything(few, tmp_path / "s.sqlite", lambda one: ReproductionRequest(exhibit=one, quick=True))
    assert [(plan.key, plan.left.unmeasured) for plan in plans] == [(known.key, 0), (unknown.key, plans[1].cells)]


@pytest.mark.parametrize("key", EXHIBITS)
def test_a_kept_cell_belongs_to_the_rows_that_it_was_computed_from(key, only_adult, monkeypatch):
    """With other rows every cell has another key, whatever kind it is of."""
    found = EXHIBITS[key]
    tasks = found.tasks(Scope(quick=True, data={found.data[0]: "adult"}, chosen=True))
    kinds = {type(task.cell): task.cell for task in tasks}
    before = {kind: _key(cell) for kind, cell in kinds.items()}
    monkeypatch.setattr(CellRunner, "fingerprint", lambda *_: "other rows")
    assert kinds
    assert all(_key(cell) != before[kind] for kind, cell in kinds.items())
