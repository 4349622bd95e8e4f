"""A data set of openml.org by name or number, which then goes the way of an upload."""

import streamlit as st

from dashboard.panels import data_upload
from dashboard.text.words import escape_markdown
from dpgep_core.datasets.openml import fetch, look_up
from dpgep_core.errors import DpgepError


def openml_panel() -> None:
    """Ask for a name, fetch it, and go on at the upload's form."""
    st.markdown(
        "The server fetches the rows from openml.org, into this session alone. Everything about them is then declared "
        "as for a file of your own: what their page says of them was usually computed from these rows."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Name or number", key="openml_query", placeholder="iris, or 61")
        st.button("Fetch", type="primary", on_click=_fetch, key="openml_fetch")
    if wrong := st.session_state.pop("openml_wrong", None):
        st.error(escape_markdown(wrong))


def _fetch() -> None:
    """Runs before the page does, so that the part to go on with can be chosen."""
    query = str(st.session_state.get("openml_query", ""))
    try:
        with st.spinner("Asking openml.org …"):
            upload = fetch(look_up(query))
    except DpgepError as error:
        st.session_state["openml_wrong"] = str(error)
        return
    data_upload.put_upload_on_desk(upload)
    st.session_state["rows"] = "upload"
