"""Entry script: page config, shared controls, navigation."""

from importlib.resources import files

import streamlit as st

from dashboard import words
from dashboard.scenario import Scenario
from dashboard.sidebar import first_visit, sidebar
from dpgep_core.errors import DpgepError

st.set_page_config(page_title="DP-GEP Lab", page_icon=str(files("dashboard") / "static" / "icon.png"), layout="wide")


def main() -> None:
    """Draw the page that the navigation chose, under the shared controls."""
    pages = [st.Page(str(files("dashboard") / "app_pages" / "explore.py"), title="Explore", default=True)]
    page = st.navigation(pages, position="hidden" if len(pages) == 1 else "sidebar")
    problems = first_visit()
    try:
        drawn = sidebar()
    except DpgepError as error:  # a folder of data that is not there, a setting that does not fit
        st.error(words.literal(str(error)))
        st.stop()
    _say(problems, None if drawn is None else drawn[0])
    if drawn is None:
        st.error(words.literal(st.session_state.pop("load_error")))
        st.stop()
    st.session_state["scenario"], st.session_state["data"] = drawn
    query = drawn[0].to_query()
    if dict(st.query_params.items()) != query:
        st.query_params.from_dict(query)
    page.run()


def _say(problems: tuple[str, ...], scenario: Scenario | None) -> None:
    """What in the address or in the last change could not be used, for as long as nothing else changes."""
    found = (*problems, *st.session_state.pop("adjusted", ()))
    if found or st.session_state.get("said_of") != scenario:
        st.session_state["said"], st.session_state["said_of"] = found, scenario
    if said := st.session_state.get("said"):
        st.warning("What could not be used as asked was replaced:\n\n- " + "\n- ".join(map(words.literal, said)))


main()
