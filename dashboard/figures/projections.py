"""Rows on two components, alone and under the curve of the live panel."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dashboard.compute.axes import Axis
from dashboard.compute.results import Draw
from dashboard.figures import class_legend
from dashboard.figures.class_legend import Box
from dashboard.figures.curves import Curve, against
from dashboard.figures.levels import Level
from dashboard.figures.style import Style, class_look, class_looks, escape_plotly
from dpgep_core.evaluate.measures import Measure
from dpgep_core.privacy.query import Array


def scatter(
    points: Array,
    labels: NDArray[np.intp] | None,
    classes: Sequence[str],
    span: float,
    title: str,
    style: Style,
) -> go.Figure:
    """Points coloured and shaped by class, in a square of half-width ``span`` so that two panels can be compared."""
    builder = style.builder(height=460, title={"text": title, "font": {"size": 15}, "x": 0.5, "xref": "paper"})
    codes = np.zeros(len(points), dtype=np.intp) if labels is None else labels
    names = classes if labels is not None else ("rows",)
    for code in np.unique(codes):
        chosen = codes == code
        name = escape_plotly(names[int(code)])
        builder.add_scatter(
            x=points[chosen, 0], y=points[chosen, 1], mode="markers", name=name,
            showlegend=labels is not None,
            marker={
                **class_look(int(code)),
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


GAP, TITLE = 0.015, 0.05  # shares of the width between two squares, and of the height for the title of one
EDGES = (106, 72)  # pixels of the margins of a figure: above and below, left and right
SIZES = {False: 900, True: 420}  # pixels across a file of each kind, that a legend may not go beyond


@dataclass(frozen=True, eq=False)
class Projections:
    """Squares of rows on two components.

    Parameters
    ----------
    squares : sequence of (str, Array)
        Titles with (m, 2) places.
    labels, classes : array or None, sequence of str
        Class of each row, and the names of the classes.
    span : float
        Half-width of each square.
    dot : str
        A sentence that says what a dot is.
    """

    squares: Sequence[tuple[str, Array]]
    labels: NDArray[np.intp] | None
    classes: Sequence[str]
    span: float
    dot: str

    @property
    def names(self) -> list[str]:
        """Names in the legend: none where rows have no class."""
        return [] if self.labels is None else class_legend.shown_classes(self.classes)


@dataclass(frozen=True, slots=True)
class _Room:
    """Shares of a figure that the curve and the squares take, its height, and the width of its field in pixels."""

    height: int
    curve: Box
    squares: Box
    wide: int

    def lifted(self, pixels: float) -> "_Room":
        """The room with so many pixels more, free below the squares."""
        field = self.height - EDGES[0]

        def share(old: float) -> float:
            return (old * field + pixels) / (field + pixels)

        (bottom, top), (low, high) = self.curve[1], self.squares[1]
        curve = (self.curve[0], (bottom and share(bottom), top))  # beside the squares, it goes down with the figure
        return _Room(self.height + round(pixels), curve, (self.squares[0], (share(low), share(high))), self.wide)


BESIDE = _Room(480, ((0.0, 0.52), (0.0, 1.0)), ((0.57, 1.0), (0.0, 1.0)), SIZES[False] - EDGES[1])
BELOW = _Room(800, ((0.0, 1.0), (0.62, 1.0)), ((0.0, 1.0), (0.0, 0.47)), SIZES[True] - EDGES[1])


def stage(
    curves: Sequence[Curve], metric: Measure, levels: Sequence[Level], axis: Axis, grid: Sequence[float],
    shown: Projections, style: Style, *, exact: Sequence[Draw] = (),
) -> go.Figure:  # fmt: skip
    """A curve for each method, and squares of rows with a legend of their classes.

    ``exact`` is what no privacy gives along the axis, where it moves.
    The squares stand beside the curve, or below it in a narrow style. The legend takes the place that an odd number of
    squares leaves free; else it stands below them.
    """
    room, count = BELOW if style.narrow else BESIDE, len(shown.squares)
    columns = 2 if style.narrow or count > 2 else 1
    wide = (room.squares[0][1] - room.squares[0][0]) * room.wide
    free = count % columns > 0
    low = 0.0 if free else class_legend.legend_height(shown.names, wide)
    room = room.lifted(low)
    figure = against(curves, metric, levels, axis, grid, style, exact=exact)
    figure.update_layout(height=room.height, xaxis_domain=room.curve[0], yaxis_domain=room.curve[1], xaxis_anchor="y")
    for annotation in figure.layout.annotations:  # made for a figure with one pair of axes
        annotation.xref = "x domain"
    for shape in figure.layout.shapes:
        if shape.yref == "paper":
            shape.yref = "y domain"
        if shape.xref == "paper":
            shape.xref = "x domain"
    places = _squares(room, count + free, columns)
    for number, (square, place) in enumerate(zip(shown.squares, places, strict=False), start=2):
        _add_square(figure, square, shown, place, number, style)
    box = (room.squares[0], (0.0, room.squares[1][0])) if low else places[-1]
    size = ((box[0][1] - box[0][0]) * room.wide, (box[1][1] - box[1][0]) * (room.height - EDGES[0]))
    class_legend.add_legend(figure, shown.names, shown.dot, box, size, count + 2, style)
    return figure


def _add_square(
    figure: go.Figure, square: tuple[str, Array], shown: Projections, place: Box, number: int, style: Style
) -> None:
    (title, points), (across, up) = square, place
    _add_points(figure, points, shown.labels, number)
    bare = {"range": (-shown.span, shown.span), "showticklabels": False, "ticks": "", "constrain": "domain",
            "gridcolor": style.faint, "zerolinecolor": style.faint}  # fmt: skip
    figure.update_layout(
        {
            f"xaxis{number}": bare | {"domain": across, "anchor": f"y{number}"},
            f"yaxis{number}": bare | {"domain": up, "anchor": f"x{number}", "scaleanchor": f"x{number}",
                                      "constraintoward": "top"},
        }
    )  # fmt: skip
    figure.add_annotation(
        text=title, x=0.5, xref=f"x{number} domain", y=up[1], yref="paper", yanchor="bottom", showarrow=False,
        font={"size": 11, "color": style.ink},
    )  # fmt: skip


def _squares(room: _Room, count: int, columns: int) -> list[Box]:
    """Shares of the width and of the height that each square takes, row by row from the top."""
    (left, right), (bottom, top) = room.squares
    rows, share = -(-count // columns), (right - left) / columns
    high = (top - bottom) / rows
    return [
        (
            (left + place % columns * share + GAP, left + (place % columns + 1) * share - GAP),
            (top - (place // columns + 1) * high + TITLE / 4, top - place // columns * high - TITLE),
        )
        for place in range(count)
    ]


def _add_points(figure: go.Figure, points: Array, labels: NDArray[np.intp] | None, number: int) -> None:
    codes = np.zeros(len(points), dtype=np.intp) if labels is None else labels
    figure.add_scatter(
        x=points[:, 0], y=points[:, 1], mode="markers", xaxis=f"x{number}", yaxis=f"y{number}", showlegend=False,
        hoverinfo="skip",
        marker={
            **class_looks(codes),
            "size": 4, "opacity": 0.8, "line": {"width": 0},
        },
    )  # fmt: skip
