"""What an explicit pair needs is a bound from below, and close to the accountant's from above."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

from dpgep_core.privacy.subsampled import drawn_epsilon, sampled_epsilon


def one_answer(z: float, rate: float, delta: float) -> float:
    """The ε that one answer needs, by integrating over all answers."""
    x = np.linspace(-12 * z, 1 + 12 * z, 400_001)
    null = norm.pdf(x, 0, z)
    mixed = (1 - rate) * null + rate * norm.pdf(x, 1, z)

    def excess(epsilon: float) -> float:
        return float(np.trapezoid(np.maximum(mixed - math.exp(epsilon) * null, 0), x)) - delta

    return float(brentq(excess, 0.0, 200.0))


@pytest.mark.parametrize(("z", "rate", "delta"), [(0.3, 0.2, 0.01), (0.15, 0.05, 1e-3), (0.6, 0.5, 0.05)])
def test_one_answer_by_hand(z: float, rate: float, delta: float) -> None:
    truth = one_answer(z, rate, delta)
    assert 0.95 * truth < sampled_epsilon(z, rate, 1, delta) <= truth * (1 + 1e-6)


@pytest.mark.parametrize("z", [0.01, 0.03, 0.1, 0.2, 0.4])
@pytest.mark.parametrize("n", [1000, 60_000, 200_000])
def test_near_to_the_bound_from_above_and_never_beyond(z: float, n: int) -> None:
    above = drawn_epsilon(0.0, ((z, 1 / n, n),), n**-1.1)
    assert 0.9 * above < sampled_epsilon(z, 1 / n, n, n**-1.1) <= above


@pytest.mark.parametrize("z", [0.7, 1.5, 8.0, 100.0])
def test_nothing_beyond_the_truth_where_noise_is_large(z: float) -> None:
    for n in (100, 60_000):
        assert 0 <= sampled_epsilon(z, 1 / n, n, n**-1.1) <= drawn_epsilon(0.0, ((z, 1 / n, n),), n**-1.1)
