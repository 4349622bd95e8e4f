"""Sums over rows about the centres of their classes, in one fast pass over rows in memory.

With u = w (x − c) and w = 1/|x − c|, or 1/max(R, |x − c|), the centres can be taken away after the sum:
Σ uuᵀ = Σ w²xxᵀ − Σ_k (s_k c_kᵀ + c_k s_kᵀ) + Σ_k (Σ w²) c_k c_kᵀ with s_k the sum of w²x over class k, and
|x − c|² = |x|² − 2 x·c + |c|². So zeros stay zeros, and a group of rows takes part with the columns alone in which one
of them is not zero. Rows that lie near their centre would lose digits, and are summed as they are written; where a
column would, all rows are.
"""

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpgep_core import wanted
from dpgep_core.datasets.dataset import prepared_blocks
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.datasets.sparse_rows import SparseRows
from dpgep_core.models.centring import Centring
from dpgep_core.models.problem import Sample
from dpgep_core.models.row_groups import RowGroup
from dpgep_core.models.streamed_sums import ClassTotals
from dpgep_core.pool import cores
from dpgep_core.privacy.query import Array, Indices
from dpgep_core.typed_scipy import blas_threads
from dpgep_core.unlocked import add_gram

NEAR = 1e-4  # squared distance below which a row lies near its centre: w² would cost more than four digits
CANCELS = 1e4  # sum of squares of a column over what is left about the centres, from which it would lose four digits
PARTS = 4  # sums that are made beside each other, whatever the machine: the order of adding up is the same everywhere
FEW_NUMBERS = 2**14  # entries up to which rows are summed as they are written: that takes the least steps
WIDE = 2048  # columns from which so many sums would take too much memory


@dataclass(eq=False)
class _Part:
    """Sums over some rows before the centres are taken away.

    ``gram`` holds Σ w²xxᵀ below its diagonal, ``cross`` Σ w²x and ``sums`` Σ wx over each class, ``squares`` Σ w² and
    ``weights`` Σ w. ``direct`` are the rows that are left out, to be summed as they are written.
    """

    gram: Array
    cross: Array
    sums: Array
    squares: Array
    weights: Array
    direct: list[Indices] = field(default_factory=list[Indices])

    @classmethod
    def empty(cls, d: int, classes: int) -> "_Part":
        """Sums over no rows."""
        return cls(
            np.zeros((d, d), order="F"), np.zeros((d, classes)), np.zeros((d, classes)), np.zeros(classes),
            np.zeros(classes),
        )  # fmt: skip

    def __iadd__(self, other: "_Part") -> "_Part":
        self.gram += other.gram
        self.cross += other.cross
        self.sums += other.sums
        self.squares += other.squares
        self.weights += other.weights
        self.direct += other.direct
        return self


def centred_sums(sample: Sample, codes: Indices, preprocessing: Preprocessing, about: Centring) -> ClassTotals:
    """Sums of u over all rows of a sample, each row about the centre of the class that ``codes`` names."""
    centres, classes = about.centres, about.centres.shape[1]
    counts = np.bincount(codes, minlength=classes).astype(float)
    few = math.prod(sample.X.shape) <= FEW_NUMBERS
    as_written = few or about.whitening is not None or isinstance(sample.X, SparseRows)
    if as_written or preprocessing.views:  # each view has a norm of its own
        return ClassTotals(*_direct(sample, codes, preprocessing, about), counts)
    total = _summed(sample, codes, preprocessing, centres, about.radius)
    squares = np.diagonal(total.gram).copy()
    cross = total.cross @ centres.T
    total.gram -= cross + cross.T - (centres * total.squares) @ centres.T
    total.gram = np.tril(total.gram)
    total.gram += np.tril(total.gram, -1).T
    if (np.diagonal(total.gram) * CANCELS < squares).any():
        return ClassTotals(*_direct(sample, codes, preprocessing, about), counts)
    sums = total.sums - centres * total.weights
    if total.direct:
        gram, more = _direct(sample, codes, preprocessing, about, np.concatenate(total.direct))
        return ClassTotals(total.gram + gram, sums + more, counts)
    return ClassTotals(total.gram, sums, counts)


