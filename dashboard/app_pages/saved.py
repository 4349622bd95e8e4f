"""Saved: which scenarios did I keep, and how do two of them differ?"""

import streamlit as st

from dashboard.export.summary import brief
from dashboard.pages import address
from dashboard.panels import saved_compare, saved_list
from dashboard.panels.shared import errors_on_page
from dashboard.saving import session as saved
from dashboard.scenario import Scenario
from dashboard.text.words import escape_markdown
from dpgep_core.datasets import Dataset

SHARED = (
    "Kept in `{path}` on this server: settings, name, note and time, never the data. {who} A scenario names its data "
    "set; whoever opens it needs that set here."
)
EVERYONE = "Nobody logs in here, so everyone who can reach this page sees, changes and deletes the same list."
OWN_LIST = "You are logged in: this list is yours alone."


@errors_on_page()
def main() -> None:
    """Draw the form that saves, the list, the comparison of two scenarios, and the files."""
    scenario: Scenario | None = st.session_state["scenario"]
    data: Dataset | None = st.session_state["data"]
    store = saved.store()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("What did I keep?", width="content")
        kept = st.popover("Kept on this server" if saved.owner() else "Seen by everyone here", type="tertiary")
    with kept:
        st.markdown(SHARED.format(path=escape_markdown(str(store.path)), who=OWN_LIST if saved.owner() else EVERYONE))
    items = store.all()
    if scenario is not None:
        with st.expander(
            f"Save the present setting: {escape_markdown(brief(scenario.to_query()))}", expanded=not items
        ):
            saved.form(scenario.to_query() | address("explore", st.session_state.to_dict()), data)
        items = store.all()
    saved_list.saved_panel(store, items, data)
    if items:
        saved_compare.comparison_panel(items, scenario)
    saved_list.files_panel(store, items)


main()
