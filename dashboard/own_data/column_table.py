"""Columns of an upload as its form declares them: what each holds, whether it is used, its weight and its bounds."""

import math

import pandas as pd

from dashboard.own_data.choices import Choices, bounds_by_column
from dpgep_core.datasets.glance import NUMBER, ColumnGlance, Glance
from dpgep_core.datasets.readers.options import Reading

MOST_LISTED = 1_000  # columns: a longer table is sent on every run
SHARE = "share of the rows' length"


def chosen_columns(where: str, looked: Glance, reading: Reading, chosen: Choices) -> pd.DataFrame:
    """One line for each column of the file. Shares are of the columns of numbers in use, as stored."""
    ends = bounds_by_column(where, looked, reading, chosen)
    used = {column.position: _use(column, chosen) for column in looked.columns}
    squares = {
        column.position: column.square or 0.0
        for column in looked.columns
        if used[column.position] == "yes" and column.kind == NUMBER
    }
    whole = sum(squares.values())
    known = 0 < whole < math.inf
    return pd.DataFrame(
        {
            "column": column.position, "name": column.name, "used": used[column.position], "holds": column.kind,
            SHARE: squares[column.position] / whole if known and column.position in squares else None,
            "lower": ends.get(column.position, (None, None))[0], "upper": ends.get(column.position, (None, None))[1],
            "gaps": column.gaps, "different": column.distinct, "smallest": column.low, "largest": column.high,
            "remark": _remark(column),
        }
        for column in looked.columns[:MOST_LISTED]
    )  # fmt: skip


def _use(column: ColumnGlance, chosen: Choices) -> str:
    """Tell whether a column is used, as what else, or not."""
    if chosen.purpose != "none" and column.position == chosen.label:
        return "label" if chosen.purpose == "classes" else "response"
    if column.position in chosen.drop:
        return "no"
    return "as categories" if column.position in {*chosen.categories, *chosen.read_off} else "yes"


def _remark(column: ColumnGlance) -> str:
    if column.row_names:
        return column.row_names
    if column.distinct == 1:
        return "constant: carries nothing"
    if column.counts:
        return "numbers the rows one by one"
    if column.identifies:
        return "different in every row: a name or number of the person?"
    return ""
