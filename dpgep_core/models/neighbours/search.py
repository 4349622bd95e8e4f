"""An adversary that looks for the worst neighbours, over every data set of n rows and any class sizes.

What one record does to these matrices depends on the other rows only through their number and mean in three groups:
the class it leaves, the class it enters, and all the rest. So five points say everything: the record before, the
record after, and three means; the groups may then stand at their means. Each matrix is PᵀQP for the matrix P of
points, with a Q that depends on the counts alone and is the same matrix computed for points at the unit vectors. What
is maximised, ‖Pᵀ(nΔQ)P‖ over points in the unit ball, is smooth, and its gradient is exact.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpgep_core.models.neighbours.extremal import extremal
from dpgep_core.models.neighbours.rows import BallRows, ClassCodes, NeighbourPair, in_ball
from dpgep_core.models.neighbours.statistics import ADD, Norm, Statistic, statistic_of
from dpgep_core.params import Relation, definition
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Generator, stream
from dpgep_core.typed_scipy import minimize

POINTS, KEPT, ROUNDING = 5, 6, 1e-9
SEARCH_SIZES = (2, 3, 5, 10, 30, 100, 1000, 20_000)  # of the published table and of the page


@dataclass(frozen=True, eq=False)
class WorstPair:
    """The worst pair found for a statistic, with the proved bound; both are n times a norm."""

    statistic: str
    relation: str
    n: int
    norm: Norm
    change: float
    bound: float
    pair: NeighbourPair

    @property
    def within(self) -> bool:
        """Whether the proved bound held, rounding aside."""
        return self.change <= self.bound * (1 + ROUNDING)


@dataclass(frozen=True, eq=False)
class _Family:
    """Neighbours with given labels and counts, and free points: before, after, and three groups of other rows."""

    labels: ClassCodes
    before: Array
    after: Array
    n: int

    def pair(self, points: Array) -> NeighbourPair:
        sides = [BallRows(points[c > 0], self.labels[c > 0], 3, c[c > 0]) for c in (self.before, self.after)]
        return NeighbourPair(sides[0], sides[1], self.n)

    def kernel(self, statistic: Statistic) -> Array:
        """n ΔQ."""
        unit = np.eye(POINTS)
        one, other = (
            statistic.matrix(BallRows(unit, self.labels, 3, c).moments(self.n)) for c in (self.before, self.after)
        )
        return self.n * (other - one)


def worst(
    key: str,
    relation: str,
    n: int,
    *,
    norm: Norm = "frobenius",
    d: int = 2,
    starts: int = 6,
    seed: int = 0,
    rows: int | None = None,
) -> WorstPair:
    """The worst neighbours found among data sets of ``n`` rows in d columns.

    Parameters
    ----------
    key : str
        A statistic.
    relation : str
        Neighbouring relation.
    n : int
        Public number of rows, at least 2.
    norm : {"frobenius", "spectral"}
        What is measured.
    d : int
        Columns; no more than 2 were ever needed.
    starts : int
        Random starts for each of the most promising class sizes.
    seed : int
        Of the starts.
    rows : int or None
        Where a record is added or removed: how many others there are, which the public n need not tell. None tries
        n − 1 and n.
    """
    statistic = statistic_of(key)
    definition(Relation).check("relation", relation)
    rng, mask = stream(seed, "start", f"worst {key}"), statistic.mask(d)
    first = [
        _ascend(f, f.kernel(statistic), mask, norm, _start(rng, d)) for f in _families(statistic, relation, n, rows)
    ]
    first.sort(key=lambda found: -found[0])
    best = first[0]
    for _, family, points in first[:KEPT]:
        kernel = family.kernel(statistic)
        for number in range(starts):
            start = _start(rng, d) if number else points
            best = max(best, _ascend(family, kernel, mask, norm, start), key=lambda found: found[0])
    pairs = [best[1].pair(best[2]), *extremal(key, relation, n)]
    changes = [statistic.change(pair, norm) for pair in pairs]
    where = int(np.argmax(np.round(changes, 9)))
    return WorstPair(key, relation, n, norm, changes[where], statistic.bound(relation, n, norm), pairs[where])


def _families(statistic: Statistic, relation: str, n: int, rows: int | None) -> Iterator[_Family]:
    """Class sizes worth trying: empty, single, small, about √n, shares of n, and all."""
    added = (n - 1, n) if rows is None else (rows,)
    for others in added if relation == ADD else (n - 1,):
        for leaves, enters in _sizes(others) if statistic.classes else ((others, None),):
            rest = others - leaves - (enters or 0)
            labels = np.array([0, 0 if enters is None else 1, 0, 1, 2], np.intp)
            groups = np.array([leaves, enters or 0, rest], float)
            before = np.array([1.0, 0.0, *groups])
            after = np.array([0.0, 0.0 if relation == ADD else 1.0, *groups])
            yield _Family(labels, before, after, n)
            if relation != ADD and enters is None and statistic.classes and rest == 0:
                yield _Family(np.array([0, 1, 0, 1, 2], np.intp), before, after, n)  # into an empty class


def _sizes(others: int) -> Iterator[tuple[int, int | None]]:
    """(others in the class it leaves, in the class it enters); None stays in the same class."""
    wanted = (0, 1, 2, 3, 5, 10, int(others**0.5), others // 10, others // 4, others // 3, others // 2, others - 1)
    sizes = sorted({size for size in (*wanted, others - 2, others) if 0 <= size <= others})
    for leaves in sizes:
        yield leaves, None
        yield from ((leaves, enters) for enters in sizes if leaves + enters <= others)


def _start(rng: Generator, d: int) -> Array:
    if rng.random() < 0.5:  # along one axis
        return np.outer(rng.choice([-1.5, 1.5], POINTS), np.eye(d)[0]) + 0.2 * rng.standard_normal((POINTS, d))
    return 2 * rng.standard_normal((POINTS, d))


def _ascend(family: _Family, kernel: Array, mask: Array, norm: Norm, start: Array) -> tuple[float, _Family, Array]:
    """A local search from ``start``; points outside the ball stand for their projection."""

    def descent(t: Array) -> tuple[float, Array]:
        free = t.reshape(start.shape)
        points = in_ball(free)
        value, slope = _norm_and_slope(mask * (points.T @ kernel @ points), norm)
        gradient = 2 * kernel @ points @ (mask * slope)
        lengths = np.maximum(1.0, np.linalg.norm(free, axis=1, keepdims=True))
        inward = np.where(lengths > 1, np.einsum("ij,ij->i", gradient, points)[:, None] * points, 0.0)
        return -value, -((gradient - inward) / lengths).ravel()

    found = minimize(descent, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 60})
    return -float(found.fun), family, in_ball(found.x.reshape(start.shape))


def _norm_and_slope(difference: Array, norm: Norm) -> tuple[float, Array]:
    """A norm of a symmetric matrix, and its gradient."""
    if norm == "frobenius":
        value = float(np.linalg.norm(difference))
        return value, difference / (value or 1.0)
    values, vectors = np.linalg.eigh(difference)
    at = int(np.argmax(np.abs(values)))
    return float(abs(values[at])), np.sign(values[at]) * np.outer(vectors[:, at], vectors[:, at])
