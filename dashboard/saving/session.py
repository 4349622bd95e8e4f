"""Where this session's saved scenarios are, and the form that saves one. Thin: the store decides."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboard.cache import digest
from dashboard.login import owner
from dashboard.saving.store import LONGEST_NAME, LONGEST_NOTE, Store, default_path
from dashboard.text.words import escape_markdown
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError


def store() -> Store:
    """The file of this server, and in it the list of whoever is logged in."""
    return Store(default_path(), owner())


def form(query: Mapping[str, str], data: Dataset | None) -> None:
    """A name, a note, and a button; says what was saved, or why not."""
    with st.form("save_scenario", clear_on_submit=True, border=False):
        name = st.text_input("Name", max_chars=LONGEST_NAME, placeholder="such as: wine, how small an ε")
        note = st.text_input("Note", max_chars=LONGEST_NOTE, placeholder="for whom, and why")
        pressed = st.form_submit_button("Save this scenario", type="primary")
    if pressed:
        say(_save, name, query, note, data)


def _save(name: str, query: Mapping[str, str], note: str, data: Dataset | None) -> str:
    added = store().add(name, query, note=note, digest=b"" if data is None else digest(data))
    return f"Saved as “{escape_markdown(added.name)}”: see the page Saved."


def say(do: Any, *given: Any) -> bool:
    """Do something to the store; a success or its reason for failing is on the page."""
    try:
        done = do(*given)
    except DpgepError as error:
        st.error(escape_markdown(str(error)))
        return False
    if done:
        st.success(done)
    return True
