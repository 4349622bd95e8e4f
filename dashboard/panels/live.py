"""Drag ε, ξ or s and watch: the panel that moves in the browser, fed with frames as they are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import uuid4

import pandas as pd
import streamlit as st
from streamlit.runtime.scriptrunner_utils.script_run_context import get_run_yield_check

from dashboard import cache, controls
from dashboard.components.live import answered, live
from dashboard.compute.axes import AXES, Axis, draggable
from dashboard.compute.first_picture import FIRST_PICTURES
from dashboard.compute.hands import HANDS
from dashboard.compute.jobs import AheadJob, Job
from dashboard.compute.reels import REELS
from dashboard.compute.results import STEPS_TEXTS, Answer, layout
from dashboard.export import FigureSpec
from dashboard.figures import live_frames
from dashboard.figures.class_legend import MOST_NAMED
from dashboard.figures.curves import Curve
from dashboard.figures.live_frames import Frame
from dashboard.figures.projections import Projections, stage
from dashboard.figures.style import DASHES, class_looks
from dashboard.panels.curves import COLUMNS, choose_metric, levels, shown_metric
from dashboard.panels.live_levels import as_draw, ceiling_moves, ceilings_of, told_levels
from dashboard.panels.progress import fill
from dashboard.panels.shared import Scene, settings
from dashboard.text import words
from dashboard.text.live_caption import dot_sentence, live_caption, progress_sentence
from dpgep_core.errors import ParameterError

POLL = 3.0  # seconds between two looks of the page; the panel itself asks more often
COMPONENTS = (0, 1)
TOUR = "tour"  # in the session: how many tours were asked for
MOVING = STEPS_TEXTS[1]
HINTS = ("drag me", "the exact answer", "what privacy cost")


@dataclass(frozen=True, eq=False)
class _Reel:
    """The jobs that make the frames of one page."""

    axis: Axis
    grid: tuple[float, ...]
    index: int
    now: tuple[Frame, ...]  # one a method, where the page stands: there before any job has begun
    stands: tuple[bool, ...]  # whether it is another answer than those that move: more steps, and one while dragging
    jobs: tuple[Job[Frame], ...]
    ahead: tuple[AheadJob[None], ...]  # that make the only numbers which letting go would wait for

    @property
    def finished(self) -> bool:
        return all(job.finished for job in self.jobs)

    def moving(self, made: Sequence[tuple[Frame, ...]]) -> list[tuple[Frame, ...]]:
        """Frames of each method that may stand beside each other: those of its job, and the one where the page is."""
        return [some if stands else (now, *some) for now, stands, some in zip(self.now, self.stands, made, strict=True)]


def live_panel(scene: Scene, *, first: bool = False) -> FigureSpec | None:
    """Show the slider and what it moves, or nothing where no algorithm depends on anything that can be dragged.

    Parameters
    ----------
    first : bool
        Whether somebody sees the page for the first time: three labels then say what is what, until the first drag.

    Returns
    -------
    FigureSpec or None
        The panel as one figure, where the page stands.
    """
    keys = draggable(scene.scenario)
    if not keys:
        return None
    with st.container(horizontal=True, vertical_alignment="center"):
        axis = _dragged(keys, scene)
        choose_metric(scene)
    reel = _reel(scene, axis)
    step = answered()
    HANDS.know(st.session_state.setdefault("hand", uuid4().hex), reel.ahead)
    if "picture" not in st.session_state:
        st.session_state["picture"] = FIRST_PICTURES.expect()

    # Outside the part that is drawn again and again: letting go has the whole page run, at once.
    live(_payload(scene, reel, [job.look() for job in reel.jobs], first=first), step, partial(_let_go, axis))
    stopped = ["Not every place could be prepared."] * len(reel.jobs)
    fill(reel.jobs, lambda _: None, every=POLL, stopped=stopped, bar=False)
    if reel.finished:
        for job in reel.ahead:
            job.look_from(reel.grid[reel.index])
    return _spec(scene, reel)


def begin_tour() -> None:
    """Show the tour of the page once more. A callback."""
    st.session_state[TOUR] = st.session_state.get(TOUR, 0) + 1


def after_first_picture() -> None:
    """Let what comes next on the page wait until the browser of a new session has drawn its first picture."""
    name = st.session_state.get("picture")
    if name is not None and not st.session_state.get("picture_awaited"):
        st.session_state["picture_awaited"] = True
        FIRST_PICTURES.wait(name, get_run_yield_check())


def _spec(scene: Scene, reel: _Reel) -> FigureSpec:
    """The panel as one figure, with the places that are there."""
    found = [job.look() for job in reel.jobs]
    metric, seed, here = shown_metric(scene), scene.scenario.seed, reel.grid[reel.index]
    laid = [layout(item, scene.reference, *COMPONENTS, aligned=True) for item in scene.answers]
    private = [(item.title, one.private) for item, one in zip(scene.answers, laid, strict=True)]
    pictures, span = [("Exact, no privacy", laid[0].exact), *private], live_frames.span(laid[0])
    lines = [
        Curve(
            f"{item.title}, {MOVING}" if stands else item.title,
            tuple(as_draw(one, seed) for one in items),
            seed,
            here,
            live_frames.measured(item, metric, scene.reference),
        )
        for item, stands, items in zip(scene.answers, reel.stands, found, strict=True)
    ]
    named, moves = f"{metric.axis} against {reel.axis.knob.label}", ceiling_moves(scene, reel.axis, metric)
    floors, ceilings = levels(scene, metric, along=moves), ceilings_of(found[0], seed) if moves else []
    squares = Projections(pictures, laid[0].labels, scene.data.classes, span, dot_sentence(scene.reference.drawn))
    return FigureSpec(
        key="live",
        title=f"{named}, and the projections",
        alt=f"{named} for {', '.join(item.title for item in scene.answers)}; rows on two components below",
        caption=_caption(scene, reel, found),
        draw=lambda style: stage(lines, metric, floors, reel.axis, reel.grid, squares, style, exact=ceilings),
        style=scene.style,
        rows=_table(scene, reel, found),
        stem=scene.scenario.stem,
    )


def _caption(scene: Scene, reel: _Reel, found: list[tuple[Frame, ...]]) -> str:
    stands = [(item.title, item.steps) for item, moved in zip(scene.answers, reel.stands, strict=True) if moved]
    so_far = "" if reel.finished else progress_sentence(min(map(len, found)), len(reel.grid))
    said = (live_caption(reel.axis, stands), so_far, settings(scene.scenario, scene.answers))
    return " ".join(filter(None, said))


def _table(scene: Scene, reel: _Reel, found: list[tuple[Frame, ...]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "algorithm": item.algorithm,
                reel.axis.key: one.at,
                **{COLUMNS.get(k, k): v for k, v in one.values.items()},
            }
            for item, frames_of in zip(scene.answers, found, strict=True)
            for one in sorted(frames_of, key=lambda frame: frame.at)
        ]
    )


def _dragged(keys: list[str], scene: Scene) -> Axis:
    if st.session_state.get("drag") not in keys:
        st.session_state["drag"] = keys[0]
    titles = {key: _standing(AXES[key], scene) for key in keys}  # a session keeps what a widget is given: no rows
    key = st.segmented_control(
        "Drag", keys, key="drag", required=True, format_func=titles.__getitem__,
        label_visibility="collapsed", width="content",
        help="What the slider moves. ξ and s are free where a method answers once: the same release, looked at in "
        "another way.",
    )  # fmt: skip
    return AXES[key or keys[0]]


def _standing(axis: Axis, scene: Scene) -> str:
    """A setting with its value: those that the slider does not move are read here."""
    here, d = _here(axis, scene), scene.data.d
    if axis.key == "sparsity" and here == d:
        return f"{axis.symbol} all"
    return f"{axis.symbol} {axis.text(here)}"


def _here(axis: Axis, scene: Scene) -> float:
    """Where the scenario stands on an axis: by the noise where one method does, else the first that has a value."""
    scenario, d = scene.scenario, scene.data.d
    values = [axis.value(scenario, key, d) for key in scenario.algorithms]
    if axis.zero and 0.0 in values:
        return 0.0
    return next((value for value in values if value > 0), axis.grid(d)[0])


def _reel(scene: Scene, axis: Axis) -> _Reel:
    scenario, d, here = scene.scenario, scene.data.d, _here(axis, scene)
    if axis.key == "sparsity":
        grid = tuple(sorted({*axis.grid(d), here}))
    else:
        along = controls.grid(axis.knob, here)
        grid = tuple(sorted({0.0, *along}) if axis.zero else along)
    moving = [live_frames.while_dragged(scenario, key, axis) for key in scenario.algorithms]
    jobs = tuple(
        cache.frames(moved, key, scene.data, axis, grid, COMPONENTS)
        for key, moved in zip(scenario.algorithms, moving, strict=True)
    )
    stands = tuple(moved != scenario and item.steps > 1 for item, moved in zip(scene.answers, moving, strict=True))
    now = tuple(
        _now(item, scene, axis, here, None if other else job)
        for item, other, job in zip(scene.answers, stands, jobs, strict=True)
    )
    waits = [
        cache.answers_ahead(scenario, item.algorithm, scene.data, axis, grid)
        for item, other in zip(scene.answers, stands, strict=True)
        if other and axis.key == "epsilon"
    ]
    return _Reel(axis, grid, grid.index(here), now, stands, jobs, tuple(job for job in waits if job is not None))


def _now(item: Answer, scene: Scene, axis: Axis, here: float, job: Job[Frame] | None) -> Frame:
    """Frame of an answer where the page stands: that of the job that makes it, if it is there already."""
    ready = [] if job is None else [frame for frame in job.look() if frame.at == here]
    return ready[0] if ready else live_frames.frame(item, scene.reference, axis, here, COMPONENTS)


def _let_go(axis: Axis, value: float | str) -> None:
    try:
        whole = controls.typed_value(axis.key, axis.knob, str(value))
    except ParameterError as error:
        controls.note_adjusted(axis.key, error.value, error.allowed)
    else:
        everything = axis.key == "sparsity" and whole == st.session_state["data"].d
        st.session_state[axis.key] = 0 if everything else whole
    st.session_state["first_look"] = False


def _payload(scene: Scene, reel: _Reel, made: list[tuple[Frame, ...]], *, first: bool) -> dict[str, Any]:
    found = reel.moving(made)
    laid = layout(scene.answers[0], scene.reference, *COMPONENTS, aligned=True)
    shown, style, shape = shown_metric(scene), scene.style, scene.data.image_shape
    looks = class_looks(range(max(1, len(scene.data.classes))))  # one for rows without classes
    return {
        "axis": live_frames.axis_told(reel.axis, reel.grid),
        "grid": list(reel.grid),
        "places": [reel.axis.drawn(value) for value in reel.grid],
        "names": {str(reel.grid.index(0.0)): reel.axis.zero} if 0.0 in reel.grid else {},
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
                stands=at_now if stands else None,
                says=(MOVING if stands else item.steps_text, item.steps_text),
                here=reel.grid[reel.index],
                job=REELS.know(job, live_frames.told_text),
            )
            for place, (item, items, at_now, stands, job) in enumerate(
                zip(scene.answers, found, reel.now, reel.stands, reel.jobs, strict=True)
            )
        ],
        "exact": live_frames.packed(laid.exact, live_frames.span(laid)),
        "labels": None if laid.labels is None else laid.labels[: live_frames.POINTS].tolist(),
        "classes": list(scene.data.classes),
        "dot": dot_sentence(scene.reference.drawn),
        "colours": looks["color"],
        "symbols": looks["symbol"],
        "named": MOST_NAMED,
        "image": live_frames.image_size(shape),
        "exact_images": live_frames.packed_images(scene.answers[0].diagnostic.reference, shape),
        "steps": live_frames.STEPS,
        "hand": st.session_state["hand"] if reel.ahead else None,
        "awaited": st.session_state["picture"],
        "hints": HINTS if first else None,
        "tour": {"name": str(number), "steps": words.TOUR} if (number := st.session_state.get(TOUR)) else None,
        "metric": shown.key,
        "metric_title": shown.axis,
        "limits": None if shown.limits is None else list(shown.limits),
        "levels": told_levels(scene, reel.axis, shown),
        "style": {
            "ink": style.ink,
            "faint": style.faint,
            "quiet": style.quiet,
            "diverging": [colour for _, colour in style.diverging],
        },
    }
