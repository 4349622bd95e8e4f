"""Sums over streamed rows: the same to the last bit for every order of the rows, and every way they lie in files.

A prepared row x is split in x ≈ (h + l 2^-16) 2^-16 with whole h and l, to within 2^-33 in each entry. Σ hhᵀ and Σ hlᵀ
are sums of whole numbers below 2^53 in a block, where a product of float64 matrices is exact, and blocks add up in
int64. Σ xxᵀ = (Σ hhᵀ + (Σ hlᵀ + Σ lhᵀ) 2^-16) 2^-32 then misses the sums over rows in memory by less than 2^-32 n in an
entry, which is far below any noise. A release takes the sums of `dpgep_core.models.integer_sums` instead.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.dataset import prepared_blocks
from dpgep_core.datasets.passes import Rows, Sums
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.datasets.summed_rows import SummedRows
from dpgep_core.errors import DataError
from dpgep_core.models.centring import Centring
from dpgep_core.models.size import check_memory
from dpgep_core.privacy.integers import MOST, exact_sum, integer_rows
from dpgep_core.privacy.query import Array, Integers

HALF = 2.0**16  # steps in 1 of h, and steps of l in one of h
MOST_ROWS = MOST >> 32  # of norm 1, whose squares still add up in 64 bits
NUMBERS_AT_ONCE = 1 << 19  # of prepared rows: a few megabytes, which stay in the processor's cache


class ClassTotals(NamedTuple):
    """Second moments Σ x xᵀ (d, d), sums Σ x over each class (d, K), and rows of each class (K,)."""

    gram: Array
    sums: Array
    counts: Array


@dataclass(frozen=True, eq=False)
class _RowsInClasses:
    """How stored rows and their classes are told before they are summed.

    Parameters
    ----------
    preprocessing : Preprocessing
    columns : int
        K; with 1, all rows are of one class.
    about : Centring or None
        Where given, rows are taken about the centre of their class.
    """

    preprocessing: Preprocessing
    columns: int
    about: Centring | None = field(default=None, repr=False)

    def in_classes(self, blocks: Iterable[Rows]) -> Iterator[tuple[Array, Array]]:
        """Prepared rows (m, d), about the centre of their class where there are centres, and e_y of each (m, K)."""
        for X, codes in blocks:
            at_once = max(64, NUMBERS_AT_ONCE // max(1, X.shape[1]))
            for where, x in prepared_blocks(X, self.preprocessing, at_once):
                classes = np.zeros(len(x), np.intp) if self.columns == 1 else codes[where]
                rows = x if self.about is None else self.about.rows(x, classes)
                yield rows, np.eye(self.columns)[classes]

    @property
    def centring(self) -> str:
        """Text that differs wherever the centring could."""
        return "as they are" if self.about is None else self.about.identity


@dataclass(frozen=True, eq=False)
class MomentSum(_RowsInClasses):
    """Sums of whole numbers behind `ClassTotals`, of prepared rows or of prepared rows about centres."""

    @property
    def identity(self) -> str:
        """Text that differs wherever the sums could."""
        return f"moments {self.preprocessing!r} {self.columns} {self.centring}"

    def of(self, blocks: Iterable[Rows]) -> Sums:
        """(Σ hhᵀ, Σ hlᵀ, class sums of h and of l, counts)."""
        found: list[Integers] = []
        for rows, classes in self.in_classes(blocks):
            new = [each.astype(np.int64) for each in _products(rows, classes)]
            if not found:
                found = new
            else:
                for old, more in zip(found, new, strict=True):
                    old += more
        return tuple(found)


@dataclass(frozen=True, eq=False)
class JointSum(_RowsInClasses):
    """Σ z zᵀ with z = [q; ω e_y] in whole steps, as `dpgep_core.models.integer_sums` proves it for a release.

    Where centres are given, q is of the row about the centre of its class. ``longest`` bounds every |z|².
    """

    omega: int = field(kw_only=True)
    longest: int = field(kw_only=True)

    @property
    def identity(self) -> str:
        """Text that differs wherever the sums could."""
        return f"joint {self.preprocessing!r} {self.omega} {self.columns} {self.centring}"

    def of(self, blocks: Iterable[Rows]) -> Sums:
        """The sum alone; none of no rows."""
        rows = (np.hstack([integer_rows(q), self.omega * classes]) for q, classes in self.in_classes(blocks))
        total = exact_sum(rows, self.longest)
        return (total,) if total.ndim else ()


def streamed_sums(what: str, rows: SummedRows, moment_sum: MomentSum) -> ClassTotals:
    """Sums over streamed rows, by one pass over the files."""
    check_memory(rows.shape[1], rows.shape[1])
    check_rows(rows, MOST_ROWS)
    squares, cross, high, low, counts = rows.sums(what, moment_sum)
    cross = cross.astype(np.float64)
    gram = (squares.astype(np.float64) + (cross + cross.T) / HALF) / HALF**2
    return ClassTotals(gram, (high + low / HALF) / HALF, counts.astype(np.float64))


def check_rows(rows: SummedRows, most: int) -> None:
    """Raise `DataError` where there are so many rows that a sum could leave 64 bits."""
    if rows.shape[0] > most:
        raise DataError(rows.where, "too many rows", f"at most {most:,}: larger sums do not fit 64 bits")


def _products(x: Array, classes: NDArray[Any]) -> tuple[Array, ...]:
    """Sums of whole numbers over a block of rows of the unit ball: exact in float64 for fewer than 2^20 rows."""
    scaled = x * HALF
    high = np.rint(scaled)
    low = np.rint((scaled - high) * HALF)
    return high.T @ high, high.T @ low, high.T @ classes, low.T @ classes, classes.sum(axis=0)
