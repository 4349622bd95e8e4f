"""Rates of theorems as straight lines through a value that was measured."""

import math
from collections.abc import Iterator, Sequence

from dpgep_core.experiments.papers.exhibit import ExhibitPicture, Guide, ResultLine

GuidePoints = list[tuple[float, float]]


def guides_of(lines: Sequence[ResultLine], picture: ExhibitPicture) -> Iterator[tuple[Guide, GuidePoints]]:
    """The guides of one panel, each with the points of its line from one end of the axis to the other.

    Parameters
    ----------
    lines : sequence of ResultLine
        Those of the panel.
    """
    at = [float(line.labels[picture.x]) for line in lines if line.ours is not None]
    values = [line.ours for line in lines if line.ours is not None and line.ours > 0]
    for guide in picture.guides:
        own = [line for line in lines if _is_through(line, guide)]
        if own and len(set(at)) > 1:
            anchor = min(own, key=lambda line: abs(math.log(float(line.labels[picture.x]) / guide.at)))
            x0, y0 = float(anchor.labels[picture.x]), anchor.ours or 0.0
            yield guide, _within(guide.power, (x0, y0), (min(at), max(at)), (min(values), max(values)))


def _is_through(line: ResultLine, guide: Guide) -> bool:
    known = line.ours is not None and line.ours > 0
    return known and all(line.labels.get(name) == value for name, value in guide.through)


def _within(
    power: float, anchor: tuple[float, float], across: tuple[float, float], up: tuple[float, float]
) -> GuidePoints:
    """Both ends of a line, cut where it leaves the values."""
    (x0, y0), ends = anchor, list[tuple[float, float]]()
    for x in across:
        y = min(max(y0 * (x / x0) ** power, up[0]), up[1])
        ends.append((x0 * (y / y0) ** (1 / power), y))
    return ends
