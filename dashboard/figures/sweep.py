"""A measure along an axis for the methods of a sweep: bands over seeds, panels, levels, and slopes of the theory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from scipy import special

from dashboard.compute.sweeps.views import Line, Panel
from dashboard.figures.curves import decade_ticks
from dashboard.figures.style import (
    CLASS_COLOURS,
    CLASS_SYMBOLS,
    DASHES,
    Style,
    escape_plotly,
    see_through,
    texts,
)
from dpgep_core.wording import number_text, plural

HEIGHT, ROW = 400, 290
ACROSS = 3  # panels in a row, but for a narrow style
QUANTILES = ((5, 95, 0.12), (25, 75, 0.2))
FEW = 5  # seeds from which quantiles mean something
CONFIDENCE = 0.95
UNKNOWN = "slope only, the constant is unknown"


@dataclass(frozen=True, slots=True)
class Look:
    """How the values are drawn. ``measure`` and ``axis`` are the titles of the axes."""

    measure: str
    axis: str
    ends: tuple[str, str] = ("", "")  # meaning of the left and the right end of the axis
    numeric: bool = True  # the axis is one of numbers
    mean: bool = False  # with its 95 % t-interval, in place of the median with quantiles
    log_x: bool = True
    log_y: bool = False
    limits: tuple[float, float] | None = None  # of the values, on a linear axis


@dataclass(frozen=True, slots=True)
class Slope:
    """A power of the axis, or of what ``scale`` makes of it, through a point that the user chose."""

    name: str
    power: float
    x: float
    y: float
    scale: Callable[[float], float] = float


def sweep(panels: Sequence[Panel], look: Look, style: Style, *, slopes: Sequence[Slope] = ()) -> go.Figure:
    """Lines, bands and levels in one panel for each of ``panels``."""
    down = panel_rows(len(panels), style)
    figure = style.figure(height=HEIGHT if down == 1 else 90 + ROW * down, margin={"l": 56, "r": 16, "t": 60, "b": 66})
    places = lay_out_panels(figure, [escape_plotly(panel.title) for panel in panels], 0.3, style)
    if len(panels) > 1:
        figure.update_layout(legend={"y": 1 + 30 / (figure.layout.height - 126)})  # above the names of the panels
    titles = list(dict.fromkeys(line.title for panel in panels for line in panel.lines))
    shown: set[str] = set()
    for panel, place in zip(panels, places, strict=True):
        ends = _ends(panel)
        for line in panel.lines:
            _line(figure, line, titles.index(line.title), len(titles), look, style, place, shown, ends)
        for slope in slopes:
            _slope(figure, slope, ends, style, place, shown)
        for words, value in panel.levels.items():  # after the lines: Plotly leaves empty panels without
            _level(figure, words, value, style, place)
    _axes(figure, look, style, panels)
    return figure


def panels_across(style: Style) -> int:
    """Panels that stand side by side at most."""
    return 1 if style.narrow else ACROSS


def panel_rows(count: int, style: Style) -> int:
    """Rows that so many panels take."""
    return -(-count // panels_across(style)) or 1


def lay_out_panels(figure: go.Figure, titles: Sequence[str], spacing: float, style: Style) -> list[dict[str, int]]:
    """A panel under each title, all on the same axes; the place of each, for what is drawn there.

    ``spacing`` is free under a row, as a share of its height.
    """
    if len(titles) < 2:
        return [{}] * len(titles)
    rows, across = panel_rows(len(titles), style), min(panels_across(style), len(titles))
    figure.set_subplots(
        rows=rows, cols=across, shared_yaxes="all", shared_xaxes="all", horizontal_spacing=0.04,
        vertical_spacing=spacing / rows, subplot_titles=list(titles),
    )  # fmt: skip
    figure.update_annotations(font={"size": 13, "color": style.ink})
    return [{"row": number // across + 1, "col": number % across + 1} for number in range(len(titles))]


def name_outer_axes(
    figure: go.Figure, panels: int, across: dict[str, Any], up: dict[str, Any], style: Style
) -> None:  # fmt: skip
    """Titles of the axes: across under panels with nothing below them, up beside the first panel of each row.

    Panels under each other have numbers under each: the last ones are a screen away.
    """
    count, in_a_row = max(panels, 1), panels_across(style)
    for number in range(max(0, panels - in_a_row), count):
        figure.layout[f"xaxis{number + 1 if number else ''}"].update(title=across)
    for number in range(0 if style.narrow else max(0, panels - in_a_row), count):
        figure.layout[f"xaxis{number + 1 if number else ''}"].update(showticklabels=True)
    for number in range(0, count, in_a_row):
        figure.layout[f"yaxis{number + 1 if number else ''}"].update(title=up)


def _ends(panel: Panel) -> tuple[Any, Any]:
    places = [at for line in panel.lines if not line.level for at in line.points]
    if places and not isinstance(places[0], str | bool):
        return min(places), max(places)
    return (places[0], places[-1]) if places else (0.0, 1.0)


def _level(figure: go.Figure, words: str, value: float, style: Style, place: dict[str, int]) -> None:
    figure.add_hline(
        y=value, line=style.level,
        annotation_text=f"{words}: {number_text(value)}",
        annotation_position="top left" if words == "no privacy" else "bottom right",
        annotation_font={"size": 11, "color": style.quiet}, **place,
    )  # fmt: skip


def _line(
    figure: go.Figure, line: Line, number: int, count: int, look: Look, style: Style, place: dict[str, int],
    shown: set[str], ends: tuple[Any, Any],
) -> None:  # fmt: skip
    colour = style.algorithm(number) if count <= 3 else CLASS_COLOURS[number % len(CLASS_COLOURS)]
    common: dict[str, Any] = {"legendgroup": line.title, "showlegend": line.title not in shown}
    shown.add(line.title)
    name = f"{escape_plotly(line.title, 60)}: {plural(line.seeds, 'seed')}"
    if not look.numeric:
        _dots(figure, line, colour, name, common, place)
        return
    x = list(ends) if line.level else list(line.points)
    values = [list(v) for v in line.points.values()] * (2 if line.level else 1)
    for low, high, alpha in _bands(values, mean=look.mean):
        figure.add_scatter(
            x=[*x, *x[::-1]], y=[*high, *low[::-1]], fill="toself", fillcolor=see_through(colour, alpha),
            line={"width": 0}, mode="lines", hoverinfo="skip", showlegend=False, legendgroup=line.title, **place,
        )  # fmt: skip
    middle = [centre(v, mean=look.mean) for v in values]
    figure.add_scatter(
        x=x, y=middle, mode="lines" if line.level else "lines+markers", name=name,
        line={"color": colour, "width": 2.5, "dash": "dashdot" if line.level else DASHES[number % 3]},
        marker={"size": 7, "symbol": CLASS_SYMBOLS[number % len(CLASS_SYMBOLS)]},
        customdata=[texts((value, float(at)), 4) for value, at in zip(middle, x, strict=True)],
        hovertemplate=f"{escape_plotly(line.title, 60)}<br>{'mean' if look.mean else 'median'} %{{customdata[0]}} at "
        "%{customdata[1]}<extra></extra>", **common, **place,
    )  # fmt: skip


def _dots(figure: go.Figure, line: Line, colour: str, name: str, common: dict[str, Any], place: dict[str, int]) -> None:
    """Draw one dot for each seed. An axis of names has no lines."""
    points = [(str(at), value) for at, values in line.points.items() for value in values]
    figure.add_scatter(
        x=[escape_plotly(at) for at, _ in points], y=[value for _, value in points], mode="markers", name=name,
        marker={"size": 9, "color": see_through(colour, 0.55)}, customdata=texts((value for _, value in points), 4),
        hovertemplate="%{customdata}<extra></extra>",
        **common, **place,
    )  # fmt: skip


def centre(values: Sequence[float], *, mean: bool) -> float:
    """Points that the line goes through."""
    return float(np.mean(values) if mean else np.median(values))


def _bands(values: Sequence[Sequence[float]], *, mean: bool) -> list[tuple[list[float], list[float], float]]:
    """Lower and upper edges with their shade; none where there are too few seeds to speak of one."""
    least = min(map(len, values), default=0)
    if mean:
        if least < 2:
            return []
        edges = [interval(v) for v in values]
        return [([low for low, _ in edges], [high for _, high in edges], 0.2)]
    if least < FEW:
        return []
    return [(_percentiles(values, low), _percentiles(values, high), alpha) for low, high, alpha in QUANTILES]


def _percentiles(values: Sequence[Sequence[float]], percent: float) -> list[float]:
    return [float(np.percentile(v, percent)) for v in values]


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Student's 95 % interval of a mean."""
    half = special.stdtrit(len(values) - 1, (1 + CONFIDENCE) / 2) * np.std(values, ddof=1) / np.sqrt(len(values))
    return float(np.mean(values) - half), float(np.mean(values) + half)


