"""Neighbouring data sets as values: two tables that differ in one row and, where it helps the attacker, its label."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets import Dataset, Preprocessing
from dpgep_core.errors import UnknownNameError
from dpgep_core.models.neighbours import UNIT_BALL, in_ball
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import stream

CLASSES = ("first", "second")
SPREAD = (0.3, 0.25, 0.2, 0.15, 0.1)  # of the Gaussian classes, column by column; the last goes on
PairCodes = NDArray[np.intp]
LabelledRows = tuple[Array, PairCodes]
BothRows = tuple[LabelledRows, tuple[Array, int]]  # rows, and what the first one becomes
Make = Callable[[int, int, int], BothRows]  # from n, d and a seed


@dataclass(frozen=True, eq=False)
class DatasetPair:
    """Two neighbouring data sets, which differ in their first row."""

    key: str
    one: Dataset
    other: Dataset


@dataclass(frozen=True, slots=True)
class PairKind:
    """A recipe for neighbouring data sets of any size."""

    key: str
    title: str
    sentence: str
    make: Make
    preprocessing: Preprocessing = UNIT_BALL

    def build(self, n: int, d: int, seed: int) -> DatasetPair:
        """The pair with n rows of d columns."""
        (X, y), (row, label) = self.make(n, d, seed)
        one = Dataset(
            name=f"pair:{self.key}",
            title=self.title,
            X=X,
            y=y,
            X_test=X[:2],  # a split is given, so that the model is fitted on every row
            y_test=y[:2],
            classes=CLASSES,
            preprocessing=self.preprocessing,
        )
        moved, codes = X.copy(), y.copy()
        moved[0], codes[0] = row, label
        return DatasetPair(self.key, one, replace(one, X=moved, y=codes))


PAIRS: dict[str, PairKind] = {}


def _register(key: str, title: str, sentence: str, preprocessing: Preprocessing = UNIT_BALL) -> Callable[[Make], Make]:
    """Decorator that puts a recipe into `PAIRS`."""

    def add(make: Make) -> Make:
        PAIRS[key] = PairKind(key, title, sentence, make, preprocessing)
        return make

    return add


def _halves(n: int) -> PairCodes:
    return (np.arange(n) >= (n + 1) // 2).astype(np.intp)


def _unit(d: int, column: int) -> Array:
    return np.eye(d)[min(column, d - 1)]


def _gaussian(n: int, d: int, seed: int) -> LabelledRows:
    """Two Gaussian classes, half a unit apart along the first column."""
    y = _halves(n)
    spread = np.array([SPREAD[min(j, len(SPREAD) - 1)] for j in range(d)])
    X = stream(seed, "data", "gaussian classes").standard_normal((n, d)) * spread
    return in_ball(X + np.where(y == 0, 0.25, -0.25)[:, None] * _unit(d, 0)), y


@_register("generic", "Gaussian classes", "Two Gaussian classes; one row moves across the ball.")
def _generic(n: int, d: int, seed: int) -> BothRows:
    X, y = _gaussian(n, d, seed)
    return (X, y), (-X[0] / np.linalg.norm(X[0]), 0)


@_register("constant", "Constant classes", "Every class is one point, so B = 0; one row leaves its class.")
def _constant(n: int, d: int, _seed: int) -> BothRows:
    y = _halves(n)
    X = np.where(y[:, None] == 0, _unit(d, 0), _unit(d, 1)).astype(np.float64)
    return (X, y), (-_unit(d, 0), 0)


@_register(
    "nearly_constant", "Nearly constant classes", "Classes of standard deviation 0.02; one row leaves its class."
)
def _nearly_constant(n: int, d: int, seed: int) -> BothRows:
    (X, y), changed = _constant(n, d, seed)
    return (in_ball(0.95 * X + 0.02 * stream(seed, "data", "narrow").standard_normal((n, d))), y), changed


@_register(
    "orthogonal",
    "Row to a right angle, other class",
    "Gaussian classes; one row turns by 90° and changes class: the worst case of the joint moments.",
)
def _orthogonal(n: int, d: int, seed: int) -> BothRows:
    X, y = _gaussian(n, d, seed)
    X[0] = _unit(d, 0)
    return (X, y), (_unit(d, 1), 1)


@_register(
    "corner",
    "One row among zeros, none negative",
    "All rows but one are zero, in bounds from 0 to 1; that one turns by 90° and changes class: the worst case "
    "of class sums, and of the joint moments about centres.",
    Preprocessing(lower=0.0, upper=1.0),
)
def _corner(n: int, d: int, _seed: int) -> BothRows:
    X = np.zeros((n, d))
    X[0] = _unit(d, 0)
    return (X, _halves(n)), (_unit(d, 1), 1)


@_register(
    "opposite",
    "One row against all others",
    "All rows but one are equal, and that one lies opposite, then joins them: the worst case of a covariance.",
)
def _opposite(n: int, d: int, _seed: int) -> BothRows:
    X = np.tile(_unit(d, 0), (n, 1))
    X[0] = -X[0]
    return (X, _halves(n)), (_unit(d, 0), 0)


@_register(
    "switch",
    "From one class's far side to another's",
    "A row on the far side of its class moves to the far side of the other: the worst case of the spread within "
    "classes.",
)
def _switch(n: int, d: int, _seed: int) -> BothRows:
    y = _halves(n)
    X = np.where(y[:, None] == 0, _unit(d, 1), _unit(d, 0)).astype(np.float64)
    X[0] = -_unit(d, 1)
    return (X, y), (-_unit(d, 0), 1)


@_register(
    "rare",
    "Out of a rare class",
    "A rare class lies opposite the rest, and one of its rows moves over: the worst case between classes.",
)
def _rare(n: int, d: int, _seed: int) -> BothRows:
    y = (np.arange(n) >= math.isqrt(n)).astype(np.intp)
    X = np.where(y[:, None] == 0, -_unit(d, 0), _unit(d, 0)).astype(np.float64)
    return (X, y), (_unit(d, 0), 0)


def pair_kind(key: object) -> PairKind:
    """The recipe of a key; `UnknownNameError` names the known ones."""
    if not isinstance(key, str) or key not in PAIRS:
        raise UnknownNameError("pair", key, PAIRS)
    return PAIRS[key]
