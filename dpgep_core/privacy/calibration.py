"""From a grant to noise scales: the exact rule and the papers' rules."""

import math

from dpgep_core.errors import ParameterError
from dpgep_core.privacy.accountant import mu_classical, mu_of, root_rho_zcdp
from dpgep_core.privacy.ledger import ROUNDING, Grant

CLASSICAL_PROVED = 1.0  # the classical rule is a theorem for ε below this
HAIR = 1 + 1e-11  # more noise than the root of the equation, so that rounding never lands above the grant


def exact(sensitivity: float, grant: Grant, *, count: int = 1, share: float = 1.0) -> float:
    """σ of ``count`` equal answers that together spend ``share`` of the grant's μ², by exact Gaussian accounting."""
    return HAIR * sensitivity * math.sqrt(count / share) / grant.mu


def classical(sensitivity: float, epsilon: float, delta: float) -> float:
    """σ of one answer by the classical rule Δ√(2 log(1.25/δ))/ε (Dwork & Roth 2014, Theorem A.1)."""
    return scale_over(sensitivity, mu_classical(epsilon, delta), epsilon)


def zcdp(sensitivity: float, grant: Grant, *, count: int = 1, share: float = 1.0) -> float:
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


def beyond_classical(epsilon: float) -> str:
    """Why no theorem covers the classical rule at this ε; "" below 1, where one does."""
    if epsilon < CLASSICAL_PROVED:
        return ""
    return f"the classical rule is a theorem for ε below {CLASSICAL_PROVED:g}, and is used at ε = {epsilon:.3g}"


def exceeds(mu: float, grant: Grant) -> bool:
    """Whether Gaussian answers worth ``mu`` pass the grant, rounding aside."""
    return mu > grant.mu * (1 + ROUNDING)


def classical_holds(grant: Grant) -> bool:
    """Whether the classical rule still gives (ε, δ): it stops to at ε of about 8."""
    return mu_classical(grant.epsilon, grant.delta) <= mu_of(grant.epsilon, grant.delta)
