"""Signed-rank comparisons: hand-computed values, scipy's where it is exact, and what few seeds can show."""

import itertools

import numpy as np
import pytest
from scipy import stats

from dpgep_core.evaluate.compare import (
    as_large_as,
    compare_methods,
    holm,
    larger,
    least_p,
    paired_differences,
    signed_rank,
)


def by_seed(values):
    return dict(enumerate(values))


def test_by_hand():
    """Differences 3, 1, −2, 5, 4: ranks 3, 1, 2, 5, 4; W+ = 13, W− = 2; 3 of 32 sign patterns have a sum ≤ 2."""
    found = signed_rank(by_seed([3, 1, -2, 5, 4]), by_seed([0] * 5))
    assert found.p == pytest.approx(2 * 3 / 32)
    assert found.r == pytest.approx((13 - 2) / 15)
    assert (found.pairs, found.ties, found.difference) == (5, 0, 3)


def test_five_seeds_cannot_say_more_than_a_sixteenth():
    found = signed_rank(by_seed([1, 2, 3, 4, 5]), by_seed([0, 0, 0, 0, 0]))
    assert found.p == least_p(found.pairs) == 0.0625
    assert found.r == 1.0
    assert least_p(1) == 1.0


@pytest.mark.parametrize("pairs", [6, 10, 25])
def test_as_scipy_on_noise(pairs):
    one, other = np.random.default_rng(pairs).normal(size=(2, pairs))
    found = signed_rank(by_seed(one), by_seed(other))
    assert found.p == pytest.approx(stats.wilcoxon(one, other, method="exact").pvalue)
    back = signed_rank(by_seed(other), by_seed(one))
    assert (back.p, back.r, back.difference) == pytest.approx((found.p, -found.r, -found.difference))


def test_equal_values_are_left_out_and_counted_and_ties_are_exact():
    """With tied sizes all 2^4 sign patterns are counted here, one by one."""
    gaps = np.array([1, 1, -1, 2, 0, 0])
    found = signed_rank(by_seed(gaps), by_seed([0] * 6))
    ranks = np.array([2, 2, 2, 4])
    seen = abs(sum(ranks * [1, 1, -1, 1]))
    every = [abs(sum(ranks * signs)) for signs in itertools.product((1, -1), repeat=4)]
    assert found.p == pytest.approx(np.mean([value >= seen for value in every]))
    assert (found.pairs, found.ties) == (6, 2)
    assert found.r == pytest.approx((8 - 2) / 10)


def test_accuracies_whose_differences_are_equal_tie():
    """With 36 rows and differences −1, 1, −1, 1, 1: all ranks are 3, W+ = 9 and W− = 6 of 15, as near as can be."""
    one, other = ([right / 36 for right in hits] for hits in ([31, 29, 31, 31, 30], [32, 28, 32, 30, 29]))
    assert len({abs(a - b) for a, b in zip(one, other, strict=True)}) > 1  # in floating point
    found = signed_rank(by_seed(one), by_seed(other))
    assert (found.p, found.r, found.ties) == (1.0, pytest.approx(0.2), 0)
    percent = signed_rank(by_seed([100 * x for x in one]), by_seed([100 * x for x in other]))
    assert (percent.p, percent.r) == (1.0, pytest.approx(0.2))


@pytest.mark.parametrize("rows", [36, 40_960, 10_000_019])
def test_shares_of_any_number_of_rows_are_compared_as_counts(rows):
    """40,960: k/n has thirteen decimals that end in 5, so rounding to twelve would part equal differences."""
    rng = np.random.default_rng(rows)
    one, other = rng.integers(rows // 2, rows // 2 + 5, size=(2, 30))
    found = signed_rank(by_seed(one / rows), by_seed(other / rows))
    counts = signed_rank(by_seed(one), by_seed(other))
    assert (found.p, found.r, found.ties) == (counts.p, counts.r, counts.ties)
    assert len(set(np.abs(paired_differences(one / rows, other / rows)))) == len(set(np.abs(one - other)))


def test_small_measures_keep_their_differences():
    """σ of 1e-8 and differences of 1e-10 are no rounding; 1e-13 of what is compared is."""
    found = signed_rank(by_seed([1.00e-8, 1.01e-8]), by_seed([1.02e-8, 1.04e-8]))
    assert (found.ties, found.difference) == (0, pytest.approx(-2.5e-10))
    assert list(paired_differences([1.0 + 1e-13, 2.0], [1.0, 1.0])) == [0.0, 1.0]


@pytest.mark.parametrize("size", [1, 20, 50])
def test_p_is_exact_with_ties_up_to_fifty_pairs(size):
    same = signed_rank(by_seed([1.0] * size), by_seed([0.0] * size))
    assert same.p == pytest.approx(2.0 ** (1 - size), rel=1e-12)
    mixed = np.arange(1, size + 1) * np.where(np.arange(size) % 3, 1, -1)
    if size > 1:
        assert signed_rank(by_seed(mixed), by_seed([0] * size)).p == pytest.approx(
            stats.wilcoxon(mixed, method="exact").pvalue
        )


def test_values_are_larger_by_more_than_rounding():
    mean = float(np.mean([0.1, 0.2, 0.3]))
    assert mean != 0.2
    assert not larger(mean, 0.2)
    assert as_large_as(0.2, mean)
    assert larger(0.2 + 1e-9, 0.2)
    assert not as_large_as(0.2, 0.2 + 1e-9)
    assert not larger(-0.0, 0.0)


def test_nothing_differs_and_nothing_is_shared():
    same = signed_rank(by_seed([0.5, 0.5]), by_seed([0.5, 0.5]))
    assert (same.p, same.r, same.ties) == (1.0, 0.0, 2)
    assert signed_rank({0: 1.0}, {1: 1.0}) is None
    assert signed_rank({0: float("nan")}, {0: 1.0}) is None
    partly = signed_rank({0: 1.0, 1: 2.0, 2: float("nan")}, {0: 0.0, 1: 0.0, 2: 0.0, 3: 9.0})
    assert partly.pairs == 2


def test_holm_by_hand():
    """.01 × 4, .02 × 3, .03 × 2 = .06 again, .4 × 1; none below one before it."""
    assert holm([0.03, 0.01, 0.4, 0.02]) == pytest.approx((0.06, 0.04, 0.4, 0.06))
    assert holm([0.9, 0.8]) == pytest.approx((1.0, 1.0))
    assert holm([]) == ()


def test_all_that_is_looked_at_is_corrected_for():
    rng = np.random.default_rng(0)
    groups = {(e,): {name: by_seed(rng.normal(size=8)) for name in "abc"} for e in (0.1, 1.0)}
    found = compare_methods(groups)
    assert [(group, one, other) for group, one, other, _ in found] == [
        ((e,), *pair) for e in (0.1, 1.0) for pair in (("a", "b"), ("a", "c"), ("b", "c"))
    ]
    assert [r.p_holm for *_, r in found] == pytest.approx(holm([r.p for *_, r in found]))
    assert max(r.p_holm for *_, r in found) <= 1
