"""Tables with many more columns than rows: matrices of rank n at most are kept in the space that the rows span.

A and B are Q A′ Qᵀ and Q B′ Qᵀ with orthonormal Q (d, r), r ≤ n + 1 for each group of columns, so an exact solution and
products with A and B take memory that grows with d·n and not with d².
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.errors import ParameterError
from dpgep_core.models.moments import Moments, moments_of
from dpgep_core.models.pencil import Pencil, Products
from dpgep_core.models.size import check_memory
from dpgep_core.numerics import SINGULAR
from dpgep_core.privacy.query import Array, Indices
from dpgep_core.privacy.randomness import orthonormal_frame
from dpgep_core.typed_scipy import linalg

MANY_COLUMNS = 1000  # columns below which whole matrices are formed
PRODUCT_COLUMNS = 5000  # columns from which no d × d matrix is formed unless asked for
FEW_ROWS = 2000  # rows up to which an orthonormal basis of so many columns is worth its memory
AS_THEY_ARE = Preprocessing(rows="clip", radius=1.0)  # of rows in the unit ball


def is_wide(rows: int, columns: int) -> bool:
    """Whether the space of the rows is worth going to."""
    few = columns < PRODUCT_COLUMNS or rows <= FEW_ROWS
    return columns >= MANY_COLUMNS and 2 * (rows + 1) <= columns and few


@dataclass(frozen=True, eq=False)
class RowSpace:
    """An orthonormal basis of the space of the rows, and their sums there.

    Parameters
    ----------
    basis : array (d, r)
        Q. Each column is of one group of columns of the table only.
    sizes : tuple of int
        How many columns of Q each group has.
    moments : Moments
        Sums of the rows' coordinates Qᵀx.
    """

    basis: Array
    sizes: tuple[int, ...]
    moments: Moments

    def along(self, directions: Array) -> Moments:
        """Moments of the rows projected on (d, k) directions."""
        return self.moments.along(self.basis.T @ directions)


def row_space(rows: Array, y: NDArray[np.intp] | None, n_classes: int, groups: Sequence[Indices]) -> RowSpace:
    """The space of prepared rows (n, d), a basis for each group of columns.

    Rows are centred first: a basis of rows that all lie far out would say little of how they differ.
    """
    mean = rows.mean(axis=0)
    parts: list[Array] = []
    sizes: list[int] = []
    for group in groups:
        spread = (rows[:, group] - mean[group]).T
        inside = linalg.qr(np.column_stack([spread, mean[group]]), mode="economic", check_finite=False)[0]
        part = np.zeros((rows.shape[1], inside.shape[1]))
        part[group] = inside
        parts.append(part)
        sizes.append(inside.shape[1])
    basis = np.hstack(parts)
    return RowSpace(basis, tuple(sizes), moments_of(rows @ basis, y, n_classes, AS_THEY_ARE))


@dataclass(frozen=True, eq=False)
class WidePencil(Products):
    """A pair (A, B) in the space of the rows, with what `Pencil` offers.

    Parameters
    ----------
    inner : Pencil
        (A′, B′), of size r.
    basis : array (d, r)
        Q.
    """

    inner: Pencil
    basis: Array

    @property
    def d(self) -> int:
        """Size of A and B."""
        return self.basis.shape[0]

    @cached_property
    def target(self) -> Array:
        """(d, d) A itself."""
        check_memory(self.d, self.d)
        return self.basis @ self.inner.target @ self.basis.T

    @property
    def constraint(self) -> Array | None:
        """(d, d) B, or None for the identity."""
        return None if self.inner.constraint is None else self.constraint_matrix

    @cached_property
    def constraint_matrix(self) -> Array:
        """(d, d) B itself."""
        check_memory(self.d, self.d)
        if self.inner.constraint is None:
            return np.eye(self.d)
        return self.basis @ self.inner.constraint @ self.basis.T

    @property
    def identity_constraint(self) -> bool:
        """Whether B is the identity."""
        return self.inner.identity_constraint

    def target_times(self, directions: Array) -> Array:
        """(d, k) A V."""
        return self.basis @ (self.inner.target @ (self.basis.T @ directions))

    def constraint_times(self, directions: Array) -> Array:
        """(d, k) B V."""
        if self.inner.constraint is None:
            return directions
        return self.basis @ (self.inner.constraint @ (self.basis.T @ directions))

    def solve(self, k: int, xi: float) -> Array:
        """Solve as `Pencil.solve` does; directions outside the space of the rows fill up what is missing."""
        if not self.identity_constraint:
            values = self.inner.constraint_spectrum.values
            if xi <= SINGULAR * (max(values[-1], 0.0) + xi):
                rank = int((values > SINGULAR * values[-1]).sum())
                raise ParameterError("xi", xi, f"> 0 here, since B is singular (rank {rank} of {self.d})")
        inside = min(k, self.basis.shape[1])
        found = self.basis @ self.inner.solve(inside, xi)
        if inside == k:
            return found
        rest = self._outside(k - inside)
        return np.hstack([found, rest if self.identity_constraint else rest / np.sqrt(xi)])

    def on_columns(self, chosen: Indices) -> Pencil:
        """The pencil of some of the columns alone."""
        check_memory(len(chosen), len(chosen))
        Q, inner = self.basis[chosen], self.inner
        constraint = None if inner.constraint is None else Q @ inner.constraint @ Q.T
        return Pencil(Q @ inner.target @ Q.T, constraint)

    def variances(self) -> Array:
        """(d,) the diagonal of A."""
        return np.einsum("ij,ij->i", self.basis @ self.inner.target, self.basis)

    def _outside(self, count: int) -> Array:
        drawn = orthonormal_frame(0, self.d, count, "outside the row space")
        for _ in range(2):  # the second time for what rounding left
            drawn = linalg.qr(drawn - self.basis @ (self.basis.T @ drawn), mode="economic")[0]
        return drawn
