"""Rules that turn (ε, δ), a sensitivity and a number of answers into noise, side by side.

All promise the same (ε, δ) for m Gaussian answers of sensitivity Δ; they differ in how much noise they think that
takes. What the noise is really worth is decided by the accountant alone: `Rule.privacy_loss`.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from dpgep_core.errors import DpgepError, ParameterError
from dpgep_core.params import Iterations, definition
from dpgep_core.privacy import calibration
from dpgep_core.privacy.accountant import epsilon_of, mu_classical, rho_zcdp_tight
from dpgep_core.privacy.ledger import Grant
from dpgep_core.privacy.privacy_loss import PrivacyLoss, privacy_loss
from dpgep_core.typed_scipy import brentq
from dpgep_core.wording import number_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One way to calibrate m Gaussian answers to (ε, δ).

    Parameters
    ----------
    key, title, sentence, source : str
        What it is called, what it does in a sentence, and who proved it.
    scale : callable
        From the sensitivity, the grant and m to σ of each answer.
    caution : callable
        From the grant and m to a warning in words, or "" where the rule may be used.
    keeps : bool
        Whether it is a proof at all; the forgetful rule is on show only.
    """

    key: str
    title: str
    sentence: str
    source: str
    scale: calibration.Scale
    caution: Callable[[Grant, int], str] = lambda _grant, _count: ""
    keeps: bool = True

    def sigma(self, sensitivity: float, grant: Grant, count: int = 1) -> float:
        """σ of each of ``count`` answers of this sensitivity; `ParameterError` names a bad argument."""
        if not (math.isfinite(sensitivity) and sensitivity > 0):
            raise ParameterError("sensitivity", sensitivity, "a finite number > 0")
        many = int(definition(Iterations).check("count", count))
        try:
            unit = self.scale(1.0, grant, count=many)
        except (ArithmeticError, ValueError) as error:  # an ε at which an equation has no solution in numbers
            if isinstance(error, DpgepError):
                raise
            unit = math.nan
        return calibration.usable_scale(sensitivity * unit, grant.epsilon)

    def privacy_loss(self, grant: Grant, count: int = 1) -> PrivacyLoss:
        """Worth of that noise, by exact accounting: the sensitivity cancels."""
        return privacy_loss(math.sqrt(count) / self.sigma(1.0, grant, count), grant.delta)


def _zcdp_tight(sensitivity: float, grant: Grant, /, *, count: int = 1, share: float = 1.0) -> float:
    return sensitivity * math.sqrt(count / share / (2 * rho_zcdp_tight(grant.epsilon, grant.delta)))


def _classical(sensitivity: float, grant: Grant, /, *, count: int = 1, share: float = 1.0) -> float:
    return sensitivity * math.sqrt(count / share) / mu_classical(grant.epsilon, grant.delta)


def _advanced(sensitivity: float, grant: Grant, /, *, count: int = 1, share: float = 1.0) -> float:
    part = _advanced_part(calibration.part_of(grant, share), count)
    return calibration.classical(sensitivity, part.epsilon, part.delta)


def _advanced_part(grant: Grant, count: int) -> Grant:
    """ε₀ and δ₀ of one answer: half of δ is the slack of the composition."""
    return Grant(epsilon=advanced_share(grant.epsilon, grant.delta / 2, count), delta=grant.delta / (2 * count))


def advanced_epsilon(share: float, slack: float, count: int) -> float:
    """ε of ``count`` answers of ``share`` each, at ``slack`` more δ: √(2m log(1/δ′))ε₀ + mε₀(e^ε₀ − 1).

    Dwork, Rothblum & Vadhan 2010, Theorem III.3; Chen et al. quote it as their Lemma 5.
    """
    return math.sqrt(2 * count * math.log(1 / slack)) * share + count * share * math.expm1(share)


@cache
def advanced_share(epsilon: float, slack: float, count: int) -> float:
    """The ε₀ of one answer with which advanced composition of ``count`` of them gives ``epsilon``."""
    most = epsilon / math.sqrt(2 * count * math.log(1 / slack))  # the linear term alone
    capped = min(most, 700.0)  # e^ε₀ stays a number

    def excess(share: float) -> float:
        return advanced_epsilon(share, slack, count) - epsilon

    return float(brentq(excess, 0.0, capped, xtol=1e-300))


def _classical_caution(grant: Grant, _count: int) -> str:
    if not calibration.classical_holds(grant):
        true = epsilon_of(mu_classical(grant.epsilon, grant.delta), grant.delta)
        return (
            f"invalid: at ε = {number_text(grant.epsilon)} the classical rule gives too little noise, worth "
            f"ε = {number_text(true)}"
        )
    return calibration.beyond_classical(grant.epsilon)


def _forgetful_caution(grant: Grant, count: int) -> str:
    if count == 1:
        return ""
    true = epsilon_of(math.sqrt(count) * grant.mu, grant.delta)
    return (
        f"no proof: each of {count} answers spends all of ε = {number_text(grant.epsilon)}; together they "
        f"are worth {number_text(true)}"
    )


RULES: Mapping[str, Rule] = {
    rule.key: rule
    for rule in (
        Rule(
            key="exact",
            title="Exact (Gaussian DP)",
            sentence="μ² adds over the answers, and the largest μ that (ε, δ) allows is solved for: no slack at all.",
            source=calibration.EXACT.source,
            scale=calibration.exact,
        ),
        Rule(
            key="zcdp",
            title="zCDP, as in the papers",
            sentence="ρ = μ²/2 adds over the answers; (ε, δ) is turned into ρ by a simple bound.",
            source="Bun & Steinke 2016, Proposition 1.3",
            scale=calibration.zcdp,
        ),
        Rule(
            key="zcdp_tight",
            title="zCDP, tight conversion",
            sentence="The same sum of ρ, with a conversion from (ε, δ) that is optimised over all Rényi orders.",
            source="Canonne, Kamath & Steinke 2020, Proposition 7",
            scale=_zcdp_tight,
        ),
        Rule(
            key="classical",
            title="Classical Gaussian, whole run",
            sentence="All m answers count as one long vector of sensitivity √m Δ under the rule √(2 log(1.25/δ))/ε.",
            source="Dwork & Roth 2014, Theorem A.1",
            scale=_classical,
            caution=_classical_caution,
        ),
        Rule(
            key="advanced",
            title="Advanced composition",
            sentence="Each answer gets the ε₀ at which m of them compose to ε; grows as √m, but starts dear.",
            source="Dwork, Rothblum & Vadhan 2010, Theorem III.3, with the classical rule for each answer",
            scale=_advanced,
            caution=lambda grant, count: _classical_caution(_advanced_part(grant, count), 1),
        ),
        Rule(
            key="basic",
            title="Basic composition",
            sentence="Each answer gets ε/m and δ/m: losses are simply added up, so σ grows as m.",
            source="Dwork & Roth 2014, Theorem 3.16, with the classical rule for each answer",
            scale=calibration.classical_part,
            caution=lambda grant, count: _classical_caution(calibration.part_of(grant, 1 / count), 1),
        ),
        Rule(
            key="forgetful",
            title="Composition forgotten",
            sentence="Each answer is calibrated as if it were the only one. Not a proof: the total is √m times μ.",
            source=calibration.FORGETFUL.source,
            scale=calibration.forgetful,
            caution=_forgetful_caution,
            keeps=False,
        ),
    )
}
