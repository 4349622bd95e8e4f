"""Entry script: page config, shared controls, navigation."""

from importlib.resources import files

import streamlit as st

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
        st.error(str(error))
        st.stop()
    if problems:
        st.warning("Some of this address could not be used and was left at its default:\n\n- " + "\n- ".join(problems))
    if drawn is None:
        st.error(st.session_state.pop("load_error"))
        st.stop()
    st.session_state["scenario"], st.session_state["data"] = drawn
    query = drawn[0].to_query()
    if dict(st.query_params.items()) != query:
        st.query_params.from_dict(query)
    page.run()


main()
