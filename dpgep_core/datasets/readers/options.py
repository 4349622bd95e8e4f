"""The parts of a sidecar that say how a table is read, and what it is analysed for.

Reading: writing, gaps, columns of words, columns left out. Analysis: a response with its slices, and two views.
"""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from dpgep_core.datasets.arrays import reals_of
from dpgep_core.datasets.preprocessing import Views
from dpgep_core.datasets.readers.table import DROP, REFUSE, first_names
from dpgep_core.datasets.slices import check_edges, check_edges_mu
from dpgep_core.errors import DataError, show_value

RESPONSE_KEYS = ("column", "edges", "edges_mu", "slices")
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
    edges_mu : float
        μ that edges released from these very rows have cost; 0: they were chosen without looking at the rows.
    slices : int
        Where there are no edges: how many slices to cut at quantiles of the rows, for methods without privacy; 0: none.
    """

    column: str | int | None = None
    edges: tuple[float, ...] = ()
    edges_mu: float = 0.0
    slices: int = 0


def accept(where: str, key: str, value: Any, fits: bool, allowed: str) -> Any:
    """The value of a declared key where it fits; refused with the key, the value and what is allowed where not."""
    if not fits:
        raise DataError(where, f"{key} = {show_value(value)}", allowed)
    return value


def read_response(where: str, section: Mapping[str, Any]) -> DeclaredResponse | None:
    """The table [response]; None where it is empty."""
    if not section:
        return None
    column, slices = section.get("column"), section.get("slices", 0)
    accept(where, "response.column", column, column is None or is_column(column), COLUMN_ALLOWED)
    cut = reals_of(where, "response.edges", section.get("edges", []))
    accept(where, "response.slices", slices, slices == 0 or is_count(slices, 2), "a whole number from 2 is needed")
    if cut and slices:
        raise DataError(where, "response.edges beside response.slices", "public edges, or quantiles of the rows")
    check_edges(where, cut)
    mu = section.get("edges_mu", 0.0)
    check_edges_mu(where, mu, cut)
    return DeclaredResponse(column=column, edges=cut, edges_mu=float(mu), slices=slices)


def read_views(where: str, value: Any) -> int | Views | None:
    """The key views: the number of columns of the first view, or two lists of column numbers."""
    pair = is_list(value, lambda view: is_list(view, lambda column: is_count(column, 0))) and len(value) == 2
    allowed = "a number of columns, or two lists of column numbers, are needed"
    views: Any = accept(where, "views", value, value is None or is_count(value, 1) or pair, allowed)
    return tuple(tuple(view) for view in views) if pair else views


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
COLUMN_ALLOWED = "a column name, or a column number from 0"

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
        accept(where, f"reading.{key}", value, value in ("", *values), f"one of {first_names(values)} is allowed")
    for key in ("header", "percent", "zero_based"):
        value = section.get(key, False)
        accept(where, f"reading.{key}", value, isinstance(value, bool), "true or false is allowed")
    gaps, missing = section.get("gaps", []), section.get("missing", REFUSE)
    accept(where, "reading.gaps", gaps, is_list(gaps, _is_text), "a list of words is needed")
    number = f"{REFUSE!r}, {DROP!r} or a finite number is allowed"
    accept(where, "reading.missing", missing, missing in (REFUSE, DROP) or _is_finite(missing), number)
    decimal = section.get("decimal") or "."
    if decimal == section.get("thousands"):
        raise DataError(where, f"{show_value(decimal)} as decimal mark and as thousands mark", "two marks are needed")
    found: dict[str, Any] = {**section, "decimal": decimal, "gaps": tuple(gaps)}
    found["missing"] = missing if isinstance(missing, str) else float(missing)
    return Reading(**found)


def read_text_columns(where: str, value: Any) -> tuple[TextColumn, ...]:
    """The tables [[text]]."""
    accept(where, "text", value, is_list(value, lambda each: isinstance(each, dict)), "tables [[text]] are needed")
    return tuple(_text_column(where, each) for each in value)


def read_columns(where: str, key: str, value: Any) -> tuple[Column, ...]:
    """A list of columns by name or position."""
    allowed = "a list of column names, or column numbers from 0, is needed"
    return tuple(accept(where, key, value, is_list(value, is_column), allowed))


def _text_column(where: str, table: Mapping[str, Any]) -> TextColumn:
    for key in table:
        if key not in TEXT_KEYS:
            raise DataError(where, f"there is no key text.{key}", f"{', '.join(TEXT_KEYS)} are allowed")
    column: Any = table.get("column")
    categories: Any = table.get("categories")
    accept(where, "text.column", column, is_column(column), COLUMN_ALLOWED)
    if categories == FROM_ROWS:
        return TextColumn(column=column)
    words = is_list(categories, _is_text) and bool(categories)
    accept(where, "text.categories", categories, words, f"a list of words, or {FROM_ROWS!r}, is needed")
    return TextColumn(column=column, categories=categories_of(where, categories))


def categories_of(where: str, words: list[str]) -> tuple[str, ...]:
    """Checked categories."""
    if len(set(words)) != len(words):
        raise DataError(where, f"the categories {first_names(words)} repeat one", "each category once")
    if len(words) > MOST_CATEGORIES:
        raise DataError(where, f"{len(words)} categories", f"at most {MOST_CATEGORIES} are allowed: drop such a column")
    return tuple(words)


def is_column(value: object) -> bool:
    """Whether a value can name a column, by its name or its number."""
    return isinstance(value, str) or is_count(value, 0)


def is_list(value: Any, fits: Callable[[Any], bool]) -> bool:
    """Whether a value is a list of which every entry fits."""
    return isinstance(value, list) and all(map(fits, cast(list[Any], value)))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_finite(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    with suppress(OverflowError):  # a whole number of 400 digits is no float
        return math.isfinite(value)
    return False
