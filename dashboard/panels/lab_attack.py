"""Attacks: on one algorithm, live, with what outputs give away; and every algorithm with its verdict."""

import math
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.compute.evidence import COLUMNS, QUICK_TRIALS, ROWS, SLOW, SLOW_ROWS, VerdictRow, attack_of, audited_keys
from dashboard.controls import hold_choice
from dashboard.export import FigureSpec
from dashboard.figures import noise as figures
from dashboard.panels.epsilon_bars import verdict_bars
from dashboard.panels.lab import Bench, settings_line
from dashboard.panels.progress import fill
from dashboard.panels.shared import labels, show_figure, stacking_columns, stacking_table
from dashboard.scenario import fitting_algorithms
from dashboard.text import words
from dashboard.text.glossary import linked
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.audit import AuditFinding, AuditResult, resolve
from dpgep_core.audit.distinguishers import DISTINGUISHERS
from dpgep_core.audit.pairs import PAIRS
from dpgep_core.audit.result import CAUGHT, FAULTS, found_by, power_in_words
from dpgep_core.method import MethodEntry
from dpgep_core.privacy.privacy_loss import accounted_short, accounted_text, at_least
from dpgep_core.wording import number_text

TRIALS = (100, 200, 500, 1000, 2000, 5000, 10_000)
PICTURES = 3  # of an attack
FULL_OUTPUTS = ("dpsr", "dpsrs", "dpsr_corrected")  # W = V(Λ_B + ξ)^-½V′ with a square V′
CORRECTED = {"dpsr": "dpsr_corrected", "dpsrs": "dpsr_corrected"}


def attack_panel(bench: Bench, *, told: bool = False) -> None:
    """Choose an algorithm, attack it, look; then find B and a row.

    ``told`` where a story tells the rest: nothing that its next step asks is given away, and pictures stand under each
    other, beside its words.
    """
    st.subheader("Let an attacker guess many times")
    if told:  # the lab has said it over its game
        labels(words.MADE_UP, words.SEED_KNOWN)
    keys = audited_keys(bench.scenario.model)
    hold_choice("lab_attacked", keys, "dpsr" if "dpsr" in keys else None)
    one, two = st.columns(2)
    key = one.selectbox("Attacked", keys, key="lab_attacked", format_func=lambda k: ALGORITHMS[k].title)
    trials = two.select_slider(
        "Runs on each side", TRIALS, value=200, key="lab_trials", format_func=lambda n: f"{n:,}",
        help="More runs can show more. A perfect attack needs 550 on each side to show ε ≥ 5.",
    )  # fmt: skip
    if key in CORRECTED and not told:
        st.button(
            "Attack the corrected algorithm", on_click=st.session_state.__setitem__,
            args=("lab_attacked", CORRECTED[key]),
            help="The same attack, the same pair, with noise on Λ_B as well.",
        )  # fmt: skip
    if key in SLOW:
        st.info("This method asks once for every row and is accounted slowly: its attack takes minutes.")
    attack = resolve(attack_of(bench.scenario, key, trials))
    pair, test = PAIRS[str(attack.pair)], DISTINGUISHERS[str(attack.distinguisher)]
    fill([cache.growing_attack(attack)], lambda found: _draw(bench, found, trials, told), "Running both sides")
    with st.expander("How this is computed"):
        st.markdown(
            f"**Pair** of {attack.rows:,} rows, {COLUMNS} columns: {pair.title}. {pair.sentence}  \n"
            f"**Attacker** knows both data sets and every public setting, sees one output. {test.sentence}"
        )
    if not told and bench.scenario.model == "fda" and key in FULL_OUTPUTS:
        give_away(bench, key)


def _draw(bench: Bench, found: list[tuple[Any, ...]], trials: int, told: bool) -> None:
    results: tuple[AuditResult, ...] = found[0]
    if not results:
        st.caption("The first runs are on their way.")
        return
    last = results[-1]
    places = [st.container() for _ in range(PICTURES)] if told else stacking_columns(PICTURES, "attack_pictures")
    for place, spec in zip(places, attack_figures(bench, results, trials), strict=True):
        with place:
            show_figure(spec, brief=True)
    accounted = accounted_text(last.accounted, last.mu)
    st.markdown(
        f"**Claimed** by the authors: {words.escape_markdown(last.claim)}. "
        f"**Accounted** {words.escape_markdown(accounted)}. "
        f"**Attacked** {last.sentence}.  \n"
        f"Right guesses: **{last.guesses:,} of {2 * last.trials:,}**; blind guessing gives {last.trials:,}."
        + (f" {words.escape_markdown(last.evidence[0].upper() + last.evidence[1:])}." if last.evidence else "")
    )
    if last.finding is AuditFinding.NOTHING:
        _power(last)
    st.caption(words.NO_LEAK)


