"""LIBSVM text ``NAME.libsvm`` or ``NAME.svm``: a line is ``label index:value …``, indices from 1.

``NAME_test.libsvm`` beside ``NAME.libsvm`` is its test split.
"""

import io
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_svmlight_files

from dpgep_core.datasets.readers.limits import check_size, reading
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.source import Content
from dpgep_core.datasets.readers.table import Table, smallest_type

ENDINGS = (".libsvm", ".svm")
_TEST = "_test"
_SPARSE_BYTES = 4  # in memory for each byte of text, at most: "1:1 " is a float and an index


def test_part(path: Path) -> Path | None:
    """The test split that belongs to a file, if there is one."""
    beside = path.with_name(f"{path.stem}{_TEST}{path.suffix}")
    return beside if path.suffix in ENDINGS and beside.is_file() else None


def is_test_part(path: Path) -> bool:
    """Whether a file is the test split of another."""
    whole = path.with_name(path.stem.removesuffix(_TEST) + path.suffix)
    return path.suffix in ENDINGS and path.stem.endswith(_TEST) and whole.is_file()


def read(path: Path, sidecar: Sidecar) -> Table:
    """Dense rows in the smallest type that fits.

    Columns that are zero in all rows leave no trace in this format, so their number is taken from what the sidecar
    declares for each column, where it does.
    """
    test = test_part(path)
    with reading(path):
        return read_contents([Content.of(file) for file in ([path] if test is None else [path, test])], sidecar)


def read_contents(files: Sequence[Content], sidecar: Sidecar) -> Table:
    """One part, or the training and the test part."""
    where = files[0].name
    check_size(where, _SPARSE_BYTES * sum(file.size for file in files))
    load: Any = load_svmlight_files
    with ExitStack() as opened:
        streams = [opened.enter_context(io.BytesIO(file.unpacked()) if file.packed else file.open()) for file in files]
        loaded: list[Any] = load(streams, n_features=sidecar.n_columns, zero_based=False)
    sparse: list[Any] = loaded[::2]
    dtype = np.result_type(*(smallest_type(_with_zero(part)) for part in sparse))
    check_size(where, sum(part.shape[0] * part.shape[1] for part in sparse) * dtype.itemsize)
    rows = [part.astype(dtype).toarray() for part in sparse]
    labels: list[NDArray[Any] | None] = [None, None] if sidecar.label == "" else loaded[1::2]
    return Table(rows[0], labels[0]) if len(files) == 1 else Table(rows[0], labels[0], rows[1], labels[1])


def _with_zero(part: Any) -> NDArray[Any]:
    part.sum_duplicates()
    return np.append(part.data, 0.0)
