"""A button that puts a text on the clipboard, also where the browser lets only encrypted pages do so themselves."""

from typing import Any

import streamlit as st
from streamlit.components.v2 import component

HTML = '<div class="dpgep-copy"><button type="button"></button> <span role="status"></span></div>'
CSS = """
.dpgep-copy { font-family: var(--st-font); font-size: .9rem; color: var(--st-text-color); }
.dpgep-copy button { font: inherit; color: inherit; background: var(--st-background-color); cursor: pointer; }
.dpgep-copy button { border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius); }
.dpgep-copy button { padding: .45rem .9rem; }
.dpgep-copy button:hover, .dpgep-copy button:focus-visible { border-color: var(--st-primary-color); }
"""
SCRIPT = """
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
def _component() -> Any:
    return component("dpgep_copy", html=HTML, css=CSS, js=SCRIPT)


def copy_button(label: str, text: str, key: str) -> None:
    """A button that copies ``text``."""
    _component()(key=key, data={"label": label, "text": text})
