"""From how often an attack is right to what ε, or μ, must be at least: Clopper–Pearson intervals.

An attack names one of two neighbouring data sets. If it names the second in a share TPR of its outputs and in a share
FPR of those of the first, then (ε, δ)-DP requires TPR ≤ e^ε FPR + δ and 1 − FPR ≤ e^ε (1 − TPR) + δ (Kairouz, Oh &
Viswanath 2015, Theorem 2.1), and μ-GDP requires TPR ≤ Φ(Φ⁻¹(FPR) + μ) (Dong, Roth & Su 2022, Definition 2.6). The
shares are known from finitely many runs: TPR is at least, FPR at most, a Clopper–Pearson bound, each with half of the
error probability. Both directions use the same two bounds, so no more error is spent (Jagielski, Ullman & Oprea 2020;
Nasr et al. 2021; the bound through μ is that of Nasr et al. 2023).
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtri

from dpgep_core.privacy.query import Array

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class AuditLevel:
    """How sure a bound is to be, and at which δ it is stated."""

    confidence: float
    delta: float

    @property
    def tail(self) -> float:
        """Error probability of each of the two shares."""
        return (1 - self.confidence) / 2


def share_lower_bound(hits: Any, trials: int, tail: float) -> Array:
    """Lower Clopper–Pearson bound on a share that gave ``hits`` of ``trials``."""
    k = np.asarray(hits, dtype=float)
    return np.where(k > 0, betaincinv(np.maximum(k, 1), trials - k + 1, tail), 0.0)


def share_upper_bound(hits: Any, trials: int, tail: float) -> Array:
    """Upper Clopper–Pearson bound."""
    return 1 - share_lower_bound(trials - np.asarray(hits, dtype=float), trials, tail)


def epsilon_bounds(true_hits: Any, false_hits: Any, trials: int, level: AuditLevel) -> Array:
    """ε is at least this, one number for each pair of counts; 0 where nothing is shown."""
    tpr, fpr = _shares(true_hits, false_hits, trials, level)
    with np.errstate(divide="ignore", invalid="ignore"):
        forward = np.log(np.maximum(tpr - level.delta, 0.0) / fpr)
        backward = np.log(np.maximum(1 - fpr - level.delta, 0.0) / (1 - tpr))
    return np.maximum(0.0, np.fmax(forward, backward))


def mu_bounds(true_hits: Any, false_hits: Any, trials: int, level: AuditLevel) -> Array:
    """μ is at least this, if all noise is Gaussian; 0 where nothing is shown."""
    tpr, fpr = _shares(true_hits, false_hits, trials, level)
    return np.maximum(0.0, ndtri(tpr) - ndtri(fpr))


def ceiling(trials: int, level: AuditLevel) -> float:
    """The ε that an attack without a single mistake shows in ``trials`` runs on each side: no run can show more."""
    return float(epsilon_bounds(trials, 0, trials, level))


def area(one: Array, other: Array) -> float:
    """AUC: how often a score of the second data set is above one of the first, ties counted half."""
    order = np.sort(one)
    below, upto = np.searchsorted(order, other, "left"), np.searchsorted(order, other, "right")
    return float((below + upto).mean() / (2 * len(order)))


def hits(scores: Array, cutoffs: Any) -> Counts:
    """How many scores are above each cutoff."""
    return len(scores) - np.searchsorted(np.sort(scores), cutoffs, "right").astype(np.int64)


def _shares(true_hits: Any, false_hits: Any, trials: int, level: AuditLevel) -> tuple[Array, Array]:
    """TPR at least, FPR at most."""
    return share_lower_bound(true_hits, trials, level.tail), share_upper_bound(false_hits, trials, level.tail)


def midpoints(one: Array, other: Array) -> Array:
    """Cutoffs worth trying: half way between neighbouring scores."""
    scores = np.unique(np.concatenate([one, other]))
    if len(scores) < 2:
        return scores.astype(np.float64)
    return (scores[1:] + scores[:-1]) / 2


def best_cutoffs(one: Array, other: Array, level: AuditLevel) -> tuple[float, float]:
    """The cutoffs with the largest bound on ε and on μ; for runs that are not tested themselves."""
    tried, trials = midpoints(one, other), len(one)
    true_hits, false_hits = hits(other, tried), hits(one, tried)
    advantage = (true_hits - false_hits) / (trials * 1e6)  # decides where nothing is shown
    by_epsilon = epsilon_bounds(true_hits, false_hits, trials, level) + advantage
    by_mu = mu_bounds(true_hits, false_hits, trials, level) + advantage
    return float(tried[by_epsilon.argmax()]), float(tried[by_mu.argmax()])


def clipped_log(values: Array) -> Array:
    """Logarithm of what may be zero or not finite."""
    return np.log(np.clip(np.nan_to_num(values, nan=math.inf, posinf=1e300), 1e-18, 1e300))
