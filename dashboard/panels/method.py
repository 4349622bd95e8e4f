"""A method: what it does, what it claims, what holds and why."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.export.summary import ledger_rows
from dashboard.panels.lab import labels
from dashboard.scenario import Scenario, command_line
from dashboard.text import plain, words
from dashboard.text.glossary import linked
from dashboard.text.plain import WORDS
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DpgepError
from dpgep_core.method import MethodEntry
from dpgep_core.models import MODELS


def describe(entry: MethodEntry) -> None:
    """From its registry entry and docstring alone."""
    st.header(entry.title)
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
    left, right = st.columns((3, 2), gap="large")
    with left:
        st.subheader("What it does")
        said = WORDS.get(entry.key)
        st.markdown(linked((f"{said.idea} " if said else "") + plain.everyday(entry)))
        st.markdown(f"**In one line**: {words.escape_markdown(plain.paragraphs(entry.make)[0])}")
        if departs := plain.departures(entry.make):
            st.markdown(f"**Where it departs from the paper**: {words.escape_markdown(departs)}")
        with st.expander("For readers of the paper"):
            for paragraph in plain.details(entry.make):
                st.markdown(words.escape_markdown(paragraph))
    with right:
        st.subheader("What is claimed, and what holds")
        guarantee = entry.guarantee
        st.markdown(f"**Claim**: {guarantee.claim}  \n**Verdict** in general: {guarantee.verdict}")
        st.markdown(linked(f"**What that means**: {plain.MEANING[guarantee.verdict]}"))
        st.markdown(f"**Why**: {words.escape_markdown(guarantee.reason)}")
        if entry.private:
            st.markdown("The verdict at one setting follows from its numbers: see below.")
        if said:
            st.markdown(linked(f"**In other words**: {said.why}"))
    _parameters(entry)


def _parameters(entry: MethodEntry) -> None:
    st.subheader("Parameters")
    found = plain.rows(entry.make)
    if not found:
        st.markdown("None.")
        return
    frame = pd.DataFrame(
        {"Symbol": row.symbol, "Name": f"`{row.name}`",
         "What it is": f"**{row.label}**. {row.meaning} Allowed: {words.escape_markdown(row.allowed)}. "
         f"Default: {words.escape_markdown(row.default)}."}
        for row in found
    )  # fmt: skip
    st.table(frame, hide_index=True, border="horizontal")


def at_scenario(entry: MethodEntry, scenario: Scenario, data: Dataset) -> None:
    """Ledger and command of the method at the setting of the sidebar."""
    st.subheader("Its ledger at the setting of the sidebar")
    if scenario.model not in entry.models:
        st.info(f"It does not solve {scenario.model}; choose one of {', '.join(entry.models)} to see its ledger.")
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
    st.dataframe(pd.DataFrame(ledger_rows(item)), hide_index=True, width="stretch")
    st.code(command_line(scenario, entry.key), language="bash", wrap_lines=True)
