"""Release: what may leave, and what does it cost?"""

import streamlit as st

from dashboard.own_data import uploads
from dashboard.panels import release_list, release_spend
from dashboard.panels.shared import errors_on_page
from dashboard.scenario import Scenario
from dashboard.text import words
from dashboard.text.glossary import linked
from dpgep_core.datasets import Dataset

OWN = (
    "These rows were uploaded for this session and are deleted with it, and a budget must outlive both. To release "
    "from the file, save the declaration that the page Data offers for it beside the file. Then put both into the "
    "folder that `DPGEP_DATA_DIR` names, or run `dpgep release --dataset FILE`."
)


def main() -> None:
    """The budget, one release, and those that were made."""
    scenario: Scenario = st.session_state["scenario"]
    data: Dataset = st.session_state["data"]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("What may leave?", width="content")
        with st.popover("Private", type="tertiary", help="The only page whose results may leave."):
            st.markdown(linked(words.RELEASES))
            release_spend.places_panel()
    if data.name in uploads.session_uploads():
        st.warning(OWN)
        st.page_link("app_pages/data.py", label="The declaration, on the page Data →")
        return
    with errors_on_page():  # where the ledger cannot be used
        budget = release_spend.budget_panel(data.name)
        release_spend.made_panel(data.name)
        with errors_on_page():
            if not release_spend.missing_panel(scenario, data):
                release_spend.ask_panel(scenario, data, budget)
                release_spend.spend_panel(scenario, data, budget)
                st.caption(release_spend.PLAYS_NO_PART)
        release_list.releases_panel(data.name)


main()
