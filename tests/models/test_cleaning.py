"""Cleaning brings released sums nearer to the truth than they were, and leaves sums without noise alone."""

import numpy as np
import pytest

from dpgep_core.models.cleaning import cleaned_eigenvalues, shrunk_matrix, shrunk_shares, shrunk_vector
from dpgep_core.privacy.randomness import Isotropic

D = 80


def test_eigenvalues_of_pure_noise_are_all_but_gone() -> None:
    noise = Isotropic().draw(np.random.default_rng(0), (D, D), 1.0)
    values = np.asarray(np.linalg.eigvalsh(noise), dtype=np.float64)
    assert np.linalg.norm(cleaned_eigenvalues(values, 1.0)) < 0.15 * np.linalg.norm(values)


def test_without_noise_only_negative_eigenvalues_change() -> None:
    values = np.array([3.0, -0.5, 2.0, 2.0, 0.0])
    assert np.allclose(cleaned_eigenvalues(values, 0.0), [3.0, 0.0, 2.0, 2.0, 0.0])
    assert np.allclose(cleaned_eigenvalues(values, 1e-9), [3.0, 0.0, 2.0, 2.0, 0.0], atol=1e-6)


@pytest.mark.parametrize("scale", [0.02, 0.1, 0.5])
def test_a_cleaned_covariance_is_nearer_to_the_exact_one(scale: float) -> None:
    rng = np.random.default_rng(1)
    frame = np.linalg.qr(rng.standard_normal((D, D)))[0]
    exact = (frame * np.geomspace(3, 0.01, D)) @ frame.T
    released = exact + Isotropic().draw(rng, (D, D), scale)
    values, vectors = np.linalg.eigh(released)
    cleaned = (vectors * cleaned_eigenvalues(values, scale)) @ vectors.T
    cut = (vectors * np.maximum(values, 0)) @ vectors.T
    assert np.linalg.norm(cleaned - exact) < np.linalg.norm(cut - exact) < np.linalg.norm(released - exact)


@pytest.mark.parametrize("size", [2.0**600, 2.0**-600])
def test_eigenvalues_of_any_size_are_cleaned_alike(size: float) -> None:
    values = np.array([3.0, -1.0, 2.0, 0.5])
    assert np.array_equal(cleaned_eigenvalues(size * values, size * 0.3), size * cleaned_eigenvalues(values, 0.3))


def test_cleaned_eigenvalues_keep_their_order() -> None:
    values = np.random.default_rng(2).standard_normal(D)
    cleaned = cleaned_eigenvalues(values, 0.3)
    assert (np.diff(cleaned[np.argsort(values)]) >= 0).all()


def test_shares_without_noise_are_kept_and_noise_alone_is_uniform() -> None:
    shares = np.array([0.7, 0.2, 0.1])
    assert np.allclose(shrunk_shares(shares, 0.0), shares)
    assert np.allclose(shrunk_shares(shares, 10.0), 1 / 3)


def test_no_class_is_dropped() -> None:
    found = shrunk_shares(np.array([1.2, -0.3, 0.1]), 0.05)
    assert found.min() > 0
    assert found.sum() == pytest.approx(1)


def test_a_vector_of_noise_shrinks_and_a_strong_one_stays() -> None:
    noise = np.random.default_rng(3).standard_normal(500)
    assert np.linalg.norm(shrunk_vector(noise, 1.0)) < 0.3 * np.linalg.norm(noise)
    assert np.allclose(shrunk_vector(100 * noise, 1.0), 100 * noise, rtol=1e-3)
    assert not shrunk_vector(np.zeros(5), 1.0).any()


def test_a_matrix_loses_its_noise_and_keeps_its_rank_one_part() -> None:
    rng = np.random.default_rng(4)
    noise = rng.standard_normal((200, 10))
    exact = 60 * np.outer(np.ones(200) / np.sqrt(200), np.ones(10) / np.sqrt(10))
    assert np.linalg.norm(shrunk_matrix(exact + noise, 1.0) - exact) < 0.5 * np.linalg.norm(noise)
    assert np.linalg.norm(shrunk_matrix(noise, 1.0)) < 0.3 * np.linalg.norm(noise)
    assert np.array_equal(shrunk_matrix(exact, 0.0), exact)
