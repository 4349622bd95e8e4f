"""Data sets whose rows are private: where they do not load, no message tells of them."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, cast

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.registry import check_stored, open_dataset
from dpgep_core.datasets.streamed import StreamedRows
from dpgep_core.errors import DataError


def open_silently(name: str) -> Dataset:
    """A data set by its name or path. Streamed rows, which are read later, tell nothing of themselves then either.

    Raises
    ------
    DataError
        If the files or their declarations cannot be read, with the reason; or if its rows do not load, and then the
        message names no row, entry, label or count.
    """
    check_stored(name)
    with _silenced(name):
        dataset = open_dataset(name)
    rows: Any = dataset.X
    if not isinstance(rows, StreamedRows):
        return dataset
    return replace(dataset, X=cast(Any, replace(rows, reading=partial(_silenced, name))))


def silent_error(name: str) -> DataError:
    """The error for rows that do not load, in place of one that tells of them."""
    return DataError(
        name,
        "its rows or labels do not fit what is declared about them",
        "a data set that loads is needed. The reason tells of the rows, so it is not shown here: `dpgep solve` and the "
        "page Explore show it",
    )


@contextmanager
def _silenced(name: str) -> Generator[None]:
    try:
        yield
    except DataError:
        raise silent_error(name) from None
