"""The exhibit "Which method?": all sound methods at their best, by the ε that each needs."""

from functools import partial

import pandas as pd
import streamlit as st

from dashboard.controls import choose_part
from dashboard.export import FigureSpec
from dashboard.figures.which_method import FEWEST, which_method_dots
from dashboard.panels.shared import show_figure, style, what_if
from dashboard.text.gallery import opened
from dashboard.text.which_method import (
    KINDS,
    SHARES,
    TITLE,
    WHICH,
    chosen_reaches,
    losses,
    missing,
    ordered_titles,
    verdict,
)
from dashboard.text.words import READS, SEED_KNOWN, escape_markdown
from dpgep_core.kept_table import kept_rows

SHARE_TITLES = {key: f"{key} % of the gain" for key in SHARES}
COMMAND = (
    "dpgep sweep docs/algorithms/which-method/NAME.toml --out NAME.csv\npython benchmarks/which_method.py NAME.csv"
)
HOW = (
    "The gain is that of LDA on the exact projection over LDA on a random one. Every method runs on a grid of public "
    "settings, and the best setting is picked in hindsight. That reads the rows, and is in favour of whoever has more "
    "settings, which are the others. ε is what the ledger proves, under exact calibration. Methods without a "
    "provable ε, such as DPSR with FDA, are left out."
)
WHY = (
    "Two steps share one budget. Where there are few rows, the class sums of the first step are noise, and one answer "
    "with all of the budget tells more. Where rows have one length anyway, centring them gains little."
)


def which_card() -> None:
    """The way to the exhibit from the list of all exhibits."""
    st.button(TITLE, key="open_which", type="primary", on_click=st.session_state.update, args=(opened(WHICH),),
              help="All sound methods at their best, by the ε that each needs.")  # fmt: skip


def which_panel() -> None:
    """The whole page of the exhibit."""
    st.button("← All tables and figures", type="tertiary", on_click=st.session_state.update, args=(opened(),))
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(TITLE)
        what_if()
    with st.container(horizontal=True):
        kind = choose_part("Model", "kind", KINDS) if len(KINDS) > 1 else next(iter(KINDS))
        share = choose_part("Share of the gain", "share", SHARE_TITLES)
    reaches = chosen_reaches(kind, share)
    st.markdown(f"**{escape_markdown(verdict(reaches))}**")
    show_figure(_spec(kind, share))
    if lost := losses(reaches):
        with st.expander("Where ours loses, and why", key="which_losses"):
            st.markdown("\n".join(f"- {escape_markdown(said)}" for said in lost))
            st.caption(WHY)
    with st.expander("How it is computed", key="which_how"):
        st.markdown(HOW)
        st.code(COMMAND, language="shell")
        st.caption(escape_markdown(" ".join(missing(reaches)) or "No cell is missing."))


def _spec(kind: str, share: str) -> FigureSpec:
    reaches = chosen_reaches(kind, share)
    said = f"ε for {share} % of the accuracy gain, {KINDS[kind]}"
    sets = {reach.dataset for reach in reaches}
    bar = ", a bar at the median" if len(sets) >= FEWEST else ""
    return FigureSpec(
        key="which", title=said, alt=f"{said}: a row for each method, a dot for each data set. {verdict(reaches)}",
        caption=f"{said}: a dot for each of {len(sets)} data sets{bar}. "
                f"{READS.capitalize()}; {SEED_KNOWN}.",
        draw=partial(which_method_dots, reaches, ordered_titles(reaches)), style=style(),
        rows=pd.DataFrame(kept_rows(reaches)), stem="which-method",
    )  # fmt: skip
