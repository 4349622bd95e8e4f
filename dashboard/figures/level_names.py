"""Places for the names of levels: where a name lies on no curve, no dot and no other name."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpgep_core.privacy.query import Array

WIDE, HIGH = 430.0, 290.0  # pixels of the smallest field that curves are drawn in
LETTER, LINE = 6.0, 16.0  # pixels that a letter of a name is wide, and a name high
ENOUGH = 6.0  # pixels between a name and what is near; more of them are no better
DOT = 8.0  # pixels from the middle of a dot to its edge
EDGE = 0.05  # of the span of values: what Plotly leaves free at the ends of an axis
ALONG = (0.0, 1.0, 0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875)  # of the room, from the end where names usually stand


@dataclass(frozen=True, slots=True)
class _Box:
    """A rectangle in pixels, right and up."""

    left: float
    right: float
    low: float
    high: float

    def away(self, other: "_Box") -> float:
        """Pixels between two boxes; 0 where they touch."""
        across = max(self.left - other.right, other.left - self.right, 0.0)
        return math.hypot(across, max(self.low - other.high, other.low - self.high, 0.0))


@dataclass(frozen=True, eq=False)
class Field:
    """Lines and dots that names may lie on, and the limits of the axes; the one across is logarithmic.

    Parameters
    ----------
    lines : sequence of Array
        Curves, (m, 2) each.
    dots : sequence of (float, float)
        Places of large dots.
    across, up : (float, float)
        Limits of the axes.
    """

    lines: Sequence[Array]
    dots: Sequence[tuple[float, float]]
    across: tuple[float, float]
    up: tuple[float, float]

    def pixels(self, points: Array) -> Array:
        """Places (m, 2) in pixels from left to right, without those that have none."""
        left, right = np.log10(self.across)
        x = WIDE * (np.log10(points[:, 0]) - left) / ((right - left) or 1.0)
        found = np.column_stack([x, self.height(points[:, 1])])
        found = found[np.isfinite(found).all(axis=1)]
        return found[np.argsort(found[:, 0], kind="stable")]

    def height(self, values: Any) -> Any:
        """Values in pixels upwards."""
        low, high = self.up
        return HIGH * (values - low) / ((high - low) or 1.0)


def limits_of(values: Sequence[float]) -> tuple[float, float]:
    """Limits that Plotly gives to an axis of such values."""
    known = [value for value in values if math.isfinite(value)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    return low - EDGE * (high - low), high + EDGE * (high - low)


def name_places(names: Sequence[tuple[str, float, bool]], field: Field) -> list[dict[str, Any]]:
    """Where each name stands over or under its level, as an annotation takes it.

    Names are (text, level, at the left): the last tells at which end a name stands where both are free. A name that
    lies on something everywhere stands where it lies on least.
    """
    lines, placed, found = [field.pixels(line) for line in field.lines], list[_Box](), list[dict[str, Any]]()
    dots = [_around(x, y, DOT) for x, y in field.pixels(np.reshape(field.dots, (-1, 2)))]
    for text, value, at_left in names:
        options = list(_options(LETTER * len(text), float(field.height(value)), at_left))
        free = [min(ENOUGH, _free(box, lines, [*dots, *placed])) for box, _ in options]
        box, place = options[int(np.argmax(free))]  # the first of those that are as free
        placed.append(box)
        found.append({**place, "y": value})
    return found


def _options(wide: float, height: float, at_left: bool) -> Iterator[tuple[_Box, dict[str, Any]]]:
    """Boxes above and below a level, and how an annotation says each."""
    for share, above in itertools.product(ALONG, (True, False)):
        if not above and height < LINE:  # it would lie on the numbers of the axis
            continue
        share, low = share if at_left else 1 - share, height if above else height - LINE
        left = share * max(WIDE - wide, 0.0)
        anchor = {0.0: "left", 1.0: "right"}.get(share, "center")
        x = share if share in (0.0, 1.0) else (left + wide / 2) / WIDE
        place = {"x": x, "xanchor": anchor, "yanchor": "bottom" if above else "top"}
        yield _Box(left, left + wide, low, low + LINE), place


def _around(x: float, y: float, radius: float) -> _Box:
    return _Box(x - radius, x + radius, y - radius, y + radius)


def _free(box: _Box, lines: Sequence[Array], things: Sequence[_Box]) -> float:
    """Pixels between a box and what is nearest; below 0 where it lies on things, by their number."""
    ways = [box.away(thing) for thing in things]
    on = sum(way == 0 for way in ways)
    return -float(on) if on else min([math.inf, *ways, *(_way(box, line) for line in lines)])


def _way(box: _Box, line: Array) -> float:
    """Pixels up or down from a box to the part of a line above or below it; 0 where the line crosses the box."""
    if not len(line) or line[-1, 0] < box.left or line[0, 0] > box.right:
        return math.inf
    inside = line[(line[:, 0] > box.left) & (line[:, 0] < box.right)]
    heights = [*np.interp([box.left, box.right], line[:, 0], line[:, 1]), *inside[:, 1]]
    return max(min(heights) - box.high, box.low - max(heights), 0.0)
