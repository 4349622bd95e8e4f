"""Worth of sub-sampled Gaussian answers, by privacy loss distributions (``dp_accounting``).

An answer about a batch of b rows drawn uniformly without replacement from n is told apart best by the pair
P = (1 − q)N(0, σ²) + qN(Δ, σ²), Q = N(0, σ²) with q = b/n, in whichever direction is worse: for a replaced row by
advanced joint convexity (Balle, Barthe & Gaboardi 2018, Theorem 2), which bounds δ at every ε ≥ 0, and at ε < 0 by
symmetry (Zhu, Dong & Wang 2022, Section 3). A row added or removed is covered too, Δ being the change between two
rows. So the loss has the law of log P/Q above 0, mirrored below it with weight e^(−loss); the losses of a loop add.

Rounding is upwards everywhere (connect-the-dots), so that what is returned is an upper bound. Where the noise is so
small that each draw of a row is plain to see, or where rare losses leave no finite ε, the draws are taken as known,
which is an upper bound as well.

`sampled_epsilon` is a bound from below, to set beside these: the ε that an explicit pair of neighbours needs.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from itertools import count as count_from
from typing import Any

import numpy as np

from dpgep_core.privacy import accountant, known_draws
from dpgep_core.privacy.known_draws import NEGLIGIBLE, Part
from dpgep_core.privacy.query import Array
from dpgep_core.typed_scipy import binomial, ndtr, ndtri

LEAST_NOISE = 0.05  # z below which the draws are taken as known
MOST_NOISE, FAINT = 1e6, 1e-3  # z, and share of the μ of the rest, beyond which sampling is not counted
TAIL = 7.0  # standard deviations after which the rest counts as an infinite loss
RARE = float(ndtr(-TAIL))  # probability of that rest in one answer
MOST_COUNTED = 10_000  # numbers of draws that are told apart where the distributions know no finite ε
FEW, SOME, MANY = 2**8, 2**16, 2**17  # grid points of one answer: at least, while solving, at most
SHARE_OF_SPREAD = 3 / 8  # grid step over the standard deviation of one loss
HALVINGS = 10  # of a factor of 2: accuracy of a solved noise multiplier, 0.07 %
STRAIGHT = 7  # tries along a line before the rest is halved
TINY = 1e-300
UNDERFLOWS = 650.0  # loss from which e^(−loss) has few digits or none
CELLS = 2**16  # losses that a sum of answers is told apart by, for the bound from below
BY_CHANCE = 1.0  # answers about other rows, of all, that look as if they were about this one
REACH = 7.0  # standard deviations of noise that are told apart
SEARCH = 60  # halvings


def drawn_epsilon(mu: float, parts: tuple[Part, ...], delta: float) -> float:
    """ε at ``delta`` of μ-GDP answers together with sub-sampled ones."""
    mu, parts = _without_the_faint(mu, parts)
    if not parts:
        return accountant.epsilon_of(mu, delta)
    if not _draws_are_plain(parts):
        found = _epsilon_at(_losses(mu, parts, MANY), delta)
        if math.isfinite(found) or known_draws.combinations(parts) > MOST_COUNTED:
            return found
    return known_draws.epsilon_of(mu, parts, delta)


def _epsilon_at(losses: Any, delta: float) -> float:
    """The smallest ε with δ(ε) ≤ ``delta``, of a privacy loss distribution.

    ``dp_accounting`` inverts δ(ε) through e^(−loss), which underflows at large losses and leaves the next point of the
    grid; δ(ε) itself has no such limit and is bisected there.
    """
    with np.errstate(over="ignore"):  # of quotients that are compared with a loss, and infinite is the right answer
        high = float(losses.get_epsilon_for_delta(delta))
    if not UNDERFLOWS < high < math.inf:
        return high
    low = 0.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if losses.get_delta_for_epsilon(middle) <= delta else (middle, high)
    return high


def truncates(mu: float, parts: tuple[Part, ...]) -> bool:
    """Whether the rarest losses of these answers are taken as infinite, so that a tiny δ has no finite ε."""
    _, parts = _without_the_faint(mu, parts)
    return bool(parts) and not _draws_are_plain(parts)


def drawn_delta(mu: float, parts: tuple[Part, ...], epsilon: float, points: int = MANY) -> float:
    """The smallest δ at which the same answers are (ε, δ)-DP."""
    mu, parts = _without_the_faint(mu, parts)
    if not parts:
        return accountant.delta_of(mu, epsilon)
    if _draws_are_plain(parts):
        return known_draws.delta_of(mu, parts, epsilon)
    return float(_losses(mu, parts, points).get_delta_for_epsilon(epsilon))


@lru_cache(maxsize=256)
def noise_multiplier(epsilon: float, delta: float, rate: float, count: int, mu: float = 0.0) -> float:
    """The smallest z = σ/Δ, to a part in 1,400, at which ``count`` sub-sampled answers beside μ are (ε, δ)-DP."""

    def gap(z: float) -> float:
        """log δ(z) less log δ, above 0 where z is too small."""
        found = drawn_delta(mu, ((z, rate, count),), epsilon, SOME)
        return min(math.log(max(found, NEGLIGIBLE) / delta), 0.0) if found <= delta else math.log(found / delta) or TINY

    low, high = 0.25, 0.5
    at_low, at_high = math.nan, gap(high)
    while at_high > 0:
        low, high, at_low, at_high = high, 2 * high, at_high, gap(2 * high)
    at_low = gap(low) if math.isnan(at_low) else at_low
    while at_low <= 0:
        low, high, at_low, at_high = low / 2, low, gap(low / 2), at_low
    return _first_covered(gap, (low, high), (at_low, at_high))


def _first_covered(gap: Callable[[float], float], ends: tuple[float, float], gaps: tuple[float, float]) -> float:
    """The smallest z at which ``gap`` is not above 0, of those that halving the logarithm comes to.

    Where the line through the last two gaps is 0 is tried first: half the values are asked for that halving takes,
    each of which costs a tenth of a second or more. After a few tries the rest is halved.
    """
    first, last = 0, 2**HALVINGS
    before, now = (first, gaps[0]), (last, gaps[1])
    for tries in count_from():
        if last - first <= 1:
            break
        slope = (now[1] - before[1]) / (now[0] - before[0])
        place = now[0] - now[1] / slope if slope < 0 and tries < STRAIGHT else (first + last) / 2
        middle = math.ceil(min(max(place, first + 1), last - 1))
        before, now = now, (middle, gap(_halved(ends, middle)))
        first, last = (middle, last) if now[1] > 0 else (first, middle)
    return _halved(ends, last)


def _halved(ends: tuple[float, float], place: int) -> float:
    """One of the 2^10 values between two ends, as halving the logarithm rounds it."""
    (low, high), first, last = ends, 0, 2**HALVINGS
    while place < last:
        middle, half = math.sqrt(low * high), (first + last) // 2
        low, high, first, last = (middle, high, half, last) if place > half else (low, middle, first, half)
    return high


def _without_the_faint(mu: float, parts: tuple[Part, ...]) -> tuple[float, tuple[Part, ...]]:
    """Parts where those of next to no loss count as if every row were drawn: Gaussian, and an upper bound."""
    loud = tuple(part for part in parts if part[0] < MOST_NOISE and math.sqrt(part[2]) / part[0] > FAINT * mu)
    return math.hypot(mu, *(math.sqrt(count) / z for z, rate, count in parts if (z, rate, count) not in loud)), loud


def _draws_are_plain(parts: tuple[Part, ...]) -> bool:
    return any(z < LEAST_NOISE for z, _, _ in parts)


@lru_cache(maxsize=4)
def _losses(mu: float, parts: tuple[Part, ...], points: int) -> Any:
    """The privacy loss distribution of all answers together."""
    pld: Any = import_module("dp_accounting.pld.privacy_loss_distribution")  # slow to import, and seldom needed
    step = max(min(_step(z, rate, points) for z, rate, _ in parts), mu / points)
    losses: Any = pld.identity(value_discretization_interval=step)
    for z, rate, count in parts:
        losses = losses.compose(_one(z, rate, step).self_compose(count))
    if mu > 0:
        losses = losses.compose(pld.from_gaussian_mechanism(1 / mu, value_discretization_interval=step))
    return losses


def _one(z: float, rate: float, step: float) -> Any:
    """The symmetrised loss of one answer on the grid ``step · {−m, …, m}``."""
    pld: Any = import_module("dp_accounting.pld.privacy_loss_distribution")
    pld_pmf: Any = import_module("dp_accounting.pld.pld_pmf")
    points = max(2, math.ceil(_largest(z, rate) / step))
    loss = np.arange(points + 1, dtype=np.float64) * step
    upper, lower, beyond = _cells(loss, z, rate)
    moved = (upper - lower * np.exp(loss[:-1])) / -math.expm1(-step)  # to the right end, so that both laws are kept
    moved = np.clip(moved, 0.0, upper)
    above = moved.copy()
    above[:-1] += (upper - moved)[1:]
    mass = np.concatenate([(above * np.exp(-loss[1:]))[::-1], [0.0], above])
    mass[points] = max(0.0, 1 - beyond - mass.sum())
    return pld.PrivacyLossDistribution(pld_pmf.DensePLDPmf(step, -points, mass, beyond, True))


def _cells(loss: Array, z: float, rate: float) -> tuple[Array, Array, float]:
    """Mass of P and of Q between the answers x at which log P/Q is each of ``loss``, and of P beyond the last."""
    # e^loss = 1 − q + q e^t with t = (2x − 1)/(2z²), solved for t
    x = z * z * np.log1p(np.expm1(loss) / rate) + 0.5
    none, one = _between(x / z), _between((x - 1) / z)
    beyond = (1 - rate) * ndtr(-float(x[-1]) / z) + rate * ndtr((1 - float(x[-1])) / z)
    return (1 - rate) * none + rate * one, none, beyond


def _between(edges: Array) -> Array:
    """Standard normal mass between neighbouring edges, each from the tail in which it is small."""
    below, above = ndtr(edges), ndtr(-edges)
    return np.where(edges[:-1] > 0, above[:-1] - above[1:], below[1:] - below[:-1])


def _largest(z: float, rate: float) -> float:
    """The loss at the last answer that is counted."""
    return math.log1p(rate * math.expm1((1 + 2 * TAIL * z) / (2 * z * z)))


def _step(z: float, rate: float, points: int) -> float:
    """Grid step: a share of the standard deviation of one loss, within reason."""
    spread = rate * math.sqrt(math.expm1(1 / z**2))
    largest = _largest(z, rate)
    return min(max(SHARE_OF_SPREAD * spread, largest / points), largest / FEW)


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
    seen = 1 + sum(int(binomial().isf(delta / 1000, count, chance)) for chance in (rate, ndtr(-threshold)))
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
    drawn = (2 * x * z - 1) / (2 * z * z)
    return float(np.logaddexp(math.log1p(-rate), math.log(rate) + drawn)) if rate < 1 else drawn


def _answer(loss: Array, z: float, rate: float) -> Array:
    """The answer at which `_loss` is so much."""
    plain = loss - math.log(rate) + np.log1p(-(1 - rate) * np.exp(-loss))
    return z * plain + 1 / (2 * z)
