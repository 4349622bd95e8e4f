"""Metrics of two bases, against what they must be by definition."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles

from dpgep_core.evaluate import metrics
from dpgep_core.evaluate.classify import score
from dpgep_core.models.pencil import Pencil


def frame(seed: int, d: int = 8, k: int = 3) -> np.ndarray:
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((d, k)))[0]


def test_signs_and_lengths_mean_nothing() -> None:
    V, W = frame(0), frame(1)
    scaled = V * np.array([2.0, -3.0, 0.1])
    assert metrics.cosine_similarity(scaled, V) == pytest.approx(np.ones(3))
    for measure in (
        metrics.cosine_similarity,
        metrics.principal_angles,
        metrics.subspace_distance,
        metrics.shang_distance,
    ):
        assert measure(scaled, W) == pytest.approx(measure(V, W))


def test_subspace_distance_is_the_norm_of_the_difference_of_projections() -> None:
    V, W = frame(0), frame(1)
    assert metrics.subspace_distance(V, W) == pytest.approx(float(np.linalg.norm(V @ V.T - W @ W.T)))


def test_subspace_distance_and_angles_do_not_see_a_rotation_and_shangs_does() -> None:
    V, turn = frame(0), np.linalg.qr(np.random.default_rng(2).standard_normal((3, 3)))[0]
    assert metrics.subspace_distance(V @ turn, V) == pytest.approx(0, abs=1e-6)
    assert metrics.principal_angles(V @ turn, V) == pytest.approx(np.zeros(3), abs=1e-5)
    assert metrics.shang_distance(V @ turn, V) > 0.1


def test_shang_distance_is_the_squared_norm_after_sign_alignment() -> None:
    V, W = frame(0), frame(1)
    aligned = W * np.sign(np.einsum("ij,ij->j", V, W))
    assert metrics.shang_distance(V, W) == pytest.approx(float(np.linalg.norm(V - aligned) ** 2))


def test_principal_angles_agree_with_scipy() -> None:
    V, W = frame(0), frame(1)
    assert metrics.principal_angles(V, W) == pytest.approx(np.degrees(np.sort(subspace_angles(V, W))))


@pytest.mark.parametrize("d", [2, 64, 784])
def test_chance_cosine_is_the_mean_over_random_directions(d: int) -> None:
    """Two-sided: the Monte Carlo mean is within four standard errors."""
    draws = np.random.default_rng(0).standard_normal((40_000, d if d < 100 else 100))
    if d > 100:  # the first coordinate of a unit vector needs only its share of a χ² norm
        rest = np.random.default_rng(1).chisquare(d - 100, 40_000)
        cosines = np.abs(draws[:, 0]) / np.sqrt((draws**2).sum(axis=1) + rest)
    else:
        cosines = np.abs(draws[:, 0]) / np.linalg.norm(draws, axis=1)
    assert abs(cosines.mean() - metrics.chance_cosine(d)) < 4 * cosines.std() / np.sqrt(cosines.size)


def test_explained_is_one_for_the_best_span_and_below_for_any_other() -> None:
    rng = np.random.default_rng(3)
    half, other = rng.standard_normal((6, 6)), rng.standard_normal((6, 6))
    pencil = Pencil(half @ half.T, other @ other.T + np.eye(6))
    best = pencil.solve(2, 0.1)
    assert metrics.explained_share(best @ np.array([[1.0, 2.0], [0.5, -1.0]]), pencil, 0.1, best) == pytest.approx(1.0)
    for seed in range(5):
        assert 0 < metrics.explained_share(frame(seed, 6, 2), pencil, 0.1, best) < 1


def test_procrustes_undoes_turning_mirroring_scaling_and_moving() -> None:
    rng = np.random.default_rng(4)
    points = rng.standard_normal((40, 2)) * [3, 1]
    turned = 0.2 * points @ np.array([[0.6, 0.8], [0.8, -0.6]]) + [5, -7]
    assert metrics.procrustes(turned, points) == pytest.approx(points - points.mean(axis=0))
    assert metrics.shared_layout(turned, points) == pytest.approx(1.0)
    assert metrics.shared_layout(rng.standard_normal((40, 2)), points) < 0.5


def test_no_share_passes_one() -> None:
    """Rounding alone takes some of these past 1: the best span under other axes, and a layout that is its own."""
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((8, 8))
    pencil = Pencil(matrix @ matrix.T, np.diag(rng.uniform(1, 2, 8)))
    best = pencil.solve(3, 0.01)
    points = rng.standard_normal((30, 2))
    for seed in range(100):
        turned = best @ np.random.default_rng(seed).standard_normal((3, 3))
        assert metrics.explained_share(turned, pencil, 0.01, best) <= 1
        assert metrics.explained_share(turned, pencil, 0.01, best) == pytest.approx(1.0)
        layout = points @ np.random.default_rng(seed).standard_normal((2, 2))
        assert 0 <= metrics.shared_layout(layout, points) <= 1
    assert metrics.shared_layout(np.zeros((30, 2)), points) == 0
    assert metrics.explained_share(pencil.solve(3, 0.01), pencil, 0.01, frame(0)) > 1.01  # no best, and said so


def test_no_score_passes_one() -> None:
    for seed in range(100):
        truth = np.random.default_rng(seed).integers(0, 7, 50 + seed)
        found = score(truth, truth, 1)
        assert (found.accuracy, found.precision, found.recall, found.f1, found.high) == (1, 1, 1, 1, 1)
        none = score((truth + 1) % 7, truth, 1)
        assert (none.accuracy, none.recall, none.low) == (0, 0, 0)
