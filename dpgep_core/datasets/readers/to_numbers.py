"""From columns as stored to numbers: gaps, columns of words, columns to leave out.

What is done to a row is declared in the sidecar and depends on that row alone; where that is not so, the table says
what was learnt from the rows.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.readers.columns import Columns, first_word, numbers_of, words_of
from dpgep_core.datasets.readers.limits import check_size
from dpgep_core.datasets.readers.options import DROP, MOST_CATEGORIES, REFUSE, TextColumn
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.table import Table, label_column, shown, smallest_type
from dpgep_core.datasets.readers.text import MOST_COLUMNS
from dpgep_core.errors import DataError

DROPPED_ROWS = "which rows are left: n, which is public, tells how many had gaps"


def table_of(columns: Columns, sidecar: Sidecar) -> Table:
    """Numbers and labels from the columns, as the sidecar declares."""
    label = label_column(columns.where, columns.names, sidecar.label, columns.named)
    if isinstance(sidecar.label, str) and columns.names.count(sidecar.label) > 1:
        columns.position("label", sidecar.label)  # says that the name stands for several
    left_out = {columns.position("drop", column) for column in sidecar.drop}
    words = {columns.position("text", each.column): each for each in sidecar.text}
    feature_places = [j for j in range(len(columns.names)) if j != label and j not in left_out]
    check_size(columns.where, 8 * len(columns.parts[0]) * max(len(feature_places), 1))
    made = [each for j in feature_places for each in _features(columns, j, words.get(j), sidecar)]
    if not made:
        raise DataError(columns.where, "no column of numbers is left beside the label", "at least 1 is needed")
    if len(made) > MOST_COLUMNS:
        raise DataError(
            columns.where, f"{len(made):,} columns with those of the categories", f"at most {MOST_COLUMNS:,}"
        )
    X = np.empty((len(columns.parts[0]), len(made)))
    check_size(columns.where, X.nbytes)
    for j, (_, values) in enumerate(made):
        X[:, j] = values
    y = None if label is None else labels_of(columns, label, sidecar)
    names = tuple(name for name, _ in made) if columns.named else ()
    learnt = tuple(
        f"the categories of {shown(columns.names[j])}" for j, each in words.items() if each.categories is None
    )
    table = without_gaps(columns.where, Table(X, y, feature_names=names, learnt=learnt), sidecar.reading.missing)
    return replace(table, X=table.X.astype(smallest_type(table.X)))


def labels_of(columns: Columns, label: int, sidecar: Sidecar) -> NDArray[Any]:
    """Labels as words, None where there is none; a response with a decimal comma is mended."""
    words = words_of(columns.parts[label]).rows()
    if sidecar.reading.decimal == "," and sidecar.response is not None:
        words = [None if word is None else word.replace(",", ".") for word in words]
    return np.array(words, dtype=object)


def without_gaps(where: str, table: Table, missing: str | float) -> Table:
    """The table with rows that have a gap left out, or with a constant in each gap of a number."""
    if missing == REFUSE:
        return table
    halves = [_mended(where, X, y, missing) for X, y in ((table.X, table.y), (table.X_test, table.y_test))]
    (X, y, fewer), (X_test, y_test, fewer_test) = halves
    assert X is not None
    learnt = (*table.learnt, *((DROPPED_ROWS,) if fewer or fewer_test else ()))
    return replace(table, X=X, y=y, X_test=X_test, y_test=y_test, learnt=learnt)


def _features(
    columns: Columns, j: int, declared: TextColumn | None, sidecar: Sidecar
) -> Iterator[tuple[str, NDArray[Any]]]:
    name, column, missing = columns.names[j], columns.parts[j], sidecar.reading.missing
    if declared is not None:
        yield from _one_hot(columns.where, name, column, declared, missing)
        return
    values = numbers_of(column, sidecar.reading.decimal)
    if values is None:
        row, word = first_word(column)
        raise DataError(
            columns.where, f"column {shown(name)} holds {shown(word)} in row {row}",
            "numbers only: declare its categories, or leave it out",
        )  # fmt: skip
    gaps = np.isnan(values)
    if missing == REFUSE and gaps.any():
        raise _gap(columns.where, name, int(np.flatnonzero(gaps)[0]), int(gaps.sum()))
    if np.isinf(values).any():
        row = int(np.flatnonzero(np.isinf(values))[0])
        raise DataError(
            columns.where, f"column {shown(name)} is {values[row]} in row {row}", "finite numbers are needed"
        )
    yield name, values


def _one_hot(
    where: str, name: str, column: Any, declared: TextColumn, missing: str | float
) -> Iterator[tuple[str, NDArray[Any]]]:
    words = words_of(column)
    found = words.used
    if declared.categories is None and len(found) > MOST_CATEGORIES:
        raise DataError(
            where, f"column {shown(name)} has {len(found):,} categories", f"at most {MOST_CATEGORIES}: leave it out"
        )
    gaps, place = words.gaps, {word: code for code, word in enumerate(words.listed)}
    if missing == REFUSE and gaps.any():
        raise _gap(where, name, int(np.flatnonzero(gaps)[0]), int(gaps.sum()))
    for category in sorted(found) if declared.categories is None else declared.categories:
        hot = (words.codes == place.get(category.strip(), -2)).astype(np.float64)
        if missing == DROP:
            hot[gaps] = np.nan
        yield f"{name}={category}", hot


def _mended(where: str, X: Any, y: Any, missing: str | float) -> tuple[Any, Any, bool]:
    if X is None or X.ndim != 2:
        return X, y, False
    gaps = np.isnan(X) if X.dtype.kind == "f" else np.zeros((len(X), 1), bool)
    if missing != DROP:
        return (np.where(gaps, missing, X) if gaps.any() else X), y, False
    unlabelled = np.zeros(len(X), bool) if y is None else np.array([v is None or v != v for v in y.tolist()], bool)
    kept = ~(gaps.any(axis=1) | unlabelled)
    if kept.sum() < 2:
        raise DataError(where, f"{int(kept.sum())} of {len(X):,} rows have no gap", "at least 2 rows are needed")
    return (X, y, False) if kept.all() else (X[kept], None if y is None else y[kept], True)


def _gap(where: str, name: str, row: int, gaps: int) -> DataError:
    return DataError(
        where,
        f"column {shown(name)} is empty in row {row} ({gaps:,} gaps)",
        "fill gaps with a declared number, or drop rows",
    )
