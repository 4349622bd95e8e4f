"""Arrow keys that step through a story. They are left alone where a slider, a field or a choice has the focus."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

SCRIPT = """
const TAKEN = "input, textarea, select, [contenteditable], [role=slider], [role=radio], [role=combobox], [role=tab], " +
  "[role=grid], [role=listbox], [role=menu], .js-plotly-plot, canvas"
export default function ({ setTriggerValue }) {
  const press = (event) => {
    const plain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented)
    if (!plain || !["ArrowLeft", "ArrowRight"].includes(event.key)) return
    if (event.target instanceof Element && event.target.closest(TAKEN)) return
    event.preventDefault()
    setTriggerValue("step", event.key === "ArrowRight" ? 1 : -1)
  }
  document.addEventListener("keydown", press)
  return () => document.removeEventListener("keydown", press)
}
"""


@st.cache_resource
def _component() -> Any:
    return component("dpgep_keys", html="<span></span>", js=SCRIPT, isolate_styles=False)


def arrows(on_step: Callable[[int], None]) -> None:
    """Listen; ``on_step`` is told 1 for the right arrow and −1 for the left one, before the page runs again."""

    def pressed() -> None:
        step = st.session_state["arrows"].get("step")
        if step:
            on_step(int(step))

    _component()(key="arrows", on_step_change=pressed, height="content")
