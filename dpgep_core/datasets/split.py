"""Rows to fit on and rows to judge by."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.privacy.randomness import permutation

TEST_SIZE = 0.2  # share of the rows that is held out where nothing else is said
STRETCH = 1 << 25  # rows that one permutation shares out; a table with more is cut into stretches of so many


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
    held_out = held_out_between(seed, dataset.n, test_size, 0, dataset.n)
    kept = ~held_out if test_size else slice(None)  # without copying where all rows are kept
    return Split(X[kept], None if y is None else y[kept], X[held_out], None if y is None else y[held_out])


def held_out_rows(rows: int, test_size: float) -> int:
    """How many of the rows are held out: none for 0, else at least one of each stretch, and never all."""
    if not test_size:
        return 0
    whole = max(rows - 2, 0) // STRETCH  # stretches before the last: none is listed, as a declared n may be any number
    return whole * _held_out_of(STRETCH, test_size) + _held_out_of(rows - whole * STRETCH, test_size)


def held_out_between(seed: int, rows: int, test_size: float, first: int, last: int) -> NDArray[np.bool_]:
    """(last − first,) whether each of the rows first … last − 1 is held out.

    A table of up to `STRETCH` rows is shared out by one permutation. A longer one is cut into stretches of so many
    rows, each with a permutation of its own, so that no list of all rows is ever made.
    """
    found = np.zeros(last - first, bool)
    for number, (start, stop) in enumerate(_stretches(rows)):
        begin, end = max(first, start), min(last, stop)
        if test_size and begin < end:
            mask = _held_out(seed, number, stop - start, test_size)
            found[begin - first : end - first] = mask[begin - start : end - start]
    return found


def drawn_positions(seed: int, rows: int, test_size: float, most: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Sorted positions of ``most`` fitted and ``most`` held-out rows at most, spread evenly over the stretches."""
    fitted: list[NDArray[np.intp]] = []
    held_out: list[NDArray[np.intp]] = []
    for number, (start, stop) in enumerate(_stretches(rows)):
        share = round(most * stop / rows) - round(most * start / rows)
        order = _order(seed, number, stop - start)
        cut = _held_out_of(stop - start, test_size)
        held_out.append(start + np.sort(order[: min(share, cut)]))
        fitted.append(start + np.sort(order[cut : cut + share]))
    return np.concatenate(fitted), np.concatenate(held_out)


def _held_out_of(rows: int, test_size: float) -> int:
    return min(max(round(test_size * rows), 1), rows - 1) if test_size else 0


def _stretches(rows: int) -> Iterator[tuple[int, int]]:
    """Ends of the stretches; a last one of a single row would have nobody to hold out or to fit, and joins another."""
    starts = list(range(0, max(rows - 1, 1), STRETCH))
    return zip(starts, [*starts[1:], rows], strict=True)


def _order(seed: int, number: int, rows: int) -> NDArray[np.intp]:
    return permutation(seed, rows, "split", f"stretch {number}" if number else "")


@lru_cache(maxsize=2)  # the files of a folder ask one after the other
def _held_out(seed: int, number: int, rows: int, test_size: float) -> NDArray[np.bool_]:
    mask = np.zeros(rows, bool)
    mask[_order(seed, number, rows)[: _held_out_of(rows, test_size)]] = True
    mask.flags.writeable = False
    return mask
