"""Streamed sums against the textbook formulas, row by row."""

import numpy as np
import pytest

from dpgep_core.datasets import Preprocessing
from dpgep_core.datasets.dataset import BLOCK_ROWS
from dpgep_core.models import Fda, Pca
from dpgep_core.models.moments import Moments, moments_of
from dpgep_core.models.problem import Problem, Sample

CLIP = Preprocessing(rows="clip", radius=2.0)


def data(n: int, d: int = 4, K: int = 5, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Rows of four classes out of five: class 2 is empty, class 4 has one row."""
    rng = np.random.default_rng(seed)
    y = rng.choice([0, 1, 3], n)
    y[0] = 4
    return rng.standard_normal((n, d)) + y[:, None], y


def scatters(x: np.ndarray, y: np.ndarray, K: int) -> tuple[np.ndarray, np.ndarray]:
    """Between and within scatter by their definitions."""
    n, mean = len(x), x.mean(axis=0)
    between, within = np.zeros((x.shape[1],) * 2), np.zeros((x.shape[1],) * 2)
    for k in range(K):
        rows = x[y == k]
        if len(rows):
            centre = rows.mean(axis=0)
            between += len(rows) * np.outer(centre - mean, centre - mean) / n
            within += (rows - centre).T @ (rows - centre) / n
    return between, within


@pytest.mark.parametrize("n", [2, 50, BLOCK_ROWS, BLOCK_ROWS + 1, 2 * BLOCK_ROWS + 17])
def test_streamed_sums(n: int) -> None:
    X, y = data(n)
    x = CLIP.apply(X)
    moments = moments_of(X, y, 5, CLIP)
    assert moments.n == n
    np.testing.assert_allclose(moments.gram, x.T @ x, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(moments.counts, [(y == k).sum() for k in range(5)])
    for k in range(5):
        np.testing.assert_allclose(moments.sums[:, k], x[y == k].sum(axis=0), rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(moments.mean, x.mean(axis=0), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(moments.covariance, np.cov(x.T, bias=True), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("n", [2, 50, 3000])
def test_fisher_pencil_is_between_and_within(n: int) -> None:
    X, y = data(n)
    between, within = scatters(CLIP.apply(X), y, 5)
    pencil = Fda().pencil(moments_of(X, y, 5, CLIP))
    np.testing.assert_allclose(pencil.target, between, rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(pencil.constraint_matrix, within, rtol=1e-9, atol=1e-13)
    assert pencil.factor is not None
    np.testing.assert_allclose(pencil.factor @ pencil.factor.T, between, rtol=1e-9, atol=1e-13)


def test_between_and_within_add_up_to_the_covariance() -> None:
    X, y = data(500)
    moments = moments_of(X, y, 5, CLIP)
    pencil = Fda().pencil(moments)
    np.testing.assert_allclose(pencil.target + pencil.constraint_matrix, moments.covariance, atol=1e-13)


def test_an_empty_class_adds_nothing() -> None:
    X, y = data(200)
    with_empty, packed = Fda().pencil(moments_of(X, y, 5, CLIP)), np.unique(y, return_inverse=True)[1]
    without = Fda().pencil(moments_of(X, packed, 4, CLIP))
    np.testing.assert_allclose(with_empty.target, without.target, atol=1e-14)
    np.testing.assert_allclose(with_empty.constraint_matrix, without.constraint_matrix, atol=1e-14)


def test_without_labels_one_column_carries_the_sum() -> None:
    X, _ = data(100)
    moments = moments_of(X, None, 0, CLIP)
    assert moments.sums.shape == (4, 1)
    assert moments.counts == [100]
    np.testing.assert_allclose(moments.covariance, np.cov(CLIP.apply(X).T, bias=True), atol=1e-12)


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.float32, np.float64])
def test_stored_type_does_not_matter(dtype: type) -> None:
    X = np.random.default_rng(0).integers(0, 255, (300, 6))
    expected = moments_of(X.astype(np.float64), None, 0, Preprocessing()).gram
    np.testing.assert_array_equal(moments_of(X.astype(dtype), None, 0, Preprocessing()).gram, expected)


def test_pca_is_the_covariance_or_the_second_moment() -> None:
    X, y = data(300)
    x, moments = CLIP.apply(X), moments_of(X, y, 5, CLIP)
    np.testing.assert_allclose(Pca().pencil(moments).target, np.cov(x.T, bias=True), atol=1e-12)
    np.testing.assert_allclose(Pca(centred=False).pencil(moments).target, x.T @ x / 300, atol=1e-12)
    assert Pca().pencil(moments).constraint is None


@pytest.mark.parametrize("factor", [0.1, 1.0, 7.5, 100.0])
def test_pretended_rows_keep_every_average(factor: float) -> None:
    X, y = data(200)
    sample = Sample(X, y, 5, CLIP)
    pretended, true = Problem(sample, Fda(), factor), Problem(sample, Fda())
    np.testing.assert_allclose(pretended.pencil.target, true.pencil.target, atol=1e-13)
    np.testing.assert_allclose(pretended.pencil.constraint_matrix, true.pencil.constraint_matrix, atol=1e-13)
    assert pretended.n == round(200 * factor)
    assert pretended.moments.counts.sum() == pytest.approx(200 * factor)


def test_zero_counts_of_a_noisy_release_divide_nothing() -> None:
    moments = Moments(5.0, np.eye(2), np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([0.0, 5.0]))
    assert np.isfinite(moments.within).all()
    np.testing.assert_array_equal(moments.class_means[:, 0], 0.0)
