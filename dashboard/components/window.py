"""The window of the browser, as far as a page depends on it: whether it is a narrow one, as that of a phone."""

from typing import Any

import streamlit as st
from streamlit.components.v2 import component

NARROW = 640  # pixels: up to them, neither panels side by side nor columns of sentences can be read
KEY = "window"
SCRIPT = """
export default function ({ data, setStateValue }) {
  const query = window.matchMedia(`(max-width: ${data.most}px)`)
  const tell = () => setStateValue("narrow", query.matches)
  if (query.matches !== data.known) tell()
  query.addEventListener("change", tell)
  return () => query.removeEventListener("change", tell)
}
"""


@st.cache_resource
def _window_component() -> Any:
    return component("dpgep_window", html="<span></span>", js=SCRIPT, isolate_styles=False)


def is_narrow() -> bool:
    """Whether the window was narrow when it last said so; a page begins as a wide one."""
    return bool(st.session_state.get(KEY, {}).get("narrow"))


def listen() -> None:
    """Listen to the width. Only a window that becomes narrow, or is one at first, makes the page run once more."""
    _window_component()(
        key=KEY, data={"most": NARROW, "known": is_narrow()}, on_narrow_change=lambda: None, height="content"
    )
