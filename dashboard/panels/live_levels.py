"""Levels that the live panel compares with: floors, and a ceiling that may move along the axis of the slider."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dashboard.compute.axes import Axis
from dashboard.compute.results import PROBLEM, Draw
from dashboard.figures.live_frames import Frame
from dashboard.panels.curves import ceiling_name, levels
from dashboard.panels.shared import Scene
from dpgep_core.evaluate.measures import Measure


def as_draw(frame: Frame, seed: int) -> Draw:
    """A frame as a draw of a curve: NaN where nothing is measured."""
    told = {key: math.nan if value is None else value for key, value in frame.values.items()}
    return Draw(at=frame.at, seed=seed, **told)


def ceiling_moves(scene: Scene, axis: Axis, metric: Measure) -> bool:
    """Whether the accuracy without privacy may differ from place to place: its ridge is dragged, or raised by noise."""
    return metric.key == "accuracy" and axis.belongs(scene.scenario, scene.answers[0].algorithm)


def ceilings_of(found: Sequence[Frame], seed: int) -> list[Draw]:
    """The accuracy without privacy at each place, as a curve takes it."""
    at = sorted(found, key=lambda one: one.at)
    return [as_draw(replace(one, values={**dict.fromkeys(one.values), "accuracy": one.ceiling}), seed) for one in at]


def told_levels(scene: Scene, axis: Axis, metric: Measure) -> list[dict[str, Any]]:
    """Levels to compare with, as the component takes them.

    Of two floors of an accuracy the lower one is left out: it would flatten the curve. A ceiling that may move is drawn
    from the frames; where it does, it has no number of its own.
    """
    found, along = levels(scene, metric), ceiling_moves(scene, axis, metric)
    numbered = not along or not (axis.key in PROBLEM or scene.answers[0].follows_noise)
    floors = [level.value for level in found if not level.ceiling]
    near = [level for level in found if level.ceiling or metric.key != "accuracy" or level.value == max(floors)]
    return [
        {
            "value": level.value,
            "label": level.label if numbered or not level.ceiling else ceiling_name(scene.answers[0]),
            "along": along and level.ceiling,
        }
        for level in near
    ]
