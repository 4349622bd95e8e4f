"""Store of this session's saved scenarios, and the form that saves one. The store makes all decisions."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dashboard.cache import digest
from dashboard.login import owner
from dashboard.saving.store import LONGEST_NAME, LONGEST_NOTE, Store, default_path
from dashboard.text.words import escape_markdown
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError

OUTCOME = "save_outcome"  # in the session: the address that was last saved, whether that worked, and the sentence


def store() -> Store:
    """Store of this server, with the list of the user who is logged in."""
    return Store(default_path(), owner())


def form(query: Mapping[str, str], data: Dataset | None) -> None:
    """A name, a note, and a button; says what was saved, or why not."""
    with st.form("save_scenario", clear_on_submit=True, border=False):
        name = st.text_input("Name", max_chars=LONGEST_NAME, placeholder="such as: wine, how small an ε")
        note = st.text_input("Note", max_chars=LONGEST_NOTE, placeholder="for whom, and why")
        pressed = st.form_submit_button("Save this scenario", type="primary")
    if pressed:
        st.session_state[OUTCOME] = (dict(query), *_outcome(_save, name, query, note, data))
    address, done, sentence = st.session_state.get(OUTCOME, ({}, False, ""))
    if sentence and address == query:  # a part of the page that fills in runs the page again, and the sentence stays
        _show(done, sentence)


def _save(name: str, query: Mapping[str, str], note: str, data: Dataset | None) -> str:
    added = store().add(name, query, note=note, digest=b"" if data is None else digest(data))
    return f"Saved as “{escape_markdown(added.name)}”, in the list of the page Saved."


def say(do: Callable[..., str | None], *given: Any) -> bool:
    """Do something to the store; a success or its reason for failing is on the page."""
    st.session_state.pop(OUTCOME, None)
    done, sentence = _outcome(do, *given)
    if sentence:
        _show(done, sentence)
    return done


def _outcome(do: Callable[..., str | None], *given: Any) -> tuple[bool, str]:
    try:
        return True, do(*given) or ""
    except DpgepError as error:
        return False, escape_markdown(str(error))


def _show(done: bool, sentence: str) -> None:
    if done:
        st.success(sentence)
    else:
        st.error(sentence)
