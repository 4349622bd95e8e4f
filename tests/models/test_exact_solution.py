"""The exact solution against SciPy and scikit-learn, on the bundled data."""

import numpy as np
import pytest
from scipy import linalg
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from dpgep_core import Dataset, Preprocessing, load_dataset
from dpgep_core.errors import ParameterError
from dpgep_core.models import Fda, Pca
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.problem import Problem, Sample
from dpgep_core.privacy.query import Array

NAMES = ("digits", "wine", "breast_cancer")


def varying(name: str) -> tuple[Dataset, Array]:
    """A bundled set without its constant columns, and its prepared rows."""
    dataset = load_dataset(name)
    x = dataset.preprocessing.apply(dataset.X)
    return dataset, x[:, x.std(axis=0) > 1e-3]


def problem(name: str, model: Fda | Pca) -> tuple[Problem, Array, np.ndarray]:
    dataset, x = varying(name)
    sample = Sample(x, dataset.y, dataset.n_classes, Preprocessing(rows="clip", radius=2.0))
    assert dataset.y is not None
    return Problem(sample, model), x / 2, dataset.y


def cosines(V: Array, W: Array) -> Array:
    return np.abs((V / np.linalg.norm(V, axis=0) * (W / np.linalg.norm(W, axis=0))).sum(axis=0))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("xi", [1e-4, 0.01, 1.0])
def test_fisher_directions_are_scipys(name: str, xi: float) -> None:
    """eigh(A, B + ξI): same values, same directions, same scaling vᵀ(B + ξI)v = 1."""
    pencil = problem(name, Fda())[0].pencil
    k = min(3, load_dataset(name).n_classes - 1)
    ridged = pencil.constraint_matrix + xi * np.eye(pencil.d)
    values, vectors = linalg.eigh(pencil.target, ridged)
    V = pencil.solve(k, xi)
    np.testing.assert_allclose(cosines(V, vectors[:, ::-1][:, :k]), 1.0, atol=1e-8)
    np.testing.assert_allclose(pencil.quotients(V, xi), values[::-1][:k], rtol=1e-8)
    np.testing.assert_allclose(V.T @ ridged @ V, np.eye(k), atol=1e-8)
    without_factor = Pencil(pencil.target, pencil.constraint).solve(k, xi)
    np.testing.assert_allclose(cosines(V, without_factor), 1.0, atol=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_principal_components_are_scikit_learns(name: str) -> None:
    solved, x, _ = problem(name, Pca())
    k = 5
    peer = PCA(n_components=k, svd_solver="full").fit(x)
    V = solved.pencil.solve(k, 0.0)
    np.testing.assert_allclose(cosines(V, peer.components_.T), 1.0, atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(V, axis=0), 1.0, atol=1e-12)
    variances = peer.explained_variance_ * (len(x) - 1) / len(x)
    np.testing.assert_allclose(solved.pencil.quotients(V), variances, rtol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_fisher_directions_are_scikit_learns(name: str) -> None:
    """LDA with the eigen solver whitens the within scatter of the same rows, without a ridge."""
    solved, x, y = problem(name, Fda())
    k = min(3, int(y.max()))
    peer = LinearDiscriminantAnalysis(solver="eigen").fit(x, y)
    V = solved.pencil.solve(k, 0.0)
    np.testing.assert_allclose(cosines(V, peer.scalings_[:, :k]), 1.0, atol=1e-8)


def test_constant_columns_need_a_ridge() -> None:
    """Some pixels of digits never change: B is singular, and the error says so instead of dividing by zero."""
    dataset = load_dataset("digits")
    pencil = Problem(Sample(dataset.X, dataset.y, 10, dataset.preprocessing), Fda()).pencil
    with pytest.raises(ParameterError, match=r"xi must be > 0 here, since B is singular \(rank 6\d of 64\)"):
        pencil.solve(3, 0.0)
    assert np.isfinite(pencil.solve(3, 1e-6)).all()


def test_a_ridge_on_the_identity_changes_nothing() -> None:
    pencil = problem("wine", Pca())[0].pencil
    np.testing.assert_array_equal(pencil.solve(3, 0.0), pencil.solve(3, 5.0))


def test_negative_eigenvalues_of_a_noisy_constraint_count_as_zero() -> None:
    constraint = np.diag([2.0, 1.0, -0.5])
    V = Pencil(np.diag([1.0, 2.0, 0.1]), constraint).solve(3, 0.1)
    np.testing.assert_allclose(V.T @ np.diag([2.1, 1.1, 0.1]) @ V, np.eye(3), atol=1e-12)


def test_more_components_than_the_rank_of_the_factor() -> None:
    factor = np.random.default_rng(0).standard_normal((4, 2))
    V = Pencil(factor @ factor.T, np.eye(4), factor).solve(4, 0.0)
    np.testing.assert_allclose(V.T @ V, np.eye(4), atol=1e-10)


def test_signs_repeat() -> None:
    """The largest entry of each component is positive, so that two runs do not mirror each other."""
    V = problem("wine", Pca())[0].pencil.solve(4, 0.0)
    assert (V[np.abs(V).argmax(axis=0), range(4)] > 0).all()
