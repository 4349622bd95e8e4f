"""Places of an exhibit, a point of a figure or a cell of a table, and what each method reached there."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from scipy.special import stdtrit

from dpgep_core.experiments.papers.exhibit import ResultLine

RANDOM_METHOD = "random projection"
CLEAR = 1.0  # points, the least by which a value is clearly above another
CONFIDENCE = 0.99  # of the interval of the difference of two means
PLACE = ("metric", "measure", "data", "classifier", "epsilon")  # labels that tell places apart

Labels = Mapping[str, Any]
Place = tuple[Any, ...]
Values = dict[Place, float]


def place_of(line: ResultLine) -> Place:
    """The place that a line stands at."""
    return tuple(line.labels.get(name) for name in PLACE)


def lines_at(lines: Sequence[ResultLine], wanted: Labels) -> dict[Place, ResultLine]:
    """Computed lines with these labels, by place."""
    return {
        place_of(line): line
        for line in lines
        if line.ours is not None and all(line.labels.get(name) == value for name, value in wanted.items())
    }


def values_of(lines: Sequence[ResultLine], wanted: Labels) -> Values:
    """Our values of the lines with these labels, by place."""
    return {place: line.ours for place, line in lines_at(lines, wanted).items() if line.ours is not None}


def is_clearly_above(high: ResultLine, low: ResultLine) -> bool:
    """Whether a mean is above another by a point and by more than two such means differ by chance.

    The larger spread stands for both: of two spreads over a few runs the smaller one is small by luck as well. Where
    one run is behind a value nobody knows its spread, and it is above nothing clearly.
    """
    if high.ours is None or low.ours is None or high.spread is None or low.spread is None:
        return False
    error = max(high.spread, low.spread) * sqrt(1 / high.runs + 1 / low.runs)
    quantile = float(stdtrit(high.runs + low.runs - 2, 0.5 + CONFIDENCE / 2))
    return high.ours - low.ours > max(CLEAR, quantile * error)
