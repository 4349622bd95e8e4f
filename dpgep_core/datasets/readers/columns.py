"""A table column by column, before anything is made of it: fields of text, or what a Parquet file stores."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq

from dpgep_core.datasets.readers.options import Column
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.source import Content, check_size
from dpgep_core.datasets.readers.table import first_names, is_number, label_column, smallest_type
from dpgep_core.datasets.readers.text import MOST_TEXT_COLUMNS, Written, decode, ragged_line_error
from dpgep_core.datasets.readers.utf8 import check_magic
from dpgep_core.datasets.readers.words import gaps_of, is_text
from dpgep_core.errors import DataError, show_value

PANDAS_INDEX = "pandas stored it as the index of the rows"
NAMELESS = "a first column without a name holds row names"
_INDEX = "__index_level_"  # how pandas stores row names that have no name
_UNNAMED = re.compile(r"Unnamed: 0(\.\d+)*(_level_\d+)?|\.\.\.1")  # an empty name, read and written again
_NOT_A_NUMBER = re.compile(r"column #(\d+): ")
_BLOCK = 1 << 21  # bytes read at once: their numbers take up to eight times that
_RESTARTS = 16
_ONE_KIND = "numbers in every file of the folder, or words in every file, are needed"


@dataclass(frozen=True)
class Columns:
    """A table column by column, as stored.

    Parameters
    ----------
    where : str
        The file's name.
    names : tuple of str
        Of the columns; numbers where ``named`` is false.
    parts : tuple of arrays
        NumPy arrays of numbers, or Arrow arrays of anything.
    row_names : mapping of int to str
        Columns that by their name hold row names or numbers, and how that is known.
    typed : bool
        Whether the file says of what type its numbers are.
    learnt : tuple of str
        How the rows are read, where the rows decided it.
    """

    where: str
    names: tuple[str, ...]
    parts: tuple[Any, ...]
    named: bool
    row_names: dict[int, str] = field(default_factory=dict[int, str])
    typed: bool = False
    learnt: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Rows."""
        return len(self.parts[0]) if self.parts else 0

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Where each name stands."""
        found: dict[str, list[int]] = {}
        for j, name in enumerate(self.names):
            found.setdefault(name, []).append(j)
        return found

    def position(self, key: str, column: Column) -> int:
        """Where a column is, by name or number."""
        if isinstance(column, int):
            if column < len(self.names):
                return column
            raise DataError(self.where, f"{key}: there is no column {column}", f"0 to {len(self.names) - 1} are there")
        places = self.places.get(column, []) if self.named else []
        if len(places) == 1:
            return places[0]
        called = show_value(column)
        problem = f"columns {places[:12]} are all called {called}" if places else f"there is no column {called}"
        raise DataError(self.where, f"{key}: {problem}", "a name that one column has, or a number from 0, is needed")


def text_columns(content: Content, sidecar: Sidecar) -> tuple[Columns, Written]:
    """The columns of a table of text: numbers where every field is one or a gap, else words."""
    written = decode(content.name, content.unpack(), sidecar.reading, sidecar.named_columns)
    columns = Columns(content.name, written.names, (), written.header, _row_names(written.names, written.header))
    words = {columns.position("text", each.column) for each in sidecar.text}
    label = label_column(content.name, written.names, sidecar.label, written.header, columns.row_names)
    words |= set() if label is None else {label}
    parts = _parse(content.name, written, sidecar, words)
    return replace(columns, parts=parts, learnt=written.learnt), written


def _parse(where: str, written: Written, sidecar: Sidecar, words: set[int]) -> tuple[Any, ...]:
    """Read the rows; where a column of numbers turns out to hold a word, again with that one as words."""
    decimal = sidecar.reading.decimal
    gaps = gaps_of(sidecar.reading)
    for row in written.head[:20]:
        cells = (cell if decimal == "." else cell.replace(decimal, ".") for cell in row)
        words |= {j for j, cell in enumerate(cells) if row[j].strip() not in gaps and not is_number(cell)}
    for attempt in range(_RESTARTS + 1):
        try:
            return _in_batches(where, written, sidecar, words)
        except pa.ArrowInvalid as error:
            told = _NOT_A_NUMBER.search(str(error))
            if told is None:
                raise ragged_line_error(where, written) from error
            words = words | {int(told[1])} if attempt < _RESTARTS else set(range(len(written.names)))
    return _in_batches(where, written, sidecar, words)


def _in_batches(where: str, written: Written, sidecar: Sidecar, words: set[int]) -> tuple[Any, ...]:
    keys = [str(j) for j in range(len(written.names))]  # names may repeat, numbers do not
    parts: list[list[Any]] = [[] for _ in keys]
    size = 0
    for batch in _open(written, sidecar, keys, words):
        for j, part in enumerate(parts):
            column: Any = batch.column(j)
            if j not in words:
                values = column.to_numpy(zero_copy_only=False)
                column = values.astype(smallest_type(values))
            size += column.nbytes
            part.append(column)
        check_size(where, 2 * size)  # twice: they are joined below
    return tuple(
        pa.chunked_array(part, pa.string()) if j in words else np.concatenate(part or [np.zeros(0)])
        for j, part in enumerate(parts)
    )


def _open(written: Written, sidecar: Sidecar, keys: list[str], words: set[int]) -> Iterable[Any]:
    if not written.text.strip():
        return ()
    return arrow_csv.open_csv(
        pa.BufferReader(written.text),
        read_options=arrow_csv.ReadOptions(
            column_names=keys, use_threads=False, block_size=max(_BLOCK, 4 * written.longest)
        ),
        parse_options=arrow_csv.ParseOptions(delimiter=written.delimiter, newlines_in_values=written.quoted_lines),
        convert_options=arrow_csv.ConvertOptions(
            column_types={key: pa.string() if j in words else pa.float64() for j, key in enumerate(keys)},
            null_values=list(gaps_of(sidecar.reading)),
            strings_can_be_null=False,
            decimal_point=sidecar.reading.decimal,
        ),
    )


@dataclass(frozen=True)
class ParquetLayout:
    """Columns of a Parquet file that are read: their places, names, and which of them hold row names."""

    kept: tuple[int, ...]
    names: tuple[str, ...]
    row_names: dict[int, str]


def parquet_layout(schema: Any) -> ParquetLayout:
    """The columns of an Arrow schema without those in which pandas keeps row names that have no name."""
    names = [str(name) for name in schema.names]
    kept = tuple(j for j, name in enumerate(names) if not name.startswith(_INDEX))
    left = tuple(names[j] for j in kept)
    index = _pandas_index(schema.metadata or {})
    row_names = _row_names(left, named=True) | {j: PANDAS_INDEX for j, name in enumerate(left) if name in index}
    return ParquetLayout(kept, left, row_names)


def parquet_columns(content: Content) -> Columns:
    """The columns of a Parquet file; sizes and types are checked before anything is unpacked."""
    with content.open() as stream:
        start = stream.read(8)
        if not start.startswith(b"PAR1"):
            check_magic(content.name, start)
        stream.seek(0)
        file: Any = pq.ParquetFile(cast(Any, stream))
        schema = file.schema_arrow
        layout = parquet_layout(schema)
        check_parquet_file(content.name, file, layout.kept)
        words = [str(schema.names[j]) for j in layout.kept if is_text(schema.field(j).type)]
        packed: Any = pq.ParquetFile(cast(Any, stream), read_dictionary=words)  # a word a million times stays one word
        table: Any = packed.read()
    columns = tuple(table.column(j) for j in layout.kept)
    return Columns(content.name, layout.names, columns, True, layout.row_names, typed=True)


def check_parquet_file(where: str, file: Any, kept: Sequence[int], *, in_memory: bool = True) -> None:
    """Refuse a file whose columns are no table, whose parts disagree or, ``in_memory``, that would not fit."""
    schema = file.schema_arrow
    if len(kept) > MOST_TEXT_COLUMNS:
        raise DataError(where, f"{len(kept):,} columns", f"at most {MOST_TEXT_COLUMNS:,} columns")
    for j in kept:
        kind = schema.field(j).type
        if pa.types.is_nested(kind):
            holds = f"column {show_value(str(schema.names[j]))} holds {show_value(str(kind))}"
            raise DataError(where, holds, "numbers, words or truth values are needed")
    groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
    stored = [(group.num_rows, group.column(j)) for group in groups for j in range(group.num_columns)]
    rows = sum(group.num_rows for group in groups)  # what is read; the total beside it is only said
    if rows != file.metadata.num_rows or any(column.num_values != n for n, column in stored):
        raise DataError(where, "its parts disagree about how many rows there are", "a whole Parquet file is needed")
    if in_memory:
        check_size(where, 8 * rows * len(kept))
        check_size(where, sum(column.total_uncompressed_size for _, column in stored))


def joined_columns(where: str, parts: Sequence[Columns]) -> Columns:
    """The columns of several tables, one below the other.

    Raises
    ------
    DataError
        If a table has other columns than the first, or a column holds words in one and numbers in another.
    """
    first = parts[0]
    for part in parts[1:]:
        if part.names != first.names or part.named != first.named:
            found, wanted = (first_names(each.names) if each.named else "without names" for each in (part, first))
            raise DataError(part.where, f"its columns are {found}", f"those of {first.where} are needed: {wanted}")
    check_size(where, sum(2 * column.nbytes for part in parts for column in part.parts))
    joined = tuple(_below(parts, j) for j in range(len(first.names)))
    row_names = {j: why for part in parts for j, why in part.row_names.items()}
    learnt = tuple(dict.fromkeys(fact for part in parts for fact in part.learnt))
    return Columns(where, first.names, joined, first.named, row_names, first.typed, learnt)


def _below(parts: Sequence[Columns], j: int) -> Any:
    """One column of all tables, in the type that fits all."""
    pieces = [part.parts[j] for part in parts]
    if all(isinstance(piece, np.ndarray) for piece in pieces):
        return np.concatenate(pieces)
    odd = next((k for k, piece in enumerate(pieces) if isinstance(piece, np.ndarray)), None)
    called = show_value(parts[0].names[j])
    if odd is not None:
        raise DataError(parts[odd].where, f"column {called} holds numbers here and words in another file", _ONE_KIND)
    tables = [pa.table({"column": piece}) for piece in pieces]
    try:
        return pa.concat_tables(tables, promote_options="permissive").column(0)
    except pa.ArrowInvalid as error:
        kinds = sorted({str(piece.type) for piece in pieces})
        raise DataError(parts[0].where, f"column {called} is of types {', '.join(kinds)}", _ONE_KIND) from error


def _row_names(names: tuple[str, ...], named: bool) -> dict[int, str]:
    """Columns that by their name alone hold row names: what their rows hold is not looked at."""
    if not named:
        return {}
    return {j: NAMELESS for j, name in enumerate(names) if _UNNAMED.fullmatch(name) or (j == 0 and not name)}


def _pandas_index(metadata: dict[bytes, bytes]) -> set[str]:
    try:
        columns: Any = json.loads(metadata[b"pandas"])["index_columns"]
        return {name for name in columns if isinstance(name, str)}
    except (KeyError, ValueError, TypeError, RecursionError):
        return set()
