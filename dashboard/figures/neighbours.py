"""Neighbours in the plane, what one record changes beside what is allowed, and the same against n and ξ."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dashboard.compute.exchanges import WhitenedCurve
from dashboard.figures.style import CLASS_SYMBOLS, Style, see_through, texts
from dashboard.figures.sweep import round_ticks
from dpgep_core.models.neighbours import BallRows, NeighbourPair
from dpgep_core.wording import number_text


@dataclass(frozen=True, slots=True)
class Meter:
    """n times the change of a statistic, its proved bound and the published constants."""

    title: str
    change: float
    bound: float
    published: tuple[float, ...]
    chosen: bool = False


def plane(pair: NeighbourPair, style: Style) -> go.Figure:
    """The rows as discs as large as they are many, the changed record before (hollow) and after (filled)."""
    builder = style.builder(height=430, showlegend=True)
    edge = {"color": style.quiet, "width": 1.2, "dash": "dot"}
    builder.add_shape({"type": "circle", "x0": -1, "y0": -1, "x1": 1, "y1": 1, "line": edge})
    before, after, others = _parts(pair)
    total = max(others.counts.sum() if others.counts is not None else 1.0, 1.0)
    for place, label in enumerate(dict.fromkeys(others.y.tolist())):
        own = others.y == label
        counts = (others.counts if others.counts is not None else np.ones(len(others.y)))[own]
        builder.add_scatter(
            x=others.X[own, 0], y=others.X[own, 1], mode="markers+text", name=f"others of class {label + 1}",
            marker={"symbol": CLASS_SYMBOLS[label], "size": 14 + 30 * np.sqrt(counts / total),
                    "color": see_through(style.algorithm(0) if place == 0 else style.quiet, 0.45),
                    "line": {"color": style.ink, "width": 1}},
            text=[f"{int(c):,}" for c in counts], textposition="top center", textfont={"size": 12, "color": style.ink},
            hovertemplate="%{text} rows at (%{x:.2f}, %{y:.2f})<extra></extra>",
        )  # fmt: skip
    for name, rows, filled in (("record before", before, False), ("record after", after, True)):
        if rows is not None:
            symbol = CLASS_SYMBOLS[int(rows.y[0])] + ("" if filled else "-open")
            builder.add_scatter(
                x=rows.X[:, 0], y=rows.X[:, 1], mode="markers", name=f"{name}, class {int(rows.y[0]) + 1}",
                marker={"symbol": symbol, "size": 17, "color": style.algorithm(1),
                        "line": {"width": 3 if not filled else 1.5, "color": style.algorithm(1)}},
                hovertemplate=name + " (%{x:.2f}, %{y:.2f})<extra></extra>",
            )  # fmt: skip
    if before is not None and after is not None:
        builder.add_annotation(
            x=after.X[0, 0], y=after.X[0, 1], ax=before.X[0, 0], ay=before.X[0, 1], axref="x", ayref="y", xref="x",
            yref="y", text="", arrowcolor=style.algorithm(1), arrowwidth=2, arrowhead=3, standoff=9, startstandoff=9,
        )  # fmt: skip
    builder.update_xaxes(range=(-1.35, 1.35), zeroline=True, dtick=0.5)
    builder.update_yaxes(range=(-1.35, 1.35), zeroline=True, dtick=0.5, scaleanchor="x")
    return builder.figure()


def _parts(pair: NeighbourPair) -> tuple[BallRows | None, BallRows | None, BallRows]:
    """The record before, the record after, and all others."""
    replaced = len(pair.one.y) == len(pair.other.y)
    larger = pair.one if len(pair.one.y) >= len(pair.other.y) else pair.other
    first = BallRows(pair.one.X[:1], pair.one.y[:1], 3)
    second = BallRows(pair.other.X[:1], pair.other.y[:1], 3)
    others = BallRows(larger.X[1:], larger.y[1:], 3, None if larger.counts is None else larger.counts[1:])
    if replaced:
        return first, second, others
    return (first, None, others) if larger is pair.one else (None, second, others)


def meters(rows: Sequence[Meter], style: Style) -> go.Figure:
    """Bars of the change with a tick at the proved bound and rings at the published constants."""
    shown = list(reversed(rows))
    names = [f"n‖Δ{row.title}‖ = {row.change:.3f}" for row in shown]
    builder = style.builder(height=150 + 34 * len(shown))
    builder.add_bar(
        y=names, x=[row.change for row in shown], orientation="h", name="this pair",
        marker={"color": [see_through(style.algorithm(0) if row.chosen else style.quiet, 0.75) for row in shown]},
        hovertemplate="%{y}<extra></extra>",
    )  # fmt: skip
    builder.add_scatter(
        y=names, x=[row.bound for row in shown], mode="markers", name="proved bound",
        marker={"symbol": "line-ns-open", "size": 24, "line": {"width": 3}, "color": style.ink},
        hovertemplate="proved: %{x:.4f}<extra></extra>",
    )  # fmt: skip
    stated = [
        (name, constant, row.change > constant * (1 + 1e-6))
        for name, row in zip(names, shown, strict=True)
        for constant in row.published
    ]
    for broken, name in ((False, "published, not passed here"), (True, "published, passed by this pair")):
        chosen = [(title, constant) for title, constant, passed in stated if passed is broken]
        if chosen:
            builder.add_scatter(
                y=[title for title, _ in chosen], x=[constant for _, constant in chosen], mode="markers", name=name,
                marker={"symbol": "x" if broken else "circle-open", "size": 12, "color": style.algorithm(1),
                        "line": {"width": 2, "color": style.algorithm(1)}},
                customdata=texts(constant for _, constant in chosen),
                hovertemplate="published: %{customdata}<extra></extra>",
            )  # fmt: skip
    builder.update_xaxes(title={"text": "n × change (Frobenius norm)"}, rangemode="tozero")
    builder.update_yaxes(ticks="", automargin=True, showgrid=False)
    return builder.figure()


def against_n(sizes: Sequence[int], found: Sequence[float], proved: Sequence[float],
              published: Sequence[tuple[str, float]], style: Style) -> go.Figure:  # fmt: skip
    """The worst change that the search found against n, under its proof, with what was published."""
    builder = style.builder(height=340)
    for number, (who, constant) in enumerate(published):
        builder.add_hline(constant, style.level)
        side = {"x": number % 2, "xanchor": "left" if number % 2 == 0 else "right", "yanchor": "top"}
        builder.add_label(f"{number_text(constant)}: {who}", style.quiet, y=constant, bgcolor=style.behind, **side)
    builder.add_scatter(
        x=list(sizes)[: len(proved)], y=list(proved), mode="lines", name="proved",
        line={"color": style.ink, "width": 2, "dash": "dash"}, hovertemplate="proved %{y:.4f}<extra></extra>",
    )  # fmt: skip
    builder.add_scatter(
        x=list(sizes)[: len(found)], y=list(found), mode="lines+markers", name="worst found",
        line={"color": style.algorithm(0), "width": 2.5}, marker={"size": 9},
        hovertemplate="found %{y:.4f} at n = %{x:,}<extra></extra>",
    )  # fmt: skip
    top = max([*found, *proved, *(constant for _, constant in published)], default=1.0)
    builder.update_xaxes(title={"text": "Number of rows n"}, type="log", tickvals=[2, 5, 10, 100, 1000, 10_000])
    builder.update_yaxes(title={"text": "n × change"}, range=(0, 1.12 * top))
    return builder.figure()


def whitened(lines: Sequence[WhitenedCurve], axis: str, style: Style) -> go.Figure:
    """The change of Ã against n or ξ on logarithmic axes."""
    builder = style.builder(height=400)
    look = {
        "worst": (style.algorithm(1), "solid"),
        "real": (style.algorithm(0), "dash"),
        "bound": (style.quiet, "dot"),
    }
    for line in lines:
        colour, dash = look[line.kind]
        builder.add_scatter(
            x=line.x, y=line.y, mode="lines" if line.kind == "bound" else "lines+markers", name=line.name,
            line={"color": colour, "width": 2.2, "dash": dash}, marker={"size": 7},
            customdata=texts(line.y), hovertemplate=line.name + ": %{customdata}<extra></extra>",
        )  # fmt: skip
    across, up = ([v for values in all_values for v in values if v > 0] or [1.0]
                  for all_values in ([line.x for line in lines], [line.y for line in lines]))  # fmt: skip
    builder.update_xaxes(title={"text": axis}, type="log", **round_ticks(min(across), max(across), wide=False))
    builder.update_yaxes(title={"text": "‖Ã − Ã′‖₂"}, type="log", **round_ticks(min(up), max(up), wide=False))
    builder.update_layout(legend={"y": -0.3, "yanchor": "top"}, margin={"b": 130, "t": 12, "l": 64, "r": 16})
    return builder.figure()


def point_in_disc(radius: float, degrees: float) -> tuple[float, float]:
    """A point of the disc from its distance and angle."""
    return radius * math.cos(math.radians(degrees)), radius * math.sin(math.radians(degrees))
