"""Results of an audit, and what an attack that found nothing could have found.

The numbers of planted faults are in ``power.csv``, made by ``python benchmarks/audit_power.py``.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any

from dpgep_core.audit.bounds import AuditLevel, ceiling, epsilon_bounds, hits
from dpgep_core.kept_table import kept_records
from dpgep_core.privacy import Claim
from dpgep_core.privacy.privacy_loss import at_least
from dpgep_core.privacy.query import Array
from dpgep_core.release import VERSION
from dpgep_core.wording import number_text

FAULTS = {
    "sigma_half": "noise of half the size",
    "sigma_0.8": "noise of 0.8 of the size",
    "no_noise_A": "no noise on A",
    "no_noise_B": "no noise on B",
    "exact_counts": "exact class counts",
}
CAUGHT = 0.95  # of the audits


@dataclass(frozen=True, slots=True)
class FaultPower:
    """One fault planted in one algorithm.

    Parameters
    ----------
    runs : int or None
        Runs on each side with which 95 % of the audits catch it; None where ``most`` are not enough.
    measured : int
        Runs on each side that this was computed from.
    """

    algorithm: str
    model: str
    epsilon: float
    rows: int
    pair: str
    distinguisher: str
    fault: str
    runs: int | None
    most: int
    measured: int


@cache
def power_table() -> tuple[FaultPower, ...]:
    """Every fault that was planted, in the order of the registry."""
    return kept_records(FaultPower, "audit/power.csv")


def power_of(algorithm: str, model: str, pair: str, distinguisher: str) -> tuple[FaultPower, ...]:
    """The rows of one attack; none where it was not measured."""
    asked = (algorithm, model, pair, distinguisher)
    return tuple(p for p in power_table() if (p.algorithm, p.model, p.pair, p.distinguisher) == asked)


def found_by(powers: Sequence[FaultPower], trials: int) -> str:
    """The faults that ``trials`` runs on each side find in 95 % of the audits, in a few words."""
    seen = [FAULTS[p.fault] for p in powers if p.runs is not None and p.runs <= trials]
    return ", ".join(seen) or ("none of the faults that were planted" if powers else "not measured for this attack")


def power_in_words(powers: Sequence[FaultPower], trials: int) -> str:
    """Faults that ``trials`` runs on each side would have found, and those that they would not."""
    if not powers:
        return "What so many runs of this attack could have found was not measured."
    later = [f"{FAULTS[p.fault]} ({p.runs:,} runs)" for p in powers if p.runs is not None and p.runs > trials]
    never = [FAULTS[p.fault] for p in powers if p.runs is None]
    parts = [
        f"{trials:,} + {trials:,} runs of this attack find in {100 * CAUGHT:g} % of the audits: "
        f"{found_by(powers, trials)}."
    ]
    if later:
        parts.append(f"More runs are needed for: {', '.join(later)}.")
    if never:
        parts.append(f"Not found with {powers[0].most:,} + {powers[0].most:,} runs: {', '.join(never)}.")
    return " ".join([*parts, f"Measured at ε = {powers[0].epsilon:g} and default settings."])


class AuditFinding(StrEnum):
    """Findings that an attack allows. None of it says that an algorithm is private: an attack cannot."""

    NOTHING = "no leak found by this attack"
    FALSE = "the claim is false, shown by this attack"
    LEDGER = "more leaks than the ledger accounts for, shown by this attack"
    UNCLAIMED = "no guarantee is claimed"


@dataclass(frozen=True, kw_only=True)
class AuditResult:
    """A lower bound on ε by attack, beside what is claimed and what is accounted.

    Parameters
    ----------
    trials, training : int
        Runs on each side that were tested, and runs on each side that the distinguisher learned from before.
    epsilon_lower_bound : float
        With probability ``confidence`` over the runs, no (ε, δ) with a smaller ε holds. Whatever the noise.
    mu_lower_bound : float
        The same for μ, which is sharper, but speaks of Gaussian noise only.
    ceiling : float
        The most that so many runs can show.
    tpr, fpr : float
        Hits and false alarms at ``cutoff``.
    mu_shares : tuple of float
        Hits and false alarms at the cutoff for μ.
    guesses : int
        Right guesses among all 2 × ``trials`` runs, at the cutoff for μ.
    accounted, mu : Claim, float
        What the ledger proves; ``accounted.epsilon`` is None where an answer left unprotected.
    claim : str
        What the authors claim at this setting, in words; `dpgep_core.verdict` decides it.
    evidence : str
        Why, where something was found.
    learnt : tuple of str
        What was read off the rows of the pair: nothing, for the pairs that come with the audit.
    scores, scores_other : array (trials,)
        The statistic under each data set, for pictures.
    """

    algorithm: str
    model: str
    pair: str
    distinguisher: str
    parameters: Mapping[str, Any]
    n: int
    d: int
    k: int
    seed: int
    trials: int
    training: int
    claimed: Claim | None
    accounted: Claim
    mu: float
    unprotected: tuple[str, ...]
    delta: float
    confidence: float
    epsilon_lower_bound: float
    mu_lower_bound: float
    ceiling: float
    tpr: float
    fpr: float
    auc: float
    mu_shares: tuple[float, float]
    guesses: int
    cutoff: float
    finding: AuditFinding
    evidence: str
    scores: Array = field(repr=False)
    scores_other: Array = field(repr=False)
    claim: str = ""
    learnt: tuple[str, ...] = ()
    seconds: float = 0.0
    version: str = VERSION

    @property
    def level(self) -> AuditLevel:
        """Confidence and δ of the bounds."""
        return AuditLevel(self.confidence, self.delta)

    @property
    def power(self) -> tuple[FaultPower, ...]:
        """At how many runs this attack catches planted faults; empty where that was not measured."""
        return power_of(self.algorithm, self.model, self.pair, self.distinguisher)

    @property
    def sentence(self) -> str:
        """The third of the three rows: claimed, accounted, attacked. That nothing was found is worth what could be."""
        runs = f"{number_text(100 * self.confidence, 6)} %, {self.trials:,} + {self.trials:,} runs"
        shown, most = at_least(self.epsilon_lower_bound), at_least(self.ceiling)  # the most is a lower bound, too
        could = (
            f"; so many runs find: {found_by(self.power, self.trials)}" if self.finding is AuditFinding.NOTHING else ""
        )
        return f"ε ≥ {shown} ({runs}; the most so many runs can show is {most}): {self.finding}{could}"


@dataclass(frozen=True, slots=True)
class GrowthPoint:
    """The bound after some of the runs, and what a perfect attack would have shown by then."""

    trials: int
    epsilon: float
    ceiling: float


def bound_growth(result: AuditResult, trials: Sequence[int]) -> tuple[GrowthPoint, ...]:
    """How the bound grows with the runs: the first so many of each side, at the same cutoff."""
    points: list[GrowthPoint] = []
    for count in trials:
        right, wrong = (int(hits(s[:count], result.cutoff)) for s in (result.scores_other, result.scores))
        points.append(
            GrowthPoint(count, float(epsilon_bounds(right, wrong, count, result.level)), ceiling(count, result.level))
        )
    return tuple(points)


def judge_bounds(
    claimed: Claim | None, accounted: Claim, mu: float, epsilon_bound: float, mu_bound: float
) -> AuditFinding:
    """Finding about the claim and the ledger that the bounds allow."""
    if claimed is None:
        return AuditFinding.UNCLAIMED
    if accounted.epsilon is not None and (epsilon_bound > accounted.epsilon or mu_bound > mu):
        return AuditFinding.LEDGER
    if claimed.epsilon is not None and epsilon_bound > claimed.epsilon:
        return AuditFinding.FALSE
    return AuditFinding.NOTHING


def times_too_small(mu_bound: float, mu: float) -> float:
    """How much more noise Gaussian answers would need; infinite where a leak is shown and the ledger counts none."""
    if mu_bound <= 0:
        return 0.0
    return mu_bound / mu if mu > 0 else math.inf


def explain(finding: AuditFinding, meaning: str, times: float, unprotected: tuple[str, ...]) -> str:
    """Why, in a sentence, where something was found; ``times`` is how much more noise Gaussian answers would need."""
    if finding in (AuditFinding.NOTHING, AuditFinding.UNCLAIMED):
        return ""
    if unprotected:
        return f"{meaning}; the ledger names what left without noise: {', '.join(unprotected)}"
    if math.isinf(times):
        return f"{meaning}: the ledger counts no answer that tells of a row"
    return f"{meaning}: at least {number_text(times)} times too small, if it is Gaussian" if times > 1 else meaning
