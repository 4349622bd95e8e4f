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

from dpgep_core.datasets.formats.content import Content
from dpgep_core.datasets.formats.guard import check_size
from dpgep_core.datasets.formats.reading import Column
from dpgep_core.datasets.formats.sidecar import Sidecar
from dpgep_core.datasets.formats.writing import MOST_COLUMNS, Written, check_magic, decode
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
        problem = f"columns {places} are all called {column!r}" if places else f"there is no column {column!r}"
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
                raise DataError(content.name, f"column {names[j]!r} holds {kind}", "numbers, words or truth values")
        check_size(content.name, 8 * file.metadata.num_rows * len(kept))
        check_size(content.name, _unpacked(file.metadata))
        words = [names[j] for j in kept if _iswords_of(file.schema_arrow.field(j).type)]
        packed: Any = pq.ParquetFile(cast(Any, stream), read_dictionary=words)  # a word a million times stays one word
        table: Any = packed.read()
    parts: list[Any] = [table.column(j) for j in kept]
    return Columns(content.name, tuple(names[j] for j in kept), tuple(parts), named=True)


def numbers_of(column: Any, decimal: str) -> NDArray[np.float64] | None:
    """(n,) numbers of a column, NaN in its gaps; None where it holds anything else."""
    kind = column.type
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return np.asarray(column.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
    if pa.types.is_decimal(kind):
        return np.asarray(column.cast(pa.float64()).to_numpy(), dtype=np.float64)
    if not _iswords_of(kind) and not pa.types.is_null(kind):
        return None
    texts = words_of(column)
    if decimal == ",":
        texts = kernels.replace_substring(texts, ",", ".")
    truth = kernels.utf8_lower(texts)
    if texts.null_count < len(texts) and kernels.all(kernels.is_in(truth, pa.array(["true", "false", None]))).as_py():
        texts = kernels.if_else(kernels.equal(truth, "true"), "1", "0")
    try:
        return np.asarray(texts.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)
    except pa.ArrowInvalid:
        return None


def first_word(column: Any) -> tuple[int, str]:
    """Row and text of the first entry that is no number."""
    for row, value in enumerate(words_of(column).to_pylist()):
        if value is not None:
            try:
                float(value)
            except ValueError:
                return row, value
    return 0, str(column.type)


def words_of(column: Any) -> Any:
    """Trimmed text with nulls in the gaps."""
    chunked = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    if pa.types.is_dictionary(chunked.type):
        chunked = chunked.cast(pa.large_string() if _large(chunked) else pa.string())
    elif not pa.types.is_string(chunked.type):
        chunked = chunked.cast(pa.string())
    texts = kernels.utf8_trim_whitespace(chunked)
    return kernels.if_else(kernels.is_in(texts, pa.array(GAPS, texts.type)), pa.scalar(None, texts.type), texts)


def _large(column: Any) -> bool:
    """Whether words, each written out, take more than fits; refused where they take more than memory."""
    longest = max((len(str(word)) for chunk in column.chunks for word in chunk.dictionary.to_pylist()), default=0)
    check_size("a column of words", 4 * longest * len(column))
    return longest * len(column) > 1 << 30


def _unpacked(metadata: Any) -> int:
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    return sum(group.column(j).total_uncompressed_size for group in groups for j in range(group.num_columns))


def _iswords_of(kind: Any) -> bool:
    return (
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
        or (pa.types.is_dictionary(kind) and _iswords_of(kind.value_type))
    )


def shown(word: str, most: int = 40) -> str:
    """A cell for a message: short, in quotes, with what cannot be seen written out."""
    return repr(word if len(word) <= most else f"{word[:most]}…")


def _ragged(where: str, error: Exception) -> DataError:
    if (told := _WIDTH.search(str(error))) is not None:
        row, expected, got = told.groups()
        return DataError(where, f"row {row} has {got} fields", f"{expected} as in the first row are needed")
    reason = " ".join(str(error).split())[:200]
    return DataError(where, f"cannot be read ({reason})", "rows of equal length are needed")
