"""Methods: a page per algorithm, made from the registry."""

import streamlit as st

from dashboard.controls import hold_choice
from dashboard.panels import method
from dashboard.scenario import Scenario
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset


def main() -> None:
    """Show the description of the chosen method, and its ledger where there is a scenario."""
    scenario: Scenario | None = st.session_state["scenario"]
    data: Dataset | None = st.session_state["data"]
    st.title("What does each method do, and what does it keep?")
    hold_choice("method", ALGORITHMS, "ssp")
    key = st.selectbox("Method", list(ALGORITHMS), key="method", format_func=lambda k: ALGORITHMS[k].title)
    entry = ALGORITHMS[key]
    method.describe(entry)
    if scenario is not None and data is not None:
        method.at_scenario(entry, scenario, data)


main()
