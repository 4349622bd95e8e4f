"""A pair (A, B) of many columns that is known by its products alone, and its leading components.

Exact components: for B = I the Lanczos method of ARPACK; otherwise A = F Fᵀ has few directions, so (B + ξI)^-1 F, by
conjugate gradients, spans all components that carry anything, and a small problem inside that span gives them. Of a
noisy B, negative eigenvalues have to be set to zero, which is no rational function of B: the small problem is then in
the block Krylov space of F, where B₊ is that of the small matrix.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dpgep_core.errors import ParameterError
from dpgep_core.models.pencil import Pencil, Products
from dpgep_core.models.size import check_memory
from dpgep_core.numerics import SINGULAR, fix_signs, unit_columns
from dpgep_core.privacy.query import Array, Indices
from dpgep_core.privacy.randomness import orthonormal_frame, stream
from dpgep_core.typed_scipy import linalg, sparse_linalg

Times = Callable[[Array], Array]

COLUMNS_AT_ONCE = 256  # of a matrix that is formed from products after all
LANCZOS_VECTORS = 64  # at least so many, and four for each component
LANCZOS_SETTLED = 1e-12  # residual over eigenvalue
VALUES_SETTLED = 1e-4  # the same, where eigenvalues alone are wanted: their error is its square
SOLVED = 1e-13  # residual of (B + ξI)X = F over F
MOST_STEPS = 3000  # of conjugate gradients
SAME_DIRECTION = 1e-10  # part of a unit direction that is new, below which it counts as none
MOST_DIRECTIONS = 240  # of a block Krylov space
MOST_ROUNDS = 20  # that it grows in: components then are a few thousandths from where the noisy matrix has them
KRYLOV_SETTLED = 1e-6  # largest sine between components of two rounds


@dataclass(frozen=True, eq=False)
class ProductPencil(Products):
    """A symmetric pair (A, B), with what `Pencil` offers.

    Parameters
    ----------
    d : int
        Size of A and B.
    times_target : callable or None
        V → A V; None where there is a factor.
    times_constraint : callable or None
        V → B V; None for the identity.
    factor : array (d, r) or None
        F with F Fᵀ = A. A pencil whose B is not the identity needs one.
    most_rank : int or None
        Largest rank that B can have, where that is less than d; None where it is not known to be.
    diagonal, part : callable or None
        The diagonal (d,) of A, and the pencil of some of the columns alone, for sparse exact components. None for a
        released pencil.
    """

    d: int
    times_target: Times | None
    times_constraint: Times | None = None
    factor: Array | None = None
    most_rank: int | None = None
    diagonal: Callable[[], Array] | None = None
    part: Callable[[Indices], Pencil] | None = None
    # Orthonormal bases of the columns of (B + ξI)^-1 F, by ξ: another number of components reuses them.
    _spans: dict[float, Array] = field(default_factory=dict[float, Array], init=False, repr=False)

    @property
    def identity_constraint(self) -> bool:
        """Whether B is the identity."""
        return self.times_constraint is None

    def target_times(self, directions: Array) -> Array:
        """(d, k) A V."""
        if self.times_target is not None:
            return self.times_target(directions)
        assert self.factor is not None
        return self.factor @ (self.factor.T @ directions)

    def constraint_times(self, directions: Array) -> Array:
        """(d, k) B V."""
        return directions if self.times_constraint is None else self.times_constraint(directions)

    @cached_property
    def target(self) -> Array:
        """(d, d) A itself, where memory allows it."""
        return self._formed(self.target_times)

    @property
    def constraint(self) -> Array | None:
        """(d, d) B, or None for the identity."""
        return None if self.identity_constraint else self.constraint_matrix

    @cached_property
    def constraint_matrix(self) -> Array:
        """(d, d) B itself, where memory allows it."""
        return self._formed(self.constraint_times)

    def variances(self) -> Array:
        """(d,) the diagonal of A."""
        if self.factor is not None:
            return (self.factor**2).sum(axis=1)
        assert self.diagonal is not None
        return self.diagonal()

    def on_columns(self, chosen: Indices) -> Pencil:
        """The pencil of some of the columns alone."""
        assert self.part is not None
        check_memory(len(chosen), len(chosen))
        return self.part(chosen)

    def solve(self, k: int, xi: float) -> Array:
        """Solve an exact pencil as `Pencil.solve` does; arbitrary directions fill up what carries nothing."""
        if self.identity_constraint:
            values, vectors = self._leading(k, LANCZOS_SETTLED)
            return fix_signs(vectors[:, np.argsort(-values, kind="stable")])
        if self.most_rank is not None and xi <= SINGULAR:
            raise ParameterError("xi", xi, f"> 0 here, since B is singular (rank {self.most_rank} of {self.d} at most)")
        if xi not in self._spans:
            inward = solved(lambda V: self.constraint_times(V) + xi * V, self._factor, xi)
            self._spans[xi] = new_directions(np.zeros((self.d, 0)), unit_columns(inward))
        inside = self._spans[xi]
        if k > inside.shape[1]:
            outside = orthonormal_frame(0, self.d, k, "outside the row space")
            inside = np.hstack([inside, new_directions(inside, outside)])
        small = Pencil(None, inside.T @ self.constraint_times(inside), inside.T @ self._factor)
        return fix_signs(inside @ small.solve(k, xi))

    def leading_quotients(self, k: int, xi: float) -> Array:
        """(k,) largest generalized eigenvalues of an exact pencil, falling."""
        if self.identity_constraint:
            return np.sort(self._leading(k, VALUES_SETTLED)[0])[::-1]
        return np.sort(self.quotients(self.solve(k, xi), xi))[::-1]

    def solve_released(self, k: int, xi: float, start: Array) -> Array:
        """(d, k) components of (A, B₊ + ξI) for a noisy B that is not the identity, from its block Krylov space.

        ``start`` (d, b) are directions for components beyond the rank of A. It ends where components no longer move,
        after `MOST_ROUNDS`, or with `MOST_DIRECTIONS`.
        """
        nothing, factor = np.zeros((self.d, 0)), unit_columns(self._factor)
        basis = block = new_directions(nothing, factor)
        if block.shape[1] < k:  # the columns of the factor may depend on each other, as the means of two classes do
            basis = block = new_directions(nothing, np.hstack([factor, start]))
        most = min(self.d, MOST_DIRECTIONS, MOST_ROUNDS * block.shape[1])
        inner, before = np.zeros((0, 0)), None
        while True:
            products = self.constraint_times(block)
            inner = _bordered(inner, basis.T @ products)
            found = Pencil(None, inner, basis.T @ self._factor).solve(k, xi)
            left = most - basis.shape[1]
            if left <= 0 or (before is not None and _largest_sine(found, before) <= KRYLOV_SETTLED):
                break
            block = new_directions(basis, unit_columns(products))[:, :left]
            if not block.shape[1]:
                break
            before, basis = np.vstack([found, np.zeros((block.shape[1], k))]), np.hstack([basis, block])
        return fix_signs(basis @ found)

    @property
    def _factor(self) -> Array:
        assert self.factor is not None
        return self.factor

    def _leading(self, k: int, settled: float) -> tuple[Array, Array]:
        """Eigenvalues and eigenvectors of A, in any order; those of directions that carry nothing are arbitrary."""
        frame = orthonormal_frame(0, self.d, k, "outside the row space")
        reached = new_directions(np.zeros((self.d, 0)), unit_columns(self.target_times(frame)))
        if reached.shape[1] < k:  # A has no more: Lanczos would look for the rest among equal eigenvalues
            values, inner = np.linalg.eigh(reached.T @ self.target_times(reached))
            outside = new_directions(reached, frame)[:, : k - len(values)]
            return np.append(values, np.zeros(outside.shape[1])), np.hstack([reached @ inner, outside])

        def once(vector: Array) -> Array:
            return self.target_times(vector.reshape(-1, 1))[:, 0]

        wanted = min(self.d, max(LANCZOS_VECTORS, 4 * k))
        tools = sparse_linalg()
        operator = tools.LinearOperator((self.d, self.d), matvec=once, dtype=np.float64)
        start = orthonormal_frame(0, self.d, 1, "outside the row space")[:, 0]
        again = stream(0, "start", "inside equal eigenvalues")  # where it starts anew
        return tools.eigsh(operator, k, which="LA", v0=start, ncv=wanted, tol=settled, rng=again)

    def _formed(self, times: Times) -> Array:
        check_memory(self.d, self.d)
        found = np.empty((self.d, self.d))
        for first in range(0, self.d, COLUMNS_AT_ONCE):
            columns = slice(first, first + COLUMNS_AT_ONCE)
            found[:, columns] = times(np.eye(self.d, min(COLUMNS_AT_ONCE, self.d - first), -first))
        return (found + found.T) / 2


def solved(times: Times, sides: Array, xi: float) -> Array:
    """X with S X = ``sides`` for a symmetric positive definite S, by conjugate gradients on all columns at once.

    Hestenes & Stiefel 1952: each column has its own steps.

    Raises
    ------
    ParameterError
        If S is singular, or so nearly that the steps do not end.
    """
    found, residual = np.zeros_like(sides), sides.copy()
    direction, square = residual.copy(), (residual**2).sum(axis=0)
    enough = SOLVED**2 * square
    for _ in range(MOST_STEPS):
        if (square <= enough).all():
            return found
        image = times(direction)
        bend = (direction * image).sum(axis=0)
        length = np.divide(square, bend, out=np.zeros_like(square), where=bend > 0)
        found += length * direction
        residual -= length * image
        after = (residual**2).sum(axis=0)
        direction = residual + np.divide(after, square, out=np.zeros_like(square), where=square > 0) * direction
        square = after
    raise ParameterError(
        "xi", xi, "larger here: B is so nearly singular that products with it do not lead to an answer"
    )


def new_directions(basis: Array, vectors: Array) -> Array:
    """Orthonormal columns that span what ``vectors`` of length 1 add to an orthonormal basis."""
    for _ in range(2):  # the second time for what rounding left
        U, sizes, _ = linalg.svd(vectors - basis @ (basis.T @ vectors), full_matrices=False)
        vectors = U[:, sizes > SAME_DIRECTION]
    return vectors


def _bordered(inner: Array, columns: Array) -> Array:
    """A symmetric matrix with more columns, of which the upper part is the border of what was there."""
    size = len(inner)
    return np.block([[inner, columns[:size]], [columns[:size].T, columns[size:]]])


def _largest_sine(one: Array, other: Array) -> float:
    V, W = unit_columns(one), unit_columns(other)
    return float(np.linalg.norm(V - W * (V * W).sum(axis=0), axis=0).max())
