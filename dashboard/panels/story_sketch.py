"""A question about a curve: the visitor draws it by hand, and the true one is drawn over it."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from dashboard.components.sketch import Points, sketch
from dashboard.compute.axes import AXES, Axis
from dashboard.compute.results import PROBLEM, Draw
from dashboard.figures.curves import FINE, decade_ticks
from dashboard.figures.levels import is_within
from dashboard.figures.live_frames import measured
from dashboard.figures.style import DASHES
from dashboard.pages import STORY_ANSWERS
from dashboard.panels.curves import curve_jobs, drawn_along, levels
from dashboard.panels.progress import fill
from dashboard.panels.shared import Scene
from dashboard.panels.story_panels import sketches
from dashboard.stories import Step
from dpgep_core.evaluate.measures import CURVE_MEASURES, Measure
from dpgep_core.wording import number_text

BY_HAND = "by hand"  # in place of an answer: a curve was drawn
COMPARED = "sketch_compared"  # in the session: the whole page has to run, not the fragment alone
WORDS = {
    "invite": "Draw the curve that you expect",
    "on": "Go on: the button wants half of the axis.",
    "compare": "Compare with the true curve",
    "clear": "Clear",
}
Known = tuple[str, str, Sequence[tuple[float, float]]]  # title, colour, places of a curve that the question shows


def sketch_panel(step: Step, scene: Scene) -> None:
    """Axes of a question with the curves that it shows, for the next curve to be drawn by hand."""
    options = dict(step.before.options)
    axis, metric = AXES[options["over"]], CURVE_MEASURES[options["metric"]]
    drawn = drawn_along(scene, axis) if step.before.panel == "curve" else []
    exact, *others = curve_jobs(scene, drawn, axis)
    jobs = {"axes": [], "point": [], "exact curve": [exact], "curve": [exact, *others]}[step.before.panel]
    place, question = (str(st.session_state["story"]), int(st.session_state["step"])), step.question

    def keep(points: Points) -> None:
        sketches()[question] = points

    def compare() -> None:
        st.session_state.setdefault(STORY_ANSWERS, {})[place] = BY_HAND
        st.session_state[COMPARED] = True

    def draw(found: list[tuple[Draw, ...]]) -> None:
        if st.session_state.pop(COMPARED, False):
            st.rerun()
        at = f"ε = {number_text(scene.scenario.epsilon)}" if scene.scenario.noise else "no noise"
        titles = ["Exact, no privacy", *(f"{item.title}, {at}" for item in drawn)]
        colours = [scene.style.quiet, *(scene.style.algorithm(place) for place in range(len(drawn)))]
        known = [
            (title, colour, points)
            for title, colour, some in zip(titles, colours, found, strict=False)
            if (points := medians(some, metric))
        ]
        sketch(_payload(step, scene, axis, metric, known), keep, compare)

    fill(jobs, draw, "The curves", every=3.0)


def medians(draws: Sequence[Draw], metric: Measure) -> list[tuple[float, float]]:
    """Median over the noise draws at every place of an axis; 0, by the noise, is no place on a logarithm."""
    by_place: dict[float, list[float]] = defaultdict(list)
    for one in draws:
        if one.at > 0:
            by_place[one.at].append(float(getattr(one, metric.key)))
    return [(at, float(np.median(by_place[at]))) for at in sorted(by_place)]


def _payload(step: Step, scene: Scene, axis: Axis, metric: Measure, known: Sequence[Known]) -> dict[str, Any]:
    style, limits = scene.style, step.before.by_hand
    here, at_now = _standing(step, scene, axis, metric)
    places = {at for _, _, points in known for at, _ in points}
    grid = sorted({*axis.grid(scene.data.d), *here, *places})
    ticks = _ticks(grid)
    drawn = [("one draw at the present setting", style.algorithm(0), ())] if here else []
    tracks = [
        {"title": title, "colour": colour, "dash": DASHES[0], "constant": False,
         "frames": {str(grid.index(at)): {"value": value} for at, value in points}}
        for title, colour, points in (*drawn, *known)
    ]  # fmt: skip
    shown = [level for level in levels(scene, metric, along=axis.key in PROBLEM) if is_within(level, limits)]
    return {
        "question": step.question,
        "sketch": [list(pair) for pair in sketches().get(step.question, ())],
        "words": WORDS,
        "axis": {
            "label": f"← {axis.low} · {axis.knob.label} · {axis.high} →",
            "ticks": [tick for tick, _ in ticks],
            "tick_texts": [text for _, text in ticks],
        },
        "grid": grid,
        "index": grid.index(here[0]) if here else None,
        "marks": [{"y": value, "hollow": False} for value in at_now],
        "tracks": tracks,
        "metric": "value",
        "metric_title": metric.axis,
        "limits": limits,
        "levels": [{"value": level.value, "label": level.label} for level in shown],
        "style": {"ink": style.ink, "faint": style.faint, "quiet": style.quiet},
    }


def _standing(step: Step, scene: Scene, axis: Axis, metric: Measure) -> tuple[list[float], list[float]]:
    """Where the answer stands on the axis, and its measure; nothing where the question shows no answer."""
    if step.before.panel != "point":
        return [], []
    item = next(one for one in scene.answers if one.private)
    return [axis.value(scene.scenario, item.algorithm, scene.data.d)], [measured(item, metric, scene.reference)]


def _ticks(grid: Sequence[float]) -> list[tuple[float, str]]:
    low, high = np.log10([grid[0], grid[-1]])
    found = decade_ticks(low, high, fine=high - low < FINE)
    named = zip(found["tickvals"], found["ticktext"], strict=True)
    return [(tick, text) for tick, text in named if grid[0] <= tick <= grid[-1]]
