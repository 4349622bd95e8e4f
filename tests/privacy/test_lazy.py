"""A noise matrix revealed product by product has the law of one that is drawn whole."""

from typing import Any

import numpy as np
import pytest

from dpgep_core.privacy import Curator, Grant
from dpgep_core.privacy.lazy import LazyIsotropic
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
