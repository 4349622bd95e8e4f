"""Methods compared over shared seeds: Wilcoxon's signed-rank test, its effect size, and Holm's correction.

A pair is one seed under two methods. Seeds draw noise, starts and, where a data set publishes none, its split; they do
not draw new rows: what is told apart is told apart on these rows.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats


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
        Two-sided; exact up to 50 pairs without ties, and with ties up to 13.
    p_holm : float
        The same, corrected for all comparisons that were made together.
    least_p : float
        The smallest p that so many pairs can show.
    """

    pairs: int
    ties: int
    difference: float
    r: float
    p: float
    p_holm: float
    least_p: float


def signed_rank(first: Mapping[int, float], second: Mapping[int, float]) -> SignedRank | None:
    """Compare two methods, each a value by seed; None where no seed has a finite value of both."""
    shared = sorted(first.keys() & second.keys())
    gaps = np.array([first[seed] - second[seed] for seed in shared], dtype=float)
    gaps = gaps[np.isfinite(gaps)]
    if not len(gaps):
        return None
    told = gaps[gaps != 0]
    ranks = stats.rankdata(np.abs(told))
    balance = float((np.sign(told) * ranks).sum() / ranks.sum()) if len(told) else 0.0
    p = float(stats.wilcoxon(told).pvalue) if len(told) else 1.0
    return SignedRank(
        pairs=len(gaps), ties=len(gaps) - len(told), difference=float(np.median(gaps)), r=balance, p=p, p_holm=p,
        least_p=least_p(len(gaps)),
    )  # fmt: skip


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


def compared(
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
