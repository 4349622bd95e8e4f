"""Every algorithm at the scenario: claimed, accounted, attacked, and the verdict in a sentence."""

import math
from typing import Any

import pandas as pd
import streamlit as st

from dashboard import cache
from dashboard.compute.evidence import QUICK_TRIALS, ROWS, SLOW, SLOW_ROWS, VerdictRow
from dashboard.panels.lab import Bench, labels
from dashboard.panels.progress import fill
from dashboard.panels.shared import stacking_table
from dashboard.scenario import fitting_algorithms
from dashboard.text import words
from dashboard.text.glossary import linked
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.audit import AuditFinding, AuditResult, found_by
from dpgep_core.method import MethodEntry
from dpgep_core.privacy.privacy_loss import accounted_short, at_least


def verdicts_panel(bench: Bench) -> None:
    """A table that fills; the column of attacks on request."""
    st.subheader("Claimed, accounted, attacked")
    st.markdown(linked(words.THREE_WORDS))
    labels(words.READS, words.SEED_KNOWN)
    asked = st.toggle(
        "Attack each of them", key="lab_attack_all",
        help=f"{QUICK_TRIALS} + {QUICK_TRIALS} runs on made-up neighbours of {ROWS:,} rows. It may take minutes.",
    )  # fmt: skip
    jobs: list[Any] = [cache.verdicts(bench.scenario, bench.data)]
    if asked:
        jobs.append(cache.attacks(bench.scenario.with_algorithms("exact")))
    fill(jobs, lambda found: _table(bench, found), "Running every algorithm" + " and its attack" * asked)
    st.markdown(words.unit_line(bench.scenario.relation, bench.n, bench.grant.delta, bench.learnt))
    st.caption(words.NO_LEAK + f" Attacks use a made-up pair ({ROWS:,} rows; {SLOW_ROWS} for {', '.join(SLOW)}).")


def _table(bench: Bench, found: list[tuple[Any, ...]]) -> None:
    rows = {row.algorithm: row for row in found[0]}
    attacked = {one.algorithm: one for one in found[1]} if len(found) > 1 else {}
    frame = pd.DataFrame(
        _row(key, rows.get(key), attacked.get(key), len(found) > 1) for key in fitting_algorithms(bench.scenario.model)
    )
    stacking_table(frame, "verdict_table")


def _row(key: str, row: VerdictRow | None, attack: AuditResult | VerdictRow | None, asked: bool) -> dict[str, str]:
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
