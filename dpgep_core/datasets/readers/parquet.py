"""Parquet tables ``NAME.parquet``: columns of numbers and one of labels."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from dpgep_core.datasets.readers.columns import parquet_columns
from dpgep_core.datasets.readers.limits import check_size, reading
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.source import Content
from dpgep_core.datasets.readers.table import Table, label_column, stack
from dpgep_core.datasets.readers.to_numbers import table_of

_INDEX = "__index_level_"  # how pandas stores row names, which are no feature
_CELL = 8


def read(path: Path, sidecar: Sidecar) -> Table:
    """Columns as they are stored."""
    if sidecar.rough:
        with reading(path):
            return table_of(parquet_columns(Content.of(path)), sidecar)
    with reading(path), pq.ParquetFile(path) as opened:
        file: Any = opened
        check_size(path.name, _CELL * file.metadata.num_rows * file.metadata.num_columns)
        names = [str(name) for name in file.schema_arrow.names if not str(name).startswith(_INDEX)]
        table: Any = file.read(columns=names)
        label = label_column(path.name, names, sidecar.label, named=True)
        features = [j for j in range(len(names)) if j != label]
        kept = tuple(names[j] for j in features)
        X = stack([_column(table.column(j)) for j in features], kept, path.name)
        return Table(X, None if label is None else _column(table.column(label)), feature_names=kept)


def _column(column: Any) -> NDArray[Any]:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return np.asarray(column.to_numpy())
