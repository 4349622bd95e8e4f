"""Papers: every table and figure, what was printed beside what comes out here."""

import streamlit as st

from dashboard.panels import papers_exhibit
from dashboard.text import words
from dashboard.text.glossary import linked
from dpgep_core.experiments.papers import EXHIBITS


def main() -> None:
    """The exhibit that the address names, or all of them."""
    chosen = EXHIBITS.get(str(st.session_state.get("exhibit") or ""))
    if chosen is None:
        st.title("The papers, reproduced")
        papers_exhibit.exhibits_panel()
    else:
        papers_exhibit.exhibit_panel(chosen)
    st.info(linked(words.WHAT_IF))


main()
