"""DPSRS as published, and what its second orthonormalisation does to sparsity."""

import math

import numpy as np
import pytest
from battery import ROWS, rows

from dpgep_core import solve


def entries(basis: np.ndarray) -> list[int]:
    return (np.abs(basis) > 1e-12).sum(axis=0).tolist()


def test_published_noise_by_hand() -> None:
    """σ₁ = 2 · 12 √(15 log(1.25 · 15/δ))/(nε), σ₂ = 2 · 16 √(…)/(nεξ) for FDA."""
    release = solve(rows(), "fda", "dpsrs", epsilon=0.5)
    root = math.sqrt(15 * math.log(1.25 * 15 / ROWS**-1.1))
    assert release.facts["sigma_1"] == pytest.approx(2 * 12 * root / (ROWS * 0.5))
    assert release.facts["sigma_2"] == pytest.approx(2 * 16 * root / (ROWS * 0.5 * 0.01))


def test_noise_exceeds_that_of_dpsr_by_the_failures_counted() -> None:
    sparse, dense = (solve(rows(), "fda", key).facts for key in ("dpsrs", "dpsr"))
    delta = ROWS**-1.1
    ratio = math.sqrt(math.log(1.25 * 15 / delta) / math.log(1.25 / delta))
    for name in ("sigma_1", "sigma_2"):
        assert sparse[name] == pytest.approx(ratio * dense[name])


def test_as_published_the_answer_is_dense() -> None:
    release = solve(rows(), "fda", "dpsrs", sparsity=2, n_components=2)
    assert max(entries(release.components)) > 2


@pytest.mark.parametrize("model", ["pca", "fda"])
@pytest.mark.parametrize("s", [1, 2, 3])
def test_repaired_every_answer_is_sparse(model: str, s: int) -> None:
    release = solve(rows(), model, "dpsrs", sparsity=s, repair=True, n_components=2)
    for basis in release.history:
        assert max(entries(basis)) <= s
    plain = solve(rows(), model, "dpsrs", sparsity=s, n_components=2)
    assert [(e.query, e.count) for e in release.ledger] == [(e.query, e.count) for e in plain.ledger]


@pytest.mark.parametrize("s", [0, 6, 30])
def test_keeping_all_entries_it_is_dpsr(s: int) -> None:
    sparse, dense = (
        solve(rows(), "fda", key, noise=False, **more).components
        for key, more in (("dpsrs", {"sparsity": s}), ("dpsr", {}))
    )
    np.testing.assert_allclose(sparse, dense, atol=1e-9)
