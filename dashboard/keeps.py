"""From the draws of a curve over ε: the smallest ε from which enough of the non-private accuracy is kept."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dashboard.services import Draw

BAND = (95.0, 5.0)  # of draws: with luck already here, without it only there


@dataclass(frozen=True, slots=True)
class Keeps:
    """ε at which the median draw reaches a target for good, with the same of the luckiest and the unluckiest draws.
    None: not within the curve."""

    epsilon: float | None
    lucky: float | None
    unlucky: float | None
    draws: int


def smallest_epsilon(draws: Sequence[Draw], target: float) -> Keeps:
    """Where the accuracy passes ``target`` and stays above it, by interpolation in log ε between the points drawn."""
    by_place: dict[float, list[float]] = defaultdict(list)
    for one in draws:
        by_place[one.at].append(one.accuracy)
    places = sorted(by_place)
    found = [
        _crossing(places, [float(np.percentile(by_place[place], quantile)) for place in places], target)
        for quantile in (50.0, *BAND)
    ]
    return Keeps(*found, draws=min((len(values) for values in by_place.values()), default=0))


def _crossing(places: Sequence[float], values: Sequence[float], target: float) -> float | None:
    above = [value >= target for value in values]
    if not above or not above[-1]:
        return None
    first = next(i for i in range(len(above)) if all(above[i:]))
    if first == 0:
        return places[0]
    low, high = values[first - 1], values[first]
    share = (target - low) / (high - low)
    return float(np.exp(np.interp(share, [0, 1], np.log([places[first - 1], places[first]]))))


def sentence(title: str, keeps: Keeps, percent: int, ends: tuple[float, float]) -> str:
    """What was found, in words."""
    if keeps.draws == 0:
        return f"{title}: no draws yet."
    draws = f"{keeps.draws} draw{'s' * (keeps.draws != 1)} at each point"
    if keeps.epsilon is None:
        return f"{title}: does not keep {percent} % by ε = {ends[1]:g} ({draws})."
    if keeps.epsilon == ends[0]:
        return f"{title}: keeps {percent} % already at ε = {ends[0]:.2g} ({draws})."
    lucky = "below the curve" if keeps.lucky in (None, ends[0]) else f"{keeps.lucky:.2g}"
    unlucky = f"more than {ends[1]:g}" if keeps.unlucky is None else f"{keeps.unlucky:.2g}"
    band = f"90 % of draws: {lucky} to {unlucky}; {draws}"
    return f"{title}: keeps {percent} % from ε ≈ **{keeps.epsilon:.2g}** on ({band})."