def _power(result: AuditResult) -> None:
    """Say which bound so many runs could have found, beside the words that they found nothing."""
    if not result.power:
        st.caption(power_in_words(result.power, result.trials))
        return
    frame = pd.DataFrame(
        {
            "Planted fault": FAULTS[one.fault],
            "Runs on each side that catch it": f"{one.runs:,}" if one.runs else f"more than {one.most:,}",
            f"With {result.trials:,} runs": "found" if one.runs and one.runs <= result.trials else "may be missed",
        }
        for one in result.power
    )
    st.markdown("**What this attack could have found:** faults planted in the algorithm.")
    st.dataframe(frame, hide_index=True, width="content", placeholder="–")
    st.caption(
        f"Caught in {number_text(100 * CAUGHT)} % of the audits, "
        f"at ε = {number_text(result.power[0].epsilon)} and default settings."
    )


def attack_figures(bench: Bench, results: tuple[AuditResult, ...], trials: int) -> list[FigureSpec]:
    """The attacker's view, hits against false alarms, and the bound as it grows towards so many ``trials``."""
    last = results[-1]
    scores = [*last.scores, *last.scores_other]
    used = ["D"] * len(last.scores) + ["D′"] * len(last.scores_other)
    grown = [
        {"runs on each side": r.trials, "TPR": r.tpr, "FPR": r.fpr, "AUC": r.auc,
         "ε at least": r.epsilon_lower_bound, "μ at least": r.mu_lower_bound, "most they can show": r.ceiling}
        for r in results
    ]  # fmt: skip
    table = pd.DataFrame({"data set": used, "statistic": scores})
    settings = (
        f"{ALGORITHMS[last.algorithm].title}, {last.trials:,} runs on each side. {words.NO_LEAK.replace('*', '')} "
        + settings_line(bench, words.MADE_UP, words.SEED_KNOWN)
    )
    pictures = (
        ("scores", "What the attacker sees", f"The statistic under D and D′, AUC {last.auc:.2f}",
         partial(figures.histograms, last), table),
        ("roc", "Hits against false alarms", f"Hits against false alarms: {last.tpr:.2f} at {last.fpr:.2f}",
         partial(figures.roc, last), table),
        ("growth", "What so many runs show",
         f"Lower bound on ε: {last.epsilon_lower_bound:.2f} after {last.trials} runs on each side",
         partial(figures.growth, results, trials), pd.DataFrame(grown)),
    )  # fmt: skip
    return [
        FigureSpec(f"attack_{key}", title, alt, f"{alt}. {settings}", draw, bench.style, rows)
        for key, title, alt, draw, rows in pictures
    ]


def give_away(bench: Bench, key: str, *, told: bool = False) -> None:
    """Traces of B and of one row in the outputs, under each other where a story tells of them, the row first."""
    st.subheader("What a few outputs give away")
    if told:
        labels(words.MADE_UP, words.SEED_KNOWN)
    xi = float(dict(bench.scenario.params_of(key)).get("xi", 0.01)) or 0.01
    found = cache.reconstruction(key, bench.scenario.epsilon, xi, bench.scenario.seed)
    left, right = (st.container(), st.container())[::-1] if told else stacking_columns(2, "attack_leaks", gap="large")
    with left:
        st.markdown(
            f"**All of B** has {COLUMNS * (COLUMNS + 1) // 2} unknowns. Each {COLUMNS}×{COLUMNS} output shows "
            f"{COLUMNS} numbers uᵀBu; {found.needed} outputs are enough, if those numbers are exact."
        )
        frame = pd.DataFrame(
            {"outputs": count, "equations that count": f"{rank} of {unknowns}",
             "relative error of B": "not determined" if error is None else number_text(error, 2)}
            for count, (rank, unknowns, error) in enumerate(found.ranks, start=1)
        )  # fmt: skip
        st.dataframe(frame, hide_index=True, width="stretch", placeholder="–")
    with right:
        st.markdown(
            f"**The last row**, from 2 outputs and the {ROWS - 1:,} other rows: two candidates, one sign left open. "
            f"The nearer one is off by **{number_text(found.row_error, 2)}** (a row has length 1 at most)."
        )
        frame = pd.DataFrame([found.row, *found.candidates], columns=[f"x{j + 1}" for j in range(COLUMNS)])
        frame.insert(0, "", ["the row", "candidate 1", "candidate 2"])
        st.dataframe(frame.round(4), hide_index=True, width="stretch", placeholder="–")
    if found.row_error < 1e-3:
        st.markdown("Exact numbers left, so the row is found, and every guarantee about that row is void.")
    else:
        st.markdown("The same sums left with noise, so what comes out is not the row. No leak found by this attack.")


