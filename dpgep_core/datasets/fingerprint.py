"""What tells one data set from another, whatever file it came from."""

from hashlib import blake2b

import numpy as np

from dpgep_core.datasets.dataset import Dataset

DIGEST_BLOCK = 1 << 22  # entries hashed at once


def dataset_digest(data: Dataset) -> bytes:
    """(32 bytes) a digest of everything that numbers depend on: rows, labels, split, classes, preprocessing.

    It tells equality and so says something of the rows: what leaves this machine is salted first.
    """
    found = blake2b(digest_size=32)
    for part in (data.X, data.y, data.X_test, data.y_test, data.response, data.response_test):
        if part is None:
            found.update(b"-")
            continue
        flat = np.asarray(part).reshape(-1)
        found.update(f"{np.shape(part)}{flat.dtype.str}".encode())
        for start in range(0, flat.size, DIGEST_BLOCK):
            found.update(flat[start : start + DIGEST_BLOCK].tobytes())
    found.update(repr((data.classes, data.preprocessing, data.edges, data.views)).encode())
    return found.digest()
