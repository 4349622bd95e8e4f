"""Rows to fit on and rows to judge by."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.privacy.randomness import permutation

TEST_SHARE = 0.2


@dataclass(frozen=True, eq=False)
class Split:
    """Training and test rows, in the type they are stored in.

    Parameters
    ----------
    X, X_test : array (n, d), (m, d)
        Rows as stored, before preprocessing.
    y, y_test : int array (n,), (m,) or None
        Class codes.
    """

    X: NDArray[Any] = field(repr=False)
    y: NDArray[np.intp] | None = field(repr=False)
    X_test: NDArray[Any] = field(repr=False)
    y_test: NDArray[np.intp] | None = field(repr=False)


def split(dataset: Dataset, seed: int) -> Split:
    """The published split, or else 80/20 by the seed, stratified by class.

    The seed's split depends on the labels and on nothing else, neither name nor format, so the same rows from another
    file are split alike. Rows keep their order.

    Parameters
    ----------
    dataset : Dataset
        Any data set.
    seed : int
        Decides who is held out where no split is published.

    Returns
    -------
    Split
        Without copying where the split is published.
    """
    X, y = dataset.X, dataset.y
    if dataset.X_test is not None:
        return Split(X, y, dataset.X_test, dataset.y_test)
    held_out = _stratified(y, seed) if y is not None else np.zeros(dataset.n, bool)
    if not held_out.any():  # no labels, or no class with two rows
        held_out[permutation(seed, dataset.n, "split")[: _test_size(dataset.n)]] = True
    kept = ~held_out
    return Split(X[kept], None if y is None else y[kept], X[held_out], None if y is None else y[held_out])


def _stratified(y: NDArray[np.intp], seed: int) -> NDArray[np.bool_]:
    """Of each class, the rows that come first in one random order of all rows.

    The order owes nothing to the labels, so another label for one row moves that row and at most one other of each of
    the two classes; an order drawn for each class would move rows by the dozen.
    """
    held_out = np.zeros(y.shape[0], bool)
    order = permutation(seed, y.shape[0], "split")
    for code in np.unique(y):
        mine = order[y[order] == code]
        held_out[mine[: _test_size(mine.size)]] = True
    return held_out


def _test_size(rows: int) -> int:
    """A fifth, but at least one on each side where there are two."""
    return min(max(round(TEST_SHARE * rows), 1), rows - 1)
