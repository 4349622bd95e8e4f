"""A figure with everything that explains it, and how it is dressed to stand alone in a file."""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from html import escape

import pandas as pd
import plotly.graph_objects as go

from dashboard.figures.style import Style

WIDTH = 900  # of a picture, in units that PNG doubles
SMALL = 12  # letters of the caption
PER_LETTER = 0.5 * SMALL  # how wide one is, about
LINE = 1.4 * SMALL
GAP = 12  # a wide margin lets the axis title down a little
PAPER = {False: "#FFFFFF", True: "#12161D"}


@dataclass(frozen=True, eq=False)
class Plate:
    """One figure of a page: drawn when it is asked for, in the style that is asked for.

    Parameters
    ----------
    key : str
        Its name in file names.
    title, alt, caption : str
        Plain text. The caption says what is drawn and with which settings.
    rows : DataFrame
        The table behind it.
    draw : callable
        From a style to the figure, so that a file may be light where the page is dark.
    style : Style
        The page's own style.
    width : int
        Of a picture; square figures want less.
    """

    key: str
    title: str
    alt: str
    caption: str
    draw: Callable[[Style], go.Figure] = field(repr=False)
    style: Style = field(default_factory=Style)
    rows: pd.DataFrame | None = field(default=None, repr=False)
    width: int = WIDTH

    def figure(self, *, dark: bool) -> go.Figure:
        """The figure in a light or a dark file."""
        return self.draw(replace(self.style, dark=dark))


def dressed(plate: Plate, *, dark: bool = False) -> go.Figure:
    """The figure on a background of its own, its title and its caption drawn below it."""
    figure, width = plate.figure(dark=dark), plate.width
    left, below = float(figure.layout.margin.l or 0), float(figure.layout.margin.b or 0)
    lines = [f"<b>{escape(plate.title, quote=False)}</b>"] if plate.title else []
    lines += [
        escape(line, quote=False)
        for line in textwrap.wrap(plate.caption, int((width - 24) / PER_LETTER), break_on_hyphens=False)
    ]
    room = LINE * len(lines) + GAP + 8
    figure.add_annotation(
        text="<br>".join(lines), x=0, xref="paper", xanchor="left", xshift=8 - left, y=0, yref="paper", yanchor="top",
        yshift=-below - GAP, showarrow=False, align="left",
        font={"size": SMALL, "color": replace(plate.style, dark=dark).ink},
    )  # fmt: skip
    figure.update_layout(
        width=width,
        height=float(figure.layout.height or 340) + room,
        margin={"b": below + room},
        paper_bgcolor=PAPER[dark],
        plot_bgcolor=PAPER[dark],
    )
    return without_buttons(figure)


def without_buttons(figure: go.Figure) -> go.Figure:
    """The figure for paper."""
    figure.layout.updatemenus = figure.layout.sliders = None
    return figure
