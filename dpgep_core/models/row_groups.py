"""Rows in groups that are zero in the same columns: the Gram matrix of a group is then a small one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.privacy.query import Indices

GROUP_ROWS = 2048  # larger groups have fewer zero columns, smaller ones are added up more often
CHUNK_NUMBERS = 2**18  # of rows that are worked on at once: they stay in the processor's cache
LEAST_CHUNK = 512  # rows that a product of matrices needs to be fast
FEW_COLUMNS = 64  # fewer of them are not worth a search
WORTH = 0.8  # share of the work from which groups are not worth their handling
SEARCHED = 2**23  # entries looked at together while groups are made


@dataclass(frozen=True, eq=False)
class RowGroup:
    """Some rows, by position, and every column in which one of them is not zero."""

    rows: Indices
    columns: Indices

    def chunks(self) -> Iterator[Indices]:
        """The rows in parts that fit the processor's cache."""
        size = max(LEAST_CHUNK, CHUNK_NUMBERS // max(1, len(self.columns)))
        for first in range(0, len(self.rows), size):
            yield self.rows[first : first + size]


def row_groups(X: NDArray[Any], codes: Indices) -> tuple[RowGroup, ...]:
    """Groups that hold each row once.

    Rows are ordered by their first and last entries that are not zero, and by class within a group. Where this
    saves little, the rows stay in the order in which they are stored, and each group has all columns.
    """
    (n, d), every = X.shape, np.arange(X.shape[1], dtype=np.intp)
    plain = tuple(RowGroup(rows, every) for rows in _cut(np.arange(n, dtype=np.intp)))
    if d < FEW_COLUMNS or n <= GROUP_ROWS:
        return plain
    first, last = _extents(X)
    found = tuple(_group(X, codes, rows) for rows in _cut(np.lexsort((last, first))))
    work = sum(len(group.rows) * len(group.columns) ** 2 for group in found)
    return found if work < WORTH * n * d * d else plain


def _cut(order: Indices) -> Iterator[Indices]:
    for first in range(0, len(order), GROUP_ROWS):
        yield order[first : first + GROUP_ROWS]


def _group(X: NDArray[Any], codes: Indices, rows: Indices) -> RowGroup:
    return RowGroup(rows[np.argsort(codes[rows], kind="stable")], np.flatnonzero(X[rows].any(axis=0)))


def _extents(X: NDArray[Any]) -> tuple[Indices, Indices]:
    """(n,) first and last column in which each row is not zero."""
    (n, d), step = X.shape, max(1, SEARCHED // X.shape[1])
    first, last = np.empty(n, np.intp), np.empty(n, np.intp)
    for start in range(0, n, step):
        where = slice(start, start + step)
        there = X[where] != 0
        first[where], last[where] = there.argmax(axis=1), d - 1 - there[:, ::-1].argmax(axis=1)
    return first, last