def _summed(sample: Sample, codes: Indices, preprocessing: Preprocessing, centres: Array, radius: float) -> _Part:
    """All rows, a few groups at a time, on as many processors as there are."""
    (d, classes), groups = centres.shape, sample.groups
    parts = 1 if d >= WIDE else PARTS
    lengths, check = (centres**2).sum(axis=0), wanted.look()

    def sum_up(some: Sequence[RowGroup]) -> _Part:
        part = _Part.empty(d, classes)
        for group in some:
            check()
            _add_group(part, group, sample, codes, preprocessing, centres, lengths, radius)
        return part

    if parts == 1 or len(groups) == 1:
        return sum_up(groups)
    with blas_threads(1), ThreadPoolExecutor(min(parts, cores())) as threads:
        total, *others = threads.map(sum_up, [groups[first::parts] for first in range(parts)])
    for other in others:
        total += other
    return total


def _add_group(
    part: _Part, group: RowGroup, sample: Sample, codes: Indices, preprocessing: Preprocessing, centres: Array,
    lengths: Array, radius: float,
) -> None:  # fmt: skip
    """Add one group of rows, in its own columns."""
    columns, whole = group.columns, len(group.columns) == len(centres)
    there = preprocessing.of_columns(columns)
    gram = part.gram if whole else np.zeros((len(columns), len(columns)), order="F")
    for rows in group.chunks():
        stored = sample.X[rows] if whole else sample.X[rows][:, columns]
        x, classes = there.bounded(stored), codes[rows]
        present, code = np.unique(classes, return_inverse=True)
        scale, weights, direct = _weights(x, there, centres[np.ix_(columns, present)], lengths[present], code, radius)
        if direct.any():
            part.direct.append(rows[direct])
        x *= (weights * scale)[:, None]
        member = np.eye(len(present))[code]
        sums = x.T @ np.hstack([member * weights[:, None], member])
        part.cross[np.ix_(columns, present)] += sums[:, : len(present)]
        part.sums[np.ix_(columns, present)] += sums[:, len(present) :]
        part.squares += np.bincount(classes, weights**2, len(lengths))
        part.weights += np.bincount(classes, weights, len(lengths))
        add_gram(gram, x)
    if not whole:
        part.gram.T[np.ix_(columns, columns)] += gram.T  # by rows of memory


def _weights(
    x: Array, preprocessing: Preprocessing, centres: Array, lengths: Array, code: Indices, radius: float
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """(m,) what brings each bounded row into the unit ball, its w, and whether it is to be summed as it is written.

    The w of such a row is 0 here.
    """
    squares = np.einsum("ij,ij->i", x, x)
    scale, ordinary = preprocessing.scales(squares)
    along = np.take_along_axis(x @ centres, code[:, None], axis=1)[:, 0]
    distances = np.maximum(squares * scale**2 - 2 * scale * along + lengths[code], radius**2)
    direct = ~ordinary | (distances < NEAR)
    return scale, np.where(direct, 0.0, 1 / np.sqrt(np.where(direct, 1.0, distances))), direct


def _direct(
    sample: Sample, codes: Indices, preprocessing: Preprocessing, about: Centring, some: Indices | None = None
) -> tuple[Array, Array]:
    """Σ uuᵀ and class sums of some rows, or of all, as they are written."""
    d, classes = about.centres.shape
    gram, sums = np.zeros((d, d)), np.zeros((d, classes))
    X, codes = (sample.X, codes) if some is None else (sample.X[some], codes[some])
    kept = some is None and not isinstance(X, SparseRows) and math.prod(X.shape) <= FEW_NUMBERS
    few = sample.prepared_under(preprocessing).blocks() if kept else None  # an audit asks for them thousands of times
    check = wanted.look()
    for where, rows in few or prepared_blocks(X, preprocessing):
        check()
        u = about.rows(rows, codes[where])
        gram += u.T @ u
        sums += u.T @ np.eye(classes)[codes[where]]
    return gram, sums
