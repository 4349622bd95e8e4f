"""Drag ε, ξ or s and watch: the panel that moves in the browser, fed with frames as they are made."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from dashboard import cache, controls
from dashboard.components.live import answered, live
from dashboard.compute.axes import AXES, Axis, draggable
from dashboard.compute.jobs import Job
from dashboard.compute.results import Draw, layout
from dashboard.export import FigureSpec
from dashboard.figures import live_frames
from dashboard.figures import style as looks
from dashboard.figures.curves import Curve, tick_text
from dashboard.figures.live_frames import Frame
from dashboard.figures.projections import stage
from dashboard.figures.style import CLASS_COLOURS, CLASS_SYMBOLS, DASHES
from dashboard.panels.curves import levels, now, shown_metric
from dashboard.panels.progress import fill
from dashboard.panels.shared import SPECS, Scene, badges, downloads, settings, table
from dpgep_core.errors import ParameterError
from dpgep_core.evaluate.measures import CURVE_MEASURES, Measure

POLL = 0.75
COMPONENTS = (0, 1)
POSITIONS = {"accuracy": 0, "angle": 1, "cosine": 2}  # of a metric in a frame


@dataclass(frozen=True, eq=False)
class _Reel:
    """The jobs that make the frames of one page."""

    axis: Axis
    grid: tuple[float, ...]
    index: int
    now: tuple[Frame, ...]  # one a method, where the page stands: there before any job has begun
    jobs: tuple[Job[Frame], ...]

    @property
    def finished(self) -> bool:
        return all(job.finished for job in self.jobs)


def live_panel(scene: Scene) -> None:
    """The live panel, or nothing where no algorithm depends on anything that can be dragged."""
    keys = draggable(scene.scenario)
    if not keys:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Drag, and watch")
        axis = _dragged(keys)
        badges()
    reel = _reel(scene, axis)
    step = answered()

    def draw(made: list[tuple[Frame, ...]]) -> None:
        if st.session_state.pop("let_go", False):
            st.rerun()
        found = [(now, *some) for now, some in zip(reel.now, made, strict=True)]
        live(_payload(scene, reel, found), step, lambda value: _let_go(reel.axis, value))
        if reel.finished:
            table(_table(scene, reel, found), "The numbers behind it, place by place")

    fill(
        reel.jobs, draw, every=POLL, said=lambda: "Preparing the other places, a few over the whole axis first",
        stopped=["Not every place could be prepared."] * len(reel.jobs),
    )  # fmt: skip
    st.caption(_honest(reel.axis))
    spec = _spec(scene, reel)
    st.session_state.setdefault(SPECS, {})[spec.key] = spec
    with st.popover("Download", type="tertiary"):
        downloads(spec)


def _spec(scene: Scene, reel: _Reel) -> FigureSpec:
    """The panel as one figure, where the page stands."""
    found = [(at_now, *job.look()) for at_now, job in zip(reel.now, reel.jobs, strict=True)]
    metric, seed, here = _pictured(scene), scene.scenario.seed, reel.grid[reel.index]
    laid = [layout(item, scene.reference, *COMPONENTS, aligned=True) for item in scene.answers]
    private = [(item.title, one.private) for item, one in zip(scene.answers, laid, strict=True)]
    pictures, span = [("Exact, no privacy", laid[0].exact), *private], live_frames.span(laid[0])
    lines = [
        Curve(item.title, tuple(_as_draw(one, seed) for one in items[1:]), seed, here, now(item, metric, scene))
        for item, items in zip(scene.answers, found, strict=True)
    ]
    named, floors = f"{metric.axis} against {reel.axis.knob.label}", levels(scene, metric)
    ready = min(len(items) - 1 for items in found)
    so_far = "" if reel.finished else f"{ready} of {len(reel.grid)} places so far. "
    return FigureSpec(
        key="live",
        title=f"{named}, and the projections",
        alt=f"{named} for {', '.join(item.title for item in scene.answers)}; rows on two components below",
        caption=f"{_honest(reel.axis)} {so_far}{settings(scene)}",
        draw=lambda style: stage(lines, metric, floors, reel.axis, reel.grid, pictures, laid[0].labels, span, style),
        style=scene.style,
        rows=_table(scene, reel, found),
        stem=scene.scenario.stem,
    )


def _pictured(scene: Scene) -> Measure:
    """Measure of the panel's curve: the one that the page shows, where frames have it."""
    metric = shown_metric(scene)
    return metric if metric.key in POSITIONS else CURVE_MEASURES["cosine"]


def _as_draw(frame: Frame, seed: int) -> Draw:
    missing = float("nan")
    accuracy = missing if frame.accuracy is None else frame.accuracy
    return Draw(frame.at, seed, frame.cosine, missing, frame.angle, missing, missing, accuracy)


