"""A curve that the visitor draws by hand on the axes of a question."""

import math
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from dashboard.components.served import SERVED

HTML = """
<div class="dpgep-sketch">
  <div class="legend"></div>
  <div class="plot" role="img"></div>
  <div class="below"><button type="button"></button><button type="button"></button><small></small></div>
</div>
"""
CSS = """
.dpgep-sketch .plot { cursor: crosshair; touch-action: none; user-select: none; }
.dpgep-sketch .legend { display: flex; flex-wrap: wrap; gap: 0 1.2rem; font-size: .9rem; }
.dpgep-sketch .legend i { display: inline-block; width: 1.4rem; border-top: 3px solid; margin-right: .4rem; }
.dpgep-sketch .legend i { vertical-align: middle; }
.dpgep-sketch svg { display: block; font-family: inherit; }
.dpgep-sketch .invite { paint-order: stroke; stroke: var(--st-background-color); stroke-width: 8px; }
.dpgep-sketch .below { display: flex; gap: .75rem; align-items: center; min-height: 2.6rem; }
.dpgep-sketch button { font: inherit; padding: .35rem .9rem; border-radius: .5rem; cursor: pointer; }
.dpgep-sketch button { color: inherit; background: transparent; border: 1px solid currentColor; }
.dpgep-sketch button:first-child { color: var(--st-background-color); background: var(--st-primary-color); }
.dpgep-sketch button:first-child { border-color: var(--st-primary-color); }
.dpgep-sketch button:disabled { opacity: .45; cursor: default; }
.dpgep-sketch button[hidden] { display: none; }
"""
MOST = 64  # places of a drawing, as the browser sends it
KEY = "sketch"

Points = tuple[tuple[float, float], ...]


@st.cache_resource
def _component() -> Any:
    js, css = SERVED.sent(script(), CSS)
    return component("dpgep_sketch", html=HTML, css=css or None, js=js, isolate_styles=False)


def script() -> str:
    """Module of the drawing: what draws axes and known curves, then what follows the hand."""
    here = files("dashboard") / "components"
    return "".join((here / name).read_text(encoding="utf-8") for name in ("drawing.js", "sketch.js"))


def sketch(data: Mapping[str, Any], on_points: Callable[[Points], None], on_compare: Callable[[], None]) -> None:
    """Mount the axes; ``on_points`` is told what was drawn so far, ``on_compare`` that it is to be compared."""

    def drawn() -> None:
        on_points(points_of(st.session_state[KEY].get("sketch"), data["limits"]))

    _component()(
        key=KEY, data=dict(data), default={"sketch": None}, on_sketch_change=drawn, on_compare_change=on_compare
    )


def points_of(sent: Any, limits: tuple[float, float]) -> Points:
    """Places of a drawing as a browser sent them. What is no pair of numbers within the axes is left out."""
    pairs = sent if isinstance(sent, list) else []
    found = [
        (float(pair[0]), float(pair[1]))
        for pair in pairs[:MOST]
        if isinstance(pair, list) and len(pair) == 2 and all(type(one) in (int, float) for one in pair)
    ]
    return tuple((at, value) for at, value in found if 0 < at < math.inf and limits[0] <= value <= limits[1])
