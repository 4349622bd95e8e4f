"""Neighbouring data sets as values: rows in the unit ball, and pairs that differ in one record."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets import Preprocessing
from dpgep_core.models.model import Model
from dpgep_core.models.moments import Moments, moments_of
from dpgep_core.models.problem import Problem, Sample
from dpgep_core.privacy.query import Array

UNIT_BALL = Preprocessing(rows="clip", radius=1.0)
ClassCodes = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class BallRows:
    """A data set: rows in the unit ball and class codes.

    Parameters
    ----------
    X : array (m, d)
        Rows.
    y : array (m,)
        Class codes below ``K``.
    K : int
        Number of classes.
    counts : array (m,) or None
        How often each row occurs; None is once.
    """

    X: Array
    y: ClassCodes
    K: int
    counts: Array | None = None

    def moments(self, divisor: int | None = None) -> Moments:
        """Sums over the rows; averages divide by ``divisor``, by default the number of rows."""
        m = moments_of(self.X, self.y, self.K, UNIT_BALL) if self.counts is None else self._weigh(self.counts)
        return m if divisor is None else Moments(float(divisor), m.gram, m.sums, m.counts)

    def _weigh(self, counts: Array) -> Moments:
        x = UNIT_BALL.apply(self.X)
        weighed = x * counts[:, None]
        classes = np.asarray(np.bincount(self.y, counts, self.K), np.float64)
        return Moments(float(counts.sum()), x.T @ weighed, weighed.T @ np.eye(self.K)[self.y], classes)

    def replace_row(self, row: int, x: Array, label: int) -> "BallRows":
        """The neighbour with one row replaced; that row must occur once."""
        X, y = self.X.copy(), self.y.copy()
        X[row], y[row] = x, label
        return BallRows(X, y, self.K, self.counts)

    def problem(self, model: Model) -> Problem:
        """Data that a curator would keep."""
        written = self if self.counts is None else self.written_out()
        return Problem(Sample(written.X, written.y, self.K, UNIT_BALL), model)

    def without(self, row: int) -> "BallRows":
        """The neighbour with one row less; that row must occur once."""
        counts = None if self.counts is None else np.delete(self.counts, row)
        return BallRows(np.delete(self.X, row, 0), np.delete(self.y, row), self.K, counts)

    def gather(self, apart: int) -> "BallRows":
        """Rows with equal ones counted; the first ``apart`` ones stay by themselves."""
        weights = np.ones(len(self.y)) if self.counts is None else self.counts
        tagged = np.column_stack([self.X, self.y, np.minimum(np.arange(len(self.y)), apart)])
        _, first, group = np.unique(tagged, axis=0, return_index=True, return_inverse=True)
        order = np.argsort(first)
        counts = np.asarray(np.bincount(group.ravel(), weights), np.float64)[order]
        return BallRows(self.X[first[order]], self.y[first[order]], self.K, counts)

    def written_out(self) -> "BallRows":
        """Rows with each one as often as it occurs."""
        times = np.ones(len(self.y), np.intp) if self.counts is None else self.counts.astype(np.intp)
        return BallRows(np.repeat(self.X, times, axis=0), np.repeat(self.y, times), self.K)


@dataclass(frozen=True, eq=False)
class NeighbourPair:
    """Two neighbouring data sets with the public number of rows that both are divided by."""

    one: BallRows
    other: BallRows
    n: int

    def gather(self) -> "NeighbourPair":
        """Pair with equal rows counted, except for the record that differs, which comes first where it is."""
        sizes = [r.moments().n for r in (self.one, self.other)]
        return NeighbourPair(
            self.one.gather(int(sizes[0] >= sizes[1])), self.other.gather(int(sizes[1] >= sizes[0])), self.n
        )

    def changes(self, model: Model) -> tuple[float, float]:
        """Frobenius norms of the changes of A and of B."""
        first, second = (model.pencil(rows.moments(self.n)) for rows in (self.one, self.other))
        return (
            float(np.linalg.norm(first.target - second.target)),
            float(np.linalg.norm(first.constraint_matrix - second.constraint_matrix)),
        )


def axis(i: int, d: int = 3) -> Array:
    """The unit vector along an axis."""
    return np.eye(d)[i]


def rows_of_blocks(*parts: tuple[int, Array, int], K: int = 3) -> BallRows:
    """Rows from (how many, where, which class)."""
    X = np.concatenate([np.tile(where, (count, 1)) for count, where, _ in parts if count])
    return BallRows(X, np.concatenate([np.full(count, label, np.intp) for count, _, label in parts]), K)


def in_ball(points: Array) -> Array:
    """Each row brought into the unit ball."""
    return points / np.maximum(1.0, np.linalg.norm(points, axis=1, keepdims=True))
