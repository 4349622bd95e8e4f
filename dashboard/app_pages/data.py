"""Data: what are the rows, and what is public about them?"""

import streamlit as st

from dashboard.controls import choose_part
from dashboard.pages import DATA_PARTS
from dashboard.panels import data_rows, data_upload
from dashboard.panels.shared import errors_on_page, style, what_if
from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset


def main() -> None:
    """Show the current rows, an upload, or a download from OpenML."""
    scenario: Scenario | None = st.session_state["scenario"]
    data: Dataset | None = st.session_state["data"]
    st.title("What are the rows, and what is public about them?")
    for key in [key for key in st.session_state if str(key).startswith("upc_")]:
        st.session_state[key] = st.session_state[key]  # the form stays while another part of the page is looked at
    with st.container(horizontal=True, vertical_alignment="center"):
        part = choose_part("Rows", "rows", DATA_PARTS)
        what_if()
    if part == "upload":
        data_upload.upload_panel()
    elif part == "openml":
        data_upload.openml_panel()
    elif scenario is not None and data is not None:
        with errors_on_page():
            data_rows.rows_panel(scenario, data, style())
    else:
        st.markdown("This data set cannot be loaded. Choose another in the sidebar, or bring your own.")
    data_upload.uploads_panel()


main()
