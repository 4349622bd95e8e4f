"""Blocks of rows of one file of a folder, so that no file of numbers is ever whole in memory.

Parquet is decoded block by block. A file of text is decoded whole, and then cut: its files should be small.
"""

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dpgep_core.datasets.readers.columns import Columns, check_parquet_file, parquet_layout
from dpgep_core.datasets.readers.formats import part_columns
from dpgep_core.datasets.readers.labels import class_codes, label_numbers
from dpgep_core.datasets.readers.parts import Part
from dpgep_core.datasets.readers.sidecar import Sidecar, refuse_text_keys
from dpgep_core.datasets.readers.source import name_the_file
from dpgep_core.datasets.readers.table import Table, without_gaps
from dpgep_core.datasets.readers.to_numbers import numbers_table
from dpgep_core.datasets.slices import slice_codes
from dpgep_core.errors import DataError

NUMBERS_OF_BLOCK = 1 << 22  # as stored
BUFFER = 1 << 16  # bytes read at once of each column
UNPACKED = 4  # times the size of a gzip file of numbers
WIDEST = 8  # bytes of a number, or of a word's place


def rows_of_part(part: Part, declared: Sidecar) -> int:
    """Number of rows of a file: what a Parquet file says of itself; a text is read for it."""
    if part.ending != ".parquet":
        return part_columns(part.content, part.ending, declared).n
    with name_the_file(part.name), part.content.open() as stream:
        return int(cast(Any, pq.ParquetFile)(stream).metadata.num_rows)


def bytes_of_part(part: Part) -> int:
    """Bytes that the rows of a file take in memory, as far as that shows without reading them."""
    if part.ending != ".parquet":
        return part.size * (UNPACKED if part.ending == ".csv.gz" else 1)
    with name_the_file(part.name), part.content.open() as stream:
        file: Any = cast(Any, pq.ParquetFile)(stream)
        return int(file.metadata.num_rows) * sum(_width(kind) for kind in file.schema_arrow.types)


def part_tables(part: Part, declared: Sidecar, *, most_rows: int | None = None) -> Iterator[Table]:
    """Tables of rows of a file in their order, as `numbers_table` makes them of the whole.

    ``most_rows`` is how many rows a table has at most; by default as many as hold `NUMBERS_OF_BLOCK` numbers.
    """
    with name_the_file(part.name):
        if part.ending == ".parquet":
            pieces = _parquet_pieces(part, declared, most_rows)
        else:
            pieces = iter((part_columns(part.content, part.ending, declared),))
        for columns in pieces:
            if columns.n:
                yield without_gaps(columns.where, numbers_table(columns, declared), declared.reading.missing)


def part_blocks(part: Part, declared: Sidecar) -> Iterator[tuple[Any, Any]]:
    """Blocks of rows as stored, and the class of each; 0 where there are no classes."""
    for table in part_tables(part, declared):
        yield table.X, codes_of_table(part.name, table, declared)


def codes_of_table(where: str, table: Table, declared: Sidecar) -> Any:
    """(n,) class codes of the rows of a table, by what is declared; 0 where there are no classes."""
    if table.y is None:
        return np.zeros(len(table.X), np.intp)
    if declared.response is None:
        return class_codes(where, [table.y], declared.classes)[0][0]
    response = label_numbers(where, table.y)
    if not np.isfinite(response).all():
        raise DataError(where, "a response that is missing or not finite", "finite numbers are needed")
    return slice_codes(response, declared.response.edges) if declared.response.edges else np.zeros(len(table.X), int)


def _width(kind: Any) -> int:
    return kind.bit_width // 8 or 1 if pa.types.is_primitive(kind) else WIDEST


def _parquet_pieces(part: Part, declared: Sidecar, most_rows: int | None) -> Iterator[Columns]:
    refuse_text_keys(part.name, declared)
    with part.content.open() as stream:
        # Through a buffer for each column: a row group may be larger than the memory.
        file: Any = pq.ParquetFile(cast(Any, stream), buffer_size=BUFFER, pre_buffer=False)
        layout = parquet_layout(file.schema_arrow)
        check_parquet_file(part.name, file, layout.kept, in_memory=False)
        rows = most_rows or max(1024, NUMBERS_OF_BLOCK // max(1, len(layout.kept)))
        first = 1
        for batch in file.iter_batches(batch_size=rows, use_threads=False):
            last = first + batch.num_rows - 1
            where = f"{part.name}, of its rows {first:,} to {last:,}"  # rows in a message count from the first of them
            columns = tuple(pa.chunked_array([batch.column(j)]) for j in layout.kept)
            yield Columns(where, layout.names, columns, True, layout.row_names, typed=True)
            first = last + 1
