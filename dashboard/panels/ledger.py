"""Every answer that left the curator, and the commands and programs that repeat it."""

import streamlit as st

from dashboard.export import python_code, summary
from dashboard.panels.shared import Scene
from dashboard.scenario import command_line
from dashboard.text import words
from dashboard.text.glossary import linked


def ledger_panel(scene: Scene) -> None:
    """The ledger of each algorithm."""
    st.subheader("Ledger")
    st.caption(linked(words.LEDGER))
    st.dataframe(summary.ledger(scene.answers), hide_index=True, width="stretch")
    with st.expander("The same from the command line"):
        for item in scene.answers:
            st.code(command_line(scene.scenario, item.algorithm), language="bash", wrap_lines=True)
    with st.expander("The same from Python"):
        for item in scene.answers:
            st.code(
                python_code(scene.scenario, item.algorithm, item.release.learnt), language="python", wrap_lines=True
            )
