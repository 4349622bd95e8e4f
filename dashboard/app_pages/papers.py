"""Papers: every table and figure, with printed values beside our values."""

import streamlit as st

from dashboard.panels import papers_exhibit, papers_gallery
from dashboard.panels.shared import what_if
from dpgep_core.experiments.papers import EXHIBITS


def main() -> None:
    """Show the exhibit that the address names, or the list of all exhibits."""
    chosen = EXHIBITS.get(str(st.session_state.get("exhibit") or ""))
    if chosen is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.title("The papers, reproduced")
            what_if()
        papers_gallery.gallery_panel()
    else:
        papers_exhibit.exhibit_panel(chosen)
        what_if()


main()
