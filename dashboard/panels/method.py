"""A method: what it does, what it claims, what holds and why."""

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.compute.noise_plans import StatedNoise, stated_noise
from dashboard.export import FigureSpec
from dashboard.export.summary import ledger_rows
from dashboard.figures.flow import flow_rows, flow_sentence, noise_flow
from dashboard.figures.style import Style
from dashboard.panels.lab import labels
from dashboard.panels.methods_index import VERDICT_COLOURS
from dashboard.panels.shared import show_figure, style
from dashboard.scenario import Scenario, command_line
from dashboard.text import plain, words
from dashboard.text.glossary import linked
from dashboard.text.plain import WORDS
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError
from dpgep_core.method import MethodEntry
from dpgep_core.models import MODELS
from dpgep_core.wording import number_text


def describe(entry: MethodEntry, scenario: Scenario | None, data: Dataset | None) -> None:
    """The diagram at the scenario, then words from the registry entry and the docstring alone."""
    st.title(entry.title)
    guarantee, said = entry.guarantee, WORDS.get(entry.key)
    st.markdown(f":{VERDICT_COLOURS[guarantee.verdict]}-badge[{guarantee.verdict}] **Claim**: {guarantee.claim}")
    st.markdown(linked((f"{said.idea} " if said else "") + plain.everyday(entry)))
    if scenario is not None and data is not None:
        _show_flow(entry, scenario, data)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Why the claim holds, or not")
        st.markdown(linked(f"**{guarantee.verdict.capitalize()}**: {plain.MEANING[guarantee.verdict]}"))
        st.markdown(f"**Why**: {words.escape_markdown(guarantee.reason)}")
        if said:
            st.markdown(linked(f"**In other words**: {said.why}"))
    with right:
        st.subheader("Where it comes from")
        _show_source(entry)
    _parameters(entry)


def _show_source(entry: MethodEntry) -> None:
    source = entry.source
    title, link = words.escape_markdown(source.title), plain.link(source.url)
    st.markdown(
        f"**Source**: {f'[{title}]({link})' if link else title}, {source.where}.  \n"
        f"**Solves**: {', '.join(MODELS[key].title for key in entry.models)}."
        + (
            f"  \n**From outside the package**: the module {words.escape_markdown(entry.origin)}."
            if entry.outside
            else ""
        )
    )
    if departs := plain.departures(entry.make):
        st.markdown(f"**Where it departs from the paper**: {words.escape_markdown(departs)}")
    with st.expander("For readers of the paper"):
        for paragraph in (plain.paragraphs(entry.make)[0], *plain.details(entry.make)):
            st.markdown(words.escape_markdown(paragraph))


def _show_flow(entry: MethodEntry, scenario: Scenario, data: Dataset) -> None:
    stated = stated_noise(scenario, entry.key, data)
    if stated.answers:
        show_figure(flow_figure(entry, scenario, stated, style()), brief=True)
    elif stated.problem:
        st.caption(words.escape_markdown(stated.problem))


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
    found = plain.rows(entry.make)
    if not found:
        return
    frame = pd.DataFrame(
        {"Symbol": row.symbol, "Name": f"`{row.name}`",
         "What it is": f"**{row.label}**. {row.meaning} Allowed: {words.escape_markdown(row.allowed)}. "
         f"Default: {words.escape_markdown(row.default)}."}
        for row in found
    )  # fmt: skip
    with st.expander("Parameters"):
        st.table(frame, hide_index=True, border="horizontal")


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
    try:
        with st.spinner("Solving …"):
            item = cache.answer(scenario, entry.key, data)
    except DpgepError as error:
        st.error(words.escape_markdown(str(error)))
        return
    for warning in item.warnings:
        st.warning(words.escape_markdown(warning))
    st.markdown("  \n".join(words.standing(item).lines(attacked=False)))
    st.markdown(words.guess_sentence(item.release.ledger.mu, item.release.accounted))
    if (unit := words.unit_of(item)) is not None:
        st.markdown(linked(unit))
    st.dataframe(pd.DataFrame(ledger_rows(item)), hide_index=True, width="stretch", placeholder="–")
    st.code(command_line(scenario, entry.key), language="bash", wrap_lines=True)
