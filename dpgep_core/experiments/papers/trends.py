"""Sentences about shapes: what can be compared where a paper only draws."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from dpgep_core.evaluate.compare import larger
from dpgep_core.experiments.papers.exhibit import ResultLine
from dpgep_core.experiments.papers.outcome import OWN_METHOD, UNDECIDED
from dpgep_core.wording import number_text, plural, signed_text

CalibratedMethod = tuple[str, str]  # a method and its calibration
Allowed = tuple[float, float]  # least and largest slope
FloatArray = NDArray[np.floating[Any]]
SURE = 0.975  # of a two-sided 95 % interval
AS_ALLOWED, NOT_ALLOWED = "as the theory allows", "not what the theory allows"
SYMBOLS = {"epsilon": "ε", "xi": "ξ"}


def count_monotone(lines: Sequence[ResultLine], along: str, name: str, *, down: bool) -> list[str]:
    """In how many curves the last value lies on the expected side of the first."""
    right, curves = ends_as_expected(lines, along, down=down)
    word, axis = "falls" if down else "rises", SYMBOLS.get(along, along)
    said = f"{name}: the value {word} from the smallest {axis} to the largest in {right} of {curves} curves."
    return [said] if curves else []


def ends_as_expected(lines: Sequence[ResultLine], along: str, *, down: bool) -> tuple[int, int]:
    """The curves whose last value lies on the expected side of the first, and all curves of two values or more."""
    curves = [points for points in _curves_of(lines, along).values() if len(points) > 1]
    return sum(((points[-1].ours or 0.0) < (points[0].ours or 0.0)) == down for points in curves), len(curves)


@dataclass(frozen=True, slots=True)
class SlopeFit:
    """A log-log slope with its 95 % interval."""

    slope: float
    low: float
    high: float

    @property
    def said(self) -> str:
        """The slope with its interval, in words."""
        return f"{_with_sign(self.slope)} (95 % interval {_with_sign(self.low)} to {_with_sign(self.high)})"

    def verdict(self, allowed: Allowed, within: float) -> str:
        """Whether the interval lies inside what is allowed, outside of it, or says nothing."""
        low, high = allowed[0] - within, allowed[1] + within
        if low <= self.low and self.high <= high:
            return AS_ALLOWED
        return NOT_ALLOWED if self.high < low or self.low > high else UNDECIDED


def slopes(lines: Sequence[ResultLine], along: str) -> list[SlopeFit]:
    """The fit of each curve that has at least two places.

    An interval is the wider one of two: from how far the places lie off the line, and from how far the runs behind
    each place lie apart. Two places from one run each have none.
    """
    return [_fit(points, along) for points in _curves_of(lines, along).values() if len(points) > 1]


def slope(lines: Sequence[ResultLine], along: str, name: str, *, allowed: Allowed, within: float) -> list[str]:
    """The log-log slope of each curve with its interval, beside what the theory allows."""
    axis = SYMBOLS.get(along, along)
    return [
        f"{name}: against {axis} slope {fit.said}; the theory allows {_range(allowed)}, give or take {within:g}: "
        f"{fit.verdict(allowed, within)}."
        for fit in slopes(lines, along)
    ]


def _range(allowed: Allowed) -> str:
    low, high = allowed
    if low == high:
        return number_text(low)
    return f"{number_text(high)} or steeper" if low == -math.inf else f"{number_text(low)} to {number_text(high)}"


def _with_sign(value: float) -> str:
    return signed_text(value, 2) if math.isfinite(value) else "unknown"


def _fit(points: Sequence[ResultLine], along: str) -> SlopeFit:
    x = np.log([float(line.labels[along]) for line in points])
    y = np.log([max(line.ours or 0.0, np.finfo(float).tiny) for line in points])
    centred = x - x.mean()
    power = float(centred @ y / (centred @ centred))
    half = max(_half_by_places(centred, y, power), _half_by_runs(points, centred))
    return SlopeFit(power, power - half, power + half)


def _half_by_places(centred: FloatArray, y: FloatArray, power: float) -> float:
    free = len(y) - 2
    if free < 1:
        return 0.0
    off = y - y.mean() - power * centred
    return float(stdtrit(free, SURE) * math.sqrt(off @ off / free / (centred @ centred)))


def _half_by_runs(points: Sequence[ResultLine], centred: FloatArray) -> float:
    known = [line for line in points if line.spread is not None and line.runs > 1]
    if len(known) < len(points):
        return math.inf if len(points) < 3 else 0.0
    errors = np.array([(line.spread or 0.0) / (line.ours or 1.0) / math.sqrt(line.runs) for line in points])
    free = sum(line.runs - 1 for line in points)
    return float(stdtrit(free, SURE) * np.linalg.norm(centred * errors) / (centred @ centred))


def count_leads(
    lines: Sequence[ResultLine], one: CalibratedMethod, others: Sequence[CalibratedMethod], *, lower: bool
) -> list[str]:
    """In how many places one way, a method under a calibration, is better than every one of the others."""
    ahead, places = lead(lines, one, others, lower=lower)
    if not places:
        return []
    names = ", ".join(map(_calibrated_in_words, others))
    word, best_of = "closer" if lower else "better", "the best of " if len(others) > 1 else ""
    return [f"{_calibrated_in_words(one)} is {word} than {best_of}{names} in {ahead} of {plural(places, 'place')}."]


def lead(
    lines: Sequence[ResultLine], one: CalibratedMethod, others: Sequence[CalibratedMethod], *, lower: bool
) -> tuple[int, int]:
    """The places where one way is better than every one of the others, and all places that both have."""
    mine, best = _values(lines, (one,), lower=lower), _values(lines, others, lower=lower)
    both = [(mine[place], best[place]) for place in best if place in mine]
    return sum(larger(b, a) if lower else larger(a, b) for a, b in both), len(both)


def _calibrated_in_words(way: CalibratedMethod) -> str:
    method, rule = way
    return method if method.endswith(OWN_METHOD) else f"{method} ({rule})"


def _values(lines: Sequence[ResultLine], ways: Sequence[CalibratedMethod], *, lower: bool) -> dict[Any, float]:
    best: dict[Any, float] = {}
    for line in lines:
        if line.ours is not None and (line.labels["method"], line.labels["calibration"]) in ways:
            place = _rest(line, "method", "calibration")
            best[place] = (min if lower else max)(best.get(place, line.ours), line.ours)
    return best


def _curves_of(lines: Sequence[ResultLine], along: str) -> Mapping[Any, list[ResultLine]]:
    """Computed lines that differ along an axis alone, in its order."""
    curves: dict[Any, list[ResultLine]] = {}
    for line in lines:
        if line.ours is not None and math.isfinite(line.ours):
            curves.setdefault(_rest(line, along), []).append(line)
    return {key: sorted(points, key=lambda line: float(line.labels[along])) for key, points in curves.items()}


def _rest(line: ResultLine, *without: str) -> tuple[tuple[str, Any], ...]:
    return tuple((name, value) for name, value in line.labels.items() if name not in without)
