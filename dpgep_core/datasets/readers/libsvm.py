"""LIBSVM text ``NAME.libsvm`` or ``NAME.svm``: a line is ``label index:value …``.

Indices count from 1, or from 0 where that is declared. ``NAME_test.libsvm`` beside ``NAME.libsvm`` is its test split.
"""

import io
import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.readers.remedies import ZERO_BASED
from dpgep_core.datasets.readers.sidecar import Sidecar, check_only_label, refuse_table_keys
from dpgep_core.datasets.readers.source import Content, check_size, is_file
from dpgep_core.datasets.readers.table import Table, is_number, smallest_type
from dpgep_core.datasets.sparse_rows import SPARSE_COLUMNS, SparseRows
from dpgep_core.errors import DataError, show_value

LINE_ENDINGS = (".libsvm", ".svm")
COLUMNS_LEARNT = "the number of columns d, the largest index in the file (declared_d declares it)"
_TEST = "_test"
_MOST_INDEX = 2**31 - 1
_MOST_DIGITS = 20
_SPARSE_BYTES = 5  # in memory for each byte of text, at most: itself, and "1:1 " is a float and an index


def test_part(path: Path) -> Path | None:
    """The test split that belongs to a file, if there is one."""
    beside = path.with_name(f"{path.stem}{_TEST}{path.suffix}")
    return beside if path.suffix in LINE_ENDINGS and is_file(beside) else None


def is_test_part(path: Path) -> bool:
    """Whether a file is the test split of another."""
    whole = path.with_name(path.stem.removesuffix(_TEST) + path.suffix)
    return path.suffix in LINE_ENDINGS and path.stem.endswith(_TEST) and os.path.isfile(whole)


def read_libsvm(content: Content, sidecar: Sidecar) -> Table:
    """Rows in the smallest type that fits, and those of the test split; rows of many columns stay sparse.

    Columns that are zero in all rows leave no trace in this format, so their number is taken from what the sidecar
    declares for each column, where it does.
    """
    where = content.name
    refuse_table_keys(where, sidecar, "LIBSVM text", honoured=("zero_based",))
    check_only_label(where, sidecar, "the label of LIBSVM text is the first field of a line")
    files = [content] if content.beside is None else [content, content.beside]
    texts = [file.unpack() for file in files]
    check_size(where, _SPARSE_BYTES * sum(map(len, texts)))
    loaded = _load(files, texts, sidecar)
    sparse: list[Any] = loaded[::2]
    dtype = np.result_type(*(smallest_type(_with_zero(part)) for part in sparse))
    rows: list[Any]
    if sparse[0].shape[1] >= SPARSE_COLUMNS:
        rows = [SparseRows.of(where, part.astype(dtype)) for part in sparse]
    else:
        check_size(where, sum(part.shape[0] * part.shape[1] for part in sparse) * dtype.itemsize)
        rows = [part.astype(dtype).toarray() for part in sparse]
    labels: list[NDArray[Any] | None] = [None, None] if sidecar.label == "" else loaded[1::2]
    learnt = (COLUMNS_LEARNT,) if sidecar.n_columns is None else ()
    test = (None, None) if len(files) == 1 else (rows[1], labels[1])
    return Table(rows[0], labels[0], *test, learnt=learnt)


def _load(files: Sequence[Content], texts: Sequence[bytes], sidecar: Sidecar) -> list[Any]:
    """Rows and labels of each file; what the parser refuses is looked for again, to name the line."""
    load: Any = import_module("sklearn.datasets").load_svmlight_files  # here, as it takes long to import
    try:
        streams = [io.BytesIO(text) for text in texts]
        return load(streams, n_features=sidecar.n_columns, zero_based=sidecar.reading.zero_based)
    except (ValueError, OverflowError) as error:
        for file, text in zip(files, texts, strict=True):
            _explain(file.name, text, sidecar)
        allowed = "lines of a label and index:value pairs are needed"
        raise DataError(files[0].name, "it is no LIBSVM text", allowed) from error


def _explain(where: str, text: bytes, sidecar: Sidecar) -> None:
    """Raise an error that names the first line that is wrong, if one is found."""
    for number, line in enumerate(io.BytesIO(text), start=1):
        fields = line.decode("utf-8", "replace").partition("#")[0].split()
        if fields and (wrong := _wrong(fields, sidecar)) is not None:
            raise DataError(where, f"line {number:,}: {wrong[0]}", wrong[1])


def _wrong(fields: Sequence[str], sidecar: Sidecar) -> tuple[str, str] | None:
    """Fault of a line, and what is allowed."""
    if not is_number(fields[0]):
        return f"label {show_value(fields[0])} is no number", "LIBSVM text has numbers as labels"
    lowest, before = int(not sidecar.reading.zero_based), -1
    for field in fields[1:]:
        index, colon, value = field.partition(":")
        if index == "qid":
            continue
        if not colon or not index.lstrip("+-").isdecimal() or not is_number(value):
            return f"{show_value(field)} is no index:value", "a column number, a colon and a number are needed"
        if len(index) > _MOST_DIGITS:
            return f"index {show_value(index)}", f"column numbers from {lowest} to {_MOST_INDEX:,} are allowed"
        if int(index) == 0 and lowest:
            written = "columns are counted from 0, as scikit-learn writes them"
            return f"index 0: {written}", str(ZERO_BASED)
        if not lowest <= int(index) <= _MOST_INDEX:
            return f"index {show_value(index)}", f"column numbers from {lowest} to {_MOST_INDEX:,} are allowed"
        if int(index) <= before:
            return f"index {index} after {before}", "each column once in a line, in increasing order"
        before = int(index)
        if sidecar.n_columns is not None and before - lowest >= sidecar.n_columns:
            most = f"the sidecar declares {sidecar.n_columns:,} columns"
            return f"index {before} is beyond the last column", most
    return None


def _with_zero(part: Any) -> NDArray[Any]:
    part.sum_duplicates()
    return np.append(part.data, 0.0)
