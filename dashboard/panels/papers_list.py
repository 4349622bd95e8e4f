"""All tables and figures, by paper, with what came out of each."""

from itertools import groupby

import streamlit as st

from dashboard.compute.sweeps.estimate import span
from dashboard.text.words import escape_markdown
from dpgep_core.experiments.papers import EXHIBITS
from dpgep_core.experiments.papers.bundled_results import bundled_reproduction
from dpgep_core.experiments.papers.data import SOURCES, absent, available
from dpgep_core.experiments.papers.exhibit import Exhibit

ACROSS = 2
ABOUT = (
    "Each table and figure of the three papers is computed here again: under the constants that a paper proves, under "
    "constants of 1, and under noise sized by exact accounting, with our own method beside them. The sentences are "
    "made from the numbers. Where a published number needs something that no guarantee covers, it says so; that the "
    "papers leave settings open is part of it, and a different outcome here need not be a fault there."
)


def exhibits_panel() -> None:
    """One entry an exhibit, the papers' own order."""
    st.markdown(ABOUT)
    for paper, group in groupby(EXHIBITS.values(), key=lambda found: found.paper):
        st.subheader(escape_markdown(paper))
        exhibits = list(group)
        for first in range(0, len(exhibits), ACROSS):
            for column, exhibit in zip(st.columns(ACROSS), exhibits[first : first + ACROSS], strict=False):
                with column:
                    _entry(exhibit)
    with st.expander("Data sets that are not here"):
        for name, why in absent(tuple(SOURCES)).items():
            st.markdown(f"- **{escape_markdown(name)}**: {escape_markdown(why)}.")


def place(exhibit: Exhibit) -> str:
    """Where it is in its paper: "Table 2", "Supplement, figure 3"."""
    *supplement, kind, number = exhibit.key.split("-")[1:]
    return f"Supplement, {kind} {number}" if supplement else f"{kind.capitalize()} {number}"


def title(exhibit: Exhibit) -> str:
    """Place of the exhibit in the paper and what the exhibit shows: "Table 2. Precision, …"."""
    return f"{place(exhibit)}. {exhibit.title}"


def _entry(exhibit: Exhibit) -> None:
    with st.container(border=True, height="stretch", gap="small"):
        st.markdown(f"**{escape_markdown(title(exhibit))}**")
        found = bundled_reproduction(exhibit)
        if found is not None:
            st.markdown(escape_markdown(f"{found.summary}."))
            st.caption(escape_markdown(f"Run: {found.mode}; {span(found.computed)} of computation."))
        else:
            missing = "" if available(exhibit.data) else " None of its data sets is here."
            st.caption(f"No results come with the lab.{missing}")
        st.button(f"Open {place(exhibit)[0].lower()}{place(exhibit)[1:]}", key=f"open_{exhibit.key}", on_click=_open,
                  args=(exhibit.key,))  # fmt: skip


def _open(key: str) -> None:
    st.session_state["exhibit"], st.session_state["task"] = key, ""
