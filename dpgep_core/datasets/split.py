"""Rows to fit on and rows to judge by."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.privacy.randomness import permutation

TEST_SIZE = 0.2  # share of the rows that is held out where nothing else is said


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


def split(dataset: Dataset, seed: int, test_size: float = TEST_SIZE) -> Split:
    """The published split, or else a share held out by the seed, which looks at neither rows nor labels.

    Whether a row is held out depends on its index, the seed and the number of rows alone. One changed record therefore
    changes one row of one side, and the numbers of rows fitted and held out stay what they are: a split that is
    stratified by class would move other rows and publish a count of labels.

    Parameters
    ----------
    dataset : Dataset
        Any data set.
    seed : int
        Decides who is held out where no split is published.
    test_size : float
        In [0, 1): the share held out where no split is published. 0 holds out nobody: all rows are fitted.

    Returns
    -------
    Split
        Rows keep their order. Nothing is copied where the split is published or nobody is held out.
    """
    X, y = dataset.X, dataset.y
    if dataset.X_test is not None:
        return Split(X, y, dataset.X_test, dataset.y_test)
    held_out = np.zeros(dataset.n, bool)
    held_out[permutation(seed, dataset.n, "split")[: held_out_rows(dataset.n, test_size)]] = True
    kept = ~held_out if test_size else slice(None)  # without copying where all rows are kept
    return Split(X[kept], None if y is None else y[kept], X[held_out], None if y is None else y[held_out])


def held_out_rows(rows: int, test_size: float) -> int:
    """How many of the rows are held out: none for 0, else at least one, and never all."""
    return min(max(round(test_size * rows), 1), rows - 1) if test_size else 0
