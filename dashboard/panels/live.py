"""Drag ε, ξ or s and watch: the panel that moves in the browser, fed with frames as they are made."""

from functools import partial
from uuid import uuid4

import pandas as pd
import streamlit as st
from streamlit.runtime.scriptrunner_utils.script_run_context import get_run_yield_check

from dashboard import controls
from dashboard.components.live import answered, live
from dashboard.compute.axes import AXES, Axis, draggable
from dashboard.compute.first_picture import FIRST_PICTURES
from dashboard.compute.hands import HANDS
from dashboard.compute.results import layout
from dashboard.export import FigureSpec
from dashboard.figures import live_frames
from dashboard.figures.curves import Curve
from dashboard.figures.live_frames import Frame
from dashboard.figures.projections import Projections, stage
from dashboard.panels.curves import COLUMNS, choose_metric, levels, shown_metric
from dashboard.panels.live_levels import as_draw, ceiling_moves, ceilings_of
from dashboard.panels.live_payload import TOUR, payload
from dashboard.panels.live_reel import COMPONENTS, MOVING, Reel, reel_of, standing_at
from dashboard.panels.progress import fill
from dashboard.panels.shared import Scene, settings
from dashboard.text.live_caption import dot_sentence, live_caption, progress_sentence
from dpgep_core.errors import ParameterError

POLL = 3.0  # seconds between two looks of the page; the panel itself asks more often


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
    reel = reel_of(scene, axis)
    step = answered()
    HANDS.know(st.session_state.setdefault("hand", uuid4().hex), reel.ahead)
    if "picture" not in st.session_state:
        st.session_state["picture"] = FIRST_PICTURES.expect()

    # Outside the part that is drawn again and again: letting go has the whole page run, at once.
    live(payload(scene, reel, [job.look() for job in reel.jobs], first=first), step, partial(_let_go, axis))
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


def _spec(scene: Scene, reel: Reel) -> FigureSpec:
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


def _caption(scene: Scene, reel: Reel, found: list[tuple[Frame, ...]]) -> str:
    stands = [(item.title, item.steps) for item, moved in zip(scene.answers, reel.stands, strict=True) if moved]
    so_far = "" if reel.finished else progress_sentence(min(map(len, found)), len(reel.grid))
    said = (live_caption(reel.axis, stands), so_far, settings(scene.scenario, scene.answers))
    return " ".join(filter(None, said))


def _table(scene: Scene, reel: Reel, found: list[tuple[Frame, ...]]) -> pd.DataFrame:
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
    here, d = standing_at(axis, scene), scene.data.d
    if axis.key == "sparsity" and here == d:
        return f"{axis.symbol} all"
    return f"{axis.symbol} {axis.text(here)}"


def _let_go(axis: Axis, value: float | str) -> None:
    try:
        whole = controls.typed_value(axis.key, axis.knob, str(value))
    except ParameterError as error:
        controls.note_adjusted(axis.key, error.value, error.allowed)
    else:
        everything = axis.key == "sparsity" and whole == st.session_state["data"].d
        st.session_state[axis.key] = 0 if everything else whole
    st.session_state["first_look"] = False
