"""Colours, fonts and template of every figure, light and dark, told apart by the colour-blind; a builder of figures."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, cast

import plotly.graph_objects as go

from dpgep_core.wording import number_text

ALGORITHM_COLOURS = ("#0072B2", "#D55E00", "#009E73")  # Okabe & Ito
ALGORITHM_COLOURS_DARK = ("#56B4E9", "#E69F00", "#2CC295")
DASHES = ("solid", "dash", "dot")
CLASS_COLOURS = (
    "#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377", "#EE7733", "#009988", "#999933", "#777777",
)  # Tol bright, then vibrant and muted  # fmt: skip
CLASS_SYMBOLS = (
    "circle", "square", "diamond", "cross", "x", "triangle-up", "triangle-down", "star", "hexagon", "bowtie",
)  # fmt: skip


def class_look(number: int) -> dict[str, str]:
    """Colour and symbol of the class of a number: a hundred classes look different, the first ten in both."""
    count = len(CLASS_COLOURS)
    symbol = CLASS_SYMBOLS[(number + number // count) % len(CLASS_SYMBOLS)]
    return {"color": CLASS_COLOURS[number % count], "symbol": symbol}


def class_looks(numbers: Iterable[int]) -> dict[str, list[str]]:
    """Colours and symbols of marks, each of the class of its number."""
    looks = [class_look(int(number)) for number in numbers]
    return {part: [look[part] for look in looks] for part in ("color", "symbol")}


DIVERGING = ("#0072B2", "#F7F7F7", "#D55E00")
DIVERGING_DARK = ("#56B4E9", "#1B1F27", "#E69F00")

NUMBERS = {"separatethousands": True, "exponentformat": "e", "minexponent": 6}  # ticks as `number_text` writes numbers
TITLE = {"font": {"size": 14}}  # of an axis: Plotly's own is larger than all other letters
BESIDE = {"automargin": True, "title": {"standoff": 10, **TITLE}}  # a title left of the widest tick, not on it


class FigureBuilder:
    """The methods of `go.Figure` that figures here use, on plain mappings that Plotly checks once, at the end.

    Added and updated piece by piece, a `go.Figure` checks and copies every piece about four times over: 237 ms for the
    nine figures of Explore, where 57 ms are enough.
    """

    def __init__(self, layout: Mapping[str, Any]) -> None:
        self._data: list[dict[str, Any]] = []
        self._layout: dict[str, Any] = {"annotations": [], "shapes": [], **layout}
        self._frames: list[Mapping[str, Any]] = []

    def add_scatter(self, **trace: Any) -> None:
        """Lines or markers."""
        self._data.append({"type": "scatter", **trace})

    def add_bar(self, **trace: Any) -> None:
        """Bars."""
        self._data.append({"type": "bar", **trace})

    def add_waterfall(self, **trace: Any) -> None:
        """Bars that begin where the last one ends."""
        self._data.append({"type": "waterfall", **trace})

    def add_heatmap(self, **trace: Any) -> None:
        """A picture of numbers."""
        self._data.append({"type": "heatmap", **trace})

    def add_frame(self, **frame: Any) -> None:
        """One step of what can be played."""
        self._frames.append(frame)

    def add_annotation(self, **annotation: Any) -> None:
        """A text in its place."""
        self._layout["annotations"].append(annotation)

    def add_label(self, text: str, color: str, **place: Any) -> None:
        """Small print without an arrow: over a line, at its right end, unless ``place`` says another place."""
        usual = {"x": 1, "xref": "paper", "xanchor": "right", "yanchor": "bottom"}
        self.add_annotation(**(usual | place), text=text, showarrow=False, font={"size": 12, "color": color})

    def add_shape(self, shape: Mapping[str, Any]) -> None:
        """A line or a circle."""
        self._layout["shapes"].append(shape)

    def add_hline(self, height: float, line: Mapping[str, Any]) -> None:
        """A level line over the whole width."""
        self.add_shape({"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": height, "y1": height, "line": line})

    def add_vline(self, place: float, line: Mapping[str, Any]) -> None:
        """A line over the whole height."""
        self.add_shape({"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": place, "x1": place, "line": line})

    def update_layout(self, **parts: Any) -> None:
        """Set properties; what a part does not name stays."""
        self._layout = _merge(self._layout, parts)

    def update_xaxes(self, **parts: Any) -> None:
        """Set properties of every horizontal axis."""
        self._update_axes("xaxis", parts)

    def update_yaxes(self, **parts: Any) -> None:
        """Set properties of every vertical axis that stands for itself."""
        self._update_axes("yaxis", parts)

    def figure(self) -> go.Figure:
        """The figure.

        Raises
        ------
        ValueError
            For a property that Plotly does not have.
        """
        made = go.Figure(data=self._data, layout=self._layout, frames=self._frames)
        made.layout.template = None  # "none" would be sent with every figure
        return made

    def _update_axes(self, kind: str, parts: Mapping[str, Any]) -> None:
        axes = [name for name, axis in self._layout.items() if name.startswith(kind) and "overlaying" not in axis]
        self._layout = _merge(self._layout, dict.fromkeys(axes, parts))


class _Shade:
    """A colour of a style: one on light ground, another one on dark."""

    def __init__(self, light: str, dark: str) -> None:
        self._light, self._dark = light, dark

    def __get__(self, style: "Style", _owner: object = None) -> str:
        return self._dark if style.dark else self._light


@dataclass(frozen=True, slots=True)
class Style:
    """Light or dark; ``narrow`` for the column of a paper, where panels stand under each other."""

    dark: bool = False
    narrow: bool = False

    ink = _Shade("#1F2430", "#E6E9EF")  # text and axes
    faint = _Shade("#E4E7EC", "#333A47")  # grid lines
    quiet = _Shade("#5A6372", "#A7B0C0")  # reference lines and small print, at a contrast of at least 4.5
    good = _Shade("#00694A", "#5BD6A8")  # a verdict that the numbers support
    bad = _Shade("#A84300", "#F0A35E")  # a warning, or a verdict against a claim
    on_colour = _Shade("#FFFFFF", "#12161D")  # text on a filled bar

    @property
    def behind(self) -> str:
        """Ground of small print that lies on curves."""
        return see_through(self.on_colour, 0.8)

    def algorithm(self, number: int) -> str:
        """Colour of the algorithm in that place."""
        return (ALGORITHM_COLOURS_DARK if self.dark else ALGORITHM_COLOURS)[number % 3]

    @property
    def diverging(self) -> list[list[Any]]:
        """Scale for signed values, zero at the middle."""
        low, middle, high = DIVERGING_DARK if self.dark else DIVERGING
        return [[0.0, low], [0.5, middle], [1.0, high]]

    @property
    def level(self) -> dict[str, Any]:
        """A line that one compares with."""
        return {"color": self.quiet, "width": 1.2, "dash": "dot"}

    @property
    def mark(self) -> dict[str, Any]:
        """A line where something stands now."""
        return {"color": self.ink, "width": 1, "dash": "dot"}

    @property
    def axis(self) -> dict[str, Any]:
        """Lines, ticks and numbers of an axis."""
        lines = dict.fromkeys(("gridcolor", "zerolinecolor", "tickcolor"), self.faint)
        return {**lines, "linecolor": self.quiet, "ticks": "outside", "title": TITLE, **NUMBERS}

    def builder(self, *, height: int = 340, **layout: Any) -> FigureBuilder:
        """An empty figure in this style, free of the templates that others install globally."""
        whole = {
            "template": "none",  # left out, it would mean the global default
            "height": height,
            "margin": {"l": 56, "r": 16, "t": 40, "b": 52},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"family": "Source Sans, sans-serif", "size": 14, "color": self.ink},
            "xaxis": self.axis,
            "yaxis": self.axis | BESIDE,
            "hoverlabel": {"bgcolor": "#11151C" if self.dark else "#FFFFFF", "font": {"color": self.ink}},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "bgcolor": "rgba(0,0,0,0)"},
        }
        return FigureBuilder(whole | layout)

    def figure(self, *, height: int = 340, **layout: Any) -> go.Figure:
        """Figure of Plotly's own, for panels that Plotly lays out."""
        return self.builder(height=height, **layout).figure()


