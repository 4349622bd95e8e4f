"""Answers of a curator once they are in the ledger: paid loops, and a noisy matrix that is never formed.

The matrix is symmetric, and revealed product by product under one noise matrix. Only directions of an orthonormal frame
are ever answered, and each with its noise. What is asked for is first replaced by its projection on the frame, for the
matrix and for its noise alike: a part that is too small to be a direction of its own is left out of both, so nothing is
answered without noise.
"""

from collections.abc import Callable
from typing import Generic

import numpy as np

from dpgep_core.privacy.ledger import ROUNDING
from dpgep_core.privacy.query import Array, Indices, Query, SampledQuery, Secret
from dpgep_core.privacy.randomness import Generator, Independent, Isotropic, NoiseLaw

INDEPENDENT = Independent()
FETCHED = 512  # rows prepared at a time


class Channel(Generic[Secret]):
    """A paid loop of answers. It refuses a query more sensitive than paid for, and one answer too many.

    What was paid for can be read and not changed.
    """

    __slots__ = ("__answer", "__left", "__name", "__sensitivity", "__sigma")

    def __init__(
        self,
        answer: Callable[[Query[Secret], NoiseLaw], Array],
        name: str,
        sensitivity: float,
        sigma: float,
        count: int,
    ) -> None:
        self.__answer, self.__left = answer, count
        self.__name, self.__sensitivity, self.__sigma = name, sensitivity, sigma

    @property
    def left(self) -> int:
        """Answers still paid for."""
        return self.__left

    @property
    def sigma(self) -> float:
        """Scale of the noise of each answer."""
        return self.__sigma

    def ask(self, query: Query[Secret], *, law: NoiseLaw = INDEPENDENT) -> Array:
        """The next noisy answer of the loop."""
        if self.__left <= 0 or not query.sensitivity <= self.__sensitivity * (1 + ROUNDING):
            raise PermissionError(f"{query.name}: {self.left} answers left on {self.__name!r}")
        self.__left -= 1
        return self.__answer(query, law)


class SampledChannel:
    """A paid loop of answers about batches of rows. It draws the rows itself, and does not say which."""

    __slots__ = ("__batch", "__draw", "__fetch", "__left", "__name", "__noisy", "__rows", "__sensitivity")

    def __init__(
        self,
        draw: Callable[[], Indices],
        fetch: Callable[[Indices], Array],
        noisy: Callable[[Array], Array],
        name: str,
        sensitivity: float,
        count: int,
        batch: int,
    ) -> None:
        self.__draw, self.__fetch, self.__noisy = draw, fetch, noisy
        self.__name, self.__sensitivity, self.__left, self.__batch = name, sensitivity, count, batch
        self.__rows: list[Array] = []

    @property
    def left(self) -> int:
        """Answers still paid for."""
        return self.__left

    def ask(self, query: SampledQuery) -> Array:
        """The next noisy answer, about rows drawn for it alone."""
        if self.__left <= 0 or not query.sensitivity <= self.__sensitivity * (1 + ROUNDING):
            raise PermissionError(f"{query.name}: {self.left} answers left on {self.__name!r}")
        if not self.__rows:
            self.__refill()
        self.__left -= 1
        return self.__noisy(query.evaluate(self.__rows.pop()))

    def __refill(self) -> None:
        """Rows for the next answers, prepared together: one at a time is slow."""
        draws = min(self.__left, max(1, FETCHED // self.__batch))
        positions = [self.__draw() for _ in range(draws)]
        rows = self.__fetch(np.concatenate(positions))
        self.__rows = [rows[i * self.__batch : (i + 1) * self.__batch] for i in reversed(range(draws))]


NEW_DIRECTION = 1e-10  # part of a unit direction below which it counts as already revealed


class LazyIsotropic:
    """One matrix Z of `Isotropic` noise, of which only the products asked for are drawn.

    With ZV known for orthonormal V, and new orthonormal W orthogonal to V, the law of ZW given ZV is that of
    V(ZV)ᵀW + W Z_k + (σ/√2)(I − VVᵀ − WWᵀ)N, with Z_k isotropic on symmetric matrices of the size of W's columns and N
    independent unit normals. So all products together have exactly the law of products with one matrix, in memory that
    grows with the number of directions and not with d².
    """

    def __init__(self, rng: Generator, d: int, sigma: float) -> None:
        self.__rng, self.__sigma = rng, sigma
        self.__frame, self.__products = np.zeros((d, 0)), np.zeros((d, 0))

    def project(self, directions: Array) -> tuple[Array, Array]:
        """Coordinates of any (d, k) directions in the revealed frame, and the columns that the frame gained for them.

        A direction is its projection on the frame up to `NEW_DIRECTION` times its length.
        """
        lengths = np.linalg.norm(directions, axis=0)
        units = directions / np.where(lengths > 0, lengths, 1.0)
        known = self.__frame.T @ units
        rest = units - self.__frame @ known
        again = self.__frame.T @ rest  # twice, or rounding would leave old directions in the new ones
        rest, known = rest - self.__frame @ again, known + again
        fresh = _basis(rest)
        if fresh.shape[1]:  # a short direction beside a long one comes out of the decomposition not quite orthogonal
            fresh = np.linalg.qr(fresh - self.__frame @ (self.__frame.T @ fresh))[0]
            self.__reveal(fresh)
            known = np.vstack([known, fresh.T @ rest])
        return known * lengths, fresh

    def times(self, directions: Array) -> Array:
        """Z U for any (d, k) matrix U, as `project` sees it: new directions are drawn, known ones repeated."""
        coordinates, _ = self.project(directions)
        return self.__products @ coordinates

    def added_to(self, exact: Callable[[Array], Array]) -> Callable[[Array], Array]:
        """U ↦ (matrix + Z) U, from the exact products of a symmetric matrix.

        The matrix is multiplied by each direction of the frame once, and every answer is a combination of these noisy
        products.
        """
        noisy = np.zeros_like(self.__products)

        def times(directions: Array) -> Array:
            nonlocal noisy
            coordinates, fresh = self.project(directions)
            if count := fresh.shape[1]:
                noisy = np.hstack([noisy, exact(fresh) + self.__products[:, -count:]])
            return noisy @ coordinates

        return times

    def __reveal(self, fresh: Array) -> None:
        k = fresh.shape[1]
        inside = Isotropic().draw(self.__rng, (k, k), self.__sigma)
        outside = Independent().draw(self.__rng, fresh.shape, self.__sigma / np.sqrt(2))
        for frame in (self.__frame, fresh):
            outside = outside - frame @ (frame.T @ outside)
        product = self.__frame @ (self.__products.T @ fresh) + fresh @ inside + outside
        self.__frame = np.hstack([self.__frame, fresh])
        self.__products = np.hstack([self.__products, product])


class RevealedMatrix:
    """Products of a noisy symmetric matrix that is too large to form; paid for once."""

    __slots__ = ("__times",)

    def __init__(self, times: Callable[[Array], Array]) -> None:
        self.__times = times

    def times(self, directions: Array) -> Array:
        """(matrix + noise) U for a (d, k) matrix U, with the same noise matrix in every product."""
        return self.__times(directions)


def _basis(rest: Array) -> Array:
    """Orthonormal columns that span what is left of unit directions, without what is only rounding."""
    if not rest.size:
        return rest[:, :0]
    U, S, _ = np.linalg.svd(rest, full_matrices=False)
    return U[:, NEW_DIRECTION < S]
