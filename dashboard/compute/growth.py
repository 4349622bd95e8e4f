"""Lines of the panel "How would this grow?": the time of a planned sweep along one of its sizes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.evaluate.forecast import PlannedRun, Speed, forecast
from dpgep_core.models.row_space import PRODUCT_COLUMNS

# Field of `PlannedRun`, its words, the least and the most; from more columns on nothing of size d × d is formed.
FIELDS: Mapping[str, tuple[str, int, int]] = {
    "n": ("Rows n", 10, 10**8),
    "d": ("Columns d", 2, PRODUCT_COLUMNS - 1),
    "classes": ("Classes K", 2, 1000),
    "k": ("Components k", 1, 500),
    "m": ("Steps m", 1, 10_000),
}
TIMES: Mapping[str, tuple[str, int, int]] = {"seeds": ("Seeds", 1, 1000), "values": ("Values of ε", 1, 1000)}
PLACES, REACH = 13, 10.0  # of a line, and how far it goes to both sides: a factor


@dataclass(frozen=True, slots=True)
class GrowthLine:
    """Seconds of one part of a sweep at sizes; ``number`` is the place of the method, None for what all share."""

    name: str
    number: int | None
    sizes: tuple[float, ...]
    seconds: tuple[float, ...]


def growth_lines(planned: PlannedRun, size: str, speed: Speed) -> list[GrowthLine]:
    """A line for each method and one for sums and exact answers, over two decades about the planned size."""
    _, least, most = FIELDS[size]
    now = float(getattr(planned, size))
    places = np.geomspace(max(least, now / REACH), min(most, now * REACH), PLACES)
    sizes = tuple(dict.fromkeys(round(float(place)) for place in places))
    shares = [dict(forecast(_changed(planned, size, at), speed).shares) for at in sizes]
    titles = {"": "sums and exact answers", **{key: ALGORITHMS[key].title for key in planned.algorithms}}
    return [
        GrowthLine(titles[key], None if not key else number - 1, sizes, tuple(share[key] for share in shares))
        for number, key in enumerate(titles)
    ]


def _changed(planned: PlannedRun, size: str, value: int) -> PlannedRun:
    """The plan at another size; there are no more components than columns."""
    changed: dict[str, Any] = {size: value}
    if size == "d":
        changed["k"] = min(planned.k, value)
    if size == "k":
        changed["k"] = min(value, planned.d)
    return replace(planned, **changed)


def line_rows(lines: Sequence[GrowthLine], size: str) -> list[dict[str, Any]]:
    """The lines as rows of a table."""
    words = FIELDS[size][0]
    return [
        {"part": line.name, words: at, "seconds": seconds}
        for line in lines
        for at, seconds in zip(line.sizes, line.seconds, strict=True)
    ]
