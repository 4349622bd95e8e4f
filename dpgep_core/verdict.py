"""Verdict of the numbers of one run on its ε: the one place that every command, page, table and report reads.

Three numbers decide. What is *claimed*, or asked for where nobody claims it; what is *accounted*, a bound from above
that the ledger proves; and what is *needed*, a bound from below that a known pair of neighbours shows. "False" needs
evidence, so it is said where more is needed than claimed. Where no more than a loose bound from above exceeds the
claim, the answer is not known.
"""

import math
from dataclasses import dataclass, replace
from typing import Protocol

from dpgep_core.method import Verdict, answering_for, method_entry
from dpgep_core.models import MODELS
from dpgep_core.models.model import Model
from dpgep_core.models.neighbours.attained import pair_mu
from dpgep_core.models.public import PublicFacts
from dpgep_core.params import parameters
from dpgep_core.planning import Plan
from dpgep_core.privacy import Claim, Grant, Ledger
from dpgep_core.privacy.accountant import epsilon_of
from dpgep_core.privacy.ledger import ROUNDING
from dpgep_core.privacy.privacy_loss import at_least, at_most
from dpgep_core.protocols import Conditional, Method, Refuted, calibration_of
from dpgep_core.release import Setting
from dpgep_core.wording import number_text

HOLDING = (Verdict.HOLDS, Verdict.HOLDS_OTHERWISE)
CURATOR = " for the answers of the curator"  # the bound of an algorithm from outside the package


class Judged(Protocol):
    """Facts of one run that decide its verdict: a `Release` has them, and a plan has them before anything is run."""

    @property
    def setting(self) -> Setting: ...
    @property
    def method(self) -> Method: ...
    @property
    def public(self) -> PublicFacts: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def claimed(self) -> Claim | None: ...
    @property
    def accounted(self) -> Claim: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPlan:
    """Facts of a run that is only planned: its ledger is the one that the run will leave."""

    setting: Setting
    method: Method
    public: PublicFacts
    ledger: Ledger
    claimed: Claim | None
    accounted: Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The verdict on one run, with what it follows from.

    Parameters
    ----------
    verdict : Verdict
        One of four words, or that nothing is claimed.
    claim : str
        What the authors claim at this setting, or that they do not and why.
    reason : str
        Why the verdict is what it is, from the numbers.
    general : str
        What is known of the published guarantee in general.
    asked, accounted : float or None
        The ε asked for, and the ε that the ledger proves; None where there is none.
    needed : float
        The ε that a known pair of neighbours needs; 0 where none is known, or the claim holds and none was looked for.
    outside : str
        Why the authors do not claim this ε at this setting; "" where they do.
    """

    verdict: Verdict
    claim: str
    reason: str
    general: str
    asked: float | None
    accounted: float | None
    needed: float
    outside: str = ""

    @property
    def by_authors(self) -> bool:
        """Whether the ε asked for is one that the authors claim at this setting."""
        return self.asked is not None and not self.outside

    @property
    def sentence(self) -> str:
        """The verdict, why, and what is known in general."""
        known = "" if self.general == self.reason else f" In general: {self.general}"
        return f"{self.verdict}. {self.reason}{known}"

    @property
    def claim_short(self) -> str:
        """The claim in the cell of a table."""
        if self.asked is None:
            return "nothing"
        asked = f"ε = {number_text(self.asked, 4)}"
        return f"nothing; {asked} asked for" if self.outside else asked

    @property
    def subject(self) -> str:
        """Subject of the verdict."""
        return "the claim" if self.by_authors or self.asked is None else "the ε asked for"


def decide(asked: float | None, accounted: float | None, needed: float, *, proved: bool) -> Verdict:
    """The word for three numbers; ``proved``: whether a published proof, or ours, covers the setting."""
    if asked is None:
        return Verdict.NONE
    if keeps_to(accounted, asked):
        return Verdict.HOLDS if proved else Verdict.HOLDS_OTHERWISE
    return Verdict.FALSE if needed > asked * (1 + ROUNDING) else Verdict.UNKNOWN


def keeps_to(accounted: float | None, asked: float) -> bool:
    """Whether what is proved is no more than what is asked, rounding aside."""
    return accounted is not None and accounted <= asked * (1 + ROUNDING)


def judge(release: Judged) -> Judgement:
    """Give the verdict on the ε of a run, at its setting."""
    claimed, accounted = release.claimed, release.accounted.epsilon
    if claimed is None or claimed.epsilon is None:
        return _judge_unclaimed(release)
    entry, asked = method_entry(release.setting.algorithm), claimed.epsilon
    guarantee = entry.guarantee
    outside = unclaimed_reason(release)
    calibration = calibration_of(release.method)
    by_us = calibration is not None and calibration.accounted
    proved = by_us or (not outside and guarantee.verdict is Verdict.HOLDS)
    needed = 0.0 if keeps_to(accounted, asked) else needed_epsilon(release)
    verdict = decide(asked, accounted, needed, proved=proved)
    unproved = entry.unproved and verdict in HOLDING
    verdict = Verdict.UNKNOWN if unproved else verdict
    at = f"ε = {number_text(asked, 6)} at δ = {number_text(claimed.delta, 2)}"
    return Judgement(
        verdict=verdict,
        claim=f"nothing at this setting ({outside}); asked for: {at}" if outside else f"{at}: {guarantee.claim}",
        reason=_unproved_reason(release.accounted)
        if unproved
        else _reason(verdict, asked, release.accounted, needed, outside, CURATOR * entry.outside),
        general=guarantee.reason,
        asked=asked,
        accounted=accounted,
        needed=needed,
        outside=outside,
    )


def judge_plan(bound: Plan) -> Judgement | None:
    """Judge a run before it is run, as `judge` will its release; None where the algorithm states no noise plan."""
    if bound.noise is None:
        return None
    entries = tuple(answer.entry for answer in bound.noise)
    if not bound.setting.noise:  # the curator then answers exactly
        entries = tuple(replace(entry, protected=entry.protected and entry.sensitivity == 0) for entry in entries)
    ledger = Ledger((*bound.paid, *entries))
    run = JudgedPlan(
        setting=bound.setting, method=bound.method, public=bound.public, ledger=ledger, claimed=bound.claim,
        accounted=ledger.accounted(bound.grant.delta),
    )  # fmt: skip
    with answering_for(bound.entry):
        return judge(run)


def _unproved_reason(accounted: Claim) -> str:
    return (
        f"The ledger proves ε ≤ {at_most(accounted.epsilon or 0.0)}{CURATOR}, and no proof is "
        "registered that this algorithm, which comes from outside the package, reads the rows in no other way."
    )


def _judge_unclaimed(release: Judged) -> Judgement:
    entry = method_entry(release.setting.algorithm)
    general, off = entry.guarantee.reason, entry.private
    return Judgement(
        verdict=Verdict.NONE,
        claim="nothing: the noise is off" if off else "nothing: this method makes no privacy claim",
        reason="The noise is off, and every answer is exact." if off else general,
        general=general,
        asked=None,
        accounted=release.accounted.epsilon,
        needed=0.0,
    )


def claimed_by_authors(release: Judged) -> bool:
    """Whether the ε of a run is one that the authors claim at its setting."""
    return release.claimed is not None and not unclaimed_reason(release)


def unclaimed_reason(release: Judged) -> str:
    """Why the authors do not claim the ε of a run; "" where they do."""
    method, calibration = release.method, calibration_of(release.method)
    if calibration is not None and calibration.unclaimed:
        return calibration.unclaimed
    if not isinstance(method, Conditional):
        return ""
    with answering_for(method_entry(release.setting.algorithm)):
        return method.outside_claim(release.public, _asked_grant(release))


def needed_epsilon(release: Judged) -> float:
    """The ε that some known pair of neighbours needs for a run's answers at its δ; 0 where no pair is known."""
    public, method, delta = release.public, release.method, release.accounted.delta
    needed = epsilon_of(pair_mu(release.ledger, _model(release), public), delta)
    if not isinstance(method, Refuted):
        return needed
    with answering_for(method_entry(release.setting.algorithm)):
        return max(needed, method.needed_epsilon(public, _asked_grant(release)))


