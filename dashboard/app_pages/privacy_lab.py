"""Privacy lab: is that ε true?"""

import streamlit as st

from dashboard.controls import choose_part
from dashboard.pages import PARTS
from dashboard.panels import lab_attack, lab_game, lab_neighbours, lab_noise
from dashboard.panels.lab import Bench
from dashboard.panels.shared import errors_on_page, style, what_if
from dashboard.scenario import Scenario
from dashboard.text import words
from dpgep_core.datasets import Dataset
from dpgep_core.learnt import learnt_sentence


def _attack_part(bench: Bench) -> None:
    lab_game.game_panel(bench)
    lab_attack.attack_panel(bench)


SHOW = {
    "noise": lab_noise.noise_panel,
    "verdicts": lab_attack.verdicts_panel,
    "attack": _attack_part,
    "neighbours": lab_neighbours.neighbours_panel,
    "budget": lab_noise.budget_panel,
}


def main() -> None:
    """One part at a time: each answers the question in its own way."""
    scenario: Scenario = st.session_state["scenario"]
    data: Dataset = st.session_state["data"]
    st.title("Is that ε true?")
    with st.container(horizontal=True, vertical_alignment="center"):
        part = choose_part("Part", "part", PARTS)
        what_if(words.LAB, help="Nothing on this page is a private release.")
    with errors_on_page():
        bench = Bench.of(scenario, data, style())
        if bench.learnt:
            st.warning(words.escape_markdown(learnt_sentence(bench.learnt)))
        SHOW[part](bench)


main()
