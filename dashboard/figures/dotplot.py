"""Twenty noise draws at one setting as twenty dots, one at a time when played."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.levels import Level
from dashboard.figures.style import FigureBuilder, Style, see_through
from dpgep_core.evaluate.measures import Measure
from dpgep_core.privacy.query import Array
from dpgep_core.wording import plural

BINS = 28  # places across: dots in one place are piled up
BUTTON, ON_BUTTON = "#F4FAFF", "#1F2430"  # Plotly paints a button under the pointer light, in dark pages too
PHONE, LETTER, LINE = 336, 7, 16  # pixels: the plot on a phone, a letter of a level's name, a line of such names
BEAT = 500  # milliseconds for a draw when they are played


def dotplot(
    draws: Sequence[Sequence[float]], titles: Sequence[str], now: Sequence[float], metric: Measure,
    levels: Sequence[Level], style: Style,
) -> go.Figure:  # fmt: skip
    """A dot for each draw, one row of piles for each algorithm, the current draw marked, levels as lines.

    The button under the picture plays the draws one after the other.
    """
    low, high = _ends(draws, levels)
    lines = _lines([((level.value - low) / (high - low), level.label) for level in levels])
    above, plot = LINE * max(lines, default=0), 30 + 110 * len(draws)
    margin = {"l": 16, "r": 16, "t": 64 + above, "b": 118}
    builder = style.builder(height=margin["t"] + plot + margin["b"], margin=margin)
    for level, line in zip(levels, lines, strict=True):
        builder.add_vline(level.value, style.mark)
        place = {"x": level.value, "xref": "x", "xanchor": _side(level.value, low, high)}
        builder.add_label(level.label, style.quiet, **place, y=1, yref="paper", yshift=LINE * line)
    places = [_pile_up(np.asarray(values, float), low, high) for values in draws]
    tallest = max((float(y.max(initial=0)) for _, y in places), default=0.0) + 2
    for number, ((x, y), title) in enumerate(zip(places, titles, strict=True)):
        colour = style.algorithm(number)
        builder.add_scatter(
            x=x, y=y + _row(number, len(draws)) * tallest, mode="markers", showlegend=True,
            name=f"{title}: {plural(len(x), 'draw')}",
            marker={"size": 13, "color": see_through(colour, 0.55), "line": {"color": colour, "width": 1.2}},
            customdata=np.asarray(draws[number], float),
            hovertemplate=f"{title}: %{{customdata:.3f}}<extra></extra>",
        )  # fmt: skip
    builder.add_scatter(
        **_current_dots([_nearest(places[i], draws[i], now[i]) for i in range(len(draws))], tallest), mode="markers",
        showlegend=False, hoverinfo="skip", marker={"size": 16, "color": style.ink, "symbol": "circle-open",
                                                    "line": {"width": 3}},
    )  # fmt: skip
    _play(builder, places, tallest)
    builder.update_xaxes(title={"text": metric.axis}, range=(low, high))
    builder.update_yaxes(visible=False, range=(-1, tallest * len(draws)))
    builder.update_layout(legend={"y": 1 + (LINE + 4 + above) / plot})
    return builder.figure()


def _ends(draws: Sequence[Sequence[float]], levels: Sequence[Level]) -> tuple[float, float]:
    every = [value for values in draws for value in values] + [level.value for level in levels]
    low, high = min(every, default=0.0), max(every, default=1.0)
    room = max(high - low, 0.02) * 0.08
    return low - room, high + room


def _side(value: float, low: float, high: float) -> str:
    share = (value - low) / (high - low)
    return "left" if share < 0.25 else "right" if share > 0.75 else "center"


def _lines(labels: Sequence[tuple[float, str]]) -> list[int]:
    """The line over the plot, from 0, for each name at its share of the width: none lies on another on a phone."""
    taken: list[list[tuple[float, float]]] = []
    found: list[int] = []
    for share, text in labels:
        wide = LETTER * len(text) / PHONE
        left = {"left": share, "center": share - wide / 2, "right": share - wide}[_side(share, 0.0, 1.0)]
        free = (all(left > end or left + wide < begin for begin, end in line) for line in taken)
        number = next((number for number, fits in enumerate(free) if fits), len(taken))
        if number == len(taken):
            taken.append([])
        taken[number].append((left, left + wide))
        found.append(number)
    return found


def _pile_up(values: Array, low: float, high: float) -> tuple[Array, Array]:
    """Places of the dots: each at its value, on top of the dots in the same bin."""
    width = (high - low) / BINS
    bins = np.floor((values - low) / width)
    heights = np.array([float(np.sum(bins[:i] == one)) for i, one in enumerate(bins)])
    return values, heights


def _nearest(place: tuple[Array, Array], values: Sequence[float], now: float) -> tuple[float, float]:
    x, y = place
    if not len(x):
        return float("nan"), float("nan")
    nearest = int(np.argmin(np.abs(np.asarray(values, float) - now)))
    return float(x[nearest]), float(y[nearest])


def _current_dots(spots: Sequence[tuple[float, float]], tallest: float) -> dict[str, list[float]]:
    heights = [y + _row(number, len(spots)) * tallest for number, (_, y) in enumerate(spots)]
    return {"x": [x for x, _ in spots], "y": heights}


def _row(number: int, rows: int) -> int:
    """Row of a method, counted from below: the first is on top, as in tables and legends."""
    return rows - 1 - number


def _play(builder: FigureBuilder, places: Sequence[tuple[Array, Array]], tallest: float) -> None:
    """One frame for each draw, and the button that runs through them."""
    count = min((len(x) for x, _ in places), default=0)
    for i in range(count):
        lit = _current_dots([(float(x[i]), float(y[i])) for x, y in places], tallest)
        builder.add_frame(data=[{"type": "scatter", **lit}], traces=[len(places)], name=str(i))
    timing = {"frame": {"duration": BEAT, "redraw": False}, "transition": {"duration": 0}, "fromcurrent": False}
    builder.update_layout(
        updatemenus=[
            {
                "type": "buttons", "x": 0, "xanchor": "left", "y": 0, "yanchor": "top", "pad": {"t": 74},
                "bgcolor": BUTTON, "bordercolor": BUTTON, "font": {"color": ON_BUTTON},
                "buttons": [{"label": "▶ Play the draws", "method": "animate", "args": [None, timing]}],
            }
        ]
    )  # fmt: skip
