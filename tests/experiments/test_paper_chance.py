"""The random projections beside the papers' curves: one for each seed, of the kind that the pages show."""

import pytest

from dpgep_core.evaluate import Reference
from dpgep_core.experiments.papers import exhibit
from dpgep_core.experiments.papers.bundled_results import bundled_reproduction
from dpgep_core.experiments.papers.chen import SEEDS
from dpgep_core.experiments.papers.chen_methods import CHEN_COMPONENTS, SSP, chance_tasks, chen_cell
from dpgep_core.experiments.papers.exhibit import Scope
from dpgep_core.experiments.papers.places import RANDOM_METHOD
from dpgep_core.experiments.papers.random_projection import RandomProjection
from dpgep_core.experiments.runner import shared_cell_runner

CLASSIFIER = "linear_svm"


def projection(seed, rows=0):
    cell = chen_cell("wine", SSP, 1.0, rows, CLASSIFIER, 1.0)
    return RandomProjection(cell=cell, components=CHEN_COMPONENTS, seed=seed)


def test_the_first_one_is_the_one_that_the_pages_show():
    one = projection(0)
    data = shared_cell_runner().dataset("wine", None)
    shown = Reference.of(data, one.cell.setting).random_score(CHEN_COMPONENTS, CLASSIFIER)
    row = one.compute()
    assert row == {f"{CLASSIFIER}_{name}": getattr(shown, name) for name in ("accuracy", "precision", "recall", "f1")}


def test_each_seed_draws_another_and_the_same_again():
    scores = [projection(seed).compute()[f"{CLASSIFIER}_f1"] for seed in (*range(5), 0)]
    assert len(set(scores)) > 1
    assert scores[0] == scores[-1]


def test_its_key_tells_the_directions_the_rows_and_the_classifier():
    one = projection(0).content()
    assert one != projection(1).content()
    assert one != projection(0, rows=1).content()  # rows are held out by the seed
    assert one["components"] == CHEN_COMPONENTS
    assert one["classifiers"] == [CLASSIFIER]


@pytest.mark.parametrize("key", ["chen-table-2", "chen-figure-1", "chen-extra-ridge"])
def test_a_run_has_one_for_each_seed_which_all_of_a_curve_shares(key):
    found = exhibit(key)
    tasks = found.tasks(Scope(quick=False, data={"a9a": "adult"}))
    own = [task for task in tasks if task.labels["method"] == RANDOM_METHOD]
    classifiers = len(found.classifiers) or 1
    assert len({task.cell for task in own}) == classifiers * found.seeds
    assert {task.cell.components for task in own} == {CHEN_COMPONENTS}
    others = {(task.labels.get("epsilon"), task.labels.get("xi")) for task in tasks}
    assert {(task.labels.get("epsilon"), task.labels.get("xi")) for task in own} == others


def test_a_quick_run_has_as_few_seeds_of_it_as_of_the_others():
    scope = Scope(quick=True, data={"a9a": "adult"})
    own = [task for task in exhibit("chen-table-2").tasks(scope) if task.labels["method"] == RANDOM_METHOD]
    assert {task.labels["seed"] for task in own} == {0}
    assert len(chance_tasks(scope, seeds=range(SEEDS), classifiers=(CLASSIFIER,))) == SEEDS


def test_no_privacy_and_chance_come_last_in_every_figure_and_so_have_the_same_colours():
    score = {"linear_svm_accuracy": 0.5, "linear_svm_accuracy_non_private": 0.9}
    labels = {"data": "a9a", "classifier": CLASSIFIER, "calibration": "none", "start": "none", "epsilon": 1.0}
    methods = (RANDOM_METHOD, "DPSR", SSP.name)  # in any order, as a store may give them
    records = [{**score, **labels, "method": method, "seed": 0} for method in methods]
    made = [line.labels["method"] for line in exhibit("chen-figure-1").lines(records)]
    assert made == ["DPSR", SSP.name, "non-private", RANDOM_METHOD]
    for number in range(1, 5):
        kept = bundled_reproduction(exhibit(f"chen-figure-{number}")).lines
        for data in dict.fromkeys(line.labels["data"] for line in kept):
            drawn = list(dict.fromkeys(line.labels["method"] for line in kept if line.labels["data"] == data))
            assert drawn[-2:] == ["non-private", RANDOM_METHOD], (number, data)
