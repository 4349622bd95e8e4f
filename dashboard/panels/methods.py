"""Methods: a table of all with what each asks, claims and takes; and of each what it does, what holds, and why."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import cache
from dashboard.compute.noise_plans import StatedNoise, stated_noise
from dashboard.compute.titles import title_of
from dashboard.export import FigureSpec
from dashboard.export.summary import ledger_rows
from dashboard.figures.flow import flow_rows, flow_sentence, noise_flow
from dashboard.figures.style import Style
from dashboard.panels.epsilon_bars import method_bars
from dashboard.panels.shared import NARROW, errors_on_page, labels, show_figure, style
from dashboard.scenario import Scenario, command_line
from dashboard.text import plain, words
from dashboard.text.gains import HEAD, gain_cell, gain_entries, gain_help
from dashboard.text.glossary import linked
from dashboard.text.words import escape_markdown
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.method import MethodEntry, Verdict
from dpgep_core.models import MODELS
from dpgep_core.wording import number_text, plural

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
IN_GENERAL = (
    "The verdicts in this table are of the published claims in general. “Is that ε true?” gives the verdict of each "
    "method at the setting in the sidebar, which may be another one."
)
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
    st.caption(IN_GENERAL)
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
    return (
        f"{plural(verdicts.total(), 'method')}; {claims} claim privacy. Of these claims, judged in general, {counts}."
    )


def _draw_row(columns: Sequence[DeltaGenerator], entry: MethodEntry, stated: StatedNoise | None) -> None:
    title, asks, often, solves, verdict = columns[: len(HEADS)]
    title.button(entry.title, key=f"method_{entry.key}", type="tertiary", on_click=st.session_state.__setitem__,
                 args=("method", entry.key))  # fmt: skip
    solved = "every model" if len(entry.models) == len(MODELS) else ", ".join(key.upper() for key in entry.models)
    asks.markdown(f":small[{asked_words(entry, stated)}]")
    often.markdown("" if stated is None or stated.answers is None else f":small[{plural(stated.count, 'answer')}]")
    solves.markdown(f":small[{solved}]")
    holds = entry.guarantee.verdict
    claim = "" if holds is Verdict.NONE else f"  \n:small[{entry.guarantee.claim}]"
    verdict.markdown(f":{VERDICT_COLOURS[holds]}-badge[{SHORT_VERDICTS.get(holds, holds)}]{claim}")


def asked_words(entry: MethodEntry, stated: StatedNoise | None) -> str:
    """Say what a method asks of the data, and which of it leaves without noise."""
    if stated is None or stated.answers is None:
        return "noisy answers" if entry.private else "exact numbers"
    noisy = [one.name for one in stated.answers if one.sigma]
    exact = [one.name for one in stated.answers if not one.sigma]
    parts = [", ".join(noisy)] * bool(noisy) + [f"{', '.join(exact)} **without noise**"] * bool(exact)
    return " and ".join(part if "**" in part else escape_markdown(part) for part in parts)


def describe(entry: MethodEntry, scenario: Scenario | None, data: Dataset | None) -> None:
    """The diagram at the scenario, then words from the registry entry and the docstring alone."""
    st.title(entry.title)
    guarantee, said = entry.guarantee, plain.WORDS.get(entry.key)
    st.markdown(
        f":{VERDICT_COLOURS[guarantee.verdict]}-badge[{guarantee.verdict}] in general. **Claim**: {guarantee.claim}"
    )
    st.markdown(linked((f"{said.idea} " if said else "") + plain.everyday(entry)))
    if scenario is not None and data is not None:
        _show_flow(entry, scenario, data)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Why the claim holds, or not")
        st.markdown(linked(f"**{guarantee.verdict.capitalize()}**: {plain.MEANING[guarantee.verdict]}"))
        st.markdown(f"**Why**: {escape_markdown(guarantee.reason)}")
        if said:
            st.markdown(linked(f"**In other words**: {said.why}"))
    with right:
        st.subheader("Where it comes from")
        _show_source(entry)
    _parameters(entry)


def _show_source(entry: MethodEntry) -> None:
    source = entry.source
    title, link = escape_markdown(source.title), plain.link(source.url)
    st.markdown(
        f"**Source**: {f'[{title}]({link})' if link else title}, {source.where}.  \n"
        f"**Solves**: {', '.join(MODELS[key].title for key in entry.models)}."
        + (f"  \n**From outside the package**: the module {escape_markdown(entry.origin)}." if entry.outside else "")
    )
    if departs := plain.departures(entry.make):
        st.markdown(f"**Where it departs from the paper**: {escape_markdown(departs)}")
    with st.expander("For readers of the paper"):
        for paragraph in (plain.paragraphs(entry.make)[0], *plain.details(entry.make)):
            st.markdown(escape_markdown(paragraph))


def _show_flow(entry: MethodEntry, scenario: Scenario, data: Dataset) -> None:
    stated = stated_noise(scenario, entry.key, data)
    if stated.answers:
        show_figure(flow_figure(entry, scenario, stated, style()), brief=True)
    elif stated.problem:
        st.caption(escape_markdown(stated.problem))


def flow_figure(entry: MethodEntry, scenario: Scenario, stated: StatedNoise, look: Style) -> FigureSpec:
    """Diagram of what passes between the data, the curator and the algorithm; nothing is read and no noise drawn."""
    answers = stated.answers or ()
    return FigureSpec(
        key="flow", title=f"{entry.title}: what leaves the data", alt=flow_sentence(answers),
        caption=f"{flow_sentence(answers)}. {scenario.dataset}, {stated.model}, ε={number_text(scenario.epsilon, 6)}. "
        f"{words.FORMULA.capitalize()}.",
        draw=partial(noise_flow, answers), style=look, rows=flow_rows(answers), stem=scenario.stem,
    )  # fmt: skip


def _parameters(entry: MethodEntry) -> None:
    if rows := plain.parameter_rows(entry.make):
        with st.expander("Parameters"):
            st.table(pd.DataFrame(rows), hide_index=True, border="horizontal")


@errors_on_page()
def at_scenario(entry: MethodEntry, scenario: Scenario, data: Dataset) -> None:
    """Ledger and command of the method at the setting of the sidebar."""
    st.subheader("Its ledger at the setting in the sidebar")
    if scenario.model not in entry.models:
        solved = " or ".join(MODELS[key].title for key in entry.models)
        st.info(f"It does not solve {MODELS[scenario.model].title}: choose {solved} to see its ledger.")
        fitting = replace(scenario, model=entry.models[0], algorithms=(entry.key,), params=())
        st.code(command_line(fitting, entry.key), language="bash", wrap_lines=True)
        return
    labels(words.READS, words.SEED_KNOWN)
    with st.spinner("Solving …"):
        item = cache.answer(scenario, entry.key, data)
    for warning in item.warnings:
        st.warning(escape_markdown(warning))
    st.markdown("  \n".join(words.standing(item, attacked=False)))
    st.markdown(words.guess_of(item.release))
    if (unit := words.unit_of(item)) is not None:
        st.markdown(linked(unit))
    st.dataframe(pd.DataFrame(ledger_rows(item)), hide_index=True, width="stretch", placeholder="–")
    st.code(command_line(scenario, entry.key), language="bash", wrap_lines=True)
