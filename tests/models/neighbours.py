"""Neighbouring data sets, and how far apart the models' matrices are on them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets import Preprocessing
from dpgep_core.models.moments import Moments, moments_of
from dpgep_core.models.problem import Model, Problem, Sample
from dpgep_core.privacy.query import Array

UNIT_BALL = Preprocessing(rows="clip", radius=1.0)
Labels = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Rows:
    """A data set: rows in the unit ball and class codes."""

    X: Array
    y: Labels
    K: int

    def moments(self, divisor: int | None = None) -> Moments:
        """Sums over the rows; averages divide by ``divisor``, by default the number of rows."""
        m = moments_of(self.X, self.y, self.K, UNIT_BALL)
        return m if divisor is None else Moments(float(divisor), m.gram, m.sums, m.counts)

    def replaced(self, row: int, x: Array, label: int) -> "Rows":
        """The neighbour with one row replaced."""
        X, y = self.X.copy(), self.y.copy()
        X[row], y[row] = x, label
        return Rows(X, y, self.K)

    def problem(self, model: Model) -> Problem:
        """What a curator would keep."""
        return Problem(Sample(self.X, self.y, self.K, UNIT_BALL), model)

    def without(self, row: int) -> "Rows":
        """The neighbour with one row less."""
        return Rows(np.delete(self.X, row, 0), np.delete(self.y, row), self.K)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two neighbouring data sets with the public number of rows that both are divided by."""

    one: Rows
    other: Rows
    n: int

    def changes(self, model: Model) -> tuple[float, float]:
        """Frobenius norms of the changes of A and of B."""
        first, second = (model.pencil(rows.moments(self.n)) for rows in (self.one, self.other))
        return (
            float(np.linalg.norm(first.target - second.target)),
            float(np.linalg.norm(first.constraint_matrix - second.constraint_matrix)),
        )


def axis(i: int, d: int = 3) -> Array:
    return np.eye(d)[i]


def blocks(*parts: tuple[int, Array, int], K: int = 3) -> Rows:
    """Rows from (how many, where, which class)."""
    X = np.concatenate([np.tile(where, (count, 1)) for count, where, _ in parts if count])
    return Rows(X, np.concatenate([np.full(count, label, np.intp) for count, _, label in parts]), K)


def extremal_pairs(n: int) -> dict[str, Pair]:
    """Neighbours that reach the bounds in the limit of large n, by the statistic that they stretch."""
    e1, e2 = axis(0), axis(1)
    root = int(n**0.5)
    one_class = blocks((1, -e1, 0), (n - 1, e1, 0))
    two_classes = blocks((1, -e2, 2), (n // 2 - 1, e2, 2), (n - n // 2, e1, 1))
    small_class = blocks((1, -e1, 1), (root - 1, -e1, 1), (n - root, e1, 0))
    tiny_classes = blocks((1, -e1, 2), (root, -e1, 1), (n - 1 - root, e1, 0))
    opposed = blocks((1, -e1, 0), (n - 1, e1, 0))
    return {
        "second moment": Pair(rows := blocks((1, e1, 0), (n - 1, e2, 0)), rows.replaced(0, axis(2), 0), n),
        "covariance": Pair(one_class, one_class.replaced(0, e1, 0), n),
        "within": Pair(two_classes, two_classes.replaced(0, -e1, 1), n),
        "between, same class": Pair(small_class, small_class.replaced(0, e1, 1), n),
        "between, class vanishes": Pair(tiny_classes, tiny_classes.replaced(0, e1, 1), n),
        "covariance, row less": Pair(opposed, opposed.without(0), n),
        "covariance, row more": Pair(opposed.without(0), opposed, n - 1),
        "between, row less": Pair(small_class, small_class.without(0), n),
        "second moment, row less": Pair(one_class, one_class.without(0), n),
    }


def in_ball(points: Array) -> Array:
    return points / np.maximum(1.0, np.linalg.norm(points, axis=1, keepdims=True))


def random_pairs(relation: str, n: int, d: int, K: int, rng: np.random.Generator) -> Iterator[Callable[[Array], Pair]]:
    """Families of neighbours: labels fixed, points of all rows free in (n + 1)·d numbers.

    The changed row may be alone in its class, may leave a class empty and may enter an empty one.
    """
    while True:
        y = rng.integers(0, K, n)
        if rng.random() < 0.4:
            y[1:] = rng.integers(0, max(K - 1, 1), n - 1)
            y[0] = K - 1  # alone in its class
        if relation == "replace_one":
            label = int(rng.integers(0, K))
            yield lambda t, y=y, label=label: _replaced(in_ball(t.reshape(n + 1, d)), y, K, label)
        else:
            declared = int(rng.choice([n, max(n - 1, 2)]))
            yield lambda t, y=y, declared=declared: _removed(in_ball(t.reshape(n + 1, d))[:n], y, K, declared)


def _replaced(points: Array, y: Labels, K: int, label: int) -> Pair:
    rows = Rows(points[:-1], y, K)
    return Pair(rows, rows.replaced(0, points[-1], label), len(y))


def _removed(points: Array, y: Labels, K: int, declared: int) -> Pair:
    rows = Rows(points, y, K)
    return Pair(rows, rows.without(0), declared)