def _table(scene: Scene, reel: _Reel, found: list[tuple[Frame, ...]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"algorithm": item.algorithm, reel.axis.key: one.at, "accuracy": one.accuracy, "mean_angle": one.angle,
             "mean_cosine": one.cosine}
            for item, frames_of in zip(scene.answers, found, strict=True)
            for one in sorted(frames_of[1:], key=lambda frame: frame.at)
        ]
    )  # fmt: skip


def _dragged(keys: list[str]) -> Axis:
    if st.session_state.get("drag") not in keys:
        st.session_state["drag"] = keys[0]
    if len(keys) == 1:
        return AXES[keys[0]]
    key = st.segmented_control(
        "Drag", keys, key="drag", required=True, format_func=lambda k: AXES[k].knob.label,
        label_visibility="collapsed", width="content",
        help="ξ and s are free where a method answers once: the same release, looked at in another way.",
    )  # fmt: skip
    return AXES[key or keys[0]]


def _honest(axis: Axis) -> str:
    aligned = "Pictures are aligned to the exact one, which flatters noise."
    if axis.key == "epsilon":
        return (
            "One noise draw (this seed), scaled: dragging shows one smooth story of many. The bands below show the "
            f"others. {aligned}"
        )
    return (
        f"One release (this seed), seen in many ways: {axis.knob.label} costs nothing where a method answers once; the "
        f"others are solved anew. The exact picture moves too: it is the answer to the same question. {aligned}"
    )


def _reel(scene: Scene, axis: Axis) -> _Reel:
    scenario, d = scene.scenario, scene.data.d
    here = next((v for a in scenario.algorithms if (v := axis.value(scenario, a, d)) > 0), axis.grid(d)[0])
    if axis.key == "sparsity":
        grid = tuple(sorted({*axis.grid(d), here}))
    else:
        grid = tuple(controls.grid(axis.knob, here))
    jobs = tuple(cache.frames(scenario, key, scene.data, axis, grid, COMPONENTS) for key in scenario.algorithms)
    for job in jobs:
        job.look()
    now = tuple(live_frames.frame(item, scene.reference, axis, here, COMPONENTS) for item in scene.answers)
    return _Reel(axis, grid, grid.index(here), now, jobs)


def _let_go(axis: Axis, value: float | str) -> None:
    try:
        whole = controls.typed_value(axis.key, axis.knob, str(value))
    except ParameterError as error:
        controls.note_adjusted(axis.key, error.value, error.allowed)
    else:
        controls.put(axis.key, 0 if axis.key == "sparsity" and whole == st.session_state["data"].d else whole)
    st.session_state["let_go"] = True  # a fragment runs alone: the rest of the page has to be asked


def _payload(scene: Scene, reel: _Reel, found: list[tuple[Frame, ...]]) -> dict[str, Any]:
    laid = layout(scene.answers[0], scene.reference, *COMPONENTS, aligned=True)
    shown, style = _pictured(scene), scene.style
    return {
        "axis": _axis(reel.axis, reel.grid),
        "grid": list(reel.grid),
        "index": reel.index,
        "here": reel.grid[reel.index],
        "tracks": [
            live_frames.track(
                item.title,
                style.algorithm(place),
                DASHES[place],
                items,
                reel.grid,
                constant=not reel.axis.belongs(scene.scenario, item.algorithm),
            )
            for place, (item, items) in enumerate(zip(scene.answers, found, strict=True))
        ],
        "exact": live_frames.packed(laid.exact, live_frames.span(laid)),
        "labels": None if laid.labels is None else laid.labels[: live_frames.POINTS].tolist(),
        "classes": [looks.escape_plotly(name) for name in scene.data.classes],
        "colours": list(CLASS_COLOURS),
        "symbols": list(CLASS_SYMBOLS),
        "steps": live_frames.STEPS,
        "metric": POSITIONS[shown.key],
        "metric_title": shown.axis,
        "limits": None if shown.limits is None else list(shown.limits),
        "levels": [{"value": level.value, "label": level.label} for level in levels(scene, shown)],
        "style": {"ink": style.ink, "faint": style.faint, "quiet": style.quiet},
    }


def _axis(axis: Axis, grid: tuple[float, ...]) -> dict[str, Any]:
    ticks = [t for t in (1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000, 10_000) if grid[0] <= t <= grid[-1]]
    return {
        "key": axis.key,
        "label": axis.knob.label,
        "low": axis.low,
        "high": axis.high,
        "ticks": ticks,
        "tick_texts": [tick_text(tick) for tick in ticks],
    }
