"""Counts of a real-valued response in public bins, for slices whose edges are private quantiles."""

import math
from functools import cache

import numpy as np

from dpgep_core.datasets.slices import Response
from dpgep_core.errors import ParameterError
from dpgep_core.privacy.query import Array, Query
from dpgep_core.typed_scipy import isotonic_regression

RUNNING_COUNTS = "running counts of the response"
BINS = 256  # even cuts, and as many on each side of the origin that are ever finer
FINER = 2.0 ** (-1 / 8)


def public_cuts(low: float, high: float) -> Array:
    """Cut points within a declared range: even ones, and others ever finer towards 0, or the end that is next to it.

    Raises
    ------
    ParameterError
        If the range is not finite or not a range.
    """
    if not (math.isfinite(low) and math.isfinite(high) and low < high and math.isfinite(high - low)):
        raise ParameterError("range", f"{low:g} to {high:g}", "two finite numbers, the first one below the second")
    origin, steps = min(max(low, 0.0), high), FINER ** np.arange(BINS)
    fine = [origin + (end - origin) * steps for end in (low, high) if end != origin]
    return np.unique(np.concatenate([np.linspace(low, high, BINS), *fine]))


def running_counts(cuts: Array) -> Query[Response]:
    """R h, with h the counts of the response in the bins between cuts and R R the matrix that makes running sums.

    R is lower triangular with c_k = (2k choose k)/4^k on its k-th diagonal (Henzinger, Upadhyay & Upadhyay 2023): R of
    what is released are the running sums, and their noise grows with the logarithm of the number of bins. Replacing a
    record moves one count from a bin to another, so R h changes by a difference of two columns of R; adding or removing
    one, by a column. The largest of all these norms is the sensitivity, and is attained: edges may be used under
    either relation.
    """
    root = _root(len(cuts) + 1)
    inner = root.T @ root
    squares = np.diag(inner)
    change = max(float((squares[:, None] + squares - 2 * inner).max()), float(squares.max()))

    def evaluate(response: Response) -> Array:
        return root @ np.bincount(np.searchsorted(cuts, response), minlength=len(cuts) + 1)

    return Query(RUNNING_COUNTS, evaluate, math.sqrt(change))


def edges_at_quantiles(answer: Array, cuts: Array, slices: int, n: int) -> tuple[float, ...]:
    """The cuts at which the noisy running counts are nearest to equal parts of n: post-processing."""
    running = isotonic_regression((_root(len(answer)) @ answer)[:-1]).x
    wanted = n * np.arange(1, slices) / slices
    places = np.abs(running[None, :] - wanted[:, None]).argmin(axis=1)
    return tuple(np.unique(cuts[places]).tolist())


@cache
def _root(size: int) -> Array:
    entries = np.cumprod(np.concatenate([[1.0], 1 - 0.5 / np.arange(1, size)]))
    lags = np.subtract.outer(np.arange(size), np.arange(size))
    return np.where(lags >= 0, entries[np.maximum(lags, 0)], 0.0)
