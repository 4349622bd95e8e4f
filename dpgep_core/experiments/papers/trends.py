"""Sentences about shapes: what can be compared where a paper only draws."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpgep_core.evaluate.compare import larger
from dpgep_core.experiments.papers.exhibit import Line

Way = tuple[str, str]  # a method and its calibration
SYMBOLS = {"epsilon": "ε", "xi": "ξ"}


def monotone(lines: Sequence[Line], along: str, name: str, *, down: bool) -> list[str]:
    """In how many curves the last value lies on the expected side of the first."""
    curves = [points for points in _curves(lines, along).values() if len(points) > 1]
    if not curves:
        return []
    right = sum((last[1] < first[1]) == down for first, last in ((points[0], points[-1]) for points in curves))
    word = "falls" if down else "rises"
    axis = SYMBOLS.get(along, along)
    return [f"{name}: the value {word} from the smallest {axis} to the largest in {right} of {len(curves)} curves."]


def slope(lines: Sequence[Line], along: str, name: str, *, expected: float, within: float) -> list[str]:
    """The median log-log slope of the curves, beside the one that the theory says."""
    found = [_log_slope(points) for points in _curves(lines, along).values() if len(points) > 1]
    if not found:
        return []
    median = float(np.median(found))
    word = "as the theory says" if abs(median - expected) <= within else "not what the theory says"
    middle = f" (median of {len(found)} curves)" if len(found) > 1 else ""
    axis = SYMBOLS.get(along, along)
    said = f"{name}: slope {round(median, 2) + 0.0:+.2f} against {axis}{middle}, expected {expected:g}: {word}."
    return [said]


def _log_slope(points: Sequence[tuple[float, float]]) -> float:
    x, y = (np.log(np.maximum(values, np.finfo(float).tiny)) for values in np.array(points).T)
    return float(np.polyfit(x, y, 1)[0])


def ordered(lines: Sequence[Line], one: Way, others: Sequence[Way], *, lower: bool) -> list[str]:
    """In how many places one way, a method under a calibration, is better than every one of the others."""
    mine, best = _values(lines, (one,), lower=lower), _values(lines, others, lower=lower)
    both = [(mine[place], best[place]) for place in best if place in mine]
    if not both:
        return []
    ahead = sum(larger(b, a) if lower else larger(a, b) for a, b in both)
    names = ", ".join(map(_called, others))
    word, best_of = "closer" if lower else "better", "the best of " if len(others) > 1 else ""
    return [f"{_called(one)} is {word} than {best_of}{names} in {ahead} of {len(both)} place{'s' * (len(both) != 1)}."]


def _called(way: Way) -> str:
    method, rule = way
    return method if method.endswith("(ours)") else f"{method} ({rule})"


def _values(lines: Sequence[Line], ways: Sequence[Way], *, lower: bool) -> dict[Any, float]:
    best: dict[Any, float] = {}
    for line in lines:
        if line.ours is not None and (line.labels["method"], line.labels["calibration"]) in ways:
            place = _rest(line, "method", "calibration")
            best[place] = (min if lower else max)(best.get(place, line.ours), line.ours)
    return best


def _curves(lines: Sequence[Line], along: str) -> Mapping[Any, list[tuple[float, float]]]:
    curves: dict[Any, list[tuple[float, float]]] = {}
    for line in lines:
        if line.ours is not None and math.isfinite(line.ours):
            curves.setdefault(_rest(line, along), []).append((float(line.labels[along]), line.ours))
    return {key: sorted(points) for key, points in curves.items()}


def _rest(line: Line, *without: str) -> tuple[tuple[str, Any], ...]:
    return tuple((name, value) for name, value in line.labels.items() if name not in without)
