"""The uploaded sets of this session: how to let them go, and how to have them on the command line."""

import shlex

import streamlit as st

from dashboard.own_data import uploads
from dashboard.own_data.uploads import Kept
from dashboard.scenario import UPLOAD
from dashboard.text.words import escape_markdown


def uploads_panel() -> None:
    """A box for each."""
    for key, kept in uploads.mine().items():
        with st.expander(f"{escape_markdown(kept.data.title)}: keep what was declared, or let the rows go"):
            _one(key, kept)


def _one(key: str, kept: Kept) -> None:
    name = key.removeprefix(UPLOAD)
    st.markdown(
        f"On the command line the same set is a file in a folder. Save your file as `{kept.file_name}` and this "
        f"declaration beside it as `{kept.toml_name}`:"
    )
    st.download_button(
        f"Download {kept.toml_name}", kept.sidecar, kept.toml_name, "text/plain", key=f"toml_{key}", on_click="ignore"
    )
    st.code(kept.sidecar, language="toml", wrap_lines=True)
    st.code(f"DPGEP_DATA_DIR=FOLDER dpgep solve --dataset {shlex.quote(name)}", language="bash", wrap_lines=True)
    st.button("Let these rows go", key=f"forget_{key}", on_click=uploads.forget, args=(key,))
