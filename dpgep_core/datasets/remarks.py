"""Remarks on rows that a user should know of before they are used: columns that number the rows."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.dataset import FEW_ROWS, Dataset
from dpgep_core.datasets.sparse_rows import SparseRows
from dpgep_core.errors import show_value


def is_whole(values: NDArray[Any]) -> bool:
    """Whether there are numbers, all whole."""
    return bool(values.size) and (values.dtype.kind in "iu" or bool((values == np.rint(values)).all()))


def counts_rows(values: NDArray[Any]) -> bool:
    """Whether a column holds n whole numbers one after the other, in any order: the number of each row."""
    if values.size < FEW_ROWS or float(values.max()) - float(values.min()) != values.size - 1:  # NaN: unequal
        return False
    return is_whole(values) and np.unique(values).size == values.size


def _full_columns(dataset: Dataset) -> Iterable[int]:
    """Columns that could number the rows: of sparse rows, those with one zero at most."""
    if isinstance(dataset.X, SparseRows):
        return np.flatnonzero(np.bincount(dataset.X.parts[1], minlength=dataset.d) >= dataset.n - 1).tolist()
    return range(0 if dataset.streamed else dataset.d)


def remarks(dataset: Dataset) -> Iterator[str]:
    """A sentence for each column that numbers the rows. It reads the rows, unless they are streamed.

    In a file sorted by class, such a column is the class.
    """
    for j in _full_columns(dataset):
        if counts_rows(dataset.X[:, j]):
            named = bool(dataset.feature_names)
            called = show_value(dataset.feature_names[j]) if named else f"{j}, counted from 0,"
            drop = f'drop = ["{dataset.feature_names[j]}"]' if named else f"drop = [{j}]"
            yield f"Column {called} numbers the rows: if it is no feature, leave it out, in a table by {drop}."
