"""Neighbours that are known to be the worst, or to come near it as n grows."""

import math
from collections.abc import Mapping

import numpy as np

from dpgep_core.models.neighbours.rows import Pair, Rows, axis, blocks
from dpgep_core.models.neighbours.statistics import REPLACE
from dpgep_core.privacy.query import Array


def extremal_pairs(n: int, d: int = 3) -> dict[str, Pair]:
    """Neighbours that reach the bounds in the limit of large n, by the statistic that they stretch."""
    e1, e2 = axis(0, d), axis(1, d)
    root = int(n**0.5)
    one_class = blocks((1, -e1, 0), (n - 1, e1, 0))
    two_classes = blocks((1, -e2, 2), ((n - 1) // 2, e2, 2), (n - 1 - (n - 1) // 2, e1, 1))
    small_class = blocks((1, -e1, 1), (root - 1, -e1, 1), (n - root, e1, 0))
    tiny_classes = blocks((1, -e1, 2), (root, -e1, 1), (n - 1 - root, e1, 0))
    opposed = blocks((1, -e1, 0), (n - 1, e1, 0))
    return {
        "second moment": Pair(rows := blocks((1, e1, 0), (n - 1, e2, 0)), rows.replaced(0, axis(d - 1, d), 0), n),
        "covariance": Pair(one_class, one_class.replaced(0, e1, 0), n),
        "within": Pair(two_classes, two_classes.replaced(0, -e1, 1), n),
        "between, same class": Pair(small_class, small_class.replaced(0, e1, 1), n),
        "between, class vanishes": Pair(tiny_classes, tiny_classes.replaced(0, e1, 1), n),
        "covariance, row less": Pair(opposed, opposed.without(0), n),
        "covariance, row more": Pair(opposed.without(0), opposed, n - 1),
        "between, row less": Pair(small_class, small_class.without(0), n),
        "second moment, row less": Pair(one_class, one_class.without(0), n),
    }


def cca_pair(which: str, n: int) -> Pair:
    """The worst of the covariance between the views (others at (0, −f), a record turned) or within them."""
    x, y = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    side = math.sqrt(3) / 2
    others, before, after = (-y, side * x + y / 2, -side * x + y / 2) if which == "target" else (x, -x, x)
    rows = crowd((1, before, 0), (n - 1, others, 0))
    return Pair(rows, rows.replaced(0, after, 0), n)


def crowd(*parts: tuple[int, Array, int]) -> Rows:
    """Rows from (how many, where, which class), each place once with its count."""
    kept = [part for part in parts if part[0]]
    labels = np.array([label for _, _, label in kept], np.intp)
    return Rows(np.array([where for _, where, _ in kept]), labels, 3, np.array([float(c) for c, _, _ in kept]))


_NAMES: Mapping[str, tuple[str, ...]] = {
    "second_moment": ("second moment",),
    "covariance": ("covariance",),
    "between": ("between, same class", "between, class vanishes"),
    "within": ("within",),
    "about_zero": ("within",),
}
_NAMES_ADD: Mapping[str, tuple[str, ...]] = {
    "second_moment": ("second moment, row less",),
    "covariance": ("covariance, row less",),
    "between": ("between, row less",),
    "within": ("covariance, row less",),
    "about_zero": ("between, row less",),
}


def extremal(key: str, relation: str, n: int) -> tuple[Pair, ...]:
    """The known worst pairs of a statistic at n rows in the plane, none where only a search speaks."""
    if key.startswith("cca"):
        return (cca_pair(key.removeprefix("cca_"), n),) if relation == REPLACE else ()
    known = extremal_pairs(n, 2)
    return tuple(known[name].gathered() for name in (_NAMES if relation == REPLACE else _NAMES_ADD)[key])
