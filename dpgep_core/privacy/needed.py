"""The ε that an explicit pair of neighbours needs: bounds from below, to set beside the accountant's from above."""

import math
from functools import lru_cache

import numpy as np

from dpgep_core.privacy.query import Array
from dpgep_core.typed_scipy import binom, ndtr, ndtri

CELLS = 2**16  # losses that a sum of answers is told apart by
BY_CHANCE = 1.0  # answers about other rows, of all, that look as if they were about this one
REACH = 7.0  # standard deviations of noise that are told apart
SEARCH = 60  # halvings


@lru_cache(maxsize=256)
def sampled_epsilon(z: float, rate: float, count: int, delta: float) -> float:
    """An ε that ``count`` answers about drawn rows need at ``delta``, for the pair that differs most in each of them.

    Under one data set an answer is N(0, z²), under the other it is N(1, z²) in a share ``rate`` of the answers, as
    for a row that is unlike all others while these are alike. The attacker adds up what each answer says, rounded
    down, of answers that say enough; whatever the attacker leaves out, the bound is one from below.
    """
    threshold = float(-ndtri(min(BY_CHANCE / count, 0.4)))  # in standard deviations of the noise
    if _loss(threshold, z, rate) <= 0:  # the row stands out further: from where it is as likely as all others together
        threshold = 1 / (2 * z) + z * math.log(1 / rate)
    last = max(threshold, 1 / z) + REACH
    low, high = _loss(threshold, z, rate), _loss(last, z, rate)
    seen = int(binom.isf(delta / 1000, count, rate)) + int(binom.isf(delta / 1000, count, ndtr(-threshold))) + 1
    step = seen * high / CELLS
    if not (0 < low < high and step > 0):
        return 0.0
    cells = max(2, math.ceil((high - low) / step))
    losses = low + step * np.arange(cells, dtype=np.float64)
    edges = np.append(_answer(losses, z, rate), np.inf)
    told = (1 - rate) * _between(edges) + rate * _between(edges - 1 / z)
    quiet = math.log1p(-float(told.sum())) - math.log1p(-ndtr(-float(edges[0])))  # what the others say, each
    first = math.floor((low - quiet) / step)
    mass = np.zeros(CELLS)
    np.add.at(mass, (first + np.arange(cells)) % CELLS, told)
    mass[0] += 1 - told.sum()
    total = np.maximum(np.fft.irfft(np.fft.rfft(mass) ** count, CELLS), 0.0)
    return _epsilon(count * quiet + step * np.arange(CELLS, dtype=np.float64), total, delta)


def _epsilon(loss: Array, mass: Array, delta: float) -> float:
    """Where Σ mass (1 − e^(ε − loss)) over larger losses comes down to ``delta``; 0 where it never was above it."""

    def excess(epsilon: float) -> float:
        above = loss > epsilon
        return float(mass[above] @ -np.expm1(epsilon - loss[above])) - delta

    low, high = 0.0, float(loss[-1])
    if high <= 0 or excess(low) <= 0:
        return 0.0
    for _ in range(SEARCH):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return low


def _loss(x: float, z: float, rate: float) -> float:
    """log of the ratio of the two laws at the answer x, in standard deviations."""
    return (
        float(np.logaddexp(math.log1p(-rate), math.log(rate) + (2 * x * z - 1) / (2 * z * z)))
        if rate < 1
        else ((2 * x * z - 1) / (2 * z * z))
    )


def _answer(loss: Array, z: float, rate: float) -> Array:
    """The answer at which `_loss` is so much."""
    plain = loss - math.log(rate) + np.log1p(-(1 - rate) * np.exp(-loss))
    return z * plain + 1 / (2 * z)


def _between(edges: Array) -> Array:
    """Standard normal mass between neighbouring edges, each from the tail in which it is small."""
    below, above = ndtr(edges), ndtr(-edges)
    return np.where(edges[:-1] > 0, above[:-1] - above[1:], below[1:] - below[:-1])
