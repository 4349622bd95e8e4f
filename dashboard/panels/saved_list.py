"""Saved scenarios: open, rename, copy, delete and bring back, to and from a JSON file."""

from collections.abc import Sequence

import streamlit as st

from dashboard import cache
from dashboard.export.summary import brief
from dashboard.own_data import uploads
from dashboard.pages import own_parameters
from dashboard.panels.shared import file_button
from dashboard.saving import exchange
from dashboard.saving import session as saved
from dashboard.saving.store import LONGEST_NAME, LONGEST_NOTE, Saved, Store
from dashboard.sidebar.state import turn_to
from dashboard.text.words import escape_markdown
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError
from dpgep_core.release import VERSION

EXPLORE = "app_pages/explore.py"
CHANGED = "The data set is not the one it was saved with: its rows, classes or preprocessing changed since."
A_PAGE = 25


def saved_panel(store: Store, items: Sequence[Saved], data: Dataset | None) -> None:
    """One box for each, the newest first."""
    if items:
        st.subheader(f"{len(items)} saved")
    else:
        st.caption("Nothing is saved yet.")
    _undo(store)
    if len(items) > 5:
        wanted = st.text_input("Find", key="saved_find", placeholder="part of a name, a note or a setting").lower()
        texts = [f"{one.name} {one.note} {brief(one.query)} {one.query}".lower() for one in items]
        items = [item for item, text in zip(items, texts, strict=True) if wanted in text]
        st.caption(f"{len(items)} found" if wanted else f"The newest {min(len(items), A_PAGE)}")
    try:
        mark = store.mark(cache.digest(data)) if data is not None and items else ""
    except DpgepError:
        mark = ""
    for item in items[:A_PAGE]:
        with st.container(border=True):
            _show_saved(store, item, data, mark)


def _show_saved(store: Store, item: Saved, data: Dataset | None, mark: str) -> None:
    left, right = st.columns((5, 2), vertical_alignment="center")
    with left:
        st.markdown(f"**{escape_markdown(item.name)}**")
        st.caption(
            f"{escape_markdown(brief(item.query))}  \n{item.made:%d %b %Y, %H:%M} UTC, "
            f"version {escape_markdown(item.version)}"
        )
        if item.note:
            st.markdown(escape_markdown(item.note))
        if item.version != VERSION:
            st.caption(f"Saved with another version than this one, {VERSION}: numbers may differ.")
        here = data is not None and item.query.get("dataset") == data.name
        if here and item.fingerprint and mark and item.fingerprint != mark:
            st.warning(CHANGED)
        for problem in exchange.unusable(item.query, uploads.session_uploads()):
            st.warning(escape_markdown(problem))
    with right, st.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Open", key=f"open_{item.id}", on_click=_turn, args=(item,), type="primary"):
            st.switch_page(EXPLORE)
        with st.popover("More"):
            _more(store, item)


def _turn(item: Saved) -> None:
    turn_to(item.query)
    st.session_state.update(own_parameters("explore", item.query)[0])


def _more(store: Store, item: Saved) -> None:
    with st.form(f"rename_{item.id}", border=False):
        name = st.text_input("Name", item.name, max_chars=LONGEST_NAME)
        note = st.text_area("Note", item.note, max_chars=LONGEST_NOTE, height=68)
        if st.form_submit_button("Rename") and saved.say(store.rename, item.id, name, note):
            st.rerun()
    if st.button("Duplicate", key=f"copy_{item.id}", width="stretch") and saved.say(_copy, store, item.id):
        st.rerun()
    file_button(
        "Export as JSON", lambda: exchange.dumps([item]), "dpgep-scenario.json", "application/json",
        key=f"json_{item.id}", width="stretch",
    )  # fmt: skip
    if st.button("Delete", key=f"delete_{item.id}", width="stretch") and saved.say(store.delete, item.id):
        st.session_state["saved_deleted"] = (item.id, item.name)
        st.rerun()


def _copy(store: Store, key: str) -> None:
    store.duplicate(key)


def _undo(store: Store) -> None:
    if (deleted := st.session_state.get("saved_deleted")) is None:
        return
    key, name = deleted
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"Deleted “{escape_markdown(name)}”.")
        if st.button("Undo", key="saved_undo") and saved.say(store.undo, key):
            del st.session_state["saved_deleted"]
            st.rerun()


def files_panel(store: Store, items: Sequence[Saved]) -> None:
    """Export all; import a file after it was looked at."""
    with st.expander("To and from a file", key="saved_files", expanded="saved_imported" in st.session_state):
        file_button(
            "Export all as JSON", lambda: exchange.dumps(items), "dpgep-scenarios.json", "application/json",
            key="json_all", disabled=not items,
        )  # fmt: skip
        file = st.file_uploader(
            "Import from JSON", type="json", key=f"saved_import_{st.session_state.get('saved_imports', 0)}",
            max_upload_size=max(1, exchange.LARGEST // 1_000_000), help="What Export made, here or elsewhere.",
        )  # fmt: skip
        if file is not None:
            saved.say(_offer, store, file.getvalue(), file.name)
        if said := st.session_state.pop("saved_imported", None):
            st.success(said)


def _offer(store: Store, content: bytes, name: str) -> None:
    items, problems = exchange.loads(content, name)
    if problems:
        st.warning(
            "Kept as they are, and replaced when opened here:\n\n- " + "\n- ".join(map(escape_markdown, problems[:20]))
        )
    st.markdown(f"{len(items)} found: {escape_markdown(', '.join(name for name, _, _ in items[:20]))}")
    if st.button(f"Import {len(items)}", key="saved_do_import", type="primary"):
        added = store.add_all(items)
        st.session_state["saved_imported"] = f"{len(added)} imported."
        st.session_state["saved_imports"] = st.session_state.get("saved_imports", 0) + 1  # another, empty uploader
        st.rerun()
