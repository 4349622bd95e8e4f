"""Worth of noise: exact accounting of Gaussian answers, and the papers' rules beside it.

An adaptive composition of Gaussian mechanisms with sensitivities Δ_i and standard deviations σ_i is exactly
μ-GDP with μ² = Σ (Δ_i/σ_i)² (Dong, Roth & Su 2022, Corollary 3.3), and μ-GDP is (ε, δ(μ, ε))-DP for every ε
(Balle & Wang 2018, Theorem 8; Dong et al., Corollary 2.13). Logarithms are natural.
"""

import math
from collections.abc import Callable
from functools import cache

from dpgep_core.typed_scipy import brentq, erfcx, log_ndtr, minimize_scalar, ndtr, ndtri

SMALLEST_LOG = -745.0  # exp() of less is zero in double precision
SMALL_MU = 1e-5  # below it Φ(−ε/μ + μ/2) and e^ε Φ(−ε/μ − μ/2) agree in too many digits to be subtracted
LARGE_MU = 1e8  # from here on Φ(−ε/μ + μ/2) is all of δ to 16 digits: ε = μ²/2 − μΦ⁻¹(δ), not less than the smallest


def log_delta_of(mu: float, epsilon: float) -> float:
    """Logarithm of `delta_of`, which is stable where δ underflows."""
    if mu <= 0:
        return -math.inf
    if math.isinf(mu):
        return 0.0
    if mu < SMALL_MU:
        return _log_delta_of_small(mu, epsilon)
    kept = float(log_ndtr(-epsilon / mu + mu / 2))
    lost = epsilon + float(log_ndtr(-epsilon / mu - mu / 2))
    return kept + _log_one_minus_exp(lost - kept) if lost < kept else -math.inf


def _log_one_minus_exp(x: float) -> float:
    """log(1 − e^x) for x < 0, by the form that keeps its digits (Mächler 2012)."""
    return math.log1p(-math.exp(x)) if x < -math.log(2) else math.log(-math.expm1(x))


def _log_delta_of_small(mu: float, epsilon: float) -> float:
    """log δ = log φ(a) + log(R(a) − R(a − μ)), a = −ε/μ + μ/2, R = Φ/φ, by the slope R′(x) = 1 + xR(x) half way.

    Its relative error in δ is of the order of μ².
    """
    middle = epsilon / mu
    if middle > -SMALLEST_LOG:
        return -math.inf
    slope = 1.0 - middle * math.sqrt(math.pi / 2) * float(erfcx(middle / math.sqrt(2)))
    log_density = -((middle - mu / 2) ** 2) / 2 - math.log(2 * math.pi) / 2
    return log_density + math.log(mu) + math.log(slope) if slope > 0 else -math.inf


def delta_of(mu: float, epsilon: float) -> float:
    """δ(μ, ε) = Φ(−ε/μ + μ/2) − e^ε Φ(−ε/μ − μ/2), the smallest δ at which μ-GDP gives (ε, δ)-DP."""
    return math.exp(max(log_delta_of(mu, epsilon), SMALLEST_LOG)) if mu > 0 else 0.0


@cache
def mu_of(epsilon: float, delta: float) -> float:
    """The largest μ whose δ(μ, ε) does not exceed ``delta``."""
    if epsilon >= LARGE_MU**2 / 2:  # a root would be lost in the rounding of −ε/μ + μ/2
        quantile = float(ndtri(delta))
        return quantile + math.hypot(quantile, math.sqrt(2) * math.sqrt(epsilon))
    return _root_in_log(lambda mu: log_delta_of(mu, epsilon) - math.log(delta))


@cache
def epsilon_of(mu: float, delta: float) -> float:
    """The smallest ε ≥ 0 with δ(μ, ε) ≤ ``delta``; infinite where μ is, or is not a number, or ε passes 1.8e308."""
    if math.isnan(mu):  # what cannot be accounted is no guarantee
        return math.inf
    if mu >= LARGE_MU:
        return mu * (mu / 2 - float(ndtri(delta)))
    if mu <= 0 or delta_of(mu, 0.0) <= delta:
        return 0.0
    high = 1.0
    while log_delta_of(mu, high) > math.log(delta):
        high *= 2

    def excess(epsilon: float) -> float:
        return max(log_delta_of(mu, epsilon), 2 * SMALLEST_LOG) - math.log(delta)

    return _root(excess, 0.0, high)


def root_rho_zcdp(epsilon: float, delta: float) -> float:
    """√ρ of the papers' conversion ε = ρ + 2√(ρ log 1/δ) (Bun & Steinke 2016, Proposition 1.3).

    Noise scales divide by √ρ, which does not vanish where ρ underflows.
    """
    slack = -math.log(delta)
    return epsilon / (math.sqrt(epsilon + slack) + math.sqrt(slack))  # no cancellation at small ε


def epsilon_zcdp_tight(rho: float, delta: float) -> float:
    """ε of ρ-zCDP by the tighter conversion of Canonne, Kamath & Steinke 2020 (Proposition 7)."""

    def bound(log_excess: float) -> float:
        excess = math.exp(log_excess)
        order = 1 + excess
        return rho * order + (math.log(1 / delta) + excess * math.log1p(-1 / order) - math.log(order)) / excess

    best = minimize_scalar(bound, bounds=(-12.0, 12.0), method="bounded", options={"xatol": 1e-12})
    return max(0.0, float(best.fun))


@cache
def rho_zcdp_tight(epsilon: float, delta: float) -> float:
    """The largest ρ that `epsilon_zcdp_tight` allows."""
    return _root_in_log(lambda rho: epsilon_zcdp_tight(rho, delta) - epsilon, 1e-14, 1e5)


def mu_classical(epsilon: float, delta: float) -> float:
    """μ of the classical Gaussian rule σ = Δ √(2 log(1.25/δ))/ε (Dwork & Roth 2014, Theorem A.1; proved for ε < 1)."""
    return epsilon / math.sqrt(2 * math.log(1.25 / delta))


def best_guess(mu: float) -> float:
    """Φ(μ/2): how often the best attacker guesses right which of two neighbours was used, a fair coin deciding."""
    return float(ndtr(mu / 2))


def loss_beyond(mu: float, epsilon: float) -> float:
    """Φ(μ/2 − ε/μ): the share of results whose privacy loss passes ε. It is more than δ."""
    return float(ndtr(mu / 2 - epsilon / mu)) if mu > 0 else 0.0


def largest_hit_share(mu: float, false_alarms: float) -> float:
    """Φ(Φ⁻¹(α) + μ): the largest share of hits at a share α of false alarms (Dong et al., Section 2.2)."""
    return float(ndtr(ndtri(false_alarms) + mu))


def _root_in_log(increasing: Callable[[float], float], low: float = 1e-300, high: float = 1e155) -> float:
    """Root of an increasing function, searched in log space so that it is accurate at every scale."""

    def bounded(log_value: float) -> float:
        return max(increasing(math.exp(log_value)), 2 * SMALLEST_LOG)

    return math.exp(_root(bounded, math.log(low), math.log(high)))


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    return float(brentq(function, low, high, xtol=1e-15, rtol=8.9e-16, maxiter=500))
