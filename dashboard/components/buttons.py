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
const WRITTEN = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [contenteditable]"
const MOVED = WRITTEN + ", input[type=range], [role=slider], [role=combobox], [role=tab], [role=grid], " +
  "[role=listbox], [role=menu], canvas"
const TURNS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1 }
export default function ({ setTriggerValue }) {
  const press = (event) => {
    const plain = !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented)
    if (!plain || !(event.key in TURNS)) return
    const taken = event.key.startsWith("Page") ? WRITTEN : MOVED
    if (event.composedPath().some((node) => node instanceof Element && node.matches(taken))) return
    event.preventDefault()
    event.stopPropagation()
    setTriggerValue("step", TURNS[event.key])
  }
  // Before the choices of an answer hear the key: → would take the next choice in place of the next page.
  document.addEventListener("keydown", press, true)
  return () => document.removeEventListener("keydown", press, true)
}
"""


@st.cache_resource
def _keys_component() -> Any:
    return component("dpgep_keys", html="<span></span>", js=KEYS_SCRIPT, isolate_styles=False)


def arrows(on_step: Callable[[int], None]) -> None:
    """Listen to → and ←, except where a slider, a field or a menu has the focus, and to PageDown and PageUp.

    A choice of answers leaves → and ← to the page and keeps ↓ and ↑; a clicker sends PageDown and PageUp, which only a
    text field keeps. ``on_step`` gets 1 for the next page and −1 for the one before, before the page runs again.
    """

    def pressed() -> None:
        step = st.session_state["arrows"].get("step")
        if step:
            on_step(int(step))

    _keys_component()(key="arrows", on_step_change=pressed, height="content")
