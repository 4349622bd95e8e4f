"""A legend above a plot in a width that is known: long names are wrapped, and the figure grows by their lines."""

from html import escape, unescape
from typing import Any

import plotly.graph_objects as go

from dashboard.figures.wrapping import text_width, wrap_text

SYMBOL = 48  # pixels of an entry's line and mark, with the gaps beside them
LETTERS = 14
LINE, BETWEEN = 1.3, 7  # height of a line in letters; pixels between entries, as Plotly sets them with `GAP`
GAP = 4  # pixels between entries of two groups; Plotly's own would be 10
USUAL = 0.8  # of the widest font, where a guess that is too small costs a line and no letters


def fit_legend(figure: go.Figure, width: float) -> None:
    """Make room for the legend over the plots of a figure so wide: Plotly takes the room from the plots."""
    layout = figure.layout
    entries = [trace for trace in figure.data if trace.name and trace.showlegend is not False]
    above = layout.legend.orientation == "h" and (layout.legend.y or 0) >= 1
    if layout.showlegend is False or not entries or not above:
        return
    size, margin = layout.legend.font.size or layout.font.size or LETTERS, layout.margin
    room = width - (margin.l or 0) - (margin.r or 0)
    for trace in entries:
        trace.name = _wrapped(trace.name, (room - SYMBOL) / size)
    plot = layout.height - (margin.t or 0) - (margin.b or 0)
    needed = (layout.legend.y - 1) * plot + _height(entries, room, size) + GAP
    more = max(0.0, needed - (margin.t or 0))
    figure.update_layout(
        height=layout.height + more, margin={"t": (margin.t or 0) + more}, legend={"tracegroupgap": GAP, "maxheight": 1}
    )


def _wrapped(name: str, ems: float) -> str:
    if "<" in name or text_width(unescape(name)) <= ems:  # a tag cannot be wrapped
        return name
    return "<br>".join(escape(line, quote=False) for line in wrap_text(unescape(name), ems))


def _height(entries: list[Any], room: float, size: float) -> float:
    """Pixels of the rows of a legend: entries stand beside each other as long as they fit."""
    rows: list[int] = []
    left = 0.0
    for trace in entries:
        lines = trace.name.split("<br>")
        wide = SYMBOL + USUAL * size * max(text_width(unescape(line)) for line in lines)
        if wide > left:
            rows.append(len(lines))
            left = room
        rows[-1] = max(rows[-1], len(lines))
        left -= wide
    return sum(LINE * size * lines + BETWEEN for lines in rows)
