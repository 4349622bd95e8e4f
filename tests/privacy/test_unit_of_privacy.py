"""What one row may change before any algorithm runs: the rows that are fitted on, their number, and the default δ."""

from dataclasses import replace

import numpy as np
import pytest

from dpgep_core import Dataset, load_dataset
from dpgep_core.datasets import Preprocessing, split
from dpgep_core.models import Fda
from dpgep_core.models.problem import Problem
from dpgep_core.release import Setting
from dpgep_core.solve import plan


def neighbour(dataset: Dataset, *, relabelled: bool) -> Dataset:
    """Row 0 replaced: by another row of its class, or with another label."""
    assert dataset.y is not None
    X, y = np.array(dataset.X, dtype=float), dataset.y.copy()
    X[0] = X[0][::-1] + 1.0
    if relabelled:
        y[0] = (y[0] + 1) % dataset.n_classes
    return replace(dataset, X=X, y=y)


def fitted_rows_that_differ(one: Dataset, other: Dataset, seed: int) -> int:
    first, second = ({row.tobytes() for row in np.asarray(split(d, seed).X, float)} for d in (one, other))
    return max(len(first - second), len(second - first))


@pytest.mark.parametrize("name", ["digits", "wine", "breast_cancer"])
@pytest.mark.parametrize("relabelled", [False, True])
def test_another_record_moves_one_fitted_row_and_no_other(name: str, relabelled: bool) -> None:
    """The ε of the fitted rows is that of the whole file, another label included."""
    dataset = load_dataset(name)
    differing = {fitted_rows_that_differ(dataset, neighbour(dataset, relabelled=relabelled), s) for s in range(20)}
    assert differing == {0, 1}  # 0 where the record is held out


@pytest.mark.parametrize("name", ["digits", "wine", "breast_cancer"])
def test_no_label_changes_the_number_of_fitted_rows(name: str) -> None:
    """The number of fitted rows is printed with every result, without noise."""
    dataset = load_dataset(name)
    assert dataset.y is not None
    rng = np.random.default_rng(0)
    rows = len(split(dataset, 0).X)
    for i in rng.integers(dataset.n, size=100):
        y = dataset.y.copy()
        y[i] = (y[i] + rng.integers(1, dataset.n_classes)) % dataset.n_classes
        assert len(split(replace(dataset, y=y), 0).X) == rows


def test_public_facts_do_not_look_at_the_rows() -> None:
    """Everything an algorithm may know without asking is the same for neighbours of equal size."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    one = Dataset("u", "U", rng.standard_normal((60, 4)), y, np.ones((5, 4)), y[:5], ("a", "b", "c"))
    other = replace(one, X=rng.standard_normal((60, 4)) * 100, y=rng.integers(0, 3, 60))
    for relation in ("replace_one", "add_remove"):
        facts = [plan(d, Setting(relation=relation)).public for d in (one, other)]
        assert replace(facts[0], pencil=len) == replace(facts[1], pencil=len)
        assert facts[0].pencil.__self__ == Fda()  # type: ignore[attr-defined]


def test_a_zero_row_and_a_huge_row_are_allowed_and_harmless() -> None:
    X = np.zeros((10, 3))
    X[0] = 1e200
    data = Dataset("z", "Z", X, np.arange(10) % 2, X, np.arange(10) % 2, ("a", "b"), preprocessing=Preprocessing())
    problem = plan(data, Setting()).problem
    assert isinstance(problem, Problem)
    assert np.trace(problem.moments.gram) == pytest.approx(1.0)
