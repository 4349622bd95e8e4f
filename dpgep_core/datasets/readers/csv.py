"""Tables as text, ``NAME.csv`` or ``NAME.csv.gz``: columns of numbers and one of labels, with or without a header."""

import csv
import gzip
import re
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
from numpy.typing import NDArray

from dpgep_core.datasets.readers.columns import text_columns
from dpgep_core.datasets.readers.limits import check_size, reading
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.source import Content
from dpgep_core.datasets.readers.table import Table, has_header, label_column, smallest_type, stack
from dpgep_core.datasets.readers.to_numbers import table_of
from dpgep_core.errors import DataError

_LONGEST_LINE = 1 << 24
_BLOCK = 1 << 22
_NOT_A_NUMBER = re.compile(r"column #(\d+): (?:Row #\d+: )?CSV conversion error to \w+: (invalid value .*)")


@dataclass(frozen=True)
class _Layout:
    """What the first two lines tell."""

    names: tuple[str, ...]
    first_fields: tuple[str, ...]
    named: bool
    delimiter: str
    block: int


def read(path: Path, sidecar: Sidecar) -> Table:
    """Numbers in the smallest type that holds all of a whole-numbered table, else as floats; labels as text."""
    if sidecar.rough:
        with reading(path):
            return table_of(text_columns(Content.of(path), sidecar)[0], sidecar)
    with reading(path):
        layout = _layout(path, sidecar.label)
        label = label_column(path.name, layout.names, sidecar.label, layout.named)
        kept = [j for j in range(len(layout.names)) if j != label]
        names = tuple(layout.names[j] for j in kept)
        parts: list[NDArray[Any]] = []
        labels: list[str | None] = []
        try:
            for batch in _open_table(path, layout, label):
                X = stack([batch.column(j).to_numpy(zero_copy_only=False) for j in kept], names, path.name)
                parts.append(X.astype(smallest_type(X)))
                labels += [] if label is None else batch.column(label).to_pylist()
                check_size(path.name, 2 * sum(part.nbytes for part in parts))  # twice: they are joined below
        except pa.ArrowInvalid as error:
            raise _not_a_number(path, layout, error) from error
    if not parts:
        raise DataError(path.name, "there are no rows", "a table of at least 2 rows is needed")
    return Table(
        np.concatenate(parts),
        None if label is None else np.array(labels, dtype=object),
        feature_names=names if layout.named else (),
    )


def _open_table(path: Path, layout: _Layout, label: int | None) -> Any:
    """Batches of rows. Types are declared, as guesses from the first rows would fail where 1 is followed by 1.5."""
    keys = [str(j) for j in range(len(layout.names))]  # names may repeat, numbers do not
    types: dict[str, Any] = {
        key: pa.bool_() if field.strip().lower() in ("true", "false") else pa.float64()
        for key, field in zip(keys, layout.first_fields, strict=False)
    }
    if label is not None:
        types[keys[label]] = pa.string()
    return arrow_csv.open_csv(
        path,
        read_options=arrow_csv.ReadOptions(
            column_names=keys, skip_rows=1 if layout.named else 0, block_size=layout.block
        ),
        parse_options=arrow_csv.ParseOptions(delimiter=layout.delimiter),
        convert_options=arrow_csv.ConvertOptions(column_types=types, strings_can_be_null=False),
    )


def _layout(path: Path, label: str | int | None) -> _Layout:
    packed = path.suffix.lower() == ".gz"
    with cast(IO[bytes], gzip.open(path)) if packed else path.open("rb") as stream:
        lines = [stream.readline(_LONGEST_LINE).decode("utf-8-sig").strip() for _ in range(2)]
    delimiter = max((",", ";", "\t"), key=lines[0].count)
    first, second = (next(csv.reader([line], delimiter=delimiter), []) for line in lines)
    if len(first) < 2:
        raise DataError(path.name, "the first line has fewer than 2 fields", "columns parted by commas are needed")
    named = has_header(first, second, label)
    names = tuple(name.strip() for name in first) if named else tuple(str(j) for j in range(len(first)))
    block = max(_BLOCK, 4 * max(len(line) for line in lines))
    return _Layout(names, tuple(second if named else first), named, delimiter, block)


def _not_a_number(path: Path, layout: _Layout, error: Exception) -> Exception:
    """Names the column where a parser's error tells its number."""
    told = _NOT_A_NUMBER.search(str(error))
    if told is None:
        return error
    return DataError(path.name, f"column {layout.names[int(told[1])]!r}: {told[2]}", "numbers only; encode text first")
