"""A noise matrix revealed product by product has the law of one that is drawn whole."""

import math
from typing import Any

import numpy as np
import pytest

from dpgep_core.privacy import Curator, Grant
from dpgep_core.privacy.channel import LazyIsotropic
from dpgep_core.privacy.query import Array, MatrixQuery
from dpgep_core.privacy.randomness import stream

D, DRAWS, SIGMA = 5, 6000, 2.0
LIMIT = 5.5  # standard errors


def asked() -> list[Array]:
    """Directions that overlap, repeat and are neither orthogonal nor of unit length."""
    rng = np.random.default_rng(8)
    first, second = rng.standard_normal((D, 2)), rng.standard_normal((D, 2))
    return [first, np.column_stack([first[:, 0] + second[:, 0], second[:, 1]]), first @ [[1.0], [2.0]]]


def literal_covariance(U: Array) -> Array:
    """Covariance of the entries of ZU, row by row, with E[Z_ip Z_jq] = (δ_ij δ_pq + δ_iq δ_pj)/2."""
    eye = np.eye(D)
    of_matrix = (np.einsum("ij,pq->ipjq", eye, eye) + np.einsum("iq,pj->ipjq", eye, eye)) / 2
    return np.einsum("ipjq,pa,qb->iajb", of_matrix, U, U).reshape(U.size, U.size)


def revealed(seed: int) -> Array:
    noise = LazyIsotropic(stream(seed, "noise"), D, SIGMA)
    return np.hstack([noise.times(U) for U in asked()])


def test_products_have_the_law_of_products_with_one_matrix() -> None:
    """Two-sided: every covariance, also between products asked for at different times."""
    samples = np.array([revealed(seed).ravel() for seed in range(DRAWS)])
    expected = SIGMA**2 * literal_covariance(np.hstack(asked()))
    scatter = samples.T @ samples / DRAWS
    spread = np.sqrt((np.outer(np.diag(expected), np.diag(expected)) + expected**2) / DRAWS)
    assert (np.abs(scatter - expected) <= LIMIT * spread + 1e-9).all()
    for wrong in (2 / 3, 3 / 2):
        assert (np.abs(scatter - wrong**2 * expected) > LIMIT * spread + 1e-9).any()


def test_the_same_directions_give_the_same_noise() -> None:
    noise, (U, W, _) = LazyIsotropic(stream(1, "noise"), D, SIGMA), asked()
    first, other = noise.times(U), noise.times(W)
    np.testing.assert_allclose(noise.times(U), first, atol=1e-9)
    np.testing.assert_allclose(noise.times(2 * W - U), 2 * other - first, atol=1e-9)
    np.testing.assert_array_equal(noise.times(np.zeros((D, 1))), 0)


def test_it_is_symmetric_once_all_is_revealed() -> None:
    noise = LazyIsotropic(stream(4, "noise"), D, SIGMA)
    for U in asked():
        noise.times(U)
    Z = noise.times(np.eye(D))
    np.testing.assert_allclose(Z, Z.T, atol=1e-9)


NEAR = [0.0, 1e-14, 9e-11, 1.1e-10, 1e-6]  # parts of a direction outside of what was revealed
SIZE, PARTS = 8, 400


def _product(secret: Array, directions: Array) -> Array:
    return np.asarray(secret @ directions)


def asked_twice(matrix: Array, part: float, seed: int, sigma: float = SIGMA) -> Array:
    """What e₀ + part · e₁ adds to the answer for e₀, over ``part``: at e₁ alone if the answers were exact."""
    query = MatrixQuery("matrix", _product, SIZE, 1.0)
    grant = Grant(epsilon=1.0, delta=1e-5, enforced=False)
    revealed = Curator(matrix, grant, seed=seed).reveal(query, sigma=sigma)
    base = np.eye(SIZE)[:, :1]
    first = revealed.times(base)
    return np.asarray(revealed.times(base + part * np.eye(SIZE)[:, 1:2]) - first)[:, 0] / (part or 1.0)


