"""What an uploaded file holds, before anything is declared. Everything here is read off the rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dpgep_core.datasets.files import dataset_of
from dpgep_core.datasets.readers.columns import Columns, numbers_of, words_of
from dpgep_core.datasets.readers.options import MOST_CATEGORIES, Reading
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.table import label_column, shown
from dpgep_core.datasets.upload import Upload, columns_of, table_of_upload
from dpgep_core.errors import DataError

NUMBER, TEXT, EMPTY = "numbers", "text", "empty"
SHOWN_ROWS, SHOWN_COLUMNS = 8, 40


@dataclass(frozen=True, kw_only=True)
class ColumnGlance:
    """One column: what it holds, gaps, different values; of numbers the ends, of words the categories if few."""

    position: int
    name: str
    kind: str
    gaps: int
    distinct: int
    low: float | None = None
    high: float | None = None
    categories: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, kw_only=True)
class Glance:
    """A file at a glance.

    Parameters
    ----------
    n : int
        Rows.
    columns : tuple of ColumnGlance
        Of a table; empty for arrays and sparse text, whose columns have no names.
    d : int
        Columns of numbers, where there is no table.
    classes : tuple of str
        Labels found, where there is no table.
    reading : Reading
        How the table is written, as found.
    preview : tuple of rows of text
        The first rows of a table, at most 40 columns.
    warnings : tuple of str
        What was guessed.
    label : int or None
        Which column looks like the label.
    """

    n: int
    columns: tuple[ColumnGlance, ...] = ()
    d: int = 0
    classes: tuple[str, ...] = ()
    reading: Reading = field(default_factory=Reading)
    preview: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    warnings: tuple[str, ...] = ()
    label: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)


def glance(upload: Upload, reading: Reading | None = None) -> Glance:
    """Look at an upload."""
    given = Sidecar(reading=reading or Reading())
    if not upload.tabular:
        return _arrays(upload)
    columns, written = columns_of(upload, given)
    rows = len(columns.parts[0]) if columns.parts else 0
    if rows < 2:
        raise DataError(upload.name, f"{rows} rows", "a table of at least 2 rows is needed")
    found = given.reading
    if written is not None:
        found = Reading(
            delimiter=written.delimiter, encoding=written.encoding, header=written.header,
            decimal=found.decimal, missing=found.missing,
        )  # fmt: skip
    looked = tuple(_column(columns, j, found.decimal) for j in range(len(columns.names)))
    return Glance(
        n=rows,
        columns=looked,
        reading=found,
        preview=_preview(columns),
        warnings=() if written is None else written.warnings,
        label=label_column(upload.name, columns.names, None, columns.named) if columns.names else None,
    )


def _arrays(upload: Upload) -> Glance:
    """Shape and labels, whatever gaps there are and whether the labels are classes or a response."""
    filled = Sidecar(reading=Reading(missing=0.0))
    table = table_of_upload(upload, filled)
    dataset = dataset_of(upload.name, "upload", replace(table, y=None, y_test=None), replace(filled, label=""))
    try:
        classes, warnings = dataset_of(upload.name, "upload", table, filled).classes, ()
    except DataError as error:
        classes, warnings = (), (f"As classes the labels do not do: {error}",)
    return Glance(n=dataset.n, d=dataset.d, classes=classes, warnings=warnings)


def _column(columns: Columns, j: int, decimal: str) -> ColumnGlance:
    name, part = columns.names[j], columns.parts[j]
    values = numbers_of(part, decimal)
    if values is None:
        words = words_of(part)
        used = words.used
        few = tuple(sorted(used)) if len(used) <= MOST_CATEGORIES else ()
        gaps = int(words.gaps.sum())
        return ColumnGlance(position=j, name=name, kind=TEXT, gaps=gaps, distinct=len(used), categories=few)
    there = values[~np.isnan(values)]
    return ColumnGlance(
        position=j, name=name, kind=NUMBER if there.size else EMPTY, gaps=values.size - there.size,
        distinct=np.unique(there).size,
        low=float(there.min()) if there.size else None, high=float(there.max()) if there.size else None,
    )  # fmt: skip


def _preview(columns: Columns) -> tuple[tuple[str, ...], ...]:
    heads: Sequence[list[str | None]] = [
        words_of(part.slice(0, SHOWN_ROWS)).rows() for part in columns.parts[:SHOWN_COLUMNS]
    ]
    return tuple(tuple("" if cell is None else _short(cell) for cell in row) for row in zip(*heads, strict=True))


def _short(cell: str) -> str:
    return cell if len(cell) <= 60 else shown(cell, 60)