def _slope(
    figure: go.Figure, slope: Slope, ends: tuple[Any, Any], style: Style, place: dict[str, int], shown: set[str]
) -> None:
    x = np.geomspace(*ends, 25) if ends[0] > 0 else np.array([slope.x])
    name = f"{slope.name} ({UNKNOWN})"
    here = slope.scale(slope.x)
    figure.add_scatter(
        x=list(map(float, x)), y=[float(slope.y * (slope.scale(float(at)) / here) ** slope.power) for at in x],
        mode="lines",
        name=name, legendgroup=name, showlegend=name not in shown, hoverinfo="skip",
        line={"color": style.ink, "width": 1.4, "dash": "longdash"}, **place,
    )  # fmt: skip
    shown.add(name)


def _axes(figure: go.Figure, look: Look, style: Style, panels: Sequence[Panel]) -> None:
    figure.update_xaxes(**style.axis)
    figure.update_yaxes(**style.axis)
    low, high = look.ends
    meaning = f"<br>← {low}      {high} →" if low and len(panels) == 1 else ""
    title = {"text": look.axis + meaning, "font": {"size": 13}}
    name_outer_axes(figure, len(panels), title, {"text": look.measure}, style)
    if look.numeric and look.log_x:
        ends = [at for panel in panels for at in _ends(panel)]
        figure.update_xaxes(
            type="log", **round_ticks(min(ends, default=1.0), max(ends, default=1.0), wide=len(panels) < 2)
        )
    figure.update_yaxes(**_values_axis(panels, look))


def _values_axis(panels: Sequence[Panel], look: Look) -> dict[str, Any]:
    """The range of the values: a slope that leaves it is cut, and does not press them together."""
    found = [value for panel in panels for line in panel.lines for values in line.points.values() for value in values]
    if not look.log_y:
        return {"type": "linear", "range": look.limits}
    positive = [value for value in found if value > 0]
    if not positive:
        return {"type": "log"}
    low, high = np.log10(min(positive)), np.log10(max(positive))
    room = 0.05 * (high - low) + 0.02
    ticks = round_ticks(min(positive), max(positive), wide=True)
    return {"type": "log", "range": (float(low - room), float(high + room)), **ticks}


def round_ticks(low: float, high: float, *, wide: bool) -> dict[str, Any]:
    """Ticks of a logarithmic axis at round numbers."""
    if low <= 0:
        return {}
    ends = np.floor(np.log10(low)), np.ceil(np.log10(high))
    return decade_ticks(*ends, fine=wide and ends[1] - ends[0] < 3)
