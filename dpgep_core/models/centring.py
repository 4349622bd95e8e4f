"""Rows about the centres of their classes, brought into the unit ball."""

import math
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np

from dpgep_core.privacy.query import Array, Indices

SHORTEST = 1e-12  # a row nearer to its centre counts as lying on it
WHOLE = 2.0**20  # steps up to the largest entry of either factor of a whitened row: their product stays below 2^53


@dataclass(frozen=True, eq=False)
class Centring:
    """How rows are taken about released centres and brought into the unit ball: each row by itself.

    Parameters
    ----------
    centres : array (d, K)
        One centre for each class; K = 1 where there are no classes.
    radius : float
        R at which rows are clipped, and by which they are divided; 0 brings every row to norm 1.
    whitening : array (d, d) or None
        Released or public T: rows about their centres are multiplied by it before they are brought into the ball. Both
        factors are rounded to 20 bits of the largest that they can be. The product is then exact, so a row is the same
        to the last bit wherever it stands among others, and its own record alone decides it.

    Raises
    ------
    ValueError
        If the centres or T are not finite or do not fit each other, or the radius is negative or not finite.
    """

    centres: Array
    radius: float = 0.0
    whitening: Array | None = None

    def __post_init__(self) -> None:
        if not np.isfinite(self.centres).all():
            raise ValueError("centres must be finite numbers")
        if not 0 <= self.radius < np.inf:
            raise ValueError(f"radius={self.radius}: a finite number >= 0 is needed")
        d, T = len(self.centres), self.whitening
        if T is not None and (T.shape != (d, d) or not np.isfinite(T).all()):
            raise ValueError(f"whitening of shape {T.shape}: finite numbers of shape {(d, d)} are needed")

    def rows(self, rows: Array, codes: Indices) -> Array:
        """(m, d) rows in the unit ball, of (m, d) prepared rows and the class of each."""
        if self.whitening is None:
            return about_centres(rows, self.centres.T[codes], self.radius)
        unit, whole = self._whole
        about = np.rint((rows - self.centres.T[codes]) / self._step) @ whole
        about *= self._step * unit  # a power of two
        return about_centres(about, np.zeros(1), self.radius)

    @cached_property
    def _step(self) -> float:
        """Step that rows about their centres are rounded to: rows lie in the unit ball."""
        return _power_of_two(1.0 + float(np.abs(self.centres).max(initial=0.0))) / WHOLE

    @cached_property
    def _whole(self) -> tuple[float, Array]:
        """Step of T, and T in these steps."""
        assert self.whitening is not None
        step = _power_of_two(float(np.abs(self.whitening).max(initial=0.0))) / WHOLE
        return step, np.rint(self.whitening / step)

    @property
    def identity(self) -> str:
        """Text that differs wherever the rows could."""
        told = blake2b(np.ascontiguousarray(self.centres).tobytes())
        if self.whitening is not None:
            told.update(np.ascontiguousarray(self.whitening).tobytes())
        return f"{self.radius!r} {told.hexdigest()}"


def about_centres(rows: Array, centres: Array, radius: float) -> Array:
    """Rows about their centres, at norm 1 or clipped at a radius and divided by it."""
    about = rows - centres
    largest = np.abs(about).max(axis=1, keepdims=True, initial=0.0)
    about = about / np.where(largest > SHORTEST, largest, np.inf) if not radius else about
    norms = np.linalg.norm(about, axis=1, keepdims=True)
    if radius:
        return about / np.maximum(norms, radius)
    return about / np.where(norms > 0, norms, np.inf)


def _power_of_two(number: float) -> float:
    """The least power of two above a number; 1 for 0."""
    return 2.0 ** math.frexp(number)[1] if number else 1.0
