"""Methods: a table of all, and a page per algorithm, made from the registry."""

import streamlit as st

from dashboard.controls import choose_part, hold_choice
from dashboard.pages import VIEWS
from dashboard.panels import methods
from dashboard.scenario import Scenario
from dashboard.text.words import escape_markdown
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset


def main() -> None:
    """Show the method that the address names, or the table of all methods."""
    scenario: Scenario | None = st.session_state["scenario"]
    data: Dataset | None = st.session_state["data"]
    hold_choice("method", ("", *ALGORITHMS), "")
    key = str(st.session_state["method"])
    if not key:
        st.title("What does each method ask of the data?")
        st.markdown(f"**{escape_markdown(methods.index_sentence())}**")
        if choose_part("View", "view", VIEWS) == "epsilon":
            methods.show_epsilon(scenario, data)
        else:
            methods.methods_table(scenario, data)
        return
    entry = ALGORITHMS[key]
    st.button("← All methods", type="tertiary", on_click=st.session_state.__setitem__, args=("method", ""))
    methods.describe(entry, scenario, data)
    if scenario is not None and data is not None:
        methods.at_scenario(entry, scenario, data)


main()
