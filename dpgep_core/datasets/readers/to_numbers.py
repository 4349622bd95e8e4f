"""From columns as stored to numbers: gaps, columns of words, columns to leave out.

What is done to a row is declared in the sidecar and depends on that row alone; where that is not so, the table says
what was learnt from the rows.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.readers.columns import Columns
from dpgep_core.datasets.readers.options import MOST_CATEGORIES, TextColumn
from dpgep_core.datasets.readers.remedies import CATEGORIES, LEAVE_OUT, setting
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.source import check_size
from dpgep_core.datasets.readers.table import (
    DROP,
    LABEL_NAMES,
    REFUSE,
    Table,
    check_finite,
    label_column,
    side_by_side,
    smallest_type,
    without_gaps,
)
from dpgep_core.datasets.readers.text import MOST_TEXT_COLUMNS
from dpgep_core.datasets.readers.words import (
    first_word,
    gaps_of,
    holds_whole_numbers,
    label_gaps,
    numbers_of,
    odd_words,
    other_readings,
    words_of,
)
from dpgep_core.errors import DataError, show_value


def numbers_table(columns: Columns, sidecar: Sidecar) -> Table:
    """Numbers and labels from the columns, as the sidecar declares."""
    where = columns.where
    if columns.n == 0:
        raise DataError(where, "there are no rows", "a table of at least 2 rows is needed")
    label = label_column(where, columns.names, sidecar.label, columns.named, columns.row_names)
    guessed = tuple(_guess_notes(columns, label, sidecar))
    words = {columns.position("text", each.column): each for each in sidecar.text}
    left_out = {columns.position("drop", column) for column in sidecar.drop}
    by_name = {j: why for j, why in columns.row_names.items() if j != label and j not in words and j not in left_out}
    places = [j for j in range(len(columns.names)) if j != label and j not in left_out and j not in by_name]
    made = [each for j in places for each in _features(columns, j, words.get(j), sidecar)]
    if not made:
        raise DataError(where, "no column of numbers is left beside the label", "at least 1 is needed")
    if len(made) > MOST_TEXT_COLUMNS:
        raise DataError(where, f"{len(made):,} columns with those of the categories", f"at most {MOST_TEXT_COLUMNS:,}")
    check_size(where, columns.n * len(made) * np.result_type(*(values for _, values in made)).itemsize)
    left_out_notes = (
        f"Column {show_value(columns.names[j])} (number {j}, counted from 0) is left out: {why}."
        for j, why in by_name.items()
    )
    table = Table(
        side_by_side([values for _, values in made]),
        None if label is None else labels_of(columns, label, sidecar),
        feature_names=tuple(name for name, _ in made) if columns.named else (),
        learnt=(
            *columns.learnt,
            *(f"the categories of {show_value(columns.names[j])}" for j, e in words.items() if e.categories is None),
        ),
        notes=(*guessed, *left_out_notes),
    )
    table = without_gaps(where, table, sidecar.reading.missing)
    exact = columns.typed and not sidecar.rough
    return table if exact else replace(table, X=table.X.astype(smallest_type(table.X)))


def _guess_notes(columns: Columns, label: int | None, sidecar: Sidecar) -> Iterator[str]:
    """Notes on a label that nobody declared."""
    if label is None or sidecar.label is not None:
        return
    name = columns.names[label]
    usual = columns.named and name.strip().lower() in LABEL_NAMES
    if usual and len(columns.places[name]) > 1:
        columns.position("label", name)  # refuses a name that stands for several
    if not usual:
        called = f"column {show_value(name)}" if columns.named else f"column {label}, counted from 0"
        yield f"No label is declared: {called}, the last, is taken for it."


def labels_of(columns: Columns, label: int, sidecar: Sidecar) -> NDArray[Any]:
    """Labels as words, None where there is none; a response as numbers, as far as its fields are."""
    part, reading = columns.parts[label], sidecar.reading
    if sidecar.response is not None and (values := numbers_of(part, reading)) is not None:
        return np.array([None if value != value else value for value in values.tolist()], dtype=object)
    if sidecar.response is None and not reading.gaps and holds_whole_numbers(part):
        return np.asarray(part.to_numpy())  # without a word for each of many rows
    gaps = gaps_of(reading) if sidecar.response is not None else label_gaps(part, reading, sidecar.classes)
    return np.array(words_of(part, gaps).rows(), dtype=object)


def _features(
    columns: Columns, j: int, declared: TextColumn | None, sidecar: Sidecar
) -> Iterator[tuple[str, NDArray[Any]]]:
    name, column, missing = columns.names[j], columns.parts[j], sidecar.reading.missing
    called = f"column {show_value(name)}" if columns.named else f"column {name}, counted from 0,"
    if declared is not None:
        yield from _one_hot(columns.where, called, name, column, declared, sidecar)
        return
    values = numbers_of(column, sidecar.reading)
    if values is None:
        raise _words(columns.where, called, column, sidecar)
    if values.dtype.kind == "f":
        check_finite(columns.where, called, values, gaps_too=missing == REFUSE)
    yield name, values


def _words(where: str, called: str, column: Any, sidecar: Sidecar) -> DataError:
    """Says which word a column of numbers may not hold, and how it could be read."""
    row, word = first_word(column, sidecar.reading)
    changes = next(iter(other_readings(column, sidecar.reading)), {})
    remedies = [str(setting(key, value)) for key, value in changes.items()]
    remedies = remedies or [str(setting("gaps", odd)) for odd in odd_words(column, sidecar.reading)]
    ways = "; or ".join([*([" and ".join(remedies)] if remedies else []), str(CATEGORIES)])
    return DataError(where, f"{called} holds {show_value(word)} in row {row:,}, which is no number", ways)


def _one_hot(
    where: str, called: str, name: str, column: Any, declared: TextColumn, sidecar: Sidecar
) -> Iterator[tuple[str, NDArray[Any]]]:
    missing = sidecar.reading.missing
    words = words_of(column, gaps_of(sidecar.reading, declared.categories or ()))
    found = words.used if declared.categories is None else []
    if len(found) > MOST_CATEGORIES:
        raise DataError(where, f"{called} has {len(found):,} categories", f"at most {MOST_CATEGORIES}: {LEAVE_OUT}")
    gaps, place = words.gaps, {word: code for code, word in enumerate(words.listed)}
    if missing == REFUSE:
        check_finite(where, called, np.where(gaps, np.nan, 0.0), gaps_too=True)
    for category in sorted(found) if declared.categories is None else declared.categories:
        hot = (words.codes == place.get(category.strip(), -2)).astype(np.uint8)
        yield f"{name}={category}", np.where(gaps, np.nan, hot) if missing == DROP and gaps.any() else hot
