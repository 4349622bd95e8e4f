"""From a grant to noise scales: the exact rule, the rules of the papers, and calibrations as objects.

A calibration is what a user chooses by its key, such as ``published`` or ``exact``. An algorithm holds a mapping from
keys to `Calibration` objects and reads every consequence of the choice off the object.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Protocol

from dpgep_core.errors import ParameterError
from dpgep_core.params import Checked, Choice
from dpgep_core.privacy.accountant import mu_classical, mu_of, root_rho_zcdp
from dpgep_core.privacy.ledger import Grant

CLASSICAL_PROVED = 1.0  # the classical rule is a theorem for ε below this
ROUND_UP = 1 + 1e-11  # more noise than the root of the equation, so that rounding never lands above the grant

Constants = Literal["tight", "proved", "printed", "unit"]


class Scale(Protocol):
    """σ of each of ``count`` equal answers that together spend ``share`` of a grant."""

    def __call__(self, sensitivity: float, grant: Grant, /, *, count: int = 1, share: float = 1.0) -> float: ...


def exact(sensitivity: float, grant: Grant, /, *, count: int = 1, share: float = 1.0) -> float:
    """σ of ``count`` equal answers that together spend ``share`` of the grant's μ², by exact Gaussian accounting."""
    return ROUND_UP * sensitivity * math.sqrt(count / share) / grant.mu


def forgetful(sensitivity: float, grant: Grant, /, *, count: int = 1, share: float = 1.0) -> float:  # noqa: ARG001
    """σ of one answer that spends the whole grant, whatever else is asked."""
    return exact(sensitivity, grant)


def classical(sensitivity: float, epsilon: float, delta: float) -> float:
    """σ of one answer by the classical rule Δ√(2 log(1.25/δ))/ε (Dwork & Roth 2014, Theorem A.1)."""
    return scale_over(sensitivity, mu_classical(epsilon, delta), epsilon)


def classical_part(sensitivity: float, grant: Grant, /, *, count: int = 1, share: float = 1.0) -> float:
    """σ of each answer by the classical rule at its part of ε and of δ: basic composition."""
    part = part_of(grant, share / count)
    return classical(sensitivity, part.epsilon, part.delta)


def zcdp(sensitivity: float, grant: Grant, /, *, count: int = 1, share: float = 1.0) -> float:
    """σ of ``count`` equal answers that together spend ``share`` of ρ, as the papers convert (ε, δ) to ρ-zCDP."""
    wide = sensitivity * math.sqrt(count / (2 * share))
    return scale_over(wide, root_rho_zcdp(grant.epsilon, grant.delta), grant.epsilon)


def scale_over(wide: float, budget: float, epsilon: float) -> float:
    """σ = ``wide`` / ``budget``, checked."""
    return usable_scale(wide / budget if budget > 0 else math.inf, epsilon)


def usable_scale(sigma: float, epsilon: float) -> float:
    """σ itself; `ParameterError` where ε is so small or so large that σ is no finite number above 0."""
    if not 0 < sigma < math.inf:
        raise ParameterError("epsilon", epsilon, "a number whose noise σ is finite and above 0 under this rule")
    return sigma


def part_of(grant: Grant, share: float) -> Grant:
    """A share of ε and of δ."""
    return Grant(epsilon=grant.epsilon * share, delta=grant.delta * share)


def beyond_classical(epsilon: float) -> str:
    """Why no theorem covers the classical rule at this ε; "" below 1, where one does."""
    if epsilon < CLASSICAL_PROVED:
        return ""
    return f"the classical rule is a theorem for ε below {CLASSICAL_PROVED:g}, and is used at ε = {epsilon:.3g}"


