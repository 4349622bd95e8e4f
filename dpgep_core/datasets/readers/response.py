"""The parts of a sidecar that say what a data set is analysed for: a response with its slices, and two views."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from dpgep_core.datasets.arrays import reals_of
from dpgep_core.datasets.preprocessing import Views
from dpgep_core.datasets.slicing import check_edges
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
