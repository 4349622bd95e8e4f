"""Drag ε and watch: the panel that moves in the browser, fed with frames as they are made."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dashboard import cache, controls, frames
from dashboard.components.live import live
from dashboard.figures.curves import METRICS
from dashboard.figures.style import CLASS_COLOURS, CLASS_SYMBOLS, DASHES
from dashboard.frames import Frame
from dashboard.jobs import Job
from dashboard.panels.curves import levels
from dashboard.panels.shared import Scene, badges
from dashboard.services import layout
from dpgep_core.params import Epsilon, Knob, definition

POLL = 1.0
COMPONENTS = (0, 1)
POSITIONS = {"accuracy": 0, "angle": 1, "cosine": 2}  # of a metric in a frame


@dataclass(frozen=True, eq=False)
class _Reel:
    """The jobs that make the frames of one page."""

    algorithms: tuple[str, ...]
    jobs: tuple[Job[Frame], ...]
    grid: tuple[float, ...]


def show(scene: Scene) -> None:
    """The live panel, or nothing where no algorithm depends on ε."""
    moving = tuple(frames.moves(scene.scenario.algorithms))
    if not moving:
        return
    st.subheader("Drag ε")
    badges()
    epsilon = definition(Epsilon)
    assert isinstance(epsilon, Knob)
    grid = tuple(controls.grid(epsilon, scene.scenario.epsilon))
    jobs = tuple(cache.frames(scene.scenario, key, scene.data, grid, COMPONENTS) for key in moving)
    reel = _Reel(moving, jobs, grid)
    for job in jobs:
        job.look()
    waiting = not all(job.finished for job in jobs)

    @st.fragment(run_every=POLL if waiting else None)
    def filling() -> None:
        if st.session_state.pop("let_go", False):
            st.rerun()
        found = [job.look() for job in reel.jobs]
        live(_payload(scene, reel, found), _let_go)
        if waiting:
            share = sum(job.progress for job in reel.jobs) / len(reel.jobs)
            st.progress(share, text="Preparing the other values of ε, nearest first")
            if all(job.finished for job in reel.jobs):
                st.rerun()
        for job in reel.jobs:
            if job.error is not None:
                st.warning(f"Not every value of ε could be prepared. {job.error}")

    filling()
    st.caption(
        "One noise draw (this seed), scaled: dragging shows one smooth story of many. The bands below show the others. "
        "Pictures are aligned to the exact one, which flatters noise."
    )


def _let_go(epsilon: float) -> None:
    st.session_state["epsilon"] = epsilon
    st.session_state["let_go"] = True  # a fragment runs alone: the rest of the page has to be asked


def _payload(scene: Scene, reel: _Reel, found: list[tuple[Frame, ...]]) -> dict[str, Any]:
    laid = layout(scene.answers[0], scene.laboratory, *COMPONENTS, aligned=True)
    metric = METRICS[st.session_state.get("metric") or "cosine"]
    shown = metric if metric.key in POSITIONS else METRICS["cosine"]
    if shown.key == "accuracy" and not scene.laboratory.labelled:
        shown = METRICS["cosine"]
    style = scene.style
    places = [scene.scenario.algorithms.index(key) for key in reel.algorithms]
    return {
        "grid": list(reel.grid),
        "index": reel.grid.index(scene.scenario.epsilon),
        "epsilon": scene.scenario.epsilon,
        "tracks": [
            frames.track(scene.answers[place].title, style.algorithm(place), DASHES[place], items, reel.grid)
            for place, items in zip(places, found, strict=True)
        ],
        "exact": frames.exact_points(laid),
        "labels": None if laid.labels is None else laid.labels[: frames.POINTS].tolist(),
        "classes": list(scene.data.classes),
        "colours": list(CLASS_COLOURS),
        "symbols": list(CLASS_SYMBOLS),
        "steps": frames.STEPS,
        "metric": POSITIONS[shown.key],
        "axis": shown.axis,
        "limits": None if shown.limits is None else list(shown.limits),
        "levels": [{"value": level.value, "label": level.label} for level in levels(scene, shown)],
        "style": {"ink": style.ink, "faint": style.faint, "quiet": style.quiet},
    }
