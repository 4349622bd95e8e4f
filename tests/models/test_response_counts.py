"""Counts of a response in public bins: the proved change is the largest there is, and edges come out at quantiles."""

import math

import numpy as np
import pytest

from dpgep_core.errors import ParameterError
from dpgep_core.models.response_counts import edges_at_quantiles, public_cuts, running_counts

CUTS = public_cuts(-2.0, 3.0)


def largest_changes(cuts: np.ndarray) -> tuple[float, float]:
    """Of a record that is replaced, and of one that comes or goes, over every bin that it can be in."""
    query = running_counts(cuts)
    values = np.concatenate([[cuts[0] - 1], (cuts[1:] + cuts[:-1]) / 2, [cuts[-1] + 1]])
    alone = np.array([query.evaluate(np.array([value])) for value in values])
    replaced = max(float(np.linalg.norm(alone - one, axis=1).max()) for one in alone)
    return replaced, float(np.linalg.norm(alone, axis=1).max())


def test_the_sensitivity_is_the_largest_change_under_either_relation_and_is_attained() -> None:
    for cuts in (CUTS[::9], np.array([0.5])):
        assert running_counts(cuts).sensitivity == pytest.approx(max(largest_changes(cuts)), rel=1e-12)


def test_what_other_records_say_does_not_change_the_change() -> None:
    rng, query = np.random.default_rng(0), running_counts(CUTS)
    for _ in range(20):
        one = rng.normal(0, 2, 50)
        other = one.copy()
        other[rng.integers(50)] = rng.normal(0, 5)
        assert np.linalg.norm(query.evaluate(one) - query.evaluate(other)) <= query.sensitivity * (1 + 1e-12)


def test_without_noise_the_slices_are_even() -> None:
    response = np.random.default_rng(1).normal(0.3, 0.4, 5_000)
    edges = edges_at_quantiles(running_counts(CUTS).evaluate(response), CUTS, 8, 5_000)
    sizes = np.bincount(np.searchsorted(edges, response))
    assert len(sizes) == 8
    assert sizes == pytest.approx(np.full(8, 625), abs=60)


def test_noise_grows_with_the_logarithm_of_the_bins_alone() -> None:
    """Running sums of plain noisy counts would have √(number of bins) times their noise; these have a few times it."""
    rng, query = np.random.default_rng(2), running_counts(CUTS)
    root = np.column_stack([query.evaluate(np.array([value])) for value in [*CUTS, CUTS[-1] + 1]])
    noise = root @ rng.normal(0, query.sensitivity, (len(root), 200))
    assert noise.std() < 6
    assert math.sqrt(len(root)) > 20


def test_cuts_lie_in_the_range_and_are_finest_at_zero_or_the_end_next_to_it() -> None:
    for low, high, origin in [(-2.0, 3.0, 0.0), (5.0, 9.0, 5.0), (-9.0, -5.0, -5.0), (0.0, 1e9, 0.0)]:
        cuts = public_cuts(low, high)
        assert (cuts[0], cuts[-1]) == (low, high)
        assert (np.diff(cuts) > 0).all()
        nearest = np.abs(cuts - origin)
        assert np.sort(nearest)[1] < 1e-6 * (high - low)


@pytest.mark.parametrize("between", [(1.0, 1.0), (2.0, 1.0), (math.nan, 1.0), (0.0, math.inf), (-1e308, 1e308)])
def test_a_range_that_is_none_is_refused(between: tuple[float, float]) -> None:
    with pytest.raises(ParameterError, match="range must be two finite numbers"):
        public_cuts(*between)
