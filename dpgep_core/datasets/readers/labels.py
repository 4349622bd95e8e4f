"""From stored labels, numbers or words, to class codes. The same labels give the same codes from every format."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.readers.remedies import CHOOSE_LABEL, DROP_ROWS, NO_CLASSES_REMEDY
from dpgep_core.errors import DataError, show_value

MOST_CLASSES = 1_000  # read off the rows; a declared set may be larger

Codes = NDArray[np.intp]


def class_codes(
    where: str, parts: Sequence[NDArray[Any]], declared: Sequence[str] = ()
) -> tuple[list[Codes], tuple[str, ...]]:
    """Codes of each part (training, test) into one list of classes, and that list.

    The classes are the declared ones in their order, else the distinct labels, sorted as numbers where all are. Numbers
    are compared as numbers: 1, 1.0 and "+1" are one class.
    """
    found = [_distinct_texts(where, part) for part in parts]
    numeric = all(_number(text) is not None for text in (*declared, *(t for texts, _ in found for t in texts)))
    as_key = _number if numeric else str.strip
    keys = [[as_key(text) for text in texts] for texts, _ in found]
    names = {as_key(text): text for text in declared} if declared else _observed_labels(where, keys, numeric)
    if declared and len(names) < len(declared):
        raise DataError(where, f"the classes {', '.join(declared)} repeat one", "each class once")
    order = {key: code for code, key in enumerate(names)}
    codes: list[Codes] = []
    for part, (_, inverse) in zip(keys, found, strict=True):
        _check_known(where, part, inverse, names)
        codes.append(np.array([order[key] for key in part], np.intp)[inverse])
    return codes, tuple(names.values())


def label_numbers(where: str, column: NDArray[Any]) -> NDArray[np.float64]:
    """A label column as real numbers, for a response."""
    if column.ndim == 1 and column.dtype.kind in "biuf":
        return column.astype(np.float64)
    texts, inverse = _distinct_texts(where, column, "response")
    values = [_number(text) for text in texts]
    for place, value in enumerate(values):
        if value is None:
            row = int(np.flatnonzero(inverse == place)[0])
            found = f"the response of row {row + 1:,} is {show_value(texts[place])}"
            raise DataError(where, found, "finite numbers are needed")
    return np.array(values, dtype=np.float64)[inverse]


def _distinct_texts(where: str, part: NDArray[Any], noun: str = "label") -> tuple[list[str], Codes]:
    """The distinct labels as text, and for each row which of them it has."""
    if part.ndim != 1:
        raise DataError(where, f"labels of shape {part.shape}", "one label for each row is needed")
    if part.dtype.kind == "O":
        texts = [_text(value) for value in part.tolist()]
        if "" in texts:
            gaps = texts.count("")
            counted = "" if gaps == 1 else f", and {gaps - 1:,} more rows have none"
            raise DataError(where, f"row {texts.index('') + 1:,} has no {noun}{counted}", str(DROP_ROWS))
        place = {text: j for j, text in enumerate(dict.fromkeys(texts))}
        return list(place), np.array([place[text] for text in texts], np.intp)
    if part.dtype.kind not in "biufUS":
        raise DataError(where, f"labels of type {part.dtype}", "whole numbers or words are allowed")
    if part.dtype.kind == "f" and not np.isfinite(part).all():
        row = int(np.flatnonzero(~np.isfinite(part))[0])
        raise DataError(where, f"the {noun} of row {row + 1:,} is {part[row]}", str(DROP_ROWS))
    values, inverse = np.unique(part, return_inverse=True)
    return [_text(value) for value in values.tolist()], inverse


def _text(value: object) -> str:
    """Text of a label; none for what tables give where a field is missing."""
    if value is None or value != value:
        return ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _number(text: str) -> float | int | None:
    if "_" in text:  # Python would read 1_0 as ten
        return None
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() else number


def _observed_labels(where: str, keys: list[list[Any]], numeric: bool) -> dict[Any, str]:
    distinct = sorted({key for part in keys for key in part})
    fraction = next((key for key in distinct if isinstance(key, float)), None) if numeric else None
    if fraction is not None:
        raise DataError(
            where,
            f"label {show_value(fraction)} is not a class",
            f"whole numbers or words are; {NO_CLASSES_REMEDY}",
        )
    if len(distinct) > MOST_CLASSES:
        most = f"{MOST_CLASSES} at most, unless classes are declared; {CHOOSE_LABEL}"
        raise DataError(where, f"{len(distinct)} distinct labels", most)
    return {key: str(key) for key in distinct}


def _check_known(where: str, part: list[Any], inverse: NDArray[np.intp], names: dict[Any, str]) -> None:
    for place, key in enumerate(part):
        if key not in names:
            row = int(np.flatnonzero(inverse == place)[0])
            known = ", ".join(list(names.values())[:20])
            label = f"label {show_value(key) if isinstance(key, str) else repr(key)} of row {row + 1:,}"
            raise DataError(where, f"{label} is not declared", f"the declared classes are {known}")
