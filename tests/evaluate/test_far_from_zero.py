"""Columns far from zero for their spread: scatter and classifiers keep their digits."""

import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from dpgep_core import evaluate, solve
from dpgep_core.datasets import Dataset, Preprocessing
from dpgep_core.evaluate import Reference
from dpgep_core.models import Cca, Fda, Pca, Sir
from dpgep_core.models.moments import moments_of
from dpgep_core.models.problem import Problem, Sample
from dpgep_core.release import Setting

SPREADS = np.array([20.0, 1.0, 1.0])
FAR = (1e2, 1e5, 1e7, 1e10)


def far(mean: float, n: int = 1000) -> Dataset:
    """Two classes 3.3 standard deviations apart in the second of three columns, all of them at ``mean``."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 2
    X = mean + rng.normal(size=(n, 3)) * SPREADS + 3.3 * np.outer(y, [0.0, 1.0, 0.0])
    clipped = Preprocessing(rows="clip", radius=4 * mean)
    return Dataset(name="far", title="far", X=X, y=y, classes=("a", "b"), preprocessing=clipped)


def reference(data: Dataset) -> Reference:
    return Reference.of(data, Setting(model="pca"))


@pytest.mark.parametrize("mean", FAR)
@pytest.mark.parametrize("algorithm", ["exact", "ssp"])
def test_lda_is_that_of_scikit_learn(mean: float, algorithm: str) -> None:
    """On all three components, private or not, nothing is lost: about .950 = Φ(3.3/2) wherever the columns are."""
    data = far(mean)
    parts = reference(data).parts
    theirs = LinearDiscriminantAnalysis().fit(parts.X - mean, parts.y).score(parts.X_test - mean, parts.y_test)
    found = evaluate(solve(data, "pca", algorithm, n_components=3), data, classifiers=("lda",)).accuracy["lda"]
    assert theirs == pytest.approx(0.95, abs=0.03)
    assert found.private.accuracy == pytest.approx(theirs, abs=1.5 / len(parts.X_test))
    assert found.non_private.accuracy == pytest.approx(theirs, abs=1.5 / len(parts.X_test))


@pytest.mark.parametrize("mean", FAR)
def test_exact_directions_are_those_of_centred_rows(mean: float) -> None:
    data = far(mean)
    x = reference(data).problem.preprocessing.apply(reference(data).parts.X)
    rest = x - x.mean(axis=0)
    truth = np.linalg.svd(rest, full_matrices=False)[2].T
    found = solve(data, "pca", "exact", n_components=3).components
    np.testing.assert_allclose(np.abs((found * truth).sum(axis=0)), 1.0, atol=1e-9)
    y = reference(data).parts.y
    gap = rest[y == 1].mean(axis=0) - rest[y == 0].mean(axis=0)
    within = sum(np.cov(rest[y == k].T, bias=True) * (y == k).mean() for k in (0, 1))
    discriminant = np.linalg.solve(within, gap)
    found = solve(data, "fda", "exact", xi=1e-30).components[:, 0]
    cosine = found @ discriminant / np.linalg.norm(found) / np.linalg.norm(discriminant)
    assert abs(cosine) == pytest.approx(1.0, abs=1e-9)


def exact_scatter(x: np.ndarray, y: np.ndarray, K: int) -> tuple[np.ndarray, np.ndarray]:
    """Between and within scatter in rational arithmetic."""
    n, d = x.shape
    rows = [[Fraction(float(v)) for v in row] for row in x]
    mean = [sum(row[j] for row in rows) / n for j in range(d)]
    between, within = ([[Fraction(0)] * d for _ in range(d)] for _ in range(2))
    for k in range(K):
        mine = [row for row, code in zip(rows, y, strict=True) if code == k]
        centre = [sum(row[j] for row in mine) / len(mine) if mine else Fraction(0) for j in range(d)]
        for i in range(d):
            for j in range(d):
                between[i][j] += len(mine) * (centre[i] - mean[i]) * (centre[j] - mean[j]) / n
                within[i][j] += sum((row[i] - centre[i]) * (row[j] - centre[j]) for row in mine) / n
    return np.array(between, dtype=float), np.array(within, dtype=float)


@pytest.mark.parametrize("mean", FAR)
def test_scatter_agrees_with_rational_arithmetic(mean: float) -> None:
    """Four classes of which one is empty; as if there were seven times the rows, too."""
    data = far(mean, 60)
    y = np.arange(60) % 3 + (np.arange(60) % 3 == 2)
    x = data.preprocessing.apply(data.X)
    between, within = exact_scatter(x, y, 4)
    rtol = 1e-15 * mean + 1e-12
    scale = np.sqrt(np.outer(np.diag(between + within), np.diag(between + within)))
    for factor in (1.0, 7.0):
        moments = moments_of(data.X, y, 4, data.preprocessing).scaled(factor)
        for found, truth in (
            (Fda().pencil(moments).target, between),
            (Fda().pencil(moments).constraint_matrix, within),
            (Sir().pencil(moments).constraint_matrix, between + within),
            (Pca().pencil(moments).target, between + within),
        ):
            np.testing.assert_allclose(found / scale, truth / scale, atol=rtol)
    A, B = (np.where(Cca(view_columns=1)._inside(3)[:, None] == Cca(view_columns=1)._inside(3), a, b)
            for a, b in ((0.0, between + within), (between + within, 0.0)))  # fmt: skip
    pencil = Cca(view_columns=1).pencil(moments_of(data.X, None, 0, data.preprocessing))
    np.testing.assert_allclose(pencil.target / scale, A / scale, atol=rtol)
    np.testing.assert_allclose(pencil.constraint_matrix / scale, B / scale, atol=rtol)


def test_private_queries_are_about_the_plain_sums() -> None:
    data = far(1e7)
    x = data.preprocessing.apply(data.X)
    moments = Problem(Sample(data.X, data.y, 2, data.preprocessing), Fda()).moments
    assert moments.scatter is not None
    np.testing.assert_array_equal(moments.gram, x.T @ x)
    near = moments_of(data.X - 1e7, data.y, 2, Preprocessing(rows="clip", radius=100.0))
    assert near.scatter is None  # one pass is enough


def test_no_unit_of_measurement_decides_what_lda_sees() -> None:
    """A column a million times narrower than the others carries the classes; another is the class itself."""
    rng = np.random.default_rng(0)
    y = np.arange(600) % 2
    narrow = 1e-6 * (rng.normal(size=600) + 3.3 * y)
    X = np.column_stack([rng.normal(size=600), narrow, np.full(600, 0.5)])
    data = Dataset(name="narrow", title="narrow", X=X, y=y, classes=("a", "b"),
                   preprocessing=Preprocessing(rows="clip", radius=5.0))  # fmt: skip
    found = reference(data).score(np.eye(3), "lda")
    assert found.accuracy == pytest.approx(0.5 * math.erfc(-3.3 / 2 / math.sqrt(2)), abs=0.05)
    itself = Dataset(name="itself", title="itself", X=np.column_stack([X[:, 0], 0.3 + 1e-5 * y]), y=y,
                     classes=("a", "b"), preprocessing=Preprocessing(rows="clip", radius=5.0))  # fmt: skip
    assert reference(itself).score(np.eye(2), "lda").accuracy == 1.0
