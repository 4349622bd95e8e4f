"""Data sets that are loaded to be released: where they do not load, no message tells of their rows."""

from dpgep_core.datasets import Dataset, open_dataset
from dpgep_core.errors import DataError


def loaded_for_release(name: str) -> Dataset:
    """A data set by its name or path.

    Raises
    ------
    DataError
        If its rows do not load; the message names no row, entry, label or count.
    """
    try:
        return open_dataset(name)
    except DataError:
        raise silent_error(name) from None


def silent_error(name: str) -> DataError:
    """The error for rows that do not load, in place of one that tells of them."""
    return DataError(
        name,
        "its rows or labels do not fit what is declared about them",
        "a data set that loads is needed. The reason tells of the rows, so it is not shown here: `dpgep solve` and the "
        "page Explore show it",
    )
