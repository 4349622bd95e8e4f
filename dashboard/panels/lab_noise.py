"""σ under each accounting rule, and what it is really worth."""

import pandas as pd
import streamlit as st

from dashboard.compute.evidence import RuleRow, rule_rows
from dashboard.figures import noise
from dashboard.panels.lab import Bench, labels, meaning
from dashboard.panels.shared import figure
from dashboard.text import words
from dashboard.text.glossary import linked
from dpgep_core.privacy import Claim
from dpgep_core.privacy.ledger import Grant
from dpgep_core.privacy.privacy_loss import cautions
from dpgep_core.privacy.rules import RULES
from dpgep_core.release import VERSION
from dpgep_core.wording import number_text

ROWS = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)


def noise_panel(bench: Bench) -> None:
    """Controls for n and m (ε and δ are in the sidebar), bars, a table, and the words for one rule."""
    st.subheader("σ is a fact, ε is a calculation")
    st.markdown(
        linked("Each calibration rule promises the same (ε, δ). They differ in how much noise they think that takes.")
    )
    labels(words.FORMULA)
    n, answers = _controls(bench)
    delta = bench.scenario.delta if bench.scenario.delta is not None else float(n) ** -1.1
    grant = Grant(epsilon=bench.scenario.epsilon, delta=delta)
    rows = rule_rows(grant, answers)
    for caution in cautions(grant, n):
        st.warning(caution.sentence)
    left, right = st.columns((3, 2), gap="large")
    with right:
        key = st.selectbox("Read one rule", list(RULES), key="lab_rule", format_func=lambda k: RULES[k].title)
        chosen = next(row for row in rows if row.rule.key == key)
        _one(chosen, grant, bench)
    with left:
        figure(
            lambda style: noise.by_rule(rows, key, style), bench.style, key="by_rule", title="Noise by accounting rule",
            alt=f"Noise by rule: {', '.join(f'{row.rule.title} {number_text(row.sigma)}' for row in rows)}",
            caption=f"n·δ = {number_text(n * delta, 2)}; hatched: proves nothing. "
            + _settings(grant, f"{answers} answers of sensitivity 1"),
            rows=_frame(rows), table=False,
        )  # fmt: skip
    st.dataframe(_frame(rows).drop(columns="caution"), hide_index=True, width="stretch")
    st.markdown("\n".join(f"- **{row.rule.title}:** {row.caution}." for row in rows if row.caution))


def _controls(bench: Bench) -> tuple[int, int]:
    one, two = st.columns(2)
    options = sorted({*ROWS, bench.n})
    n = one.select_slider(
        "Rows n", options, value=bench.n, key=f"lab_rows_{bench.n}", format_func=lambda value: f"{value:,}",
        help="Sets δ = n^-1.1 unless the sidebar sets δ, and the warning about 1/n.",
    )  # fmt: skip
    answers = two.slider("Answers m", 1, 200, 15, key="lab_answers", help="How many noisy answers share the budget.")
    return int(n), int(answers)


def _one(row: RuleRow, grant: Grant, bench: Bench) -> None:
    st.markdown(linked(f"**{row.rule.title}.** {row.rule.sentence}"))
    st.caption(row.rule.source)
    if row.caution:
        st.warning(row.caution[0].upper() + row.caution[1:] + ".")
    st.markdown(
        f"Promised: ε = {number_text(grant.epsilon, 6)}. Its noise is worth **ε = {number_text(row.loss.epsilon)}** "
        f"(μ = {number_text(row.loss.mu)}, ρ = {number_text(row.loss.rho)}) at this δ, by exact accounting."
    )
    meaning(row.loss.mu, Claim(row.loss.epsilon, grant.delta), bench.style, "rule", _settings(grant, row.rule.title))


def _settings(grant: Grant, what: str) -> str:
    return (
        f"ε = {number_text(grant.epsilon, 6)}, δ = {number_text(grant.delta)}, {what}. DP-GEP Lab {VERSION}. "
        f"{words.FORMULA.capitalize()}."
    )


def _frame(rows: tuple[RuleRow, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "rule": row.rule.title,
            "σ": number_text(row.sigma, 4),
            "× exact": number_text(row.inflation),
            "worth ε": number_text(row.loss.epsilon),
            "μ": number_text(row.loss.mu),
            "ρ": number_text(row.loss.rho),
            "right of 1,000": words.right_of_thousand(row.loss.mu, Claim(row.loss.epsilon, row.loss.delta)),
            "caution": row.caution or "",
        }
        for row in rows
    )
