"""Table of all methods: what each asks of the data, how often, what it claims, if that holds, and what ε it takes."""

from collections.abc import Mapping

import streamlit as st

from dashboard.compute.noise_plans import StatedNoise, stated_noise
from dashboard.panels.epsilon_bars import method_bars
from dashboard.panels.shared import show_figure, style
from dashboard.scenario import Scenario
from dashboard.text.gains import HEAD, gain_cell, gain_help
from dashboard.text.words import escape_markdown
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.method import MethodEntry, Verdict
from dpgep_core.models import MODELS
from dpgep_core.wording import plural

WIDTHS = (10, 10, 4, 8, 4)
LOOK = "<style>.st-key-methods_table button * { font-weight: 600; }</style>"  # on a phone nothing else parts methods
VERDICT_COLOURS: Mapping[Verdict, str] = {
    Verdict.HOLDS: "green", Verdict.HOLDS_OTHERWISE: "orange", Verdict.FALSE: "red", Verdict.UNKNOWN: "gray",
    Verdict.NONE: "gray",
}  # fmt: skip
SHORT_VERDICTS = {Verdict.HOLDS_OTHERWISE: "holds, not as proved", Verdict.NONE: "no claim"}


def methods_table(scenario: Scenario | None, data: Dataset | None) -> None:
    """One row for each method, those whose claim holds first; a title opens its page."""
    if scenario is not None:
        setting, head = st.columns((sum(WIDTHS[:-1]), WIDTHS[-1]))
        setting.caption(escape_markdown(f"Counted for {scenario.dataset} at the setting of the sidebar."))
        head.markdown(f":small[{HEAD}]", help=gain_help(scenario.dataset, scenario.model))
    st.html(LOOK)
    with st.container(key="methods_table", gap="small"):
        for entry in sorted(ALGORITHMS.values(), key=lambda one: list(VERDICT_COLOURS).index(one.guarantee.verdict)):
            stated = None if scenario is None or data is None else stated_noise(scenario, entry.key, data)
            gain = "–" if scenario is None else gain_cell(scenario.dataset, scenario.model, entry.key)
            _draw_row(entry, stated, gain)


def show_epsilon(scenario: Scenario | None, data: Dataset | None) -> None:
    """Draw the claim of every private method and what its ledger proves, on one axis."""
    if scenario is None or data is None:
        st.info("Choose data in the sidebar: what a ledger proves depends on the number of rows.")
        return
    show_figure(method_bars(scenario, data, style()))


def index_sentence() -> str:
    """Count the methods and their verdicts in one line."""
    verdicts = [entry.guarantee.verdict for entry in ALGORITHMS.values()]
    counts = "; ".join(f"{one}: {verdicts.count(one)}" for one in Verdict if one in verdicts)
    return f"{plural(len(verdicts), 'method')}. Their claims: {counts}."


def verdict_chip(verdict: Verdict) -> str:
    """Badge of a verdict in Markdown, short enough for a column."""
    return f":{VERDICT_COLOURS[verdict]}-badge[{SHORT_VERDICTS.get(verdict, verdict)}]"


def _draw_row(entry: MethodEntry, stated: StatedNoise | None, gain: str) -> None:
    title, asks, often, verdict, reached = st.columns(WIDTHS, vertical_alignment="center")
    title.button(entry.title, key=f"method_{entry.key}", type="tertiary", on_click=open_method, args=(entry.key,))
    solved = "every model" if len(entry.models) == len(MODELS) else ", ".join(entry.models)
    asks.markdown(f":small[Asks for {asked_words(entry, stated)}. Solves {solved}.]")
    often.markdown(_often(stated))
    claim = "" if entry.guarantee.verdict is Verdict.NONE else f"  \n:small[{entry.guarantee.claim}]"
    verdict.markdown(verdict_chip(entry.guarantee.verdict) + claim)
    reached.markdown(gain)


def asked_words(entry: MethodEntry, stated: StatedNoise | None) -> str:
    """Say what a method asks of the data, and which of it leaves without noise."""
    if stated is None or stated.answers is None:
        return "noisy answers" if entry.private else "exact numbers"
    noisy = [one.name for one in stated.answers if one.sigma]
    exact = [one.name for one in stated.answers if not one.sigma]
    parts = [", ".join(noisy)] * bool(noisy) + [f"{', '.join(exact)} **without noise**"] * bool(exact)
    return " and ".join(part if "**" in part else escape_markdown(part) for part in parts)


def _often(stated: StatedNoise | None) -> str:
    return "" if stated is None or stated.answers is None else f":small[{plural(stated.count, 'answer')}]"


def open_method(key: str) -> None:
    """Turn to the page of a method; "" turns to the table."""
    st.session_state["method"] = key
