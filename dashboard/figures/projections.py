"""Held-out rows on two components."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dashboard.figures.style import CLASS_COLOURS, CLASS_SYMBOLS, Style, escape_plotly
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
