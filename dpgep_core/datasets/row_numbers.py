"""Columns that number the rows. In a file sorted by class, such a column is the class."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.readers.table import show_value

FEW_ROWS = 10  # fewer whole numbers differ by chance


def is_whole(values: NDArray[Any]) -> bool:
    """Whether there are numbers, all whole."""
    return bool(values.size) and (values.dtype.kind in "iu" or bool((values == np.rint(values)).all()))


def counts_rows(values: NDArray[Any]) -> bool:
    """Whether a column holds n whole numbers one after the other, in any order: the number of each row."""
    if values.size < FEW_ROWS or float(values.max()) - float(values.min()) != values.size - 1:  # NaN: unequal
        return False
    return is_whole(values) and np.unique(values).size == values.size


def remarks(dataset: Dataset) -> Iterator[str]:
    """A sentence for each column of a data set that numbers its rows. It reads the rows."""
    for j in range(dataset.d):
        if counts_rows(dataset.X[:, j]):
            named = bool(dataset.feature_names)
            called = show_value(dataset.feature_names[j]) if named else f"{j}, counted from 0,"
            drop = f'drop = ["{dataset.feature_names[j]}"]' if named else f"drop = [{j}]"
            yield f"Column {called} numbers the rows: if it is no feature, leave it out, in a table by {drop}."
