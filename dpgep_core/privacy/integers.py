"""Rows in whole steps that never leave the ball, and their sums, exact to the last bit.

Sums of floating-point numbers depend on their order, so one record changes them by more than a proof allows. Sums of
whole numbers do not: every partial sum of a block stays below 2^53, where a product of float64 matrices is exact, and
blocks add up in int64. The sums are the same for every order, partition, number of threads and machine.
"""

from collections.abc import Iterable

import numpy as np

from dpgep_core.errors import DataError
from dpgep_core.privacy.query import Array, Integers

BITS = 18  # of one entry: steps in 1, as a power of two
STEPS = 2.0**BITS
EXACT = 2**53  # whole numbers below it are exact in float64
MOST = 2**62  # bound on a sum; twice that still fits int64
IN_BALL = 1.0 + 1e-9  # norm of a prepared row, rounding included


def integer_rows(rows: Array) -> Array:
    """Rows of the unit ball in whole steps of 2^-18, none of them longer than 2^18 steps.

    Each entry is rounded to the nearest step. Where that makes a row too long, one step is taken off its largest
    entries, as many as it takes: a fixed rule of the record alone.

    Parameters
    ----------
    rows : array (m, d)
        Prepared rows, of norm 1 at most up to rounding.

    Returns
    -------
    array (m, d)
        Whole numbers q as float64, with |q|² ≤ 2^36 exactly.

    Raises
    ------
    DataError
        If an entry is not finite or a row is not in the ball. The message names no row.
    """
    if not (np.isfinite(rows).all() and (np.einsum("ij,ij->i", rows, rows) <= IN_BALL**2).all()):
        raise DataError("rows", "entries that are missing or not finite", "finite rows in the unit ball are needed")
    whole = np.rint(rows * STEPS)
    while (long := np.flatnonzero(_excess(whole) > 0)).size:
        whole[long] = _shortened(whole[long])
    return whole


def exact_sum(blocks: Iterable[Array], longest: int) -> Integers:
    """Σ z zᵀ over blocks of whole rows z.

    Parameters
    ----------
    blocks : iterable of arrays (m, p)
        Whole numbers as float64.
    longest : int
        Bound on |z|² for every row, which holds exactly.

    Returns
    -------
    int64 array (p, p)

    Raises
    ------
    DataError
        If there are so many rows that a sum could pass 2^62.
    """
    total, rows = np.zeros((), dtype=np.int64), 0
    at_once = EXACT // longest  # a partial sum of so many rows is exact
    for block in blocks:
        rows += len(block)
        if rows * longest > MOST:
            raise DataError("rows", f"more than {MOST // longest:,}", "sums of so many rows do not fit 64 bits")
        for first in range(0, len(block), at_once):
            part = block[first : first + at_once]
            total = total + (part.T @ part).astype(np.int64)
    return total


def _excess(whole: Array) -> Array:
    """(m,) |q|² − 2^36: exact, since the squares of whole entries add up to less than 2^53."""
    return np.einsum("ij,ij->i", whole, whole) - STEPS**2


def _shortened(whole: Array) -> Array:
    """Rows with one step less in each of their largest entries, in as many as bring the row into the ball."""
    size = np.abs(whole)
    order = np.argsort(-size, axis=1, kind="stable")
    gains = np.maximum(2 * np.take_along_axis(size, order, axis=1) - 1, 0.0)  # of |q|², when |q_j| loses one
    before = np.cumsum(gains, axis=1) - gains
    taken = np.zeros_like(whole)
    np.put_along_axis(taken, order, (before < _excess(whole)[:, None]) & (gains > 0), axis=1)
    return whole - np.sign(whole) * taken
