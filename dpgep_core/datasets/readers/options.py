"""The parts of a sidecar that say how a table is read, and what it is analysed for.

Reading: writing, gaps, columns of words, columns left out. Analysis: a response with its slices, and two views.
"""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from dpgep_core.datasets.arrays import reals_of
from dpgep_core.datasets.dataset import check_edges
from dpgep_core.datasets.preprocessing import Views
from dpgep_core.datasets.readers.table import DROP, REFUSE, first_names
from dpgep_core.errors import DataError, show_value

RESPONSE_KEYS = ("column", "edges", "slices")
MOST_COUNT = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class DeclaredResponse:
    """A label column that holds a real-valued response.

    Parameters
    ----------
    column : str, int or None
        Name or position of the column or array; None leaves the choice to the format.
    edges : tuple of float
        Public cut points.
    slices : int
        Where there are no edges: how many slices to cut at quantiles of the rows, for methods without privacy; 0: none.
    """

    column: str | int | None = None
    edges: tuple[float, ...] = ()
    slices: int = 0


def read_response(where: str, section: Mapping[str, Any]) -> DeclaredResponse | None:
    """The table [response]; None where it is empty."""
    if not section:
        return None
    column, edges, slices = section.get("column"), section.get("edges", []), section.get("slices", 0)
    if column is not None and not isinstance(column, str) and not is_count(column, 0):
        raise DataError(where, f"response.column = {show_value(column)}", "a column name, or a column number from 0")
    cut = reals_of(where, "response.edges", edges)
    if slices != 0 and not is_count(slices, 2):
        raise DataError(where, f"response.slices = {show_value(slices)}", "a whole number from 2 is needed")
    if cut and slices:
        raise DataError(where, "response.edges beside response.slices", "public edges, or quantiles of the rows")
    check_edges(where, cut)
    return DeclaredResponse(column=column, edges=cut, slices=slices)


def read_views(where: str, value: object) -> int | Views | None:
    """The key views: the number of columns of the first view, or two lists of column numbers."""
    if value is None or is_count(value, 1):
        return cast("int | None", value)
    if isinstance(value, list) and len(cast(list[object], value)) == 2:
        views = cast(list[list[int]], value)
        if all(isinstance(view, list) and all(is_count(column, 0) for column in view) for view in views):  # pyright: ignore[reportUnnecessaryIsInstance]
            return tuple(tuple(view) for view in views)
    raise DataError(
        where, f"views = {show_value(value)}", "a number of columns, or two lists of column numbers, are needed"
    )


def views_of(where: str, declared: int | Views | None, shape: tuple[int, ...]) -> Views | None:
    """Two lists of columns from what is declared, for rows of this shape."""
    if not isinstance(declared, int):
        return declared
    d = shape[-1] if shape else 0
    if declared >= d:
        raise DataError(where, f"views = {declared}", f"a number of columns below all {d} of them is needed")
    return (tuple(range(declared)), tuple(range(declared, d)))


def is_count(value: object, lowest: int) -> bool:
    """Whether a value is a whole number of at least ``lowest`` that can count rows or columns."""
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= MOST_COUNT


READING_KEYS = (
    *("delimiter", "encoding", "header", "decimal", "thousands", "percent"),
    *("gaps", "missing", "zero_based"),
)
TEXT_KEYS = ("column", "categories")
DELIMITERS = (",", ";", "\t", "|", " ")
THOUSANDS = (",", ".", "'", " ")
ENCODINGS = ("utf-8", "utf-16", "utf-32", "cp1252", "latin-1", "utf-16-le", "utf-16-be")
FROM_ROWS = "from rows"
MOST_CATEGORIES = 200

