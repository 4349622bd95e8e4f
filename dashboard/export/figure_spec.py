"""A figure with everything that explains it, and how it is dressed to stand alone in a file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from html import escape

import pandas as pd
import plotly.graph_objects as go

from dashboard.figures.legend import fit_legend
from dashboard.figures.style import Style, enlarge
from dashboard.figures.wrapping import wrap_text

WIDTH = 900  # of a picture, in units that PNG doubles
SMALL = 12  # letters of the caption
LINE = 1.4 * SMALL
BOLD = 0.9  # of a line: bold letters are wider
EDGE = 16  # free on both sides of the caption
GAP = 12  # a wide margin lets the axis title down a little
PAPER = {False: "#FFFFFF", True: "#12161D"}


@dataclass(frozen=True, slots=True)
class FileFormat:
    """Size of a figure in a file."""

    title: str
    width: int | None = None  # of a picture; None keeps the figure's own
    height: int | None = None
    letters: float = 1.0  # factor of their size
    narrow: bool = False  # panels stand under each other


# A column of 85 mm is 321 pixels in print: letters of 14 units in 420 are 8 points there, and so are those in 880 of
# the two columns.
FORMATS: Mapping[str, FileFormat] = {
    "page": FileFormat("For a page"),
    "slide": FileFormat("For a slide, 16:9", 1280, 720, 1.2),
    "column": FileFormat("One column, 85 mm", 420, narrow=True),
    "columns": FileFormat("Two columns, 178 mm", 880),
}


@dataclass(frozen=True, eq=False)
class FigureSpec:
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
    stem : str
        Start of a file's name, with the setting in it.
    settings : str
        End of the caption that the page says once for all its figures: files have it, the page folds it away.
    """

    key: str
    title: str
    alt: str
    caption: str
    draw: Callable[[Style], go.Figure] = field(repr=False)
    style: Style = field(default_factory=Style)
    rows: pd.DataFrame | None = field(default=None, repr=False)
    width: int = WIDTH
    stem: str = "dpgep"
    settings: str = ""

    @property
    def said(self) -> str:
        """Caption on the page: without the settings that end it in files."""
        return self.caption.removesuffix(self.settings).strip()

    @property
    def name(self) -> str:
        """Name of the figure's files, without an ending."""
        return f"{self.stem}-{self.key}"

    def figure(self, *, dark: bool, narrow: bool = False) -> go.Figure:
        """Figure for a light or a dark file."""
        return self.draw(replace(self.style, dark=dark, narrow=narrow))


def dressed(spec: FigureSpec, *, dark: bool = False, size: FileFormat = FORMATS["page"]) -> go.Figure:
    """The figure on a background of its own, its title and its caption drawn below it."""
    figure, width = enlarge(spec.figure(dark=dark, narrow=size.narrow), size.letters), size.width or spec.width
    if size.height is None:
        fit_legend(figure, width)
    left, below = float(figure.layout.margin.l or 0), float(figure.layout.margin.b or 0)
    ems = (width - 2 * EDGE) / SMALL
    lines = [f"<b>{escape(line, quote=False)}</b>" for line in wrap_text(spec.title, BOLD * ems)]
    lines += [escape(line, quote=False) for line in wrap_text(spec.caption, ems)]
    room = LINE * len(lines) + GAP + 8
    figure.add_annotation(
        text="<br>".join(lines), x=0, xref="paper", xanchor="left", xshift=EDGE - left, y=0, yref="paper",
        yanchor="top", yshift=-below - GAP, showarrow=False, align="left",
        font={"size": SMALL, "color": replace(spec.style, dark=dark).ink},
    )  # fmt: skip
    figure.update_layout(
        width=width,
        height=float(figure.layout.height or 340) + room if size.height is None else size.height,
        margin={"b": below + room},
        paper_bgcolor=PAPER[dark],
        plot_bgcolor=PAPER[dark],
    )
    return without_buttons(figure)


def without_buttons(figure: go.Figure) -> go.Figure:
    """The figure for paper."""
    figure.layout.updatemenus = figure.layout.sliders = None
    return figure
