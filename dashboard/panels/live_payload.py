"""Everything that the live panel in the browser is told."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboard.compute.reels import REELS
from dashboard.compute.results import layout
from dashboard.figures import live_frames
from dashboard.figures.class_legend import MOST_NAMED
from dashboard.figures.live_frames import Frame
from dashboard.figures.style import DASHES, Style, class_looks
from dashboard.panels.curves import shown_metric
from dashboard.panels.live_levels import told_levels
from dashboard.panels.live_reel import COMPONENTS, MOVING, Reel
from dashboard.panels.shared import Scene
from dashboard.text import words
from dashboard.text.live_caption import dot_sentence

TOUR = "tour"  # in the session: how many tours were asked for
HINTS = ("drag me", "the exact answer", "what privacy cost")


def payload(scene: Scene, reel: Reel, made: Sequence[tuple[Frame, ...]], *, first: bool) -> dict[str, Any]:
    """The message of one run of the page.

    Parameters
    ----------
    made : sequence of tuple of Frame
        The frames that each job has so far.
    first : bool
        Whether somebody sees the page for the first time.
    """
    found, shown, number = reel.moving(made), shown_metric(scene), st.session_state.get(TOUR)
    return {
        **_axis(reel),
        **_pictures(scene),
        "tracks": _tracks(scene, reel, found),
        "hand": st.session_state["hand"] if reel.ahead else None,
        "awaited": st.session_state["picture"],
        "hints": HINTS if first else None,
        "tour": {"name": str(number), "steps": words.TOUR} if number else None,
        "metric": shown.key,
        "metric_title": shown.axis,
        "limits": None if shown.limits is None else list(shown.limits),
        "levels": told_levels(scene, reel.axis, shown),
        "style": _style(scene.style),
    }


def _axis(reel: Reel) -> dict[str, Any]:
    """The slider, and where the page stands on it."""
    return {
        "axis": live_frames.axis_told(reel.axis, reel.grid),
        "grid": list(reel.grid),
        "places": [reel.axis.drawn(value) for value in reel.grid],
        "names": {str(reel.grid.index(0.0)): reel.axis.zero} if 0.0 in reel.grid else {},
        "index": reel.index,
        "here": reel.grid[reel.index],
    }


def _pictures(scene: Scene) -> dict[str, Any]:
    """Things that all pictures share: the exact one, the classes with their looks, and the size of images."""
    laid = layout(scene.answers[0], scene.reference, *COMPONENTS, aligned=True)
    shape, classes = scene.data.image_shape, scene.data.classes
    looks = class_looks(range(max(1, len(classes))))  # one for rows without classes
    return {
        "exact": live_frames.packed(laid.exact, live_frames.span(laid)),
        "labels": None if laid.labels is None else laid.labels[: live_frames.POINTS].tolist(),
        "classes": list(classes),
        "dot": dot_sentence(scene.reference.drawn),
        "colours": looks["color"],
        "symbols": looks["symbol"],
        "named": MOST_NAMED,
        "image": live_frames.image_size(shape),
        "exact_images": live_frames.packed_images(scene.answers[0].diagnostic.reference, shape),
        "steps": live_frames.STEPS,
    }


def _tracks(scene: Scene, reel: Reel, found: Sequence[tuple[Frame, ...]]) -> list[dict[str, Any]]:
    """The frames of each method."""
    return [
        live_frames.track(
            item.title,
            scene.style.algorithm(place),
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
    ]


def _style(style: Style) -> dict[str, Any]:
    return {
        "ink": style.ink,
        "faint": style.faint,
        "quiet": style.quiet,
        "diverging": [colour for _, colour in style.diverging],
    }
