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
    """The published split, or else 80/20 by the seed, which looks at neither rows nor labels.

    Whether a row is held out depends on its index, the seed and the number of rows alone. One changed record therefore
    changes one row of one side, and the numbers of rows fitted and held out stay what they are: a split that is
    stratified by class would move other rows and publish a count of labels.

    Parameters
    ----------
    dataset : Dataset
        Any data set.
    seed : int
        Decides who is held out where no split is published.

    Returns
    -------
    Split
        Rows keep their order. Nothing is copied where the split is published.
    """
    X, y = dataset.X, dataset.y
    if dataset.X_test is not None:
        return Split(X, y, dataset.X_test, dataset.y_test)
    held_out = np.zeros(dataset.n, bool)
    held_out[permutation(seed, dataset.n, "split")[: _test_size(dataset.n)]] = True
    kept = ~held_out
    return Split(X[kept], None if y is None else y[kept], X[held_out], None if y is None else y[held_out])


def _test_size(rows: int) -> int:
    """A fifth, but at least one row on each side: a data set has two."""
    return min(max(round(TEST_SHARE * rows), 1), rows - 1)
