"""Neighbours that are known to be the worst, or to come near it as n grows."""

import math
from collections.abc import Mapping

import numpy as np

from dpgep_core.models.neighbours.rows import BallRows, NeighbourPair, axis, rows_of_blocks
from dpgep_core.models.neighbours.statistics import ADD, REPLACE
from dpgep_core.privacy.query import Array


def extremal_pairs(n: int, d: int = 3) -> dict[str, NeighbourPair]:
    """Neighbours that reach the bounds in the limit of large n, by the statistic that they stretch."""
    e1, e2 = axis(0, d), axis(1, d)
    root = int(n**0.5)
    one_class = rows_of_blocks((1, -e1, 0), (n - 1, e1, 0))
    two_classes = rows_of_blocks((1, -e2, 2), ((n - 1) // 2, e2, 2), (n - 1 - (n - 1) // 2, e1, 1))
    small_class = rows_of_blocks((1, -e1, 1), (root - 1, -e1, 1), (n - root, e1, 0))
    tiny_classes = rows_of_blocks((1, -e1, 2), (root, -e1, 1), (n - 1 - root, e1, 0))
    return {
        "second moment": NeighbourPair(
            rows := rows_of_blocks((1, e1, 0), (n - 1, e2, 0)), rows.replace_row(0, axis(d - 1, d), 0), n
        ),
        "covariance": NeighbourPair(one_class, one_class.replace_row(0, e1, 0), n),
        "within": NeighbourPair(two_classes, two_classes.replace_row(0, -e1, 1), n),
        "between, same class": NeighbourPair(small_class, small_class.replace_row(0, e1, 1), n),
        "between, class vanishes": NeighbourPair(tiny_classes, tiny_classes.replace_row(0, e1, 1), n),
        "covariance, row less": NeighbourPair(one_class, one_class.without(0), n),
        "covariance, row more": NeighbourPair(one_class.without(0), one_class, n - 1),
        "between, row less": NeighbourPair(small_class, small_class.without(0), n),
        "second moment, row less": NeighbourPair(one_class, one_class.without(0), n),
    }


def cca_pair(which: str, n: int) -> NeighbourPair:
    """The worst of the covariance between the views (others at (0, −f), a record turned) or within them."""
    x, y = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    side = math.sqrt(3) / 2
    others, before, after = (-y, side * x + y / 2, -side * x + y / 2) if which == "target" else (x, -x, x)
    rows = crowd((1, before, 0), (n - 1, others, 0))
    return NeighbourPair(rows, rows.replace_row(0, after, 0), n)


def crowd(*parts: tuple[int, Array, int]) -> BallRows:
    """Rows from (how many, where, which class), each place once with its count."""
    kept = [part for part in parts if part[0]]
    labels = np.array([label for _, _, label in kept], np.intp)
    return BallRows(np.array([where for _, where, _ in kept]), labels, 3, np.array([float(c) for c, _, _ in kept]))


_NAMES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "second_moment": {REPLACE: ("second moment",), ADD: ("second moment, row less",)},
    "covariance": {REPLACE: ("covariance",), ADD: ("covariance, row less",)},
    "between": {REPLACE: ("between, same class", "between, class vanishes"), ADD: ("between, row less",)},
    "within": {REPLACE: ("within",), ADD: ("covariance, row less",)},
    "about_zero": {REPLACE: ("within",), ADD: ("between, row less",)},
}


def extremal(key: str, relation: str, n: int) -> tuple[NeighbourPair, ...]:
    """The known worst pairs of a statistic at n rows in the plane, none where only a search speaks."""
    if key.startswith("cca"):
        return (cca_pair(key.removeprefix("cca_"), n),) if relation == REPLACE else ()
    known = extremal_pairs(n, 2)
    return tuple(known[name].gather() for name in _NAMES[key][relation])