class TestNearlyRevealed:
    """Two almost equal questions were once a way to read a matrix without noise."""

    @pytest.mark.parametrize("part", NEAR)
    def test_a_matrix_shows_only_with_the_full_noise(self, part: float) -> None:
        """Whether A e₁ is 0 or large, given that A e₀ is 0: invisible, or under noise of the law of one entry."""
        other = np.zeros((SIZE, SIZE))
        other[1, 2] = other[2, 1] = 1.0
        none, some = (np.array([asked_twice(A, part, seed)[2:] for seed in range(PARTS)]) for A in (other * 0, other))
        if (none == some).all():
            return  # the part was left out: the answer has nothing of A e₁
        assert np.mean(some - none, axis=0) == pytest.approx(np.eye(SIZE - 2)[0], abs=1e-4)
        spread = none.var()
        assert spread == pytest.approx(SIGMA**2 / 2, rel=5.5 * math.sqrt(2 / none.size))

    def test_what_is_large_enough_is_answered(self) -> None:
        A = np.diag(np.arange(1.0, SIZE + 1))
        assert asked_twice(A, 1e-6, 1, sigma=1e-3)[1] == pytest.approx(2.0, abs=0.02)

    @pytest.mark.parametrize("part", NEAR)
    def test_signal_and_noise_have_the_same_direction(self, part: float) -> None:
        """The exact part of an answer is that of the direction whose noise it carries, to rounding."""
        noise = LazyIsotropic(stream(3, "noise"), SIZE, SIGMA)
        times = noise.added_to(lambda directions: 1e6 * directions)
        base = np.eye(SIZE)[:, :1]
        times(base)
        answer = times(base + part * np.eye(SIZE)[:, 1:2])
        Z = times(np.eye(SIZE)) - 1e6 * np.eye(SIZE)
        direction = np.linalg.solve(1e6 * np.eye(SIZE) + Z, answer)
        np.testing.assert_allclose(
            direction[:, 0], [1.0, part, *np.zeros(SIZE - 2)], atol=1.1e-10 if part < 1e-10 else 1e-13
        )

    def test_a_column_is_answered_whatever_the_length_of_its_neighbours(self) -> None:
        noise, U = LazyIsotropic(stream(2, "noise"), D, SIGMA), np.diag([1.0, 1e-13, 1e13, 0.0, 1.0])
        Z = noise.times(U)
        np.testing.assert_allclose(Z, noise.times(np.eye(D)) @ U, rtol=1e-9)

    def test_a_short_part_beside_a_long_one_keeps_the_frame_orthonormal(self) -> None:
        noise, rng = LazyIsotropic(stream(5, "noise"), 40, SIGMA), np.random.default_rng(4)
        V = rng.standard_normal((40, 3))
        noise.times(V)
        _, fresh = noise.project(np.column_stack([V[:, 0] + 1e-8 * rng.standard_normal(40), rng.standard_normal(40)]))
        assert fresh.shape == (40, 2)
        np.testing.assert_allclose(fresh.T @ fresh, np.eye(2), atol=1e-13)
        np.testing.assert_allclose(np.linalg.qr(V)[0].T @ fresh, 0, atol=1e-13)


class TestCurator:
    grant = Grant(epsilon=1.0, delta=1e-5)

    def query(self, seen: list[Any]) -> MatrixQuery[str]:
        def multiply(secret: str, directions: Array) -> Array:
            seen.append(secret)
            return directions

        return MatrixQuery("matrix", multiply, D, 1.0)

    def test_paid_once_however_often_asked(self) -> None:
        keeper, seen = Curator("rows", self.grant, seed=1), list[Any]()
        matrix = keeper.reveal(self.query(seen), sigma=10.0)
        assert seen == []
        for U in asked():
            matrix.times(U)
        assert [(e.query, e.count, e.sigma) for e in keeper.ledger] == [("matrix", 1, 10.0)]

    def test_refused_before_anything_is_read(self) -> None:
        from dpgep_core.errors import BudgetExceededError

        keeper, seen = Curator("rows", self.grant, seed=1), list[Any]()
        with pytest.raises(BudgetExceededError):
            keeper.reveal(self.query(seen), sigma=0.1)
        assert seen == []
        assert len(keeper.ledger) == 0

    def test_without_noise_it_is_unprotected(self) -> None:
        keeper = Curator("rows", self.grant, seed=1, noise=False)
        U = np.eye(D)
        assert (keeper.reveal(self.query([]), sigma=0.1).times(U) == U).all()
        assert keeper.ledger.unprotected == ("matrix",)