def classical_holds(grant: Grant) -> bool:
    """Whether the classical rule guarantees (ε, δ). It fails above ε ≈ 8."""
    return mu_classical(grant.epsilon, grant.delta) <= mu_of(grant.epsilon, grant.delta)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """One way to turn (ε, δ) and a sensitivity into noise.

    Parameters
    ----------
    key, title, source : str
        Word in links, JSON and on the command line; what the calibration does; who published it.
    scale : callable or None
        From the sensitivity and the grant to σ. None where σ depends on the sampling rate as well: the algorithm then
        computes σ itself.
    constants : {"tight", "proved", "printed", "unit"}
        Bound on the sensitivity that ``scale`` takes: the smallest one; the one the authors prove; the one they print,
        which need not be valid; or 1/n.
    isotropic : bool
        Whether a symmetric matrix gets isotropic noise, which has half the variance off the diagonal. Otherwise the
        entries on and above the diagonal are independent, as in the papers.
    accounted : bool
        Whether σ is solved for by exact accounting, so that every plan keeps to ε.
    unclaimed : str
        Why no author claims the ε of a run under this calibration; "" where the authors do.
    """

    key: str
    title: str
    source: str
    scale: Scale | None = None
    constants: Constants = "tight"
    isotropic: bool = False
    accounted: bool = False
    unclaimed: str = ""

    def sigma(self, sensitivity: float, grant: Grant, *, count: int = 1, share: float = 1.0) -> float:
        """σ of each of ``count`` equal answers that together spend ``share`` of the grant."""
        if self.scale is None:
            raise TypeError(f"{self.key}: σ depends on the sampling rate, which the algorithm knows")
        return self.scale(sensitivity, grant, count=count, share=share)

    def said(self, title: str) -> "Calibration":
        """Calibration with the title that fits one algorithm."""
        return replace(self, title=title)


EXACT = Calibration(
    key="exact",
    title="tight sensitivities and exact Gaussian accounting",
    source="Balle & Wang 2018, Theorem 8; Dong, Roth & Su 2022, Corollaries 2.13 and 3.3",
    scale=exact,
    isotropic=True,
    accounted=True,
    unclaimed="the authors calibrate otherwise; exact accounting is ours",
)
EXACT_DRAWN = replace(
    EXACT,
    title="the least noise that accounting by privacy loss distributions allows",
    source="Balle, Barthe & Gaboardi 2018, Theorem 2; Zhu, Dong & Wang 2022, Section 3",
    scale=None,
)
FORGETFUL = Calibration(
    key="forgetful",
    title="each answer calibrated as if it were the only one: composition forgotten",
    source="a mistake, for comparison",
    scale=forgetful,
    isotropic=True,
    unclaimed="no author claims ε for answers that are calibrated one by one",
)


class Ruled(Checked):
    """Mixin: an algorithm whose parameter ``calibration`` is a key of its ``rules``."""

    rules: ClassVar[Mapping[str, Calibration]]
    calibration: str

    @property
    def rule(self) -> Calibration:
        """The calibration that was chosen."""
        return self.rules[self.calibration]


def published(title: str, source: str, scale: Scale | None, constants: Constants = "tight") -> Calibration:
    """The rule that the authors of an algorithm publish."""
    return Calibration(key="published", title=title, source=source, scale=scale, constants=constants)


def with_printed_constants(rule: Calibration, title: str) -> Calibration:
    """The rule of the authors with the constants that they print, valid or not."""
    return replace(rule, key="printed", title=title, constants="printed")


def with_unit_constants(rule: Calibration, title: str) -> Calibration:
    """The rule of the authors with constants of 1, which the published accuracies appear to need."""
    why = "constants of 1 are smaller than what the authors prove"
    return replace(rule, key="unit", title=title, constants="unit", unclaimed=why)


def keyed(*rules: Calibration) -> Mapping[str, Calibration]:
    """Calibrations by key, in the order in which a menu shows them."""
    return {rule.key: rule for rule in rules}


def choice_of(rules: Mapping[str, Calibration]) -> Choice:
    """The parameter that chooses among calibrations."""
    return Choice(
        label="Noise calibration",
        doc="The rule that turns ε, δ and the sensitivity into the noise σ.",
        options={key: rule.title for key, rule in rules.items()},
    )
