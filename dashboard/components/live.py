"""The live panel: a slider that moves numbers, curve and projections while it is dragged."""

import time
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any
from uuid import uuid4

import streamlit as st
from streamlit.components.v2 import component

from dashboard.components.served import SERVED

HTML = """
<div class="dpgep-live">
  <label><span></span><small></small><input type="range" min="0" step="1"/><small></small>
    <output role="button" tabindex="0" title="Click to type a value"></output></label>
  <div class="stage">
    <figure class="curve"><div class="plot"></div></figure>
    <div class="pictures"></div>
    <div class="legend"></div>
  </div>
</div>
"""
CSS = """
.dpgep-live label { display: flex; gap: .75rem; align-items: center; }
.dpgep-live label { position: sticky; top: 3.2rem; z-index: 2; background: var(--st-background-color); }
.dpgep-live label span { font-weight: 600; white-space: nowrap; }
.dpgep-live label small { white-space: nowrap; opacity: .8; }
.dpgep-live input { flex: 1 1 8rem; min-width: 6rem; height: 2rem; accent-color: var(--st-primary-color); }
.dpgep-live input { touch-action: pan-y; }
.dpgep-live output { font-size: 1.5rem; min-width: 4.5rem; font-variant-numeric: tabular-nums; }
.dpgep-live output { cursor: text; border-bottom: 1px dotted currentColor; }
.dpgep-live output[hidden] { display: none; }
.dpgep-live input.typed { flex: 0 0 6rem; min-width: 6rem; font-size: 1.5rem; font-family: inherit; }
.dpgep-live input.typed { color: inherit; background: transparent; border: 1px solid var(--st-primary-color); }
.dpgep-live .stage { display: flex; flex-wrap: wrap; gap: 10px; align-items: flex-start; }
.dpgep-live .curve { flex: 1 1 0; min-width: 0; }
.dpgep-live .plot { cursor: ew-resize; touch-action: pan-y; }
.dpgep-live .pictures { display: grid; gap: 10px; }
.dpgep-live .stage { position: relative; }
.dpgep-live .legend { position: absolute; right: 0; bottom: 0; display: flex; flex-wrap: wrap; gap: .1rem .9rem; }
.dpgep-live .legend { font-size: .8rem; line-height: 1rem; } .dpgep-live .legend small { flex: 1 1 100%; opacity: .85; }
.dpgep-live .legend.below { position: static; flex: 1 1 100%; } .dpgep-live .legend.below small { flex: 0 1 auto; }
.dpgep-live .legend:empty { display: none; }
.dpgep-live .legend span { display: flex; gap: .25rem; align-items: center; }
.dpgep-live svg { display: block; font-family: inherit; }
.dpgep-live .level { paint-order: stroke; stroke: var(--st-background-color); stroke-width: 4px; }
.dpgep-live figure { margin: 0; min-width: 0; }
.dpgep-live .pictures figcaption { font-size: .8rem; line-height: 1.25rem; height: 1.375rem; }
.dpgep-live .pictures figcaption { border-left: 4px solid var(--mark); padding-left: .35rem; }
.dpgep-live .pictures figcaption { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.dpgep-live .held { display: flex; gap: 2px; position: relative; }
.dpgep-live .held[data-steps]:not([data-steps=""])::before { content: attr(data-steps); position: absolute; }
.dpgep-live .held[data-steps]::before { top: 6px; left: 6px; padding: 0 .5rem; border-radius: 1rem; }
.dpgep-live .held[data-steps]::before { font-size: .75rem; line-height: 1.25rem; border: 1px solid currentColor; }
.dpgep-live .held[data-steps]::before { white-space: nowrap; }
.dpgep-live .held[data-steps]::before { background: var(--st-background-color); }
.dpgep-live canvas { display: block; }
.dpgep-live .tiles { display: flex; flex-direction: column; gap: 2px; }
.dpgep-live .tile { image-rendering: pixelated; }
.dpgep-live figure.between .held { opacity: .65; }
.dpgep-live figure.waiting .held { opacity: .3; filter: grayscale(1); }
.dpgep-live.narrow .stage { flex-direction: column-reverse; flex-wrap: nowrap; align-items: stretch; }
.dpgep-live.narrow .legend { order: 1; flex: none; } .dpgep-live.narrow .pictures { order: 2; }
.dpgep-live.narrow label { flex-wrap: wrap; gap: 0 .75rem; }
.dpgep-live.narrow label small { display: none; }
.dpgep-live.first [data-hint]:not([data-hint=""])::after { content: attr(data-hint); font-size: .85rem; }
.dpgep-live.first [data-hint]:not([data-hint=""])::after { padding: 0 .6rem; border-radius: 1rem; line-height: 1.5rem; }
.dpgep-live.first [data-hint]:not([data-hint=""])::after { background: var(--st-primary-color); }
.dpgep-live.first [data-hint]:not([data-hint=""])::after { color: var(--st-background-color); }
.dpgep-tour { position: fixed; z-index: 999990; width: 300px; padding: .8rem 1rem; border-radius: .5rem; }
.dpgep-tour { background: var(--st-background-color); border: 2px solid var(--st-primary-color); }
.dpgep-tour { box-shadow: 0 4px 24px rgba(0, 0, 0, .3); display: flex; flex-wrap: wrap; gap: .5rem; }
.dpgep-tour p { flex: 1 1 100%; margin: 0; } .dpgep-tour small { flex: 1; opacity: .8; }
.dpgep-tour button { font: inherit; padding: .15rem .8rem; border-radius: .4rem; cursor: pointer; color: inherit; }
.dpgep-tour button { background: transparent; border: 1px solid currentColor; }
.dpgep-live.first .held[data-hint]::after { position: absolute; left: 6px; bottom: 6px; }
"""

PARTS = ("drawing", "tour", "frames", "drag", "live")


@st.cache_resource
def _component() -> Any:
    js, css = SERVED.sent(script(), CSS)
    return component("dpgep_live", html=HTML, css=css or None, js=js, isolate_styles=False)


def script() -> str:
    """Module of the panel: what draws, the tour, the frames, drags, then what moves it."""
    here = files("dashboard") / "components"
    return "".join((here / f"{name}.js").read_text(encoding="utf-8") for name in PARTS)


def answered() -> str:
    """The name of the step of the slider that this run of the page answers; a new session has one of its own."""
    return st.session_state.setdefault("live_answered", uuid4().hex)


def _made(key: str, told: Mapping[str, Any]) -> float:
    """When the panel was first told this, in seconds: what is told again is not sent again."""
    last, when = st.session_state.get(f"{key}_told", (None, 0.0))
    if told != last:
        when = max(time.time(), when + 1e-3)  # a clock may stand, or be set back
        st.session_state[f"{key}_told"] = (told, when)
    return when


def live(data: Mapping[str, Any], step: str, on_value: Callable[[float | str], None]) -> None:
    """Mount the panel; ``on_value`` is told where the slider was let go, or what was typed, before the page runs again.

    ``step`` is what :func:`answered` said when the numbers were made: a slider that is several steps ahead of a slow
    page stays where it was put until the page has come to its last one.
    """
    key = f"live_{data['axis']['key']}"

    def released() -> None:
        value = st.session_state[key].get("value")
        if value is not None:
            st.session_state["live_answered"] = value[1]
            on_value(value[0])

    told = {**data, "answered": step}
    _component()(key=key, data={**told, "made": _made(key, told)}, default={"value": None}, on_value_change=released)
