"""Streams never share numbers, and every noise law has the covariance it says: no less, and no more."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpgep_core.privacy import randomness
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import (
    MIRRORED,
    STREAM_PURPOSES,
    Independent,
    Isotropic,
    IsotropicTimes,
    LocalTriangles,
    TriangleTimes,
    UpperTriangle,
    Wishart,
    draw_batch,
    orthonormal_frame,
    permutation,
    stream,
)

DRAWS = 6000
LIMIT = 5.0  # standard errors
D = 5


def covariance_of_matrix(law: str) -> Array:
    """E[Z_ip Z_jq] for symmetric noise of scale 1, by hand."""
    eye = np.eye(D)
    same, mirrored = np.einsum("ij,pq->ipjq", eye, eye), np.einsum("iq,pj->ipjq", eye, eye)
    if law == "isotropic":
        return (same + mirrored) / 2
    twice = np.einsum("ij,pq,ip->ipjq", eye, eye, eye)  # the diagonal is drawn once
    return same + mirrored - twice


def times(matrix_covariance: Array, frame: Array) -> Array:
    """Covariance of vec(Z V), row by row."""
    size = frame.size
    return np.einsum("ipjq,pa,qb->iajb", matrix_covariance, frame, frame).reshape(size, size)


def deviates(samples: Array, covariance: Array) -> float:
    """Largest deviation, in standard errors, of mean, total variance and every covariance from what is expected."""
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-10
    outside = samples @ vectors[:, ~kept]
    if outside.size and np.abs(outside).max() > 1e-9 * np.sqrt(values.max()):
        return math.inf  # noise where there should be none
    white = samples @ (vectors[:, kept] / np.sqrt(values[kept]))
    n, rank = white.shape
    scatter = white.T @ white / n - np.eye(rank)
    errors = np.sqrt((1 + np.eye(rank)) / n)
    total = abs((white**2).sum(axis=1).mean() - rank) / math.sqrt(2 * rank / n)
    return max(float(np.abs(scatter / errors).max()), total, float(np.abs(white.mean(axis=0)).max()) * math.sqrt(n))


def sample(law: Any, shape: tuple[int, ...], seed: int = 3, sigma: float = 1.0) -> Array:
    rng = stream(seed, "noise")
    return np.array([law.draw(rng, shape, sigma).ravel() for _ in range(DRAWS)])


def frame(k: int) -> Array:
    return orthonormal_frame(11, D, k, "test")


SKEW = np.column_stack([[2.0, -1.0, 0.5, 0.0, 0.3], [0.0, 0.2, -0.7, 1.0, 1.0]])
SQUARE = (D, D)
TRIANGLE, ISOTROPIC = covariance_of_matrix("triangle"), covariance_of_matrix("isotropic")
LAWS: list[tuple[str, Any, tuple[int, ...], Array]] = [
    ("independent", Independent(), (3, 2), np.eye(6)),
    ("isotropic", Isotropic(), SQUARE, ISOTROPIC.reshape(D * D, D * D)),
    ("upper triangle", UpperTriangle(), SQUARE, TRIANGLE.reshape(D * D, D * D)),
    ("mean of nine reports", LocalTriangles(9), SQUARE, TRIANGLE.reshape(D * D, D * D) / 9),
    ("triangle times unit vector", TriangleTimes(frame(1)), (D, 1), times(TRIANGLE, frame(1))),
    ("triangle times axis", TriangleTimes(np.eye(D)[:, :1]), (D, 1), times(TRIANGLE, np.eye(D)[:, :1])),
    ("triangle times long vector", TriangleTimes(SKEW[:, :1]), (D, 1), times(TRIANGLE, SKEW[:, :1])),
    ("triangle times frame", TriangleTimes(frame(3)), (D, 3), times(TRIANGLE, frame(3))),
    ("triangle times skew frame", TriangleTimes(SKEW), (D, 2), times(TRIANGLE, SKEW)),
    *(
        (f"isotropic times frame of {k}", IsotropicTimes(frame(k)), (D, k), times(ISOTROPIC, frame(k)))
        for k in (1, 2, 4, 5)
    ),
]
EACH_LAW = pytest.mark.parametrize(
    ("law", "shape", "covariance"), [pytest.param(*rest, id=name) for name, *rest in LAWS]
)


class TestCovariances:
    @EACH_LAW
    def test_accepts_sigma_and_rejects_two_thirds_and_three_halves(
        self, law: Any, shape: tuple[int, ...], covariance: Array
    ) -> None:
        sigma = 0.7
        samples = sample(law, shape, sigma=sigma)
        assert deviates(samples, sigma**2 * covariance) < LIMIT
        for wrong in (2 / 3, 1.5):
            assert deviates(wrong * samples, sigma**2 * covariance) > 2 * LIMIT

    def test_the_laws_are_told_apart(self) -> None:
        """The test above would notice one law in the place of another."""
        isotropic, triangle = ISOTROPIC.reshape(D * D, D * D), TRIANGLE.reshape(D * D, D * D)
        assert deviates(sample(Isotropic(), SQUARE), triangle) > 2 * LIMIT
        assert deviates(sample(UpperTriangle(), SQUARE), isotropic) > 2 * LIMIT
        assert deviates(sample(Independent(), SQUARE), isotropic) > 2 * LIMIT
        assert deviates(sample(TriangleTimes(frame(1)), (D, 1)), times(ISOTROPIC, frame(1))) > 2 * LIMIT

    @pytest.mark.parametrize("law", [Isotropic(), UpperTriangle()])
    def test_symmetric_to_the_last_bit(self, law: Any) -> None:
        draw = law.draw(stream(0, "noise"), SQUARE, 1.0)
        assert (draw == draw.T).all()

    @EACH_LAW
    def test_a_unit_draw_times_sigma(self, law: Any, shape: tuple[int, ...], covariance: Array) -> None:
        """ε moves the size of the noise and not its shape: the picture does not jump."""
        one, ten = (law.draw(stream(5, "noise"), shape, sigma) for sigma in (1.0, 10.0))
        np.testing.assert_allclose(ten, 10 * one, rtol=1e-12)


def test_a_mirrored_triangle_is_the_one_that_was_drawn() -> None:
    """More rows than are mirrored at a time, and not a multiple of them."""
    size = 2 * MIRRORED + 9
    upper = np.triu(stream(1, "noise").standard_normal((size, size)))
    found = UpperTriangle().draw(stream(1, "noise"), (size, size), 0.3)
    np.testing.assert_array_equal(found, 0.3 * (upper + np.triu(upper, 1).T))


class TestShortCutsAgainstTheLiteralProduct:
    """The fast samplers against a drawn matrix times the frame."""

    def literal(self, law: Any, frame: Array) -> Array:
        rng = stream(8, "noise")
        return np.array([(law.draw(rng, SQUARE, 1.0) @ frame).ravel() for _ in range(DRAWS)])

    @pytest.mark.parametrize(
        ("fast", "slow", "v"),
        [
            pytest.param(TriangleTimes, UpperTriangle(), frame(1), id="triangle, k = 1"),
            pytest.param(TriangleTimes, UpperTriangle(), frame(3), id="triangle, k = 3"),
            pytest.param(IsotropicTimes, Isotropic(), frame(1), id="isotropic, k = 1"),
            pytest.param(IsotropicTimes, Isotropic(), frame(2), id="isotropic, k = 2"),
            pytest.param(IsotropicTimes, Isotropic(), frame(4), id="isotropic, k = 4"),
        ],
    )
    def test_two_samples(self, fast: Callable[[Array], Any], slow: Any, v: Array) -> None:
        """Kolmogorov–Smirnov on coordinates, on random mixtures and on vᵀZv; other scales are rejected."""
        short, long = sample(fast(v), v.shape), self.literal(slow, v)
        mixtures = stream(2, "data").standard_normal((v.size, 6))
        directions = np.column_stack([np.eye(v.size), mixtures, np.outer(v[:, 0], np.eye(v.shape[1])[0]).ravel()])
        scores = [stats.ks_2samp(short @ w, long @ w).pvalue for w in directions.T]
        assert min(scores) > 0.001 / len(scores)
        for wrong in (2 / 3, 1.5):
            assert max(stats.ks_2samp(wrong * short @ w, long @ w).pvalue for w in directions.T) < 1e-6

    def test_all_columns_of_the_identity_are_one_symmetric_matrix(self) -> None:
        """With the identity as frame the product is Z itself: symmetric, with the right covariance."""
        rng = stream(4, "noise")
        draws = np.array([TriangleTimes(np.eye(D)).draw(rng, SQUARE, 1.0) for _ in range(3000)])
        np.testing.assert_allclose(draws, draws.transpose(0, 2, 1), atol=1e-14)
        assert deviates(draws.reshape(3000, -1), TRIANGLE.reshape(D * D, D * D)) < LIMIT

    @pytest.mark.parametrize("columns", [(0, 1), (0, 2, 4)])
    def test_axes_among_the_columns(self, columns: tuple[int, ...]) -> None:
        """Rows of norm 1, where a division by what is left of them would fail."""
        v = np.eye(D)[:, list(columns)]
        assert deviates(sample(TriangleTimes(v), v.shape), times(TRIANGLE, v)) < LIMIT

    def test_columns_that_depend_on_each_other(self) -> None:
        v = np.column_stack([SKEW, SKEW.sum(axis=1)])
        assert deviates(sample(TriangleTimes(v), v.shape), times(TRIANGLE, v)) < LIMIT

    def test_many_rows(self) -> None:
        """Every coordinate has the variance of the whole product, 1."""
        v = orthonormal_frame(1, 600, 2, "long")
        rng = stream(6, "noise")
        draws = np.array([TriangleTimes(v).draw(rng, v.shape, 1.0) for _ in range(60)])
        ratio = (draws**2).mean(axis=0)  # |v|² + v_i² − v_i² = 1, entry by entry
        assert abs(ratio.mean() - 1) < 5 * math.sqrt(2 / draws.size)
        for part in (slice(0, 256), slice(256, 512), slice(512, 600)):
            assert abs(ratio[part].mean() - 1) < 5 * math.sqrt(2 / (60 * ratio[part].size))


class TestStreams:
    def test_same_seed_same_numbers(self) -> None:
        for purpose in STREAM_PURPOSES:
            assert (stream(7, purpose).random(8) == stream(7, purpose).random(8)).all()
            assert (stream(7, purpose).random(8) != stream(8, purpose).random(8)).all()

    def test_purposes_and_tags_share_nothing(self) -> None:
        """A start, a split or a baseline must never repeat the noise: who knows one would know the other."""
        keys = [(seed, purpose, tag) for seed in (0, 1, 2) for purpose in STREAM_PURPOSES for tag in ("", "a", "b")]
        draws = np.array([stream(*key).standard_normal(2000) for key in keys])
        correlations = np.corrcoef(draws) - np.eye(len(keys))
        assert np.abs(correlations).max() < 5.5 / math.sqrt(2000)
        assert len(np.unique(draws)) == draws.size

    def test_consecutive_seeds_are_unrelated(self) -> None:
        draws = np.array([stream(seed, "noise").standard_normal(500) for seed in range(60)])
        assert np.abs(np.corrcoef(draws) - np.eye(60)).max() < 5.5 / math.sqrt(500)

    def test_no_seed_takes_the_systems_entropy(self) -> None:
        assert len({float(stream(None, "noise").random()) for _ in range(50)}) == 50

    def test_frames_are_orthonormal_uniform_and_repeatable(self) -> None:
        v = orthonormal_frame(3, 7, 4, "x")
        np.testing.assert_allclose(v.T @ v, np.eye(4), atol=1e-12)
        assert (v == orthonormal_frame(3, 7, 4, "x")).all()
        assert not np.allclose(v, orthonormal_frame(3, 7, 4, "y"))
        first = np.array([orthonormal_frame(seed, 3, 2)[:, 0] for seed in range(3000)])
        assert np.abs(first.mean(axis=0)).max() < 5 / math.sqrt(3 * 3000)  # no favoured sign
        assert np.abs((first**2).mean(axis=0) - 1 / 3).max() < 0.03

    def test_permutations(self) -> None:
        order = permutation(1, 50, "split", "t")
        assert sorted(order) == list(range(50))
        assert (order == permutation(1, 50, "split", "t")).all()
        assert not (order == permutation(1, 50, "baseline", "t")).all()


def test_every_law_says_what_it_covers() -> None:
    """A new law needs a line in the table of this file."""
    laws = {name for name, thing in vars(randomness).items() if isinstance(thing, type) and hasattr(thing, "draw")}
    tested = {type(law).__name__ for _, law, *_ in LAWS}
    assert laws - {"NoiseLaw", "Wishart"} == tested  # Wishart noise is not Gaussian and has its own test


def test_wishart_noise_is_that_of_its_paper() -> None:
    """d + 1 degrees of freedom and scale σI: E W = (d + 1)σI, and 1/(σ vᵀW⁻¹v) is chi-squared with 2."""
    draws = sample(Wishart(), SQUARE, sigma=2.0).reshape(-1, D, D)
    error = 2 * (D + 1) / math.sqrt(DRAWS) * LIMIT
    np.testing.assert_allclose(draws.mean(axis=0), 2 * (D + 1) * np.eye(D), atol=error)
    v = frame(1)[:, 0]
    chi = 1 / (2 * np.einsum("i,nij,j->n", v, np.linalg.inv(draws), v))
    assert stats.kstest(chi, stats.chi2(2).cdf).pvalue > 1e-4
    assert not Wishart.proves


class TestBatches:
    @pytest.mark.parametrize("batch", [1, 3, 10])
    def test_rows_are_different_and_equally_likely(self, batch: int) -> None:
        rng = stream(1, "noise")
        draws = [draw_batch(rng, 10, batch) for _ in range(2000)]
        assert all(len(set(d.tolist())) == batch for d in draws)
        counts = np.bincount(np.concatenate(draws), minlength=10)
        expected, spread = 2000 * batch / 10, math.sqrt(2000 * batch / 10 * max(1 - batch / 10, 1e-9))
        assert np.abs(counts - expected).max() <= 5 * spread