def verdicts_panel(bench: Bench) -> None:
    """A table that fills; the column of attacks on request."""
    st.subheader("Claimed, accounted, attacked")
    labels(words.READS, words.SEED_KNOWN)
    asked = st.toggle(
        "Attack each of them", key="lab_attack_all",
        help=f"{QUICK_TRIALS} + {QUICK_TRIALS} runs on made-up neighbours of {ROWS:,} rows. It may take minutes.",
    )  # fmt: skip
    jobs: list[Any] = [cache.verdicts(bench.scenario, bench.data)]
    if asked:
        jobs.append(cache.attacks(bench.scenario.with_algorithms("exact")))
    fill(jobs, lambda found: _verdict_table(bench, found), "Running every algorithm" + " and its attack" * asked)
    st.markdown(words.unit_line(bench.scenario.relation, bench.n, bench.grant.delta, bench.learnt))
    slow = ", ".join(ALGORITHMS[key].title for key in SLOW)
    st.caption(words.NO_LEAK + f" Attacks use a made-up pair ({ROWS:,} rows; {SLOW_ROWS} for {slow}).")
    with st.expander("Claimed, accounted and attacked, in words"):
        st.markdown(linked(words.THREE_WORDS))


def _verdict_table(bench: Bench, found: list[tuple[Any, ...]]) -> None:
    rows = {row.algorithm: row for row in found[0]}
    attacked = {one.algorithm: one for one in found[1]} if len(found) > 1 else {}
    judged = {ALGORITHMS[key].title: row.judgement for key, row in rows.items() if row.judgement is not None}
    if judged:
        said = f"{bench.data.name}, {settings_line(bench, words.READS, words.SEED_KNOWN)}"
        show_figure(verdict_bars(judged, bench.scenario, bench.style, said), brief=True)
    frame = pd.DataFrame(
        _verdict_row(key, rows.get(key), attacked.get(key), len(found) > 1)
        for key in fitting_algorithms(bench.scenario.model)
    )
    stacking_table(frame, "verdict_table")


def _verdict_row(
    key: str, row: VerdictRow | None, attack: AuditResult | VerdictRow | None, asked: bool
) -> dict[str, str]:
    entry = ALGORITHMS[key]
    if not entry.private:
        claimed, accounted, attacked = "nothing", "no guarantee", ""
    else:
        claimed, accounted = ("…", "…") if row is None else (_claim_cell(row), _accounted_cell(row))
        attacked = _attack_cell(attack) if attack is not None else "…" if asked else "not attacked"
    return {
        "Algorithm": f"**{entry.title}**",
        "Claimed": claimed,
        "Accounted": accounted,
        "Attacked": attacked,
        "Verdict": f"**{_verdict(entry, row)}**",
        "Why": _why(entry, row),
    }


def _verdict(entry: MethodEntry, row: VerdictRow | None) -> str:
    if not entry.private:
        return str(entry.guarantee.verdict)
    return "…" if row is None else "–" if row.judgement is None else str(row.judgement.verdict)


def _why(entry: MethodEntry, row: VerdictRow | None) -> str:
    if row is None or row.judgement is None:
        return entry.guarantee.reason
    reason, outside = row.judgement.reason, row.judgement.outside
    more = f" {outside[0].upper()}{outside[1:]}." if outside and outside not in reason else ""
    return words.escape_markdown(reason + more)


def _claim_cell(row: VerdictRow) -> str:
    if row.problem:
        return "not run here: " + words.escape_markdown(row.problem)
    return "nothing" if row.judgement is None else row.judgement.claim_short


def _accounted_cell(row: VerdictRow) -> str:
    if row.accounted is None:
        return ""
    if row.accounted.epsilon is None:
        return words.escape_markdown(row.accounted.reason)
    return accounted_short(row.accounted, row.mu)


def _attack_cell(attack: AuditResult | VerdictRow) -> str:
    if isinstance(attack, VerdictRow):
        return "no attack fits: " + words.escape_markdown(attack.problem)
    if not math.isfinite(attack.epsilon_lower_bound):
        return str(attack.finding)
    shown, most = at_least(attack.epsilon_lower_bound), at_least(attack.ceiling)
    said = f"ε ≥ {shown} (the most that could show: {most}): {attack.finding}"
    if attack.finding is not AuditFinding.NOTHING:
        return said
    return f"{said}; so many runs find: {found_by(attack.power, attack.trials)}"
