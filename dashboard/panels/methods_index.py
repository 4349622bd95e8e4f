"""Table of all methods: what each asks of the data, how often, what it claims, if that holds, and what ε it takes."""

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.compute.noise_plans import StatedNoise, stated_noise
from dashboard.compute.titles import title_of
from dashboard.panels.epsilon_bars import method_bars
from dashboard.panels.shared import NARROW, show_figure, style
from dashboard.scenario import Scenario
from dashboard.text.gains import HEAD, gain_cell, gain_entries, gain_help
from dashboard.text.words import escape_markdown
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.method import MethodEntry, Verdict
from dpgep_core.models import MODELS
from dpgep_core.wording import plural

WIDTHS = (10, 9, 4, 5, 8, 4)  # of the columns; the last one is there where something is known
HEADS = ("Method", "Asks the data for", "How often", "Solves", "Does its claim hold?")
LOOK = f"""<style>
.st-key-methods_table button * {{ font-weight: 600; text-decoration: underline; text-underline-offset: .2em; }}
@media (max-width: {NARROW}px) {{ /* each method becomes a card of its own lines, which say what the heads say */
  .st-key-methods_heads {{ display: none; }}
  .st-key-methods_table [data-testid=stHorizontalBlock] {{ gap: 0; padding-bottom: .8rem; }}
  .st-key-methods_table [data-testid=stColumn]:nth-child(2) p::before {{ content: "Asks for "; }}
  .st-key-methods_table [data-testid=stColumn]:nth-child(4) p::before {{ content: "Solves "; }}
  .st-key-methods_table [data-testid=stColumn]:nth-child(6) p::before {{ content: "{HEAD}: "; }}
  .st-key-methods_table [data-testid=stColumn] p::before {{ font-size: .875em; }}
}}
</style>"""
VERDICT_COLOURS: Mapping[Verdict, str] = {
    Verdict.HOLDS: "green", Verdict.HOLDS_OTHERWISE: "orange", Verdict.FALSE: "red", Verdict.UNKNOWN: "gray",
    Verdict.NONE: "gray",
}  # fmt: skip
COUNTED = {
    Verdict.HOLDS: "hold", Verdict.HOLDS_OTHERWISE: "hold for another reason than the published proof",
    Verdict.FALSE: "are false", Verdict.UNKNOWN: "are not known to hold",
}  # fmt: skip
SHORT_VERDICTS = {Verdict.HOLDS_OTHERWISE: "holds, not as proved", Verdict.NONE: "no claim"}


def methods_table(scenario: Scenario | None, data: Dataset | None) -> None:
    """One row for each method, those whose claim holds first; a title opens its page."""
    known = scenario is not None and bool(gain_entries(scenario.dataset, scenario.model))
    widths = WIDTHS if known else WIDTHS[:-1]
    st.html(LOOK)
    with st.container(key="methods_heads"):
        heads = st.columns(widths, vertical_alignment="center")
        for place, head in zip(heads, HEADS, strict=False):
            place.caption(head)
    if scenario is not None and known:
        heads[-1].markdown(f":small[{HEAD}]", help=gain_help(scenario.dataset, scenario.model))
    with st.container(key="methods_table", gap="small"):
        for entry in sorted(ALGORITHMS.values(), key=lambda one: list(VERDICT_COLOURS).index(one.guarantee.verdict)):
            stated = None if scenario is None or data is None else stated_noise(scenario, entry.key, data)
            columns = st.columns(widths, vertical_alignment="center")
            _draw_row(columns, entry, stated)
            if scenario is not None and known:
                columns[-1].markdown(gain_cell(scenario.dataset, scenario.model, entry.key))
    if scenario is not None:
        unknown = "" if known else f" {gain_help(scenario.dataset, scenario.model)}"
        st.caption(escape_markdown(f"Answers are counted for {title_of('dataset', scenario.dataset)}.") + unknown)


def show_epsilon(scenario: Scenario | None, data: Dataset | None) -> None:
    """Draw the claim of every private method and what its ledger proves, on one axis."""
    if scenario is None or data is None:
        st.info("Choose data in the sidebar: what a ledger proves depends on the number of rows.")
        return
    show_figure(method_bars(scenario, data, style()))


def index_sentence() -> str:
    """Count the methods and their verdicts in one line."""
    verdicts = Counter(entry.guarantee.verdict for entry in ALGORITHMS.values())
    claims = verdicts.total() - verdicts[Verdict.NONE]
    counts = ", ".join(f"{verdicts[one]} {said}" for one, said in COUNTED.items() if verdicts[one])
    return f"{plural(verdicts.total(), 'method')}; {claims} claim privacy. Of these claims, {counts}."


def verdict_chip(verdict: Verdict) -> str:
    """Badge of a verdict in Markdown, short enough for a column."""
    return f":{VERDICT_COLOURS[verdict]}-badge[{SHORT_VERDICTS.get(verdict, verdict)}]"


def _draw_row(columns: Sequence[DeltaGenerator], entry: MethodEntry, stated: StatedNoise | None) -> None:
    title, asks, often, solves, verdict = columns[: len(HEADS)]
    title.button(entry.title, key=f"method_{entry.key}", type="tertiary", on_click=open_method, args=(entry.key,))
    solved = "every model" if len(entry.models) == len(MODELS) else ", ".join(key.upper() for key in entry.models)
    asks.markdown(f":small[{asked_words(entry, stated)}]")
    often.markdown(_often(stated))
    solves.markdown(f":small[{solved}]")
    claim = "" if entry.guarantee.verdict is Verdict.NONE else f"  \n:small[{entry.guarantee.claim}]"
    verdict.markdown(verdict_chip(entry.guarantee.verdict) + claim)


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
