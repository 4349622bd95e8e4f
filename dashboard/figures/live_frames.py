"""Frames of a page that moves by itself while one drags: small, along an axis, made once per scenario."""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from dashboard.compute import results
from dashboard.compute.axes import Axis
from dashboard.scenario import Scenario
from dashboard.text.headline import cells
from dpgep_core.datasets import Dataset
from dpgep_core.evaluate import Reference
from dpgep_core.privacy.query import Array
from dpgep_core.reuse import keeping_one

POINTS = 400  # held-out rows in each live picture: more of them, and dragging would stutter
STEPS = 1000  # of each half axis: points travel as whole numbers


@dataclass(frozen=True, slots=True)
class Frame:
    """One algorithm at one place: what the live panel shows of it. ``points`` are packed x, y, x, y, … in steps of the
    span; ``exact`` too, where the exact picture depends on the place, else it is empty. ``cells`` are the headline
    numbers with their notes."""

    at: float
    accuracy: float | None
    angle: float
    cosine: float
    points: str
    exact: str
    cells: tuple[tuple[str, str], ...]


def live_frames(
    scenario: Scenario,
    algorithm: str,
    data: Dataset,
    reference: Reference,
    axis: Axis,
    grid: Sequence[float],
    first: float,
    components: tuple[int, int],
) -> Iterator[Frame]:
    """Frames of one algorithm over the grid, in the order of `coarse_first`. The seed is the scenario's: its noise is
    drawn once and scaled, so the picture moves smoothly. A method that the axis does not concern gives one frame."""
    remember = keeping_one()
    if not axis.belongs(scenario, algorithm):
        yield frame(results.answer(scenario, algorithm, data, reference, remember), reference, axis, 0.0, components)
        return
    for value in coarse_first(grid, first):
        item = results.answer(axis.at(scenario, value), algorithm, data, reference, remember)
        yield frame(item, reference, axis, value, components)


def coarse_first(grid: Sequence[float], first: float) -> list[float]:
    """Places of an ascending grid in the order of their use: where one stands, the ends, then the middle of the widest
    gap, the one nearest to where one stands before the others. After a few of them, no place is far from one that
    is there, so that the whole axis can be dragged early.

    A ``first`` that is no place of the grid stands for its lower end.
    """
    start = grid.index(first) if first in grid else 0
    order = list(dict.fromkeys((start, 0, len(grid) - 1)))
    while len(order) < len(grid):
        known = sorted(order)
        gaps = [(low, high) for low, high in pairwise(known) if high - low > 1]
        low, high = min(gaps, key=lambda gap: (gap[0] - gap[1], abs((gap[0] + gap[1]) / 2 - start)))
        order.append((low + high) // 2)
    return [grid[place] for place in order]


def frame(item: results.Answer, reference: Reference, axis: Axis, at: float, components: tuple[int, int]) -> Frame:
    """One answer as a frame."""
    laid = results.layout(item, reference, *components, aligned=True)
    diagnostic = item.diagnostic
    scores = diagnostic.accuracy.get("lda")
    return Frame(
        at=at,
        accuracy=None if scores is None else scores.private.accuracy,
        angle=float(diagnostic.principal_angles.mean()),
        cosine=diagnostic.mean_cosine_similarity,
        points=packed(laid.private, span(laid)),
        exact=packed(laid.exact, span(laid)) if axis.key in results.PROBLEM else "",
        cells=tuple((cell.value, cell.note) for cell in cells(item)),
    )


def span(laid: results.Layout) -> float:
    """Half-width of the square in which a picture is drawn: that of the exact one."""
    return 1.15 * max(float(np.percentile(np.abs(laid.exact), 99.5)), np.finfo(float).tiny)


def packed(points: Array, half_width: float) -> str:
    """(m, 2) points as text: little-endian 16-bit steps of the half-width, x and y by turns."""
    steps = np.clip(np.rint(STEPS * points[:POINTS] / half_width), -2 * STEPS, 2 * STEPS)
    return base64.b64encode(steps.astype("<i2").tobytes()).decode("ascii")


def track(
    title: str, colour: str, dash: str, found: Sequence[Frame], grid: Sequence[float], *, constant: bool
) -> dict[str, Any]:
    """Frames of one algorithm as the component takes them: by position in the grid. ``constant``: it has but one."""
    place = {value: index for index, value in enumerate(grid)}
    placed = {"0": found[-1]} if constant else {str(place[f.at]): f for f in found if f.at in place}
    return {
        "title": title,
        "colour": colour,
        "dash": dash,
        "constant": constant,
        "frames": {at: [f.accuracy, f.angle, f.cosine, f.points, f.exact, f.cells] for at, f in placed.items()},
    }
