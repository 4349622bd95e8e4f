"""Bounds from counts: numbers known by hand, the intervals against SciPy, and how often they are wrong."""

import math

import numpy as np
import pytest
from scipy.stats import beta, norm

from dpgep_core.audit.bounds import (
    AuditLevel,
    area,
    best_cutoffs,
    ceiling,
    epsilon_bounds,
    hits,
    mu_bounds,
    share_lower_bound,
    share_upper_bound,
)

LEVEL = AuditLevel(0.95, 1000**-1.1)


@pytest.mark.parametrize(("trials", "most"), [(100, 3.28), (10_000, 7.90)])
def test_the_most_that_so_many_runs_can_show(trials: int, most: float) -> None:
    assert ceiling(trials, LEVEL) == pytest.approx(most, abs=0.005)


def test_runs_needed_for_five() -> None:
    assert ceiling(548, LEVEL) < 5 <= ceiling(552, LEVEL)


@pytest.mark.parametrize(("k", "n"), [(0, 10), (1, 10), (7, 10), (10, 10), (123, 10_000)])
def test_clopper_pearson_against_scipy(k: int, n: int) -> None:
    low = 0.0 if k == 0 else beta.ppf(0.025, k, n - k + 1)
    high = 1.0 if k == n else beta.ppf(0.975, k + 1, n - k)
    assert share_lower_bound(k, n, 0.025) == pytest.approx(low, rel=1e-10)
    assert share_upper_bound(k, n, 0.025) == pytest.approx(high, rel=1e-10)


@pytest.mark.parametrize(
    ("true_hits", "false_hits", "expected"),
    [(160, 40, 0.94), (960, 840, 0.8), (500, 500, 0.0), (40, 160, 0.0), (1000, 1000, 0.0)],
)
def test_bounds_by_hand(true_hits: int, false_hits: int, expected: float) -> None:
    """160 hits, 40 false alarms of 1,000: (.1378 − δ)/.0541. 960 and 840: misses count as well."""
    assert epsilon_bounds(true_hits, false_hits, 1000, LEVEL) == pytest.approx(expected, abs=0.15)
    assert (mu_bounds(true_hits, false_hits, 1000, LEVEL) > 0) == (expected > 0)


def test_delta_is_allowed_for() -> None:
    """A mechanism that gives itself away with probability δ is (0, δ)-DP: 40 hits in 1,000 are no news at δ = .1."""
    assert epsilon_bounds(40, 0, 1000, LEVEL) > 1
    assert epsilon_bounds(40, 0, 1000, AuditLevel(0.95, 0.1)) == 0


@pytest.mark.parametrize("mu", [0.3, 1.0, 2.5])
def test_the_bounds_are_wrong_no_more_often_than_they_say(mu: float) -> None:
    """The best attack on Gaussian noise, 4,000 times: above the truth in 5 % at most, and not far below it."""
    rng, trials = np.random.default_rng(3), 500
    true_hits = rng.binomial(trials, norm.cdf(mu / 2), 4000)
    false_hits = rng.binomial(trials, norm.cdf(-mu / 2), 4000)
    bounds = mu_bounds(true_hits, false_hits, trials, LEVEL)
    assert (bounds > mu).mean() <= 0.05
    assert np.median(bounds) > 0.6 * mu - 0.15
    truth = math.log((norm.cdf(mu / 2) - LEVEL.delta) / norm.cdf(-mu / 2))  # what this cutoff can show
    assert (epsilon_bounds(true_hits, false_hits, trials, LEVEL) > truth).mean() <= 0.05


def test_more_confidence_shows_less() -> None:
    values = [float(epsilon_bounds(300, 60, 1000, AuditLevel(c, 1e-5))) for c in (0.8, 0.95, 0.999)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 3


def test_hits_and_area() -> None:
    one, other = np.array([0.0, 1.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0, 4.0])
    assert hits(other, [0.5, 1.0, 3.5]).tolist() == [4, 3, 1]
    assert area(one, other) == pytest.approx((2 + 3.5 + 4 + 4) / 16)  # 0 and half of two ones are below the first, …
    assert area(one, one) == 0.5
    assert area(one, other + 9) == 1.0


def test_cutoffs_lie_in_the_gap() -> None:
    one, other = np.linspace(0, 1, 50), np.linspace(3, 4, 50)
    for cutoff in best_cutoffs(one, other, LEVEL):
        assert 1 < cutoff < 3
    constant = np.zeros(50)
    assert best_cutoffs(constant, constant, LEVEL) == (0.0, 0.0)
