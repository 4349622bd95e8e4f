"""Dots of the ε that each method needs: a row for each method, a dot for each data set, ε across."""

import math
from collections.abc import Mapping, Sequence
from statistics import median_high

import plotly.graph_objects as go

from dashboard.figures.style import FigureBuilder, Style, class_look, escape_plotly, see_through
from dashboard.figures.sweep import round_ticks
from dashboard.text.which_method import set_title
from dpgep_core.evaluate.which_method import Reach
from dpgep_core.wording import number_text

ROW = 54  # pixels of a method
SPREAD = 0.62  # of a row, over which the dots of the data sets lie
BAND = 5.0  # factor past the end of the grid, where what is not reached is drawn
FEWEST = 3  # data sets with a median
ENTRY = 26  # pixels: a row of the legend


def which_method_dots(reaches: Sequence[Reach], titles: Mapping[str, str], style: Style) -> go.Figure:
    """A dot for each of ``reaches``, in the order of ``titles`` from the top; a bar at the median of each method.

    What is not reached stands in a band on the right, and what the least ε reaches already at that ε.
    """
    methods, sets = list(titles), list(dict.fromkeys(reach.dataset for reach in reaches))
    ends = _ends(reaches)
    below = 76 + ENTRY * -(-len(sets) // 4)
    builder = style.builder(
        height=30 + below + ROW * len(methods), margin={"l": 132, "r": 12, "t": 30, "b": below}, hovermode="closest",
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": -66 / (ROW * len(methods)), "yanchor": "top"},
    )  # fmt: skip
    places = {method: len(methods) - 1 - number for number, method in enumerate(methods)}
    for number, dataset in enumerate(sets):
        own = [reach for reach in reaches if reach.dataset == dataset]
        share = (number + 0.5) / len(sets)
        builder.add_scatter(
            x=[_place(reach, ends, share) for reach in own],
            y=[places[reach.method] + SPREAD * (0.5 - share) for reach in own], mode="markers",
            name=escape_plotly(set_title(dataset)), text=[_hover(reach, titles[reach.method]) for reach in own],
            marker={"size": 10, **class_look(number)},
            hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip
    for method in methods:
        _median(builder, [_place(reach, ends) for reach in reaches if reach.method == method], places[method], style)
    _axes(builder, titles, places, ends, style)
    return builder.figure()


def _ends(reaches: Sequence[Reach]) -> tuple[float, float]:
    """The least ε that is drawn, and the end of the grid."""
    return min(reach.epsilon or reach.least for reach in reaches), max(reach.most for reach in reaches)


def _place(reach: Reach, ends: tuple[float, float], share: float = 0.5) -> float:
    """Where a dot lies: in the band on the right where nothing reaches the share, each data set in its own place."""
    return ends[1] * BAND ** (0.2 + 0.75 * share) if math.isinf(reach.epsilon) else max(reach.epsilon, reach.least)


def _hover(reach: Reach, title: str) -> str:
    if math.isinf(reach.epsilon):
        said = f"not with ε ≤ {number_text(reach.most)}"
    else:
        said = f"ε {'≤' if reach.epsilon == 0 else '='} {number_text(reach.epsilon or reach.least, 2)}"
    where = f"{escape_plotly(title)}, {escape_plotly(set_title(reach.dataset))}"
    return f"{where}<br>{said}<br>{escape_plotly(reach.setting, 70)}"


def _median(builder: FigureBuilder, values: Sequence[float], row: float, style: Style) -> None:
    """A bar at the median over the data sets, under the dots; of fewer than three there is none to speak of."""
    if len(values) >= FEWEST:
        middle = median_high(values)  # the upper of two: one of them may lie beyond
        builder.add_shape({"type": "line", "x0": middle, "x1": middle, "y0": row - 0.42, "y1": row + 0.42,
                           "layer": "below", "line": {"color": style.ink, "width": 3}})  # fmt: skip


def _axes(
    builder: FigureBuilder, titles: Mapping[str, str], places: Mapping[str, int], ends: tuple[float, float],
    style: Style,
) -> None:  # fmt: skip
    low, high = math.log10(ends[0]) - 0.2, math.log10(ends[1] * BAND)
    edge, top = ends[1] * BAND**0.15, len(places) - 0.5
    builder.update_xaxes(
        type="log", title={"text": "ε needed: left is better"}, range=(low, high),
        **round_ticks(*ends, wide=True),
    )  # fmt: skip
    builder.update_yaxes(
        tickmode="array", tickvals=list(places.values()), ticktext=[escape_plotly(titles[name]) for name in places],
        range=(-0.5, top), showgrid=False, zeroline=False, ticks="", fixedrange=True,
    )  # fmt: skip
    band = see_through(style.quiet, 0.14)
    builder.add_shape({"type": "rect", "xref": "x", "yref": "paper", "x0": edge, "x1": 10**high, "y0": 0, "y1": 1,
                       "layer": "below", "line": {"width": 0}, "fillcolor": band})  # fmt: skip
    builder.add_annotation(x=high, xanchor="right", y=1, yref="paper", yanchor="bottom", text="not reached",
                           showarrow=False, font={"size": 12, "color": style.quiet})  # fmt: skip
    for row in range(1, len(places)):
        builder.add_hline(row - 0.5, {"color": style.faint, "width": 1})
