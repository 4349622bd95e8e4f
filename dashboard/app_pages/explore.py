"""Explore: what does privacy cost here?"""

import streamlit as st

from dashboard.panels import classifiers, components, curves, draws, headline, keep, live
from dashboard.panels.shared import badges, scene_at, style
from dashboard.scenario import Scenario
from dashboard.text import words
from dashboard.text.glossary import linked
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError


def main() -> None:
    """Solve the scenario and draw it."""
    scenario: Scenario = st.session_state["scenario"]
    data: Dataset = st.session_state["data"]
    st.title("What does privacy cost here?")
    st.info(linked(words.WHAT_IF))
    try:
        with st.spinner("Solving …"):
            scene = scene_at(scenario, data, style())
    except DpgepError as error:
        st.error(words.escape_markdown(str(error)))
        return
    if _hides_answer(scenario):
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        badges()
        keep.toolbar(scene)
    headline.numbers(scene)
    live.live_panel(scene)
    headline.meaning(scene)
    left, right = st.columns(2, gap="large")
    with left:
        curves.curves_panel(scene)
    with right:
        curves.iterations_panel(scene)
    draws.draws_panel(scene)
    components.projections_panel(scene)
    classifiers.classifiers_panel(scene)
    components.components_panel(scene)
    headline.ledger_panel(scene)
    _count(scenario)


def _hides_answer(scenario: Scenario) -> bool:
    """Whether answers stay hidden: in a class until someone asks for them, and again after every new setting."""
    if not st.session_state.get("hidden"):
        return False
    if st.session_state.get("revealed") == scenario:
        return False
    st.markdown("### What do you expect to see?")
    st.markdown("The result is there, and covered. Say what you expect, then look.")
    if st.button("Show the answer", type="primary"):
        st.session_state["revealed"] = scenario
        st.rerun()
    return True


def _count(scenario: Scenario) -> None:
    seen: set[Scenario] = st.session_state.setdefault("seen", set())
    seen.add(scenario)
    st.caption(f"Settings looked at: {len(seen)}, not covered by any ε.")


main()
