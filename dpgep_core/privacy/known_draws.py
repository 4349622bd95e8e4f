"""Worth of sub-sampled Gaussian answers if it were known when a row is drawn.

A row that is drawn k times is in k Gaussian answers. Who knows k and the draws knows no less than who does not, so the
mean over k of what these answers are worth is an upper bound on what the secret draws are worth. It is a loose one
where sampling hides a row, and the better one where noise is so small that each draw is plain to see.
"""

import math
from bisect import bisect_left
from functools import lru_cache

import numpy as np

from dpgep_core.privacy import accountant
from dpgep_core.privacy.query import Array
from dpgep_core.typed_scipy import binomial, brentq

Part = tuple[float, float, int]  # noise over sensitivity z = σ/Δ, sampling rate q, number of answers

NEGLIGIBLE = 1e-18  # probability of more draws than are summed over


def delta_of(mu: float, parts: tuple[Part, ...], epsilon: float) -> float:
    """δ if it were known when the row is drawn: the mean over the number of draws of that of Gaussian answers."""
    chances, mus = _chances(mu, parts)
    return float(chances @ np.array([accountant.delta_of(one, epsilon) for one in mus])) + NEGLIGIBLE * len(parts)


def most_draws(count: int, rate: float) -> int:
    """The number of draws that is passed with a probability of `NEGLIGIBLE` at most.

    ``binom.isf`` cannot tell, since 1 − 1e-18 is 1 in floating point, and answers ``count``.
    """
    return bisect_left(range(count + 1), -NEGLIGIBLE, key=lambda draws: -float(binomial().sf(draws, count, rate)))


def combinations(parts: tuple[Part, ...]) -> int:
    """How many combinations of numbers of draws are told apart."""
    return math.prod(len(_draws(part)) for part in parts)


def _draws(part: Part) -> Array:
    """How often a row may be drawn, up to a number that is passed with a probability of `NEGLIGIBLE`."""
    _, rate, count = part
    return np.arange(most_draws(count, rate) + 2, dtype=np.float64)


@lru_cache(maxsize=64)
def _chances(mu: float, parts: tuple[Part, ...]) -> tuple[Array, tuple[float, ...]]:
    """How often a row is drawn, as probabilities, and the μ of each."""
    chances, mus = np.ones(1), np.full(1, mu)
    for z, rate, count in parts:
        draws = _draws((z, rate, count))
        chances = np.outer(chances, binomial().pmf(draws, count, rate)).ravel()
        mus = np.hypot.outer(mus, np.sqrt(draws) / z).ravel()
    return np.asarray(chances, dtype=np.float64), tuple(mus.tolist())


def epsilon_of(mu: float, parts: tuple[Part, ...], delta: float) -> float:
    """ε if it were known when the row is drawn, which no rare loss makes infinite: an upper bound as well."""
    if delta <= NEGLIGIBLE * len(parts):  # what is left out of the sums alone exceeds it
        return math.inf
    if delta_of(mu, parts, 0.0) <= delta:
        return 0.0
    high = 1.0
    while delta_of(mu, parts, high) > delta:
        high *= 2
        if math.isinf(high):
            return high

    def excess(epsilon: float) -> float:
        return math.log(max(delta_of(mu, parts, epsilon), NEGLIGIBLE)) - math.log(delta)

    return float(brentq(excess, 0.0, high, rtol=1e-12))
