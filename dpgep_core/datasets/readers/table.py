"""Table that a reader returns, and the work on numbers and columns that all readers share."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.readers.remedies import FILL_GAPS, LEAVE_OUT
from dpgep_core.datasets.sparse_rows import SparseRows
from dpgep_core.errors import DataError, show_value
from dpgep_core.wording import plural

LABEL_NAMES = ("y", "label", "class", "target")
REFUSE, DROP = "refuse", "drop"  # what is done about gaps, beside a number for each
DROPPED_ROWS = "which rows are left, as rows with gaps are dropped: n, which is public, tells how many had gaps"
INTEGER_TYPES = (np.uint8, np.int8, np.uint16, np.int16, np.int32, np.int64)


@dataclass(frozen=True)
class Table:
    """Rows and labels as stored; labels may be numbers or words and are not yet class codes."""

    X: NDArray[Any] = field(repr=False)
    y: NDArray[Any] | None = field(default=None, repr=False)
    X_test: NDArray[Any] | None = field(default=None, repr=False)
    y_test: NDArray[Any] | None = field(default=None, repr=False)
    feature_names: tuple[str, ...] = ()
    image_shape: tuple[int, ...] | None = None
    learnt: tuple[str, ...] = ()  # what was read off the rows on the way
    notes: tuple[str, ...] = ()  # what nobody declared: a label that was guessed, columns left out by their name


def smallest_type(values: NDArray[Any]) -> np.dtype[Any]:
    """The smallest number type that holds the values exactly: text formats do not say which they were."""
    if values.dtype.kind == "b" or values.size == 0:
        return np.dtype(np.uint8)
    low, high = values.min(), values.max()
    if not (np.isfinite(low) and np.isfinite(high)):
        return np.dtype(np.float64)
    whole = values.dtype.kind in "iu" or bool((np.abs(values) <= 2.0**53).all() and (values == np.rint(values)).all())
    fitting = (t for t in INTEGER_TYPES if whole and np.iinfo(t).min <= low and high <= np.iinfo(t).max)
    return np.dtype(next(fitting, values.dtype if values.dtype.kind in "iu" else np.float64))


def label_column(
    where: str, names: Sequence[str], wanted: str | int | None, named: bool, row_names: Collection[int] = ()
) -> int | None:
    """Column that holds the labels: the declared one, else one with a usual name, else the last. None: no labels."""
    if wanted == "":
        return None
    if isinstance(wanted, int):
        if wanted < len(names):
            return wanted
        raise DataError(where, f"there is no label column {wanted}", f"columns 0 to {len(names) - 1} are there")
    if wanted is not None:
        if not named:
            there = f"a number from 0 to {len(names) - 1} is needed"
            raise DataError(where, f"there is no label column {show_value(wanted)}: no line names the columns", there)
        if wanted not in names:
            raise DataError(
                where, f"there is no label column {show_value(wanted)}", f"the columns are {first_names(names)}"
            )
        places = [j for j, name in enumerate(names) if name == wanted]
        if len(places) > 1:
            problem = f"label: columns {places[:12]} are all called {show_value(wanted)}"
            raise DataError(where, problem, "a name that one column has, or a number from 0, is needed")
        return places[0]
    lowered = [name.strip().lower() for name in names]
    usual = next((lowered.index(each) for each in LABEL_NAMES if named and each in lowered), None)
    return max((j for j in range(len(names)) if j not in row_names), default=0) if usual is None else usual


def is_number(word: str) -> bool:
    """Whether a word is a number as most programs write it."""
    try:
        float(word)
    except ValueError:
        return False
    return "_" not in word  # Python would read 1_0 as ten


def side_by_side(columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Columns of numbers as one table, in the one number type that fits all."""
    X = np.empty((columns[0].size, len(columns)), np.result_type(*columns))
    for j, column in enumerate(columns):
        X[:, j] = column
    return X


def first_names(names: Sequence[str], most: int = 12) -> str:
    """Names for a message, the first of them if they are many."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(show_value(name) for name in names[:most]) + more


def without_gaps(where: str, table: Table, missing: str | float) -> Table:
    """The table with rows that have a gap left out, or with a constant in each gap of a number."""
    if missing == REFUSE:
        return table
    halves = [_mend(where, X, y, missing) for X, y in ((table.X, table.y), (table.X_test, table.y_test))]
    (X, y), (X_test, y_test) = halves
    assert X is not None
    # Whether any was dropped is not asked: a refusal, or a warning, would tell that one row has a gap.
    learnt = (*table.learnt, DROPPED_ROWS) if missing == DROP and DROPPED_ROWS not in table.learnt else table.learnt
    return replace(table, X=X, y=y, X_test=X_test, y_test=y_test, learnt=learnt)


def _mend(where: str, X: Any, y: Any, missing: str | float) -> tuple[Any, Any]:
    if X is None or X.ndim != 2:
        return X, y
    full = isinstance(X, SparseRows) or X.dtype.kind != "f"  # the reader of sparse rows refuses gaps
    gaps = np.zeros((len(X), 1), bool) if full else np.isnan(X)
    if missing != DROP:
        return (np.where(gaps, missing, X) if gaps.any() else X), y
    unlabelled = np.zeros(len(X), bool) if y is None else np.array([v is None or v != v for v in y.tolist()], bool)
    kept = ~(gaps.any(axis=1) | unlabelled)
    if kept.sum() < 2:
        raise DataError(where, f"{int(kept.sum())} of {len(X):,} rows have no gap", "at least 2 rows are needed")
    return (X, y) if kept.all() else (X[kept], None if y is None else y[kept])


def check_finite(where: str, called: str, values: NDArray[Any], *, gaps_too: bool) -> None:
    """Refuse a column with gaps, or with a number that is infinite; rows are counted from 1."""
    gaps = np.isnan(values)
    if gaps_too and (places := np.flatnonzero(gaps)).size:
        if places.size == values.size:
            raise DataError(where, f"{called} is empty in every row", str(LEAVE_OUT))
        counted = plural(places.size, "gap")
        raise DataError(where, f"{called} is empty in row {places[0] + 1:,} ({counted})", str(FILL_GAPS))
    if (places := np.flatnonzero(np.isinf(values))).size:
        raise DataError(where, f"{called} is {values[places[0]]} in row {places[0] + 1:,}", "finite numbers are needed")
