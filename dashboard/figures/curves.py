"""Curves: a metric along an axis with its bands over noise draws, and cosine by iteration."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dashboard.compute.axes import Axis
from dashboard.compute.results import Draw
from dashboard.figures.levels import BEYOND, TOO_CLOSE, Level, add_levels, is_within, merge_levels, name_beyond
from dashboard.figures.style import DASHES, FigureBuilder, Style, see_through, texts
from dpgep_core.evaluate.measures import Measure
from dpgep_core.privacy.query import Array
from dpgep_core.wording import number_text, plural

FREE = 0.12  # of the height of a fitted axis, above and below the curves
FINE = 2.5  # decades of an axis below which 2 and 5 have ticks too


@dataclass(frozen=True, slots=True)
class Curve:
    """The draws of one algorithm, with where it stands now: NaN for a method that the axis does not concern."""

    title: str
    draws: Sequence[Draw]
    seed: int
    here: float
    now: float
    starts_at_answer: bool = False


@dataclass(frozen=True, slots=True)
class Sketch:
    """A curve that was drawn by hand: its places, and the limits of the axis that it was drawn on."""

    points: Sequence[tuple[float, float]]
    limits: tuple[float, float]


def against(
    curves: Sequence[Curve],
    metric: Measure,
    levels: Sequence[Level],
    axis: Axis,
    grid: Sequence[float],
    style: Style,
    *,
    exact: Sequence[Draw] = (),
    dead_below: float | None = None,
    limits: tuple[float, float] | None = None,
    sketch: Sketch | None = None,
) -> go.Figure:
    """Median of the draws, soft 50 % and 90 % bands, faint single draws, the current draw marked.

    ``exact`` is what no privacy gives along the axis; ``dead_below`` ends the part where moving does nothing.
    ``limits`` of the measure's axis stand in place of the measure's own; a level beyond them is named at the edge.
    ``sketch`` is the curve that the visitor expected.
    """
    builder = style.builder(height=395, margin={"l": 56, "r": 16, "t": 40, "b": 66})
    curves = [_laid_out(curve, axis) for curve in curves]
    exact = [replace(draw, at=axis.drawn(draw.at)) for draw in exact]
    here = [curve.here for curve in curves if np.isfinite(curve.here) and curve.here > 0]
    there = [axis.drawn(grid[0]), *here, *(draw.at for curve in curves for draw in curve.draws[:1])]
    ends = (min(there), max(grid[-1], *here)) if here else (min(there), grid[-1])
    if dead_below is not None and dead_below > ends[0]:
        _add_dead(builder, ends[0], min(dead_below, ends[1]), style)
    limits = metric.limits if limits is None else limits
    lines = [_line(draws, metric) for draws in (exact, *(curve.draws for curve in curves)) if draws]
    drawn = [*lines, *([] if sketch is None else [np.reshape(sketch.points, (-1, 2))])]
    dots = [(curve.here, curve.now) for curve in curves if curve.here > 0]
    within = merge_levels([level for level in levels if is_within(level, limits)])
    add_levels(builder, within, style, drawn, dots, ends, limits)
    name_beyond(builder, [level for level in levels if not is_within(level, limits)], limits, style)
    if exact:
        _add_exact(builder, exact, metric, axis, style)
    for number, curve in enumerate(curves):
        _add_curve(builder, curve, metric, axis, number, style)
    for place in sorted(set(here)):
        builder.add_vline(place, style.mark)
    for number, curve in enumerate(curves):
        if np.isfinite(curve.here):
            _mark_now(builder, curve, axis, number, style)
    if sketch is not None:
        _add_sketch(builder, sketch, style)
    _name_axis(builder, axis, ends)
    builder.update_yaxes(title={"text": metric.axis}, range=limits)
    return builder.figure()


def _add_exact(builder: FigureBuilder, exact: Sequence[Draw], metric: Measure, axis: Axis, style: Style) -> None:
    builder.add_scatter(
        x=[draw.at for draw in exact], y=[getattr(draw, metric.key) for draw in exact], mode="lines",
        name="Exact, no privacy", line={"color": style.quiet, "width": 2},
        customdata=_place_texts(axis, [draw.at for draw in exact]),
        hovertemplate=f"no privacy: %{{y:.3f}} at {axis.knob.label} = %{{customdata}}<extra></extra>",
    )  # fmt: skip


def _mark_now(builder: FigureBuilder, curve: Curve, axis: Axis, number: int, style: Style) -> None:
    builder.add_scatter(
        x=[curve.here], y=[curve.now], mode="markers", showlegend=False, name=f"{curve.title}, now",
        marker={"size": 13, "color": style.algorithm(number), "line": {"color": style.ink, "width": 1.5}},
        customdata=_place_texts(axis, [curve.here]),
        hovertemplate=f"{curve.title} now: %{{y:.3f}} at {axis.knob.label} = %{{customdata}}<extra></extra>",
    )  # fmt: skip


def _add_sketch(builder: FigureBuilder, sketch: Sketch, style: Style) -> None:
    builder.add_scatter(
        x=[at for at, _ in sketch.points], y=[value for _, value in sketch.points], mode="lines",
        name="Drawn by hand", showlegend=True, hoverinfo="skip",
        line={"color": style.ink, "width": 3, "dash": "dot"},
    )  # fmt: skip


def _laid_out(curve: Curve, axis: Axis) -> Curve:
    """A curve with its places as they are drawn: 0 has no logarithm."""
    moved = [replace(draw, at=axis.drawn(draw.at)) for draw in curve.draws]
    return replace(curve, draws=moved, here=axis.drawn(curve.here))


def _place_texts(axis: Axis, drawn: Sequence[float]) -> list[str]:
    """Texts of places as they are drawn."""
    return [
        axis.zero if axis.zero and at == axis.drawn(0.0) else text for at, text in zip(drawn, texts(drawn), strict=True)
    ]


def limits_around(
    curves: Sequence[Curve], metric: Measure, exact: Sequence[Draw], sketch: Sketch | None = None
) -> tuple[float, float]:
    """Limits of an axis that nine draws of ten fill, with what no privacy gives: a small effect is seen.

    From 0 to 1 where there is no curve yet; never narrower than those of a ``sketch``.
    """
    values = [float(getattr(draw, metric.key)) for draw in exact] + [curve.now for curve in curves]
    for curve in curves:
        if curve.draws:
            values += np.percentile([getattr(draw, metric.key) for draw in curve.draws], (5, 95)).tolist()
    if max(map(len, (exact, *(curve.draws for curve in curves))), default=0) < 2:
        return (0.0, 1.04) if sketch is None else sketch.limits
    room = FREE * max(max(values) - min(values), TOO_CLOSE)
    low, high = min(values) - room, max(values) + room
    return (low, high) if sketch is None else (min(low, sketch.limits[0]), max(high, sketch.limits[1]))


def _name_axis(builder: FigureBuilder, axis: Axis, ends: tuple[float, float]) -> None:
    """A logarithmic axis with round ticks, the same range while draws come in, and ends that say what they mean."""
    low, high = np.log10(ends)
    ticks = decade_ticks(low, high, fine=high - low < FINE)
    if axis.zero and ends[0] == axis.drawn(0.0):
        room = 10 * ends[0]  # for the word
        above = [(at, text) for at, text in zip(*ticks.values(), strict=True) if at > room]
        ticks = {"tickvals": [ends[0], *(at for at, _ in above)], "ticktext": [axis.zero, *(text for _, text in above)]}
    builder.update_xaxes(
        type="log", range=(low - BEYOND, high + BEYOND), **ticks,
        title={"text": f"{axis.knob.label}<br>← {axis.low}      {axis.high} →", "font": {"size": 13}},
    )  # fmt: skip


def decade_ticks(low: float, high: float, *, fine: bool) -> dict[str, Any]:
    """Ticks at round numbers between two powers of ten: at each power, and if ``fine`` at 2 and 5 times each."""
    decades = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    ticks = [step * 10.0**decade for decade in decades for step in ((1, 2, 5) if fine else (1,))]
    return {"tickvals": ticks, "ticktext": [tick_text(tick) for tick in ticks]}


def tick_text(value: float) -> str:
    """A number for an axis: 0.01, 1, 1,000."""
    return number_text(value, 6)


def _add_dead(builder: FigureBuilder, low: float, high: float, style: Style) -> None:
    builder.add_scatter(
        x=[low, high, high, low], y=[0, 0, 1, 1], yaxis="y2", fill="toself", mode="lines", line={"width": 0},
        fillpattern={"shape": "/", "fgcolor": style.quiet, "bgcolor": "rgba(0,0,0,0)", "size": 9, "solidity": 0.12},
        hoverinfo="skip", name="below the noise edge: moves nothing",
    )  # fmt: skip
    builder.update_layout(yaxis2={"overlaying": "y", "range": [0, 1], "visible": False, "fixedrange": True})


def _line(draws: Sequence[Draw], metric: Measure) -> Array:
    """(m, 2) places and medians of draws."""
    by_place: dict[float, list[float]] = defaultdict(list)
    for draw in draws:
        by_place[draw.at].append(float(getattr(draw, metric.key)))
    return np.array([(at, np.median(values)) for at, values in sorted(by_place.items())])


def _add_curve(builder: FigureBuilder, curve: Curve, metric: Measure, axis: Axis, number: int, style: Style) -> None:
    by_seed: dict[int, list[tuple[float, float]]] = defaultdict(list)
    by_place: dict[float, list[float]] = defaultdict(list)
    for draw in curve.draws:
        value = float(getattr(draw, metric.key))
        by_seed[draw.seed].append((draw.at, value))
        by_place[draw.at].append(value)
    colour, x = style.algorithm(number), sorted(by_place)
    count = max((len(values) for values in by_place.values()), default=0)
    if count >= 5:
        for low, high, alpha in ((5, 95, 0.12), (25, 75, 0.2)):
            lower, upper = ([float(np.percentile(by_place[e], q)) for e in x] for q in (low, high))
            builder.add_scatter(
                x=[*x, *x[::-1]], y=[*upper, *lower[::-1]], fill="toself", fillcolor=see_through(colour, alpha),
                line={"width": 0}, hoverinfo="skip", showlegend=False,
            )  # fmt: skip
    others = [points for seed, points in by_seed.items() if seed != curve.seed]
    if others:  # one line with gaps: twenty of them take the browser twenty times as long
        gap = (None, None)
        faint = [point for points in others for point in (*points, gap)]
        builder.add_scatter(
            x=[at for at, _ in faint], y=[value for _, value in faint], mode="lines", hoverinfo="skip",
            showlegend=False, line={"color": see_through(colour, 0.16), "width": 1},
        )  # fmt: skip
    builder.add_scatter(
        x=x, y=[float(np.median(by_place[e])) for e in x], mode="lines+markers",
        name=_legend_name(curve, count),
        line={"color": colour, "width": 2.5, "dash": "dash" if curve.starts_at_answer else DASHES[number]},
        marker={"size": 5}, customdata=_place_texts(axis, x),
        hovertemplate=f"median %{{y:.3f}} at {axis.knob.label} = %{{customdata}}<extra></extra>",
    )  # fmt: skip


def _legend_name(curve: Curve, count: int) -> str:
    return curve.title + f": {plural(count, 'draw')}" * (count > 0) + ", starts at the answer" * curve.starts_at_answer


def by_iteration(histories: Mapping[str, Array], chance: float, style: Style) -> go.Figure:
    """Mean cosine to the exact solution after each step; one-shot methods are a level line."""
    builder = style.builder(height=380)
    longest = max((len(values) for values in histories.values()), default=1)
    builder.add_hline(chance, style.level)
    builder.add_label(f"a random direction: {chance:.2f}", style.quiet, y=chance, bgcolor=style.behind)
    for number, (title, values) in enumerate(histories.items()):
        steps = np.arange(1, len(values) + 1)
        if len(values) == 1:
            steps, values = np.array([1, max(longest, 2)]), np.repeat(values, 2)
            title = f"{title}, answers once"
        builder.add_scatter(
            x=steps, y=values, mode="lines+markers" if len(steps) > 2 else "lines", name=title,
            line={"color": style.algorithm(number), "width": 2.5, "dash": DASHES[number]}, marker={"size": 6},
            hovertemplate="%{y:.3f} after step %{x}<extra></extra>",
        )  # fmt: skip
    builder.update_layout(showlegend=True)
    builder.update_xaxes(title={"text": "Iteration"}, dtick=1 if longest <= 12 else None, tickformat="d")
    builder.update_yaxes(title={"text": "Mean |cosine| to exact components"}, range=(0, 1.04))
    return builder.figure()
