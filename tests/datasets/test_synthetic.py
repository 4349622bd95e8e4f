"""The truth of each generated set is what exact linear algebra finds in its prepared rows."""

import numpy as np
import pytest
from scipy.linalg import eigh

from dpgep_core.datasets import load_dataset
from dpgep_core.datasets.synthetic import SYNTHETIC


def _moments(name):
    """Prepared rows, covariance, and where there are classes the between-class scatter."""
    dataset = load_dataset(name)
    rows = dataset.preprocessing.apply(dataset.X)
    centred = rows - rows.mean(axis=0)
    between = np.zeros((dataset.d, dataset.d))
    for code in range(dataset.n_classes):
        mean = centred[dataset.y == code].mean(axis=0)
        between += (dataset.y == code).mean() * np.outer(mean, mean)
    return dataset, centred.T @ centred / dataset.n, between


def _cosines(A, B, truth):
    vectors = eigh(A, B)[1][:, ::-1][:, : truth.shape[1]]
    vectors /= np.linalg.norm(vectors, axis=0)
    return np.abs((vectors * truth).sum(axis=0))


def test_pca_finds_all_ten_directions():
    dataset, covariance, _ = _moments("synthetic_pca")
    assert dataset.truth.shape == (20, 10)
    assert (_cosines(covariance, np.eye(20), dataset.truth) > 0.99).all()
    values = np.linalg.eigvalsh(covariance)[::-1][:11]
    assert (values[:-1] / values[1:] > 1.25).all()


@pytest.mark.parametrize(("ridge", "least"), [(0.0, 0.99), (0.01, 0.98)])
def test_fda_finds_the_direction_and_the_mean_difference_does_not(ridge, least):
    dataset, covariance, between = _moments("synthetic_fda")
    assert (dataset.n, dataset.d, dataset.n_classes) == (1_000, 5, 2)
    within = covariance - between
    assert _cosines(between, within + ridge * np.eye(5), dataset.truth) > least
    assert _cosines(between, np.eye(5), dataset.truth) < 0.85


@pytest.mark.parametrize("ridge", [0.0, 0.01])
def test_cca_finds_both_pairs(ridge):
    dataset, covariance, _ = _moments("synthetic_cca")
    cross = covariance.copy()
    cross[:10, :10] = cross[10:, 10:] = 0
    assert (_cosines(cross, covariance - cross + ridge * np.eye(20), dataset.truth) > 0.99).all()
    assert (_cosines(cross, np.eye(20), dataset.truth) < 0.5).all()  # not without whitening


@pytest.mark.parametrize("ridge", [0.0, 0.01])
def test_sir_finds_the_direction(ridge):
    dataset, covariance, between = _moments("synthetic_sir")
    assert dataset.n_classes == 10
    assert np.bincount(dataset.y, minlength=10).min() > dataset.n / 12
    assert _cosines(between, covariance + ridge * np.eye(20), dataset.truth) > 0.99


def test_sparse_finds_ten_equal_entries_among_a_thousand():
    """Also the share of energy that the story about it quotes: an eigenvalue of about .22 after unit rows."""
    dataset, covariance, _ = _moments("synthetic_sparse")
    assert (dataset.n, dataset.d) == (500, 1_000)
    assert np.count_nonzero(dataset.truth) == 10
    assert np.ptp(np.abs(dataset.truth[dataset.truth != 0])) == 0
    assert _cosines(covariance, np.eye(1_000), dataset.truth) > 0.99
    assert np.linalg.eigvalsh(covariance)[-1] == pytest.approx(0.22, abs=0.02)


@pytest.mark.parametrize("name", [each.name for each in SYNTHETIC])
def test_truth_has_unit_columns_and_clipping_changes_no_row(name):
    dataset = load_dataset(name)
    assert np.allclose(np.linalg.norm(dataset.truth, axis=0), 1)
    if dataset.preprocessing.rows == "clip":
        assert np.linalg.norm(dataset.X, axis=1).max() < dataset.preprocessing.radius


@pytest.mark.parametrize("bundle", SYNTHETIC)
def test_generated_rows_are_frozen(bundle):
    again = bundle.load()
    assert np.array_equal(again.X, load_dataset(bundle.name).X)
    assert np.array_equal(again.truth, load_dataset(bundle.name).truth)
