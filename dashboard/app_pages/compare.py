"""Compare: which method, which setting?"""

import streamlit as st

from dashboard.compute.task_kinds import sweep_tasks
from dashboard.controls import choose_part
from dashboard.pages import SIDES
from dashboard.panels import compare_ask, compare_grid, compare_grow, compare_run
from dashboard.panels.shared import what_if
from dashboard.scenario import Scenario
from dashboard.text.words import escape_markdown
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError

EVERYONE = (
    "Everyone who can reach this server sees the same sweeps; they hold settings and results, never the rows. Cells "
    "are kept in `{path}`."
)


def main() -> None:
    """Show a sweep with its results, one question with its answer, or what a planned sweep would take."""
    scenario: Scenario | None = st.session_state["scenario"]
    data: Dataset | None = st.session_state["data"]
    st.title("Which method, which setting?")
    with st.container(horizontal=True, vertical_alignment="center"):
        side = choose_part("Side", "side", SIDES)
        what_if()
    if side == "ask":
        compare_ask.ask_panel(scenario, data)
    elif side == "grow":
        compare_grow.grow_panel(scenario, data)
    else:
        _sweeps(scenario)


def _sweeps(scenario: Scenario | None) -> None:
    name = str(st.session_state.get("run") or "")
    if name:
        compare_run.sweep_panel(name)
        with st.expander("Another sweep", key="sweep_form"):
            compare_grid.grid_panel(scenario)
    else:
        compare_grid.grid_panel(scenario)
        compare_run.example_panel()
    _earlier(name)


def _earlier(name: str) -> None:
    """List of the sweeps that anybody started on this server."""
    kept = sweep_tasks()
    names = [each for each in kept.known() if each != name]
    with st.expander("Sweeps of this server", key="sweeps_known"):
        st.caption(EVERYONE.format(path=escape_markdown(str(kept.store))))
        if not names:
            st.markdown("No other sweep was started here yet.")
            return
        busy = set(kept.busy())
        chosen = st.selectbox("A sweep", names, key="sweep_earlier", format_func=lambda n: _sweep_title(n, busy))
        st.button("Look at it", on_click=st.session_state.__setitem__, args=("run", chosen), key="sweep_look")


def _sweep_title(name: str, busy: set[str]) -> str:
    try:
        said = compare_run.describe_sweep(sweep_tasks().asked(name))
    except DpgepError as error:
        said = str(error)
    return f"{'running: ' if name in busy else ''}{said} ({name})"


main()
