"""A table column by column, before anything is made of it: fields of text, or what a Parquet file stores."""

import re
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from dpgep_core.datasets.readers.limits import check_size
from dpgep_core.datasets.readers.options import Column
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.source import Content
from dpgep_core.datasets.readers.table import shown
from dpgep_core.datasets.readers.text import MOST_COLUMNS, Written, check_magic, decode
from dpgep_core.errors import DataError

GAPS = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "?", "#N/A")
_INDEX = "__index_level_"  # how pandas stores row names, which are no feature
_WIDTH = re.compile(r"Row #(\d+): Expected (\d+) columns, got (\d+)")
kernels: Any = pc


@dataclass(frozen=True)
class Columns:
    """A table column by column, as stored: text, numbers or truth values."""

    where: str
    names: tuple[str, ...]
    parts: tuple[Any, ...]  # Arrow arrays
    named: bool

    def position(self, key: str, column: Column) -> int:
        """Where a column is, by name or number."""
        if isinstance(column, int):
            if column < len(self.names):
                return column
            raise DataError(self.where, f"{key}: there is no column {column}", f"0 to {len(self.names) - 1} are there")
        places = [j for j, name in enumerate(self.names) if name == column]
        if len(places) == 1:
            return places[0]
        called = shown(column)
        problem = f"columns {places[:12]} are all called {called}" if places else f"there is no column {called}"
        raise DataError(self.where, f"{key}: {problem}", "a name that one column has, or a number from 0, is needed")


def text_columns(content: Content, sidecar: Sidecar) -> tuple[Columns, Written]:
    """The fields of a table of text, all as words."""
    written = decode(content.name, content.unpacked(), sidecar.reading, sidecar.label)
    keys = [str(j) for j in range(len(written.names))]
    try:
        table: Any = arrow_csv.read_csv(
            pa.BufferReader(written.text),
            read_options=arrow_csv.ReadOptions(
                column_names=keys, skip_rows=int(written.header), use_threads=False, block_size=1 << 24
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=written.delimiter, newlines_in_values=written.quoted_lines
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types={key: pa.string() for key in keys}, strings_can_be_null=False
            ),
        )  # fmt: skip
    except pa.ArrowInvalid as error:
        raise _ragged(content.name, error) from error
    parts = tuple(table.column(j) for j in range(len(keys)))
    return Columns(content.name, written.names, parts, written.header), written


def parquet_columns(content: Content) -> Columns:
    """The columns of a Parquet file; sizes and types are checked before anything is unpacked."""
    with content.open() as stream:
        start = stream.read(8)
        if not start.startswith(b"PAR1"):
            check_magic(content.name, start)
        stream.seek(0)
        file: Any = pq.ParquetFile(cast(Any, stream))
        names = [str(name) for name in file.schema_arrow.names]
        kept = [j for j, name in enumerate(names) if not name.startswith(_INDEX)]
        if len(kept) > MOST_COLUMNS:
            raise DataError(content.name, f"{len(kept):,} columns", f"at most {MOST_COLUMNS:,} columns")
        for j in kept:
            kind = file.schema_arrow.field(j).type
            if pa.types.is_nested(kind):
                raise DataError(
                    content.name, f"column {shown(names[j])} holds {shown(str(kind))}", "numbers, words or truth values"
                )
        check_size(content.name, 8 * file.metadata.num_rows * len(kept))
        check_size(content.name, _unpacked(file.metadata))
        words = [names[j] for j in kept if _is_words(file.schema_arrow.field(j).type)]
        packed: Any = pq.ParquetFile(cast(Any, stream), read_dictionary=words)  # a word a million times stays one word
        table: Any = packed.read()
    parts: list[Any] = [table.column(j) for j in kept]
    return Columns(content.name, tuple(names[j] for j in kept), tuple(parts), named=True)


