"""A legend of classes under the squares of rows: names beside their symbols, and the sentence that says what a dot is.

It is drawn on axes of its own: Plotly's legend, which the curves have, would name each class once for each square.
"""

from collections.abc import Sequence

import plotly.graph_objects as go

from dashboard.figures.style import Style, class_looks, escape_plotly

LETTER, MARK = 5.8, 26.0  # pixels that a letter of a name is wide, and a symbol with what is free beside it
LINE = 15.0  # pixels from one line to the next
MOST_LETTERS = 24
MOST_NAMED = 30  # classes: the letters of an alphabet, and some more
SMALL = 11

Box = tuple[tuple[float, float], tuple[float, float]]  # shares of the width and of the height


def shown_classes(classes: Sequence[str]) -> list[str]:
    """Names that a legend has room for."""
    return [escape_plotly(name, MOST_LETTERS) for name in classes[:MOST_NAMED]]


def columns_within(names: Sequence[str], wide: float) -> int:
    """Columns of names that so many pixels have room for."""
    longest = max(map(len, names), default=0)
    return max(1, min(len(names), int(wide // (LETTER * longest + MARK))))


def legend_height(names: Sequence[str], wide: float) -> float:
    """Pixels of height that a legend takes, with its sentence."""
    return LINE * (-(-len(names) // columns_within(names, wide)) + 1)


def add_legend(figure: go.Figure, names: Sequence[str], said: str, box: Box, size: tuple[float, float], number: int,
               style: Style) -> None:  # fmt: skip
    """Draw the legend at the top of a box of ``size`` pixels, on the axes with that number."""
    wide, high = size
    columns, lines = columns_within(names, wide), high / LINE
    places = [(place % columns, -(place // columns) - 0.5) for place in range(len(names))]
    hidden = {"visible": False, "fixedrange": True}
    figure.update_layout(
        {
            f"xaxis{number}": hidden | {"domain": box[0], "range": (0, columns), "anchor": f"y{number}"},
            f"yaxis{number}": hidden | {"domain": box[1], "range": (-lines, 0), "anchor": f"x{number}"},
        }
    )
    start = 7 * columns / wide  # of the width of a column: half a symbol
    figure.add_scatter(
        x=[start + across for across, _ in places], y=[up for _, up in places], mode="markers", showlegend=False,
        hoverinfo="skip", xaxis=f"x{number}", yaxis=f"y{number}",
        marker={**class_looks(range(len(names))), "size": 7},
    )  # fmt: skip
    below = (0.0, places[-1][1] - 1 if places else -0.5)
    for text, (across, up), shift in (*zip(names, places, [15] * len(names), strict=True), (said, below, 0)):
        figure.add_annotation(
            text=text, x=across, y=up, xref=f"x{number}", yref=f"y{number}", xanchor="left", yanchor="middle",
            xshift=shift, showarrow=False, font={"size": SMALL, "color": style.ink},
        )  # fmt: skip
