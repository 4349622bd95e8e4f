"""What a page needs to move by itself while one drags: small frames along an axis, made once per scenario."""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
    """Frames of one algorithm over the grid, those nearest to ``first`` first. The seed is the scenario's: its noise
    is drawn once and scaled, so the picture moves smoothly. A method that the axis does not concern gives one frame."""
    remember = keeping_one()
    if not axis.belongs(scenario, algorithm):
        yield frame(results.answer(scenario, algorithm, data, reference, remember), reference, axis, 0.0, components)
        return
    for value in sorted(grid, key=lambda v: abs(np.log(v / first)) if first > 0 else v):
        item = results.answer(axis.at(scenario, value), algorithm, data, reference, remember)
        yield frame(item, reference, axis, value, components)


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
