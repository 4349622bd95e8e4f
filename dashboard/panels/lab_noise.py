"""σ under each accounting rule with what it is really worth, and where the budget of each algorithm goes."""

from functools import partial

import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.compute.evidence import RuleRow, outside, rule_rows, shares
from dashboard.compute.results import Answer
from dashboard.export import FigureSpec
from dashboard.figures import noise
from dashboard.panels.lab import Bench, meaning
from dashboard.panels.shared import errors_on_page, labels, settings, show_figures
from dashboard.scenario import command_line
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
    """Controls for n, m and the rule (ε and δ are in the sidebar), bars, one sentence; words and tables are folded."""
    st.subheader("σ is a fact, ε is a calculation")
    labels(words.FORMULA)
    n, answers, key = _controls(bench)
    delta = bench.scenario.delta if bench.scenario.delta is not None else float(n) ** -1.1
    grant = Grant(epsilon=bench.scenario.epsilon, delta=delta)
    rows = rule_rows(grant, answers)
    for caution in cautions(grant, n):
        st.warning(caution.sentence)
    show_figures(noise_figures(bench, grant, n, answers, key), brief=True, table=False)
    chosen = next(row for row in rows if row.rule.key == key)
    _say_rule(chosen, grant)
    with st.expander("How this is computed"):
        _explain_rule(chosen, grant, bench)
    with st.expander("The numbers"):
        st.dataframe(_frame(rows).drop(columns="caution"), hide_index=True, width="stretch", placeholder="–")
        st.markdown("\n".join(f"- **{row.rule.title}:** {row.caution}." for row in rows if row.caution))


def noise_figures(bench: Bench, grant: Grant, n: int, answers: int, chosen: str) -> list[FigureSpec]:
    """σ of so many answers under each rule, for n rows; the ``chosen`` rule is coloured."""
    rows = rule_rows(grant, answers)
    return [
        FigureSpec(
            key="by_rule", title="Noise by accounting rule",
            alt=f"Noise by rule: {', '.join(f'{row.rule.title} {number_text(row.sigma)}' for row in rows)}",
            caption=f"n·δ = {number_text(n * grant.delta, 2)}; hatched: proves nothing. "
            + _settings(grant, f"{answers} answers of sensitivity 1"),
            draw=partial(noise.by_rule, rows, chosen), style=bench.style, rows=_frame(rows),
        )
    ]  # fmt: skip


def _controls(bench: Bench) -> tuple[int, int, str]:
    one, two, three = st.columns(3)
    options = sorted({*ROWS, bench.n})
    n = one.select_slider(
        "Rows n", options, value=bench.n, key=f"lab_rows_{bench.n}", format_func=lambda value: f"{value:,}",
        help="Sets δ = n^-1.1 unless the sidebar sets δ, and the warning about 1/n.",
    )  # fmt: skip
    answers = two.slider("Answers m", 1, 200, 15, key="lab_answers", help="How many noisy answers share the budget.")
    key = three.selectbox("Rule", list(RULES), key="lab_rule", format_func=lambda k: RULES[k].title)
    return int(n), int(answers), key


def _say_rule(row: RuleRow, grant: Grant) -> None:
    st.markdown(
        f"**{row.rule.title}** promises ε = {number_text(grant.epsilon, 6)}; its noise is worth "
        f"**ε = {number_text(row.loss.epsilon, 4)}**: the best attacker is right in at most {_right(row) or 1000:,} of "
        "1,000 guesses. Hatched bars prove nothing."
    )
    if row.caution:
        st.warning(row.caution[0].upper() + row.caution[1:] + ".")


def _explain_rule(row: RuleRow, grant: Grant, bench: Bench) -> None:
    st.markdown(
        linked("Each calibration rule promises the same (ε, δ). They differ in how much noise they think that takes.")
    )
    st.markdown(linked(f"**{row.rule.title}.** {row.rule.sentence}"))
    st.caption(row.rule.source)
    st.markdown(
        f"Worth μ = {number_text(row.loss.mu)}, ρ = {number_text(row.loss.rho)} at δ = {number_text(grant.delta)}, by "
        "exact accounting."
    )
    meaning(row.loss.mu, Claim(row.loss.epsilon, grant.delta), bench.style, "rule", _settings(grant, row.rule.title))


def _settings(grant: Grant, what: str) -> str:
    return (
        f"ε = {number_text(grant.epsilon, 6)}, δ = {number_text(grant.delta)}, {what}. DP-GEP Lab {VERSION}. "
        f"{words.FORMULA.capitalize()}."
    )


def _right(row: RuleRow) -> int | None:
    return words.right_of_thousand(row.loss.mu, Claim(row.loss.epsilon, row.loss.delta))


def _frame(rows: tuple[RuleRow, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "rule": row.rule.title,
            "σ": number_text(row.sigma, 4),
            "× exact": number_text(row.inflation),
            "worth ε": number_text(row.loss.epsilon),
            "μ": number_text(row.loss.mu),
            "ρ": number_text(row.loss.rho),
            "right of 1,000": _right(row),
            "caution": row.caution or "",
        }
        for row in rows
    )


def budget_panel(bench: Bench) -> None:
    """One waterfall for each algorithm of the sidebar."""
    st.subheader("Where the budget goes")
    st.markdown(
        linked(
            "Every answer takes a share of the budget, in μ². A loop has one bar: the more steps, the less for each."
        )
    )
    labels(words.READS, words.SEED_KNOWN)
    for key in bench.scenario.algorithms:
        with errors_on_page():
            with st.spinner("Solving …"):
                item = cache.answer(bench.scenario, key, bench.data)
            _budget(bench, item)


def _budget(bench: Bench, item: Answer) -> None:
    release = item.release
    st.markdown(f"#### {item.title}")
    show_figures(budget_figures(bench, item), brief=True)
    if out := outside(release.ledger):
        st.warning("Not in the sum: " + ", ".join(map(words.escape_markdown, out)) + ".")
    if release.ledger.unprotected and (parts := shares(release.ledger)):
        st.markdown(linked(words.set_aside(parts, release.accounted.delta)))
    st.markdown("  \n".join(words.standing(item, attacked=False)))
    if (unit := words.unit_of(item)) is not None:
        st.markdown(linked(unit))
    with st.expander("How this is computed"):
        key, end = f"budget_{item.algorithm}", settings(bench.scenario, [item])
        meaning(release.ledger.mu, release.accounted, bench.style, key, end)
        st.code(command_line(bench.scenario, item.algorithm), language="bash", wrap_lines=True)


def budget_figures(bench: Bench, item: Answer) -> list[FigureSpec]:
    """The waterfall of one answer's ledger; none where no answer has a finite μ."""
    if not (parts := shares(item.release.ledger)):
        return []
    return [
        FigureSpec(
            key=f"budget_{item.algorithm}", title=f"Where the budget of {item.title} goes",
            alt=f"Shares of μ² of {item.title}",
            caption=f"Each answer's share of μ². {settings(bench.scenario, [item])}",
            draw=partial(noise.waterfall, parts, bench.grant.mu**2), style=bench.style,
            rows=pd.DataFrame({"answer": p.name, "count": p.count, "μ²": p.squared} for p in parts),
        )
    ]  # fmt: skip
