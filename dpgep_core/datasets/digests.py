"""Digests of a data set, by which kept results and the releases of a budget know its rows."""

from collections.abc import Sequence
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
    """(32 bytes) a digest of the fitted rows with their labels and responses alone, whatever is declared about them.

    Rows that are streamed are all read for it.
    """
    if isinstance(data.X, SummedRows):
        return data.X.content_digest()
    return _digest((data.X, data.y, data.response), "")


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