Column = str | int


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a file of text is written, and what is done about gaps.

    Parameters
    ----------
    delimiter : str
        One of ``, ; tab |`` and the blank, which stands for any number of blanks; "" leaves it to the reader.
    encoding : str
        "" leaves it to the reader.
    header : bool or None
        Whether the first line names the columns; None leaves it to the reader.
    decimal : str
        "." or ",".
    thousands : str
        The mark between groups of three digits: one of ``, . '`` and the blank; "" for none.
    percent : bool
        Whether a number may end in ``%``: 12 % is .12.
    gaps : tuple of str
        Words that stand for a gap beside the usual ones.
    missing : str or float
        "refuse" a table with gaps, "drop" rows that have one, or the number that stands in for each: a public constant.
    zero_based : bool
        Whether LIBSVM text counts its columns from 0, as scikit-learn writes it.
    """

    delimiter: str = ""
    encoding: str = ""
    header: bool | None = None
    decimal: str = "."
    thousands: str = ""
    percent: bool = False
    gaps: tuple[str, ...] = ()
    missing: str | float = REFUSE
    zero_based: bool = False


@dataclass(frozen=True, kw_only=True)
class TextColumn:
    """A column of words that becomes a column of zeros and ones for each category.

    Parameters
    ----------
    column : str or int
        Name or position.
    categories : tuple of str or None
        Declared, so that nothing is learnt: any other word gives zeros. None reads them off the rows.
    """

    column: Column
    categories: tuple[str, ...] | None = None


def read_reading(where: str, section: Mapping[str, Any]) -> Reading:
    """The table [reading]."""
    allowed = {"delimiter": DELIMITERS, "encoding": ENCODINGS, "decimal": (".", ","), "thousands": THOUSANDS}
    for key, values in allowed.items():
        value = section.get(key, "")
        if not isinstance(value, str) or (value and value not in values):
            raise DataError(where, f"reading.{key} = {show_value(value)}", f"one of {first_names(values)} is allowed")
    for key in ("header", "percent", "zero_based"):
        if not isinstance(section.get(key, False), bool):
            raise DataError(where, f"reading.{key} = {show_value(section[key])}", "true or false is allowed")
    gaps = section.get("gaps", [])
    if not isinstance(gaps, list) or not all(isinstance(word, str) for word in cast(list[object], gaps)):
        raise DataError(where, f"reading.gaps = {show_value(gaps)}", "a list of words is needed")
    decimal = section.get("decimal") or "."
    if decimal == section.get("thousands"):
        raise DataError(where, f"{show_value(decimal)} as decimal mark and as thousands mark", "two marks are needed")
    return Reading(
        delimiter=section.get("delimiter", ""),
        encoding=section.get("encoding", ""),
        header=section.get("header"),
        decimal=decimal,
        thousands=section.get("thousands", ""),
        percent=section.get("percent", False),
        gaps=tuple(cast(list[str], gaps)),
        missing=_check_missing(where, section.get("missing", REFUSE)),
        zero_based=section.get("zero_based", False),
    )


def read_text_columns(where: str, value: object) -> tuple[TextColumn, ...]:
    """The tables [[text]]."""
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in cast(list[object], value)):
        raise DataError(where, f"text = {show_value(value)}", "tables [[text]] are needed")
    return tuple(_text_column(where, each) for each in cast(list[dict[str, Any]], value))


def read_columns(where: str, key: str, value: object) -> tuple[Column, ...]:
    """A list of columns by name or position."""
    if not isinstance(value, list) or not all(_is_column(each) for each in cast(list[object], value)):
        raise DataError(
            where, f"{key} = {show_value(value)}", "a list of column names, or column numbers from 0, is needed"
        )
    return tuple(cast(list[Column], value))


def _text_column(where: str, table: Mapping[str, Any]) -> TextColumn:
    for key in table:
        if key not in TEXT_KEYS:
            raise DataError(where, f"there is no key text.{key}", f"{', '.join(TEXT_KEYS)} are allowed")
    column, categories = table.get("column"), table.get("categories")
    if not _is_column(column):
        raise DataError(where, f"text.column = {show_value(column)}", "a column name, or a column number from 0")
    if categories == FROM_ROWS:
        return TextColumn(column=cast(Column, column))
    words = cast(list[object], categories) if isinstance(categories, list) else []
    if not words or not all(isinstance(word, str) for word in words):
        raise DataError(
            where, f"text.categories = {show_value(categories)}", f"a list of words, or {FROM_ROWS!r}, is needed"
        )
    return TextColumn(column=cast(Column, column), categories=categories_of(where, cast(list[str], words)))


def categories_of(where: str, words: list[str]) -> tuple[str, ...]:
    """Checked categories."""
    if len(set(words)) != len(words):
        raise DataError(where, f"the categories {first_names(words)} repeat one", "each category once")
    if len(words) > MOST_CATEGORIES:
        raise DataError(where, f"{len(words)} categories", f"at most {MOST_CATEGORIES} are allowed: drop such a column")
    return tuple(words)


def _check_missing(where: str, value: object) -> str | float:
    if value in (REFUSE, DROP):
        return cast(str, value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        with suppress(OverflowError):  # a whole number of 400 digits is no float
            if math.isfinite(value):
                return float(value)
    raise DataError(
        where, f"reading.missing = {show_value(value)}", f"{REFUSE!r}, {DROP!r} or a finite number is allowed"
    )


def _is_column(value: object) -> bool:
    return isinstance(value, str) or is_count(value, 0)