def _asked_grant(release: Judged) -> Grant:
    return Grant(epsilon=release.setting.epsilon, delta=release.accounted.delta, enforced=False)


def _model(release: Judged) -> Model:
    """The model of a run, on made-up columns."""
    make = MODELS[release.setting.model].make
    known = parameters(make).keys() - {"view_columns"}
    return make(**{name: value for name, value in release.setting.params if name in known})


def _reason(verdict: Verdict, asked: float, accounted: Claim, needed: float, outside: str, of: str) -> str:
    """Why, from the numbers; ``of`` are words for the answers that the ledger proves it of, where not all may be."""
    if accounted.epsilon is None:
        bound = f"The ledger proves no ε: {accounted.reason}"
    else:
        more = "" if verdict in HOLDING else "no more than "
        bound = f"The ledger proves {more}ε ≤ {at_most(accounted.epsilon)}{of}"
    if verdict is Verdict.HOLDS:
        return f"{bound}, within the ε = {number_text(asked, 6)} asked for."
    if verdict is Verdict.HOLDS_OTHERWISE:
        return (
            f"{bound}, within the ε = {number_text(asked, 6)} asked for; {outside or 'the published proof has a gap'}."
        )
    if verdict is Verdict.UNKNOWN:
        return f"{bound}; no pair of neighbours is known that needs more than ε = {number_text(asked, 6)}."
    if math.isinf(needed):
        return f"{bound}; no ε is enough for the answers about a known pair of neighbours."
    return f"{bound}; the noisy answers about a known pair of neighbours need ε ≥ {at_least(needed)}."
