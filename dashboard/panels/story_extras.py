"""Panels that the stories need and no other page has."""

from functools import partial

import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.compute.membership import Membership
from dashboard.compute.results import Answer
from dashboard.export import FigureSpec
from dashboard.figures import evidence
from dashboard.panels.shared import Scene, badges, figure_of, show_figure
from dashboard.stories.proofs import energy_rows, leak_rows, member_rows, pair_rows, swap_rows
from dashboard.text import words
from dpgep_core.models.neighbours import COUNTEREXAMPLES


def leak(scene: Scene) -> None:
    """What the singular values of an output give away of B."""
    st.subheader("What the output gives away")
    badges()
    for item in scene.answers:
        if not (rows := leak_rows(item, scene.reference)):
            st.info(f"{item.title} puts out no W = V(Λ_B + ξ)^-½V′ with a square V′: choose `dpsr` and k = d.")
            continue
        st.markdown(f"**{item.title}**: the thin SVD of W is U S Vᵀ. Beside 1/S² − ξ, what only the curator may see.")
        st.dataframe(pd.DataFrame(rows), hide_index=True, width="stretch")


def swaps(scene: Scene) -> None:
    """Exchange real rows and look how far B moves."""
    st.subheader("Exchange one row for another")
    badges()
    if scene.answers[0].release.public.identity_constraint:
        st.info("In PCA B is the identity and never moves: choose another model.")
        return
    for spec in swaps_figures(scene):
        show_figure(spec)


def swaps_figures(scene: Scene) -> list[FigureSpec]:
    """How far real rows move B when they are exchanged, beside the proved bound."""
    found = cache.row_swaps(scene.scenario, scene.data)
    return [
        figure_of(
            scene, partial(evidence.changes, found), key="swaps", title="How far one row moves B",
            alt=f"Histogram of n times the change of B; worst made-up row {found.made_up:.2f}, "
            f"proved {found.proved:.2f}",
            caption="Noise has to reach the line on the right, whatever the rows are. ", rows=swap_rows(found),
        )
    ]  # fmt: skip


def energy(scene: Scene) -> None:
    """Picture of the columns that carry the rows."""
    st.subheader("Which columns carry the rows?")
    badges()
    for spec in energy_figures(scene):
        show_figure(spec)


def energy_figures(scene: Scene) -> list[FigureSpec]:
    """The share of the squared length of the rows that each column carries."""
    rows = energy_rows(scene.scenario, scene.data)
    shares, names = rows["share of the energy"].to_numpy(float), list(rows["column"])
    return [
        figure_of(
            scene, partial(evidence.energies, shares, names), key="energy", title="Energy by column",
            alt=f"Share of the squared length of the rows by column, the largest {100 * shares.max():.0f} %",
            caption="Share of the squared length of the rows as the algorithm sees them. ", rows=rows,
        )
    ]  # fmt: skip


def counterexample(key: str) -> None:
    """A published constant that fails, at growing n."""
    example = COUNTEREXAMPLES[key]
    st.subheader("The pair of neighbours")
    st.markdown(f":gray-badge[{words.MADE_UP}]")
    title, pair, why = map(words.escape_markdown, (example.title, example.pair, example.why))
    st.markdown(f"**{title}.** {pair} {why}")
    st.dataframe(pair_rows(key), hide_index=True, width="stretch")


def membership(scene: Scene) -> None:
    """Train a forest on projected rows and ask it who was in it."""
    st.subheader("Was this row in it?")
    badges()
    if not scene.reference.scorable:
        st.info(f"No classifier is scored here, because {scene.reference.unscored}.")
        return
    for spec in membership_figures(scene):
        show_figure(spec)


def membership_figures(scene: Scene) -> list[FigureSpec]:
    """Right guesses about who was in a forest, beside what ε allows: one figure for each algorithm."""
    return [
        _membership(scene, item, cache.members(scene.scenario, item.algorithm, scene.data)) for item in scene.answers
    ]


def _membership(scene: Scene, item: Answer, found: Membership) -> FigureSpec:
    return figure_of(
        scene, partial(evidence.guesses, found), key=f"membership_{item.algorithm}",
        title=f"Was this row in it? {item.title}",
        alt=f"Right guesses {100 * found.right:.1f} %, allowed {100 * found.allowed:.1f} %",
        caption=f"A random forest trained on {found.trained_on:,} projected rows, asked about {found.asked:,}, "
        f"half of them its own. It is surer of rows it knows: {found.inside:.2f} against {found.outside:.2f} of "
        "its trees vote for the true label. ",
        rows=member_rows(found),
    )  # fmt: skip
