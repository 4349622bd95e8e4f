"""Privacy losses of a pair that is written down: one answer, composed with itself, by FFT.

Each answer is P = (1 − q)N(a, z²) + qN(a + 1, z²) under one data set and Q = N(0, z²) under its neighbour. The mass
between two points of the loss grid goes to both ends so that P and Q are kept, and losses add by convolution.
"""

import math
from typing import Any

import numpy as np
from scipy.special import ndtr

Array = np.ndarray[Any, np.dtype[np.float64]]
FAR = 12.0  # standard deviations of the noise


def epsilon_of_pair(z: float, q: float, shift: float, count: int, delta: float, step: float, reach: float) -> float:
    """ε at ``delta`` of ``count`` answers of the pair; losses beyond ±``reach`` must be negligible."""
    mass, first, lost = _one(z, q, shift, step)
    size = 1 << math.ceil(math.log2(2 * reach / step))
    ring = np.zeros(size)
    np.add.at(ring, (np.arange(len(mass)) + first) % size, mass)
    composed = np.fft.irfft(np.fft.rfft(ring) ** count, size)
    losses = (np.arange(size) - size // 2) * step
    composed = np.maximum(np.roll(composed, size // 2), 0.0)

    def delta_at(epsilon: float) -> float:
        above = losses > epsilon
        return lost * count + float((composed[above] * -np.expm1(epsilon - losses[above])).sum())

    if delta_at(0.0) <= delta:
        return 0.0
    low, high = 0.0, float(losses[-1])
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_at(middle) > delta else (low, middle)
    return high


def _one(z: float, q: float, shift: float, step: float) -> tuple[Array, int, float]:
    """Masses on the loss grid, the number of its first point, and the mass of P left out."""

    def loss(x: Array) -> Array:
        unseen, seen = (s * x - s * s / 2 for s in (shift, shift + 1))
        return np.logaddexp(math.log1p(-q) + unseen / z**2, math.log(q) + seen / z**2)

    low, high = -FAR * z, shift + 1 + FAR * z
    first, last = math.floor(float(loss(np.array(low))) / step), math.ceil(float(loss(np.array(high))) / step)
    grid = np.arange(first, last + 1) * step
    left, right = np.full(len(grid), low), np.full(len(grid), high)
    for _ in range(60):
        middle = (left + right) / 2
        beyond = loss(middle) > grid
        left, right = np.where(beyond, left, middle), np.where(beyond, middle, right)
    P = (1 - q) * _between(left, shift, z) + q * _between(left, shift + 1, z)
    Q = _between(left, 0.0, z)
    near, far = np.exp(-grid[:-1]), np.exp(-grid[1:])
    to_far = np.clip((P * near - Q) / (near - far), 0.0, P)
    mass = np.zeros(len(grid))
    mass[:-1] += P - to_far
    mass[1:] += to_far
    return mass, first, max(0.0, 1 - float(mass.sum()))


def _between(edges: Array, mean: float, z: float) -> Array:
    below, above = ndtr((edges - mean) / z), ndtr((mean - edges) / z)
    return np.where(edges[:-1] > mean, above[:-1] - above[1:], below[1:] - below[:-1])
