"""More than one bit: B from four outputs of DPSR, and a person's row from two."""

from dataclasses import replace

import numpy as np
import pytest

from dpgep_core import Dataset, load_dataset, solve
from dpgep_core.audit.pairs import PAIRS
from dpgep_core.audit.reconstruction import _signs, outputs_needed, reconstruct_constraint, reconstruct_row
from dpgep_core.models import MODELS
from dpgep_core.models.problem import Problem, Sample
from dpgep_core.privacy.query import Array

XI = 0.01


def whole(dataset: Dataset) -> Dataset:
    """Fitted on all rows: a test split is given."""
    return replace(dataset, X_test=dataset.X[:5], y_test=None if dataset.y is None else dataset.y[:5])


def problem(dataset: Dataset) -> Problem:
    return Problem(Sample(dataset.X, dataset.y, dataset.n_classes, dataset.preprocessing), MODELS["fda"].make())


def outputs(dataset: Dataset, runs: int, algorithm: str = "dpsr") -> list[Array]:
    return [
        solve(dataset, "fda", algorithm, n_components=dataset.d, seed=seed, xi=XI).components for seed in range(runs)
    ]


@pytest.mark.parametrize("d", [3, 5, 8])
def test_b_from_as_many_outputs_as_needed(d: int) -> None:
    dataset = PAIRS["generic"].build(300, d, 1).one
    B = problem(dataset).pencil.constraint_matrix
    needed = outputs_needed(d)
    seen = outputs(dataset, needed)
    found = reconstruct_constraint(seen, XI)
    assert found.complete
    assert np.linalg.norm(found.matrix - B) / np.linalg.norm(B) < 1e-8
    assert not reconstruct_constraint(seen[:-1], XI).complete


def test_five_columns_take_four_outputs() -> None:
    """Three leave two of fifteen entries open."""
    assert outputs_needed(5) == 4
    found = reconstruct_constraint(outputs(PAIRS["generic"].build(300, 5, 0).one, 3), XI)
    assert (found.rank, found.unknowns) == (13, 15)


def test_the_corrected_algorithm_gives_nothing_away() -> None:
    dataset = PAIRS["generic"].build(300, 5, 0).one
    B = problem(dataset).pencil.constraint_matrix
    found = reconstruct_constraint(outputs(dataset, 4, "dpsr_corrected"), XI)
    assert np.linalg.norm(found.matrix - B) / np.linalg.norm(B) > 0.1


@pytest.mark.parametrize("position", [0, 700, 999])
def test_the_last_persons_row_from_two_outputs(position: int) -> None:
    """All other rows are known: two candidates are left, one of them the true row to four decimals and more."""
    dataset = whole(load_dataset("synthetic_fda"))
    assert dataset.y is not None
    kept = np.arange(dataset.n) != position
    others = replace(dataset, X=dataset.X[kept], y=dataset.y[kept])
    found = reconstruct_row(outputs(dataset, 2), XI, others, dataset.n, int(dataset.y[position]))
    truth = dataset.preprocessing.apply(dataset.X[[position]])[0]
    assert found.candidates.shape == (2, 5)
    assert np.abs(found.candidates - truth).max(axis=1).min() < 1e-4
    assert found.misfit < 1e-4


def test_the_corrected_algorithm_hides_the_row() -> None:
    dataset = whole(load_dataset("synthetic_fda"))
    assert dataset.y is not None
    others = replace(dataset, X=dataset.X[1:], y=dataset.y[1:])
    found = reconstruct_row(outputs(dataset, 2, "dpsr_corrected"), XI, others, dataset.n, int(dataset.y[0]))
    truth = dataset.preprocessing.apply(dataset.X[[0]])[0]
    assert np.abs(found.candidates - truth).max(axis=1).min() > 0.1


def test_too_many_columns_are_refused() -> None:
    with pytest.raises(ValueError, match="patterns of signs"):
        _signs(40)
