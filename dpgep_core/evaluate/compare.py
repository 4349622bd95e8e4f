"""Methods compared over shared seeds: Wilcoxon's signed-rank test, its effect size, and Holm's correction.

A pair is one seed under two methods. Seeds draw noise, starts and, where a data set publishes none, its split; they do
not draw new rows: what is told apart is told apart on these rows.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpgep_core.privacy.query import Array

RELATIVE_ROUNDING = 1e-12  # of the largest value: two values or two differences that are closer are equal
MOST_EXACT = 50  # pairs up to which all sign patterns are counted; beyond, the rank sum is taken as normal


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedRank:
    """Two methods over the seeds that both have.

    Parameters
    ----------
    pairs, ties : int
        Shared seeds, and those with equal values, which the test leaves out (Wilcoxon 1945).
    difference : float
        Median of first minus second.
    r : float
        Matched-pairs rank-biserial correlation (Kerby 2014): the share of the rank sum in favour of the first method
        minus the share in favour of the second. 1: the first is larger in every pair.
    p : float
        Two-sided; exact up to 50 pairs that differ, whether or not differences tie.
    p_holm : float
        The same, corrected for all comparisons that were made together.
    """

    pairs: int
    ties: int
    difference: float
    r: float
    p: float
    p_holm: float


def signed_rank(first: Mapping[int, float], second: Mapping[int, float]) -> SignedRank | None:
    """Compare two methods, each a value by seed; None where no seed has a finite value of both."""
    shared = sorted(first.keys() & second.keys())
    found = paired_differences([first[seed] for seed in shared], [second[seed] for seed in shared])
    if not len(found):
        return None
    from scipy import stats  # here, as most processes compare nothing, and it takes long to import

    told = found[found != 0]
    ranks = stats.rankdata(np.abs(told))
    balance = float((np.sign(told) * ranks).sum() / ranks.sum()) if len(told) else 0.0
    p = _p_value(told, ranks)
    return SignedRank(
        pairs=len(found), ties=len(found) - len(told), difference=float(np.median(found)), r=balance, p=p, p_holm=p
    )  # fmt: skip


def paired_differences(first: Sequence[float], second: Sequence[float]) -> Array:
    """First minus second where both are finite, with differences that are equal up to rounding made equal.

    Accuracies are shares k/n: 35/36 − 34/36 and 31/36 − 30/36 are the same 1/36, and differ in floating point.
    """
    one, other = (np.asarray(values, dtype=float) for values in (first, second))
    finite = np.isfinite(one) & np.isfinite(other)
    one, other = one[finite], other[finite]
    if not len(one):
        return one
    found = one - other
    order = np.argsort(np.abs(found), kind="stable")
    sizes = np.abs(found)[order]
    apart = np.diff(sizes, prepend=0.0) > RELATIVE_ROUNDING * max(np.abs(one).max(), np.abs(other).max())
    common = np.concatenate([[0.0], sizes[apart]])[np.cumsum(apart)]
    return np.sign(found) * common[np.argsort(order, kind="stable")]


def as_large_as(value: float, other: float) -> bool:
    """Whether a value is as large as another one, rounding aside."""
    return value >= other - RELATIVE_ROUNDING * max(abs(value), abs(other))


def larger(value: float, other: float) -> bool:
    """Whether a value is larger than another one by more than rounding."""
    return not as_large_as(other, value)


def _p_value(told: Array, ranks: Array) -> float:
    """Two-sided p of the rank sum under random signs, given the ranks: conditional on ties, and so exact with them."""
    if not len(told):
        return 1.0
    if len(told) > MOST_EXACT:
        from scipy import stats

        return float(stats.wilcoxon(told, method="asymptotic").pvalue)
    doubled = np.rint(2 * ranks).astype(int)  # ranks of ties are halves
    patterns = np.ones(1)
    for rank in doubled:
        longer = np.pad(patterns, (0, rank))
        longer[rank:] += patterns
        patterns = longer
    positive, whole = int(doubled[told > 0].sum()), int(doubled.sum())
    as_far = patterns[: min(positive, whole - positive) + 1].sum() / 2.0 ** len(told)
    return min(1.0, 2 * float(as_far))


def least_p(pairs: int) -> float:
    """The smallest two-sided p that so many pairs can show: all differences have one sign."""
    return min(1.0, 2.0 ** (1 - pairs))


def holm(values: Sequence[float]) -> tuple[float, ...]:
    """p-values corrected for being looked at together (Holm 1979), in the order given."""
    order, found, largest = np.argsort(values, kind="stable"), [0.0] * len(values), 0.0
    for place, index in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - place) * values[index]))
        found[index] = largest
    return tuple(found)


Group = tuple[object, ...]


def compare_methods(
    groups: Mapping[Group, Mapping[str, Mapping[int, float]]],
) -> tuple[tuple[Group, str, str, SignedRank], ...]:
    """Every two methods within each group, corrected over all of them.

    Parameters
    ----------
    groups : mapping
        By setting, by method, by seed: the value.

    Returns
    -------
    tuple of (setting, first, second, SignedRank)
    """
    found = [
        (group, one, other, result)
        for group, methods in groups.items()
        for one, other in itertools.combinations(methods, 2)
        if (result := signed_rank(methods[one], methods[other])) is not None
    ]
    corrected = holm([result.p for *_, result in found])
    return tuple(
        (group, one, other, replace(result, p_holm=p))
        for (group, one, other, result), p in zip(found, corrected, strict=True)
    )