@dataclass(frozen=True)
class Words:
    """A column as words: each once, and for each row which of them it has, −1 in a gap. A word may go unused."""

    codes: NDArray[np.intp]
    words: Any  # Arrow array of text

    @property
    def listed(self) -> list[str]:
        """The words."""
        return self.words.to_pylist()

    @property
    def used(self) -> list[str]:
        """Those that some row has."""
        words = self.listed
        return [words[code] for code in np.unique(self.codes[self.codes >= 0])]

    @property
    def gaps(self) -> NDArray[np.bool_]:
        """(n,) where there is none."""
        return self.codes < 0

    def rows(self) -> list[str | None]:
        """The word of each row."""
        words = self.listed
        return [None if code < 0 else words[code] for code in self.codes.tolist()]


def words_of(column: Any) -> Words:
    """Trimmed words; a word is never written out for each row, however often it occurs."""
    chunked = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    if not pa.types.is_dictionary(chunked.type):
        chunked = chunked.cast(pa.string()).dictionary_encode()
    if not chunked.num_chunks:
        return Words(np.zeros(0, np.intp), pa.array([], pa.string()))
    whole: Any = chunked.unify_dictionaries().combine_chunks()
    again = kernels.utf8_trim_whitespace(whole.dictionary.cast(pa.string())).dictionary_encode()
    known = ~np.asarray(kernels.is_in(again, pa.array(GAPS)).to_numpy(zero_copy_only=False), bool)
    place = np.where(known, kernels.fill_null(again.indices, -1).to_numpy(zero_copy_only=False), -1)
    index = np.asarray(kernels.fill_null(whole.indices, -1).to_numpy(zero_copy_only=False), np.intp)
    return Words(np.append(place, -1)[index].astype(np.intp), again.dictionary)  # index -1 takes the last: a gap


def numbers_of(column: Any, decimal: str) -> NDArray[np.float64] | None:
    """(n,) numbers of a column, NaN in its gaps; None where it holds anything else."""
    kind = column.type
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return np.asarray(column.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
    if pa.types.is_decimal(kind):
        return np.asarray(column.cast(pa.float64()).to_numpy(), dtype=np.float64)
    if not _is_words(kind) and not pa.types.is_null(kind):
        return None
    if decimal == "." and pa.types.is_string(kind) and (plain := _all_numbers(column)) is not None:
        return plain
    found = words_of(column)
    used = np.unique(found.codes[found.codes >= 0])
    texts = found.words.take(pa.array(used))
    if decimal == ",":
        texts = kernels.replace_substring(texts, ",", ".")
    lowered = set(kernels.utf8_lower(texts).to_pylist()) if len(texts) <= 6 else {"many"}
    if lowered and lowered <= {"true", "false"}:
        texts = kernels.if_else(kernels.equal(kernels.utf8_lower(texts), "true"), "1", "0")
    try:
        values = np.asarray(texts.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)
    except pa.ArrowInvalid:
        return None
    every = np.full(len(found.words) + 1, np.nan)  # a gap, −1, takes the last
    every[used] = values
    return every[found.codes]


def _all_numbers(column: Any) -> NDArray[np.float64] | None:
    """The fast way, where every field is a number, or every one is empty."""
    if len(column) and not kernels.max(kernels.binary_length(column)).as_py():
        return np.full(len(column), np.nan)
    try:
        return np.asarray(column.cast(pa.float64()).to_numpy(), dtype=np.float64)
    except pa.ArrowInvalid:
        return None


def first_word(column: Any) -> tuple[int, str]:
    """Row and text of the first entry that is no number."""
    found = words_of(column)
    wrong = [code for code, word in enumerate(found.listed) if not _is_number(word)]
    rows = np.flatnonzero(np.isin(found.codes, wrong))
    return (int(rows[0]), found.listed[found.codes[rows[0]]]) if rows.size else (0, str(column.type))


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _unpacked(metadata: Any) -> int:
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    return sum(group.column(j).total_uncompressed_size for group in groups for j in range(group.num_columns))


def _is_words(kind: Any) -> bool:
    return (
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
        or (pa.types.is_dictionary(kind) and _is_words(kind.value_type))
    )


def _ragged(where: str, error: Exception) -> DataError:
    if (told := _WIDTH.search(str(error))) is not None:
        row, expected, got = told.groups()
        return DataError(where, f"row {row} has {got} fields", f"{expected} as in the first row are needed")
    reason = " ".join(str(error).split())[:200]
    return DataError(where, f"cannot be read ({reason})", "rows of equal length are needed")
