"""A noisy symmetric matrix that is never formed: it is revealed product by product, under one noise matrix.

Only directions of an orthonormal frame are ever answered, and each with its noise. What is asked for is first replaced
by its projection on the frame, for the matrix and for its noise alike: a part that is too small to be a direction of
its own is left out of both, so nothing is answered without noise.
"""

from collections.abc import Callable

import numpy as np

from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Generator, Independent, Isotropic

NEW = 1e-10  # part of a unit direction below which it counts as already revealed


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

        A direction is its projection on the frame up to `NEW` times its length.
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
    """What a curator hands out for a noisy symmetric matrix that is too large to form; paid for once."""

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
    return U[:, NEW < S]
