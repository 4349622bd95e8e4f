"""Frames of a page that moves by itself while one drags: small, along an axis, made once per scenario."""

import base64
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from dashboard.compute import results
from dashboard.compute.axes import Axis
from dashboard.compute.parcels import PARCELS
from dashboard.figures.components import picture, same_sign
from dashboard.figures.curves import tick_text
from dashboard.scenario import Scenario
from dashboard.text.headline import cells
from dpgep_core.datasets import Dataset
from dpgep_core.evaluate import Reference
from dpgep_core.evaluate.measures import CURVE_MEASURES, Measure, score_of
from dpgep_core.numerics import unit_columns
from dpgep_core.privacy.query import Array
from dpgep_core.release import default_parameters
from dpgep_core.reuse import keeping_one

POINTS = 400  # held-out rows in each live picture: more of them, and dragging would stutter
STEPS = 1000  # of each half axis: points travel as whole numbers
FIRST_PLACES = 3  # places of `coarse_first` between which all can be dragged: where one stands, and the ends
TILES = 3  # components that are shown as images
PIXELS = 28  # of an image's side: larger ones are shrunk


@dataclass(frozen=True, slots=True)
class Frame:
    """One algorithm at one place: what the live panel shows of it.

    Parameters
    ----------
    at : float
        Place on the axis.
    values : mapping
        Every measure that a curve may show, by key; None where it is not measured.
    points, exact : str
        Packed x, y, x, y, … in steps of the span. ``exact`` is empty unless the exact picture depends on the place.
    images, exact_images : str
        The first components as packed images, where the rows are images; ``exact_images`` as ``exact``.
    cells : tuple
        Cells of the table: value, note, share of the bar, tone.
    ceiling : float or None
        Accuracy without privacy at the ridge of this place; None where no accuracy is measured.
    """

    at: float
    values: Mapping[str, float | None]
    points: str
    exact: str
    images: str
    exact_images: str
    cells: tuple[tuple[str, str, float | None, str], ...]
    ceiling: float | None = None


def live_frames(
    scenario: Scenario,
    algorithm: str,
    data: Dataset,
    reference: Reference,
    axis: Axis,
    grid: Sequence[float],
    first: float,
    components: tuple[int, int],
    solve: Callable[[Scenario, str], results.Answer] | None = None,
) -> Iterator[Callable[[], Frame]]:
    """Calls that make the frames of one algorithm over the grid, in the order of `coarse_first`; none needs another.

    The seed is the scenario's: its noise is drawn once and scaled, so the picture moves smoothly. A method that the
    axis does not concern gives one frame.

    ``solve`` is asked for answers that others will want too, as when the slider is let go; None solves here.
    """
    remember = keeping_one()

    def solved(at: Scenario) -> results.Answer:
        if solve is not None:
            return solve(at, algorithm)
        return results.answer(at, algorithm, data, reference, remember)

    def made(at: Scenario, value: float) -> Frame:
        return frame(solved(at), reference, axis, value, components)

    if not axis.belongs(scenario, algorithm):
        yield partial(made, scenario, 0.0)
        return
    for value in coarse_first(grid, first):
        yield partial(made, axis.at(scenario, value), value)


def while_dragged(scenario: Scenario, algorithm: str, axis: Axis) -> Scenario:
    """The scenario whose answers move while one drags: one step, where two would read the rows anew at each place.

    One step makes every place of ε or n from sums that are stored once. What is free moves as it was released.
    """
    params = dict(scenario.params_of(algorithm))
    steps = params.get("steps", default_parameters(scenario.model, algorithm).get("steps", 1))
    if not axis.own or steps == 1:
        return scenario
    return replace(scenario, params=tuple(sorted({**params, "steps": 1}.items())))


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
    moves = axis.key in results.PROBLEM  # the ridge that follows the noise moves it too: it stays until one lets go
    exact, shape = item.diagnostic.reference, reference.dataset.image_shape
    return Frame(
        at=at,
        values={key: _finite(measured(item, measure, reference)) for key, measure in CURVE_MEASURES.items()},
        points=packed(laid.private, span(laid)),
        exact=packed(laid.exact, span(laid)) if moves else "",
        images=packed_images(same_sign(unit_columns(item.release.components), exact), shape),
        exact_images=packed_images(exact, shape) if moves else "",
        cells=tuple((cell.value, cell.note, cell.share, cell.tone) for cell in cells(item)),
        ceiling=None if (scores := item.diagnostic.accuracy.get("lda")) is None else scores.non_private.accuracy,
    )


