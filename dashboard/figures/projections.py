"""Rows on two components, alone and under the curve of the live panel."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dashboard.compute.axes import Axis
from dashboard.figures.curves import Curve, Level, against
from dashboard.figures.style import CLASS_COLOURS, CLASS_SYMBOLS, Style, escape_plotly
from dpgep_core.evaluate.measures import Measure
from dpgep_core.privacy.query import Array


def scatter(
    points: Array,
    labels: NDArray[np.intp] | None,
    classes: Sequence[str],
    span: float,
    title: str,
    style: Style,
    *,
    legend: bool,
) -> go.Figure:
    """Points coloured and shaped by class, in a square of half-width ``span`` so that two panels can be compared."""
    builder = style.builder(height=460, title={"text": title, "font": {"size": 15}, "x": 0, "xref": "paper"})
    codes = np.zeros(len(points), dtype=np.intp) if labels is None else labels
    names = classes if labels is not None else ("rows",)
    for code in np.unique(codes):
        chosen = codes == code
        name = escape_plotly(names[int(code)])
        builder.add_scatter(
            x=points[chosen, 0], y=points[chosen, 1], mode="markers", name=name,
            showlegend=legend and labels is not None,
            marker={
                "color": CLASS_COLOURS[code % len(CLASS_COLOURS)],
                "symbol": CLASS_SYMBOLS[code % len(CLASS_SYMBOLS)],
                "size": 6, "opacity": 0.8, "line": {"width": 0},
            },
            text=name, hoverinfo="text",
        )  # fmt: skip
    axis = {"range": (-span, span), "showticklabels": False, "ticks": "", "constrain": "domain"}
    builder.update_xaxes(**axis)
    builder.update_yaxes(**axis, scaleanchor="x")
    builder.update_layout(
        margin={"l": 8, "r": 8, "t": 40, "b": 64},  # the same with and without a legend, so that panels match
        legend={"orientation": "h", "x": 0.5, "xanchor": "center", "y": -0.02, "yanchor": "top", "font": {"size": 12}},
    )
    return builder.figure()


def span_of(*layouts: Array) -> float:
    """Half-width of a square that holds nearly all points of the first layout and most of the others."""
    return 1.15 * float(max(np.percentile(np.abs(points), 99.5) for points in layouts if points.size))


HEIGHT = 720
CURVE, SQUARES = (0.55, 1.0), (0.0, 0.38)  # shares of the height
GAP = 0.012  # share of the width between two squares


def stage(
    curves: Sequence[Curve], metric: Measure, levels: Sequence[Level], axis: Axis, grid: Sequence[float],
    projections: Sequence[tuple[str, Array]], labels: NDArray[np.intp] | None, span: float, style: Style,
) -> go.Figure:  # fmt: skip
    """A curve for each method, and (m, 2) ``projections`` under their titles in squares of half-width ``span``."""
    figure = against(curves, metric, levels, axis, grid, style)
    figure.update_layout(height=HEIGHT, yaxis_domain=CURVE, xaxis_anchor="y")
    for annotation in figure.layout.annotations:  # made for a figure with one pair of axes
        annotation.xref = "x domain"
    for shape in figure.layout.shapes:
        if shape.yref == "paper":
            shape.yref = "y domain"
    share = 1 / len(projections)
    for place, (title, points) in enumerate(projections):
        number, start = place + 2, place * share
        _add_points(figure, points, labels, number)
        bare = {"range": (-span, span), "showticklabels": False, "ticks": "", "constrain": "domain",
                "gridcolor": style.faint, "zerolinecolor": style.faint}  # fmt: skip
        figure.update_layout(
            {
                f"xaxis{number}": bare | {"domain": (start + GAP, start + share - GAP), "anchor": f"y{number}"},
                f"yaxis{number}": bare | {"domain": SQUARES, "anchor": f"x{number}", "scaleanchor": f"x{number}"},
            }
        )
        figure.add_annotation(
            text=title, x=0.5, xref=f"x{number} domain", y=SQUARES[1], yref="paper", yanchor="bottom", showarrow=False,
            font={"size": 13, "color": style.ink},
        )  # fmt: skip
    return figure


def _add_points(figure: go.Figure, points: Array, labels: NDArray[np.intp] | None, number: int) -> None:
    codes = np.zeros(len(points), dtype=np.intp) if labels is None else labels
    figure.add_scatter(
        x=points[:, 0], y=points[:, 1], mode="markers", xaxis=f"x{number}", yaxis=f"y{number}", showlegend=False,
        hoverinfo="skip",
        marker={
            "color": [CLASS_COLOURS[code % len(CLASS_COLOURS)] for code in codes],
            "symbol": [CLASS_SYMBOLS[code % len(CLASS_SYMBOLS)] for code in codes],
            "size": 4, "opacity": 0.8, "line": {"width": 0},
        },
    )  # fmt: skip
