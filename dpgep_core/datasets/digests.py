"""Digests of a data set, by which kept results and the releases of a budget know its rows."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.sparse_rows import SparseRows
from dpgep_core.datasets.summed_rows import SummedRows

DIGEST_BLOCK = 1 << 22  # entries hashed at once


def dataset_digest(data: Dataset) -> bytes:
    """(32 bytes) a digest of everything that numbers depend on: rows, labels, split, classes, preprocessing.

    It tells equality and so says something of the rows: what leaves this machine is salted first.
    """
    parts = (data.X, data.y, data.X_test, data.y_test, data.response, data.response_test)
    paid = (data.edges_mu,) if data.edges_mu else ()
    return _digest(parts, repr((data.classes, data.preprocessing, data.edges, data.views, *paid)))


def rows_digest(data: Dataset) -> bytes:
    """(32 bytes) a digest of the fitted rows alone, whatever is declared about them and however they are stored.

    One table has one digest: as CSV or Parquet, in whole numbers or in others, sparse, in memory or streamed. Rows that
    are streamed are all read for it.
    """
    X = data.X
    if isinstance(X, SummedRows):
        return X.content_digest()
    at_once = max(1, DIGEST_BLOCK // data.d)
    return digest_of_blocks(X.shape, (np.asarray(X[first : first + at_once]) for first in range(0, data.n, at_once)))


def digest_of_blocks(shape: tuple[int, int], blocks: Iterable[NDArray[Any]]) -> bytes:
    """(32 bytes) a digest of rows (n, d) that come in blocks: of the nearest numbers of 32 bits.

    Numbers that differ by less are the same, so that rounding in a file makes no other rows.
    """
    found = blake2b(f"{tuple(map(int, shape))}".encode(), digest_size=32)
    with np.errstate(over="ignore"):  # beyond the largest all are one
        for block in blocks:
            found.update((block.astype("<f4") + np.float32(0)).tobytes())  # −0 and 0 are one
    return found.digest()


def _digest(parts: Sequence[NDArray[Any] | None], more: str) -> bytes:
    found = blake2b(digest_size=32)
    for part in parts:
        if part is None:
            found.update(b"-")
            continue
        if isinstance(part, SummedRows):
            found.update(part.identity.encode())
            continue
        for array in part.parts if isinstance(part, SparseRows) else (np.asarray(part),):
            flat = array.reshape(-1)
            found.update(f"{np.shape(part)}{flat.dtype.str}".encode())
            for start in range(0, flat.size, DIGEST_BLOCK):
                found.update(flat[start : start + DIGEST_BLOCK].tobytes())
    found.update(more.encode())
    return found.digest()
