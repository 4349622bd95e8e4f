"""The line of headline numbers, and what the ε beside them is worth."""

import math
from typing import Any

import streamlit as st

from dashboard import words
from dashboard.figures import odds
from dashboard.panels.shared import Scene, badges, chart
from dashboard.services import Answer

CELL_WIDTH = 210  # all alike, so that a wrapped row looks like the others


def show(scene: Scene) -> None:
    """One row per algorithm, then the privacy statement of each."""
    badges()
    for number, item in enumerate(scene.answers):
        _numbers(scene, item, number)
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
    diagnostic = item.diagnostic
    colour = scene.style.algorithm(number)
    st.markdown(f"<b style='color:{colour}'>&#9632;</b> **{item.title}**", unsafe_allow_html=True)
    cells = st.container(horizontal=True, key=f"numbers_{number}")
    if "lda" in diagnostic.accuracy:
        scores = diagnostic.accuracy["lda"]
        _cell(
            cells,
            "Accuracy (LDA)",
            f"{scores.private.accuracy:.3f}",
            f"{scores.non_private.accuracy:.3f} exact, {scores.random.accuracy:.3f} random",
            f"Linear discriminant on projected rows, {scores.private.n_test:,} held out; 95 % interval "
            f"{scores.private.low:.3f} to {scores.private.high:.3f}. Random projection {scores.random.accuracy:.3f}, "
            f"majority class {diagnostic.majority or 0:.3f}.",
        )
    _cell(
        cells,
        "Principal angle",
        f"{diagnostic.principal_angles.mean():.1f}°",
        "90° shares nothing",
        "Mean angle between the private and the exact space of components; 0° is the same space.",
    )
    _cell(
        cells,
        "Mean |cosine|",
        f"{diagnostic.mean_cosine_similarity:.3f}",
        f"{diagnostic.chance_cosine:.3f} by chance",
        "To the exact components at the same ξ and sparsity, one by one. It misleads where components swap.",
    )
    if (sigma := _sigma(item)) is not None:
        _cell(cells, *sigma, "noise on each answer", "Scale of the noise, for each answer in the ledger.")
    _cell(
        cells,
        "Claimed ε → accounted",
        *_epsilons(item),
        "The authors claim; the ledger proves. μ is the same guarantee without δ.",
    )


def _cell(cells: Any, label: str, value: str, note: str, help_text: str) -> None:
    cells.metric(
        label, value, note, delta_color="off", delta_arrow="off", border=True, width=CELL_WIDTH, help=help_text
    )


def _sigma(item: Answer) -> tuple[str, str] | None:
    protected = [entry for entry in item.release.ledger if entry.protected]
    if not protected:
        return None
    return "σ", " · ".join(f"{entry.sigma:.3g}" for entry in protected)


def _epsilons(item: Answer) -> tuple[str, str]:
    claimed, accounted = item.release.claimed, item.release.accounted
    left = "none" if claimed is None else f"{claimed.epsilon:.4g}"
    if accounted.epsilon is None:
        return f"{left} → ∞", "no guarantee"
    return f"{left} → {accounted.epsilon:.3g}", words.mu_text(item.release.ledger.mu)


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