def enlarge(figure: go.Figure, scale: float) -> go.Figure:
    """Enlarge letters, height and margins of a figure by a factor, for a projector or a slide."""
    if scale == 1:
        return figure
    layout = figure.layout
    named = [layout, *(layout[key].title for key in layout if key[1:5] == "axis"), layout.legend, layout.title]
    for part in (*named, *layout.annotations):
        if part.font.size is not None:
            part.font.size *= scale
    figure.update_layout(
        height=layout.height * scale, margin={side: getattr(layout.margin, side, 0) * scale for side in "lrtb"}
    )
    return figure


def escape_plotly(text: str, most: int = 40) -> str:
    """A name from a file for a figure, which would read tags in it: shown as it is, long ones cut."""
    line = " ".join(text.split())
    return escape(line if len(line) <= most else line[: most - 1] + "…", quote=False)


def texts(values: Iterable[float | None], digits: int = 3) -> list[str]:
    """Numbers in words, for hover texts: Plotly's own formats write 4,140 as 4.14e+3."""
    return [number_text(math.nan if value is None else value, digits) for value in values]


def see_through(colour: str, alpha: float) -> str:
    """A hex colour with transparency."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha})"


def _merge(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    return {**old, **{name: _join(old.get(name), value) for name, value in new.items()}}


def _join(old: Any, new: Any) -> Any:
    both = isinstance(old, dict) and isinstance(new, dict)
    return _merge(cast("dict[str, Any]", old), cast("dict[str, Any]", new)) if both else new
