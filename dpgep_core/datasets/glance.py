"""Glance at what an uploaded file holds before anything is declared: all of it is read off the rows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from dpgep_core.datasets.dataset import FEW_ROWS
from dpgep_core.datasets.files import dataset_of
from dpgep_core.datasets.readers.columns import Columns
from dpgep_core.datasets.readers.options import MOST_CATEGORIES, Reading
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.table import LABEL_NAMES, label_column
from dpgep_core.datasets.readers.text import Written
from dpgep_core.datasets.readers.words import (
    Changes,
    first_word,
    gaps_of,
    label_gaps,
    numbers_of,
    odd_words,
    other_readings,
    words_of,
)
from dpgep_core.datasets.remarks import counts_rows, is_whole
from dpgep_core.datasets.upload import Upload, columns_of, table_of_upload
from dpgep_core.errors import DataError, show_value
from dpgep_core.wording import plural

NUMBER, TEXT, EMPTY = "numbers", "text", "empty"
SHOWN_ROWS, SHOWN_COLUMNS = 8, 40


@dataclass(frozen=True, kw_only=True)
class ColumnGlance:
    """One column, as its rows show it.

    Parameters
    ----------
    position, name, kind, gaps, distinct
        Where it stands, what it is called, what it holds, and how many gaps and different values.
    low, high : float or None
        Of numbers, the ends.
    square : float or None
        Of numbers, the mean of the squares; infinite where it is beyond the largest number.
    categories : tuple of str
        Of words, all of them if they are few.
    whole, counts, alone : bool
        Whether numbers are whole, whether they count the rows one by one, and whether each row has its own value.
    row_names : str
        Why its name says that it holds row names; "" where it does not.
    readings : tuple of mappings
        Of words, changes of the reading under which they are numbers, the likelier first.
    odd : tuple of str
        Of words, the few that are no numbers beside many that are.
    example : str
        Of words, one that is no number.
    """

    position: int
    name: str
    kind: str
    gaps: int
    distinct: int
    low: float | None = None
    high: float | None = None
    square: float | None = None
    categories: tuple[str, ...] = field(default=(), repr=False)
    whole: bool = False
    counts: bool = False
    row_names: str = ""
    alone: bool = False
    readings: tuple[Changes, ...] = ()
    odd: tuple[str, ...] = ()
    example: str = ""

    @property
    def identifies(self) -> bool:
        """Whether each row has a value of its own that is a word or a whole number, as a person's number is."""
        return self.counts or (self.alone and self.distinct >= FEW_ROWS and (self.kind == TEXT or self.whole))


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
    label_named : bool
        Whether its name says so; otherwise it is only the last one that holds anything.
    """

    n: int
    columns: tuple[ColumnGlance, ...] = ()
    d: int = 0
    classes: tuple[str, ...] = ()
    reading: Reading = field(default_factory=Reading)
    preview: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    warnings: tuple[str, ...] = ()
    label: int | None = None
    label_named: bool = False

    @cached_property
    def times(self) -> Mapping[str, int]:
        """How many columns have each name."""
        return Counter(self.names)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)


def glance(upload: Upload, reading: Reading | None = None) -> Glance:
    """Look at an upload."""
    given = Sidecar(reading=reading or Reading())
    if not upload.tabular:
        return _arrays(upload, given.reading)
    columns, written = columns_of(upload, given)
    if columns.n < 2:
        raise DataError(upload.name, plural(columns.n, "row"), "a table of at least 2 rows is needed")
    found = given.reading
    if written is not None:
        found = replace(found, delimiter=written.delimiter, encoding=written.encoding, header=written.header)
    looked = tuple(_column(columns, j, found) for j in range(len(columns.names)))
    label, named = _label(columns, looked)
    if label is not None:
        looked = (*looked[:label], _column(columns, label, found, label=True), *looked[label + 1 :])
    return Glance(
        n=columns.n,
        columns=looked,
        reading=found,
        preview=_preview(columns, written),
        warnings=() if written is None else written.warnings,
        label=label,
        label_named=named,
    )


def _label(columns: Columns, looked: Sequence[ColumnGlance]) -> tuple[int | None, bool]:
    """The column with a usual name, else the last that holds anything; and whether it was the name."""
    hollow = {each.position for each in looked if each.kind == EMPTY or each.row_names}
    label = label_column(columns.where, columns.names, None, columns.named, hollow)
    return label, label is not None and columns.named and columns.names[label].strip().lower() in LABEL_NAMES


def _arrays(upload: Upload, reading: Reading) -> Glance:
    """Shape and labels, whatever gaps there are and whether the labels are classes or a response."""
    filled = Sidecar(reading=replace(reading, missing=0.0))
    table = table_of_upload(upload, filled)
    dataset = dataset_of(upload.name, "upload", replace(table, y=None, y_test=None), replace(filled, label=""))
    try:
        classes, warnings = dataset_of(upload.name, "upload", table, filled).classes, ()
    except DataError as error:
        classes, warnings = (), (f"As classes the labels do not do: {error}",)
    return Glance(n=dataset.n, d=dataset.d, classes=classes, warnings=warnings, reading=reading)


def _column(columns: Columns, j: int, reading: Reading, *, label: bool = False) -> ColumnGlance:
    """One column; as a label, some words are classes that are gaps in a feature."""
    name, part, row_names = columns.names[j], columns.parts[j], columns.row_names.get(j, "")
    values = numbers_of(part, reading)
    hollow = values is not None and values.dtype.kind == "f" and bool(np.isnan(values).all())
    gaps = label_gaps(part, reading, ()) if label or hollow else gaps_of(reading)
    words = words_of(part, gaps) if values is None or hollow else None
    if words is not None and (values is None or words.used):
        used = words.used
        return ColumnGlance(
            position=j, name=name, kind=TEXT, gaps=int(words.gaps.sum()), distinct=len(used),
            categories=tuple(sorted(used)) if len(used) <= MOST_CATEGORIES else (), row_names=row_names,
            alone=len(used) == columns.n, readings=tuple(other_readings(part, reading)),
            odd=tuple(odd_words(part, reading)), example=used[0] if hollow else first_word(part, reading)[1],
        )  # fmt: skip
    assert values is not None
    there = values[~np.isnan(values)] if values.dtype.kind == "f" else values
    distinct = np.unique(there).size
    with np.errstate(over="ignore"):
        square = float(np.square(there.astype(np.float64)).mean()) if there.size else None
    return ColumnGlance(
        position=j, name=name, kind=NUMBER if there.size else EMPTY, gaps=values.size - there.size,
        distinct=distinct, alone=distinct == columns.n, row_names=row_names, square=square,
        low=float(there.min()) if there.size else None, high=float(there.max()) if there.size else None,
        whole=is_whole(there), counts=counts_rows(values),
    )  # fmt: skip


def _preview(columns: Columns, written: Written | None) -> tuple[tuple[str, ...], ...]:
    if written is not None:
        return tuple(tuple(_short(cell) for cell in row[:SHOWN_COLUMNS]) for row in written.head[:SHOWN_ROWS])
    heads: Sequence[list[str | None]] = [
        words_of(part.slice(0, SHOWN_ROWS)).rows() for part in columns.parts[:SHOWN_COLUMNS]
    ]
    return tuple(tuple("" if cell is None else _short(cell) for cell in row) for row in zip(*heads, strict=True))


def _short(cell: str) -> str:
    return cell if len(cell) <= 60 else show_value(cell, 60)
