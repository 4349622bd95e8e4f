"""Tables as text, ``NAME.csv`` or ``NAME.csv.gz``: columns of numbers and one of labels, with or without a header."""

import csv
import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpgep_core.datasets.formats.guard import check_size, check_unpacked, reading
from dpgep_core.datasets.formats.sidecar import Sidecar
from dpgep_core.datasets.formats.table import LABEL_NAMES, Table, label_column, smallest_type, stack
from dpgep_core.errors import DataError

_CELL_PER_BYTE = 4.0  # "0," takes two bytes as text and eight as a number
_FIRST_LINE = 1 << 24  # bytes; a longer first line is no table


def read(path: Path, sidecar: Sidecar) -> Table:
    """Numbers in the smallest type that holds all of a whole-numbered table, else as floats; labels as text."""
    with reading(path):
        _check_size(path)
        first, second, delimiter = _first_rows(path)
        named = _has_header(first, second, sidecar.label)
        names = [name.strip() for name in first] if named else [str(j) for j in range(len(first))]
        label = label_column(path.name, names, sidecar.label, named)
        frame: Any = pd.read_csv(
            path,
            sep=delimiter,
            header=None,
            skiprows=1 if named else 0,
            names=range(len(names)),  # not the names themselves: they may repeat
            index_col=False,
            dtype={} if label is None else {label: str},
            keep_default_na=False,  # "NA" and "None" are words like others in a column of labels
            skipinitialspace=True,
            float_precision="round_trip",
            low_memory=False,
        )
    features = [j for j in range(len(names)) if j != label]
    kept = tuple(names[j] for j in features)
    X = stack([_numbers(frame[j]) for j in features], kept, path.name)
    y = None if label is None else frame[label].to_numpy(dtype=object)
    return Table(X.astype(smallest_type(X)), y, feature_names=kept if named else ())


def _open(path: Path) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path)) if path.suffix.lower() == ".gz" else path.open("rb")


def _check_size(path: Path) -> None:
    if path.suffix.lower() != ".gz":
        check_size(path.name, int(_CELL_PER_BYTE * path.stat().st_size))
        return
    with _open(path) as stream:
        check_unpacked(path.name, stream, _CELL_PER_BYTE)


def _first_rows(path: Path) -> tuple[list[str], list[str], str]:
    with _open(path) as stream:
        lines = [stream.readline(_FIRST_LINE).decode("utf-8-sig").strip() for _ in range(2)]
    delimiter = max((",", ";", "\t"), key=lines[0].count)
    first, second = (next(csv.reader([line], delimiter=delimiter), []) for line in lines)
    if len(first) < 2:
        raise DataError(path.name, "the first line has fewer than 2 fields", "columns parted by commas are needed")
    return first, second, delimiter


def _has_header(first: Sequence[str], second: Sequence[str], label: str | int | None) -> bool:
    """Whether the first line names the columns: by a usual or declared name, or by words above numbers only."""
    words = {field.strip() for field in first}
    if label in words or any(field.lower() in LABEL_NAMES for field in words):
        return True
    if not any(_is_number(field) for field in first):
        return True
    return any(not _is_number(above) and _is_number(below) for above, below in zip(first, second, strict=False))


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _numbers(column: Any) -> NDArray[Any]:
    if column.dtype.kind in "biuf":
        return column.to_numpy()
    numbers: Any = pd.to_numeric(column, errors="coerce")  # whole numbers beyond 64 bits arrive as text
    return np.asarray(numbers, np.float64) if numbers.notna().all() else column.to_numpy(dtype=object)
