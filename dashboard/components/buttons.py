"""A button that copies a text, and arrow keys that step through a story."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

COPY_HTML = '<div class="dpgep-copy"><button type="button"></button> <span role="status"></span></div>'
COPY_CSS = """
.dpgep-copy { font-family: var(--st-font); font-size: .9rem; color: var(--st-text-color); }
.dpgep-copy button { font: inherit; color: inherit; background: var(--st-background-color); cursor: pointer; }
.dpgep-copy button { border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius); }
.dpgep-copy button { padding: .45rem .9rem; }
.dpgep-copy button:hover, .dpgep-copy button:focus-visible { border-color: var(--st-primary-color); }
"""
COPY_SCRIPT = """
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button"), said = parentElement.querySelector("[role=status]")
  button.textContent = data.label
  const byHand = () => {
    const area = document.createElement("textarea")
    area.value = data.text
    area.style.position = "fixed"
    button.after(area)
    area.select()
    const done = document.execCommand("copy")
    area.remove()
    button.focus()
    if (!done) throw new Error("the browser refused")
  }
  button.onclick = async () => {
    try {
      if (navigator.clipboard) await navigator.clipboard.writeText(data.text).catch(byHand)
      else byHand()
      said.textContent = "Copied."
    } catch {
      said.textContent = "The browser does not allow it: mark the text above and copy it."
    }
  }
}
"""


@st.cache_resource
def _copy_component() -> Any:
    return component("dpgep_copy", html=COPY_HTML, css=COPY_CSS, js=COPY_SCRIPT)


def copy_button(label: str, text: str, key: str) -> None:
    """Button that copies ``text`` to the clipboard."""
    _copy_component()(key=key, data={"label": label, "text": text})


KEYS_SCRIPT = """
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
def _keys_component() -> Any:
    return component("dpgep_keys", html="<span></span>", js=KEYS_SCRIPT, isolate_styles=False)


def arrows(on_step: Callable[[int], None]) -> None:
    """Listen to the arrow keys, except where a slider, a field or a choice has the focus.

    ``on_step`` gets 1 for the right arrow and −1 for the left one, before the page runs again.
    """

    def pressed() -> None:
        step = st.session_state["arrows"].get("step")
        if step:
            on_step(int(step))

    _keys_component()(key="arrows", on_step_change=pressed, height="content")
