"""Papers: every table and figure, with printed values beside our values."""

import streamlit as st

from dashboard.panels import papers_exhibit, papers_gallery, papers_which
from dashboard.panels.shared import what_if
from dashboard.text.which_method import WHICH
from dpgep_core.experiments.papers import EXHIBITS


def main() -> None:
    """Show the exhibit that the address names, or the list of all exhibits."""
    chosen = EXHIBITS.get(str(st.session_state.get("exhibit") or ""))
    if st.session_state.get("exhibit") == WHICH:
        papers_which.which_panel()
    elif chosen is None:
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.title("The papers, reproduced")
            what_if()
            papers_which.which_card()
        papers_gallery.gallery_panel()
    else:
        papers_exhibit.exhibit_panel(chosen)


main()
