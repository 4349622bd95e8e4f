"""The line of headline numbers, and what the ε beside them is worth."""

import math

import streamlit as st

from dashboard import words
from dashboard.cells import cells
from dashboard.figures import odds
from dashboard.panels.shared import Scene, badges, chart
from dashboard.services import Answer

CELL_WIDTH = 128  # six in a row beside the controls on a laptop, two on a telephone
COMPACT = (
    "<style>[class*=st-key-numbers_] [data-testid=stMetric] { padding: .5rem .6rem; }"
    "[class*=st-key-numbers_] [data-testid=stMetricValue] { font-size: 1.25rem; }"
    "[class*=st-key-numbers_] [data-testid=stMetricLabel] p { white-space: normal; font-size: .78rem; }"
    "[class*=st-key-numbers_] [data-testid=stMetricDelta] { white-space: normal; height: auto; font-size: .75rem;"
    " padding: 0; background: none; }"
    "[class*=st-key-numbers_] [data-testid=stMetricDelta] * { white-space: normal; overflow: visible; }</style>"
)


def show(scene: Scene) -> None:
    """One row per algorithm, then the privacy statement of each."""
    numbers(scene)
    meaning(scene)


def numbers(scene: Scene) -> None:
    """One row of numbers per algorithm."""
    badges()
    st.html(COMPACT)
    for number, item in enumerate(scene.answers):
        _numbers(scene, item, number)


def meaning(scene: Scene) -> None:
    """Warnings, and what the ε of each algorithm is worth."""
    warned: dict[str, list[str]] = {}
    for item in scene.answers:
        for warning in item.release.warnings:
            warned.setdefault(warning, []).append(item.title)
    for warning, titles in warned.items():
        st.warning(warning if len(titles) == len(scene.answers) else f"{', '.join(titles)}: {warning}")
    for item in scene.answers:
        if item.release.status != "ok":
            st.warning(f"{item.title}: the iteration left the range of numbers; its last finite basis is shown.")
    for item in scene.answers:
        box = st.expander(
            f"Is that ε true? {item.title}", expanded=len(scene.answers) == 1, on_change="rerun",
            key=f"privacy_{item.algorithm}",
        )  # fmt: skip
        if box.open:
            with box:
                _privacy(scene, item)


def _numbers(scene: Scene, item: Answer, number: int) -> None:
    colour = scene.style.algorithm(number)
    st.markdown(f"<b style='color:{colour}'>&#9632;</b> **{item.title}**", unsafe_allow_html=True)
    with st.container(horizontal=True, gap="small", key=f"numbers_{number}"):
        for cell in cells(item):
            st.metric(
                cell.label, cell.value, cell.note, delta_color="off", delta_arrow="off", border=True,
                width=CELL_WIDTH, height="stretch", help=cell.help,
            )  # fmt: skip


def _privacy(scene: Scene, item: Answer) -> None:
    standing, public, published = words.standing(item), item.release.public, scene.data.X_test is not None
    left, right = st.columns((3, 2), gap="large")
    with left:
        st.markdown(
            f"**Claimed** by the authors: {standing.claimed}  \n"
            f"**Accounted** by us: {standing.accounted}  \n"
            f"**Attacked**: {standing.attacked}  \n"
            f"**Verdict** on the claim: {standing.verdict}"
        )
        st.markdown(words.guess_sentence(standing.mu, item.release.accounted))
        if math.isfinite(standing.mu) and standing.mu > 0:
            epsilon = item.release.accounted.epsilon or 0.0
            st.markdown(
                words.odds_sentence(standing.mu, epsilon) + " These are worst cases, *if the noise were secret*."
            )
        if item.private and item.release.accounted.epsilon is not None:
            st.markdown(
                words.unit_line(public.relation, public.n, item.release.accounted.delta, published_split=published)
            )
        if (line := words.ridge_line(item, bool(getattr(item.release.method, "floor", True)))) is not None:
            st.markdown(line)
        st.caption(f"Preprocessing, public: {scene.laboratory.problem.preprocessing.sentence}. {_classes(scene)}")
    with right:
        if math.isfinite(standing.mu) and standing.mu > 0:
            right_of = 1000 * words.best_guess(standing.mu)
            chart(odds.dots(standing.mu, scene.style), f"dots_{item.algorithm}", f"1,000 dots, {right_of:.0f} filled")
            st.caption("1,000 guesses: dark are right by luck, coloured the most that seeing the result can add.")
            chart(
                odds.trade_off(standing.mu, scene.style),
                f"trade_{item.algorithm}",
                "Most hits at each share of false alarms",
            )


def _classes(scene: Scene) -> str:
    if scene.data.n_classes and not scene.data.classes_declared:
        return "The class set was read off the rows: not covered by the guarantee; declare it in the sidecar."
    return ""