def measured(item: results.Answer, measure: Measure, reference: Reference) -> float:
    """A measure of one answer; NaN where it cannot be had."""
    if measure.key == "accuracy" and "lda" not in item.diagnostic.accuracy:
        return math.nan
    if measure.of_diagnostic is not None:
        return measure.of_diagnostic(item.diagnostic)
    return score_of(measure.key, reference, item.release)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def packed_images(basis: Array, shape: tuple[int, ...] | None) -> str:
    """The first components as signed bytes, each scaled to its own largest entry; "" where rows are no images."""
    if shape is None:
        return ""
    shown = [shrunk(picture(column, shape)) for column in basis[:, :TILES].T]
    scaled = [np.rint(127 * image / (float(np.abs(image).max()) or 1.0)) for image in shown]
    return base64.b64encode(np.stack(scaled).astype("i1").tobytes()).decode("ascii")


def image_size(shape: tuple[int, ...] | None) -> tuple[int, int] | None:
    """Height and width of the images in frames, in pixels."""
    if shape is None:
        return None
    height, width = shrunk(np.zeros(shape[-2:])).shape
    return height, width


def shrunk(image: Array) -> Array:
    """An image of at most `PIXELS` pixels a side: every so many are averaged."""
    step = math.ceil(max(image.shape) / PIXELS)
    height, width = (size // step * step for size in image.shape)
    return image[:height, :width].reshape(height // step, step, width // step, step).mean(axis=(1, 3))


def span(laid: results.Layout) -> float:
    """Half-width of the square in which a picture is drawn: that of the exact one."""
    return 1.15 * max(float(np.percentile(np.abs(laid.exact), 99.5)), np.finfo(float).tiny)


def packed(points: Array, half_width: float) -> str:
    """(m, 2) points as text: little-endian 16-bit steps of the half-width, x and y by turns."""
    steps = np.clip(np.rint(STEPS * points[:POINTS] / half_width), -2 * STEPS, 2 * STEPS)
    return base64.b64encode(steps.astype("<i2").tobytes()).decode("ascii")


def track(
    title: str, colour: str, dash: str, found: Sequence[Frame], grid: Sequence[float], *,
    constant: bool, stands: Frame | None = None, says: tuple[str, str] = ("", ""),
    here: float | None = None, job: str | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Frames of one algorithm as the component takes them: by position in the grid. ``constant``: it has but one.

    ``stands`` is shown where the page stands, in place of the frame that moves there; ``says`` names what made the
    frames that move, and what made the one that stands. Where a server runs, frames are told by their names, and
    fetched once; but for the one at ``here``, which is shown first. ``job`` is the name by which the panel asks for
    those that are made meanwhile.
    """
    place = {value: index for index, value in enumerate(grid)}
    placed = {"0": found[-1]} if constant else {str(place[f.at]): f for f in found if f.at in place}
    return {
        "title": title,
        "colour": colour,
        "dash": dash,
        "constant": constant,
        "frames": {at: _told(one) if constant or one.at == here else _named(one) for at, one in placed.items()},
        "stands": None if stands is None else _told(stands),
        "says": says[0],
        "stood": says[1],
        "job": job,
    }


def _named(one: Frame) -> dict[str, Any] | str:
    """The name of a frame, or the frame where nobody could fetch it."""
    return PARCELS.name(told_text(one)[1]) or _told(one)


def told_text(one: Frame) -> tuple[float, str]:
    """The place of a frame, and the text that is fetched for it."""
    return one.at, json.dumps(_told(one), ensure_ascii=False)


def _told(one: Frame) -> dict[str, Any]:
    """A frame as the component takes it."""
    return {
        **one.values, "points": one.points, "exact": one.exact, "images": one.images,
        "exact_images": one.exact_images, "cells": one.cells,
        "ceiling": one.ceiling,
    }  # fmt: skip


def axis_told(axis: Axis, grid: Sequence[float]) -> dict[str, Any]:
    """An axis as the component takes it."""
    ticks = [t for t in (1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000, 10_000) if grid[0] <= t <= grid[-1]]
    texts = [tick_text(tick) for tick in ticks]
    if grid[0] == 0:
        ticks, texts = [axis.drawn(0.0), *ticks[1:]], [axis.zero, *texts[1:]]  # the first number would lie on the word
    return {
        "key": axis.key,
        "label": axis.knob.label,
        "low": axis.low,
        "high": axis.high,
        "ticks": ticks,
        "tick_texts": texts,
    }
