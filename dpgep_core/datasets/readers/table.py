"""What a reader hands back, and what all of them do to numbers and columns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.errors import DataError

LABEL_NAMES = ("y", "label", "class", "target")
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


def label_column(where: str, names: Sequence[str], wanted: str | int | None, named: bool) -> int | None:
    """Which column holds the labels: the declared one, else one with a usual name, else the last. None: no labels."""
    if wanted == "":
        return None
    if isinstance(wanted, int):
        if wanted < len(names):
            return wanted
        raise DataError(where, f"there is no label column {wanted}", f"columns 0 to {len(names) - 1} are there")
    if wanted is not None:
        if wanted in names:
            return list(names).index(wanted)
        # "y" is what a sidecar says of any format; a table may still call its labels otherwise
        if wanted != "y":
            raise DataError(where, f"there is no label column {shown(wanted)}", f"the columns are {_some(names)}")
    lowered = [name.strip().lower() for name in names]
    return next((lowered.index(usual) for usual in LABEL_NAMES if named and usual in lowered), len(names) - 1)


def has_header(first: Sequence[str], second: Sequence[str], label: str | int | None) -> bool:
    """Whether the first line names the columns: by a usual or declared name, or by words above numbers only."""
    words = {field.strip() for field in first}
    if (label and label in words) or any(field.lower() in LABEL_NAMES for field in words):
        return True
    if not any(_is_number(field) for field in first):
        return True
    return any(not _is_number(above) and _is_number(below) for above, below in zip(first, second, strict=False))


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def stack(columns: Sequence[NDArray[Any]], names: Sequence[str], where: str) -> NDArray[Any]:
    """Number columns side by side, in the one number type that fits all."""
    if not columns:
        raise DataError(where, "there is no column of numbers beside the label", "at least 1 is needed")
    for name, column in zip(names, columns, strict=True):
        if column.size and column.dtype.kind not in "biuf":
            raise DataError(
                where, f"column {shown(name)} holds {_first_text(column)}", "numbers only; encode text first"
            )
    plain = [c if c.dtype.kind in "iuf" else c.astype(np.uint8) for c in columns]  # truth values, or no rows at all
    X = np.empty((plain[0].size, len(plain)), np.result_type(*plain))
    for j, column in enumerate(plain):
        X[:, j] = column
    return X


def _first_text(column: NDArray[Any]) -> str:
    for row, value in enumerate(column.tolist()):
        try:
            float(value)
        except (TypeError, ValueError):
            return f"nothing in row {row}" if value is None or value == "" else f"{value!r} in row {row}"
    return f"entries of type {column.dtype}"


def _some(names: Sequence[str], most: int = 12) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown(name) for name in names[:most]) + more


def shown(word: str, most: int = 40) -> str:
    """A cell for a message: short, in quotes, with what cannot be seen written out."""
    return repr(word if len(word) <= most else f"{word[:most]}…")
