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
from dpgep_core.privacy.query import Array, Indices, Integers

HALF = 2.0**16  # steps in 1 of h, and steps of l in one of h
MOST_ROWS = MOST >> 32  # of norm 1, whose squares still add up in 64 bits
NUMBERS_AT_ONCE = 1 << 19  # of prepared rows: a few megabytes, which stay in the processor's cache


class ClassTotals(NamedTuple):
    """Second moments Σ x xᵀ (d, d), sums Σ x over each class (d, K), and rows of each class (K,)."""

    gram: Array
    sums: Array
    counts: Array


@dataclass(frozen=True, eq=False)
class MomentSum:
    """Sums of whole numbers behind `ClassTotals`, of prepared rows or of prepared rows about centres.

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

    @property
    def identity(self) -> str:
        """Text that differs wherever the sums could."""
        return f"moments {self.preprocessing!r} {self.columns} {_told(self.about)}"

    def of(self, blocks: Iterable[Rows]) -> Sums:
        """(Σ hhᵀ, Σ hlᵀ, class sums of h and of l, counts)."""
        found: list[Integers] = []
        for x, codes in _prepared(blocks, self.preprocessing, self.columns):
            rows = x if self.about is None else self.about.rows(x, codes)
            new = [each.astype(np.int64) for each in _products(rows, np.eye(self.columns)[codes])]
            if not found:
                found = new
            else:
                for old, more in zip(found, new, strict=True):
                    old += more
        return tuple(found)


@dataclass(frozen=True, eq=False)
class JointSum:
    """Σ z zᵀ with z = [q; ω e_y] in whole steps, as `dpgep_core.models.integer_sums` proves it for a release.

    Where centres are given, q is of the row about the centre of its class.
    """

    preprocessing: Preprocessing
    omega: int
    columns: int
    longest: int
    about: Centring | None = field(default=None, repr=False)

    @property
    def identity(self) -> str:
        """Text that differs wherever the sums could."""
        return f"joint {self.preprocessing!r} {self.omega} {self.columns} {_told(self.about)}"

    def of(self, blocks: Iterable[Rows]) -> Sums:
        """The sum alone; none of no rows."""
        total = exact_sum(self._augmented(blocks), self.longest)
        return (total,) if total.ndim else ()

    def _augmented(self, blocks: Iterable[Rows]) -> Iterator[Array]:
        for x, codes in _prepared(blocks, self.preprocessing, self.columns):
            rows = x if self.about is None else self.about.rows(x, codes)
            yield np.hstack([integer_rows(rows), self.omega * np.eye(self.columns)[codes]])


def streamed_sums(what: str, rows: SummedRows, moment_sum: MomentSum) -> ClassTotals:
    """Sums over streamed rows, by one pass over the files."""
    check_memory(rows.shape[1], rows.shape[1])
    check_rows(rows, MOST_ROWS)
    squares, cross, high, low, counts = rows.sums(what, moment_sum)
    cross = cross.astype(np.float64)
    gram = (squares.astype(np.float64) + (cross + cross.T) / HALF) / HALF**2
    return ClassTotals(gram, (high + low / HALF) / HALF, counts.astype(np.float64))


def _told(about: Centring | None) -> str:
    return "as they are" if about is None else about.identity


def check_rows(rows: SummedRows, most: int) -> None:
    """Raise `DataError` where there are so many rows that a sum could leave 64 bits."""
    if rows.shape[0] > most:
        raise DataError(rows.where, f"{rows.shape[0]:,} rows", f"at most {most:,}: larger sums do not fit 64 bits")


def _prepared(blocks: Iterable[Rows], preprocessing: Preprocessing, columns: int) -> Iterator[tuple[Array, Indices]]:
    for X, codes in blocks:
        rows = max(64, NUMBERS_AT_ONCE // max(1, X.shape[1]))
        for where, x in prepared_blocks(X, preprocessing, rows):
            yield x, np.zeros(len(x), np.intp) if columns == 1 else codes[where]


def _products(x: Array, classes: NDArray[Any]) -> tuple[Array, ...]:
    """Sums of whole numbers over a block of rows of the unit ball: exact in float64 for fewer than 2^20 rows."""
    scaled = x * HALF
    high = np.rint(scaled)
    low = np.rint((scaled - high) * HALF)
    return high.T @ high, high.T @ low, high.T @ classes, low.T @ classes, classes.sum(axis=0)
