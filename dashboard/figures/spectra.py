"""Eigenvalues by rank: of A and B over the noise, and of a released scatter as released, as used and exact."""

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.compute.rowfacts import Spectra
from dashboard.compute.spectra import ScatterSpectra
from dashboard.figures.style import FigureBuilder, Style, see_through, texts
from dashboard.figures.sweep import round_ticks
from dpgep_core.privacy.query import Array
from dpgep_core.wording import number_text, plural

BELOW = 1e-3  # of the noise edge, or of the ridge: what is smaller decides nothing
LEAST = 1e-300  # numbers below lose digits, and zero is nowhere on a logarithmic axis


def spectra_table(found: ScatterSpectra) -> pd.DataFrame:
    """Eigenvalues by rank."""
    ranks = range(1, found.exact.size + 1)
    return pd.DataFrame({"rank": ranks, "exact": found.exact, "released": found.released, "used": found.used})


def spectra(found: ScatterSpectra, number: int, style: Style) -> go.Figure:
    """Lines by rank on logarithmic scales; what is negative or far below the noise is left out."""
    builder = style.builder(height=360)
    floor = max(BELOW * max(min(found.edge, found.ridge), found.exact.max(initial=0.0) * 1e-6), LEAST)
    lines: tuple[tuple[str, Array, str, str], ...] = (
        ("exact", found.exact, style.quiet, "solid"),
        ("released", found.released, style.algorithm(number), "dot"),
        ("cleaned" if found.cleaned else "released, cut at 0", found.used, style.algorithm(number), "solid"),
    )
    for name, values, colour, dash in lines:
        shown = values > floor
        builder.add_scatter(
            x=np.flatnonzero(shown) + 1, y=values[shown], name=name, mode="lines",
            line={"color": colour, "dash": dash, "width": 2}, customdata=texts(values[shown]),
            hovertemplate=f"{name}, rank %{{x}}: %{{customdata}}<extra></extra>",
        )  # fmt: skip
    for name, height in (("noise edge", found.edge), ("ridge", found.ridge)):
        if height > floor:
            builder.add_hline(height, style.level)
            side = {"x": 0, "xanchor": "left"} if name == "ridge" else {}  # curves fall from left to right
            builder.add_label(
                f"{name} {number_text(height)}", style.quiet, y=math.log10(height), bgcolor=style.behind, **side
            )
    top = max(float(found.released.max(initial=0.0)), float(found.exact.max(initial=0.0)), found.edge, LEAST)
    _name_axes(builder, "Eigenvalue of the scatter", (floor, top), float(found.exact.size))
    return builder.figure()


def _name_axes(builder: FigureBuilder, title: str, ends: tuple[float, float], most_ranks: float) -> None:
    """Both axes logarithmic: eigenvalues up, with a tick at each power of ten between ``ends``, ranks across."""
    decades = [10.0**power for power in range(math.floor(math.log10(ends[0])), math.ceil(math.log10(ends[1])) + 1)]
    builder.update_yaxes(type="log", title={"text": title}, tickvals=decades, ticktext=texts(decades))
    builder.update_xaxes(type="log", title={"text": "Rank"}, **round_ticks(1.0, max(2.0, most_ranks), wide=True))


def spectrum_table(found: Spectra) -> pd.DataFrame:
    """Eigenvalues by rank."""
    parts = [pd.DataFrame({"matrix": "A", "rank": _ranks(found.target), "eigenvalue": found.target})]
    if found.constraint is not None:
        part = {"matrix": "B", "rank": _ranks(found.constraint), "eigenvalue": found.constraint}
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def spectrum(frame: pd.DataFrame, edges: Mapping[float, float], epsilon: float, style: Style) -> go.Figure:
    """Eigenvalues by rank, both on log scales, over the band of the noise; rounding errors are left out.

    A slider under the picture moves the band to the other ε of ``edges``.
    """
    edge = edges[epsilon]
    builder = style.builder(height=470, margin={"l": 56, "r": 16, "t": 40, "b": 140})
    lowest = max(float(frame["eigenvalue"].max()), edge) * 1e-9
    for number, (matrix, mine) in enumerate(frame[frame["eigenvalue"] > lowest].groupby("matrix")):
        builder.add_scatter(
            x=mine["rank"], y=mine["eigenvalue"], name=f"{matrix}, exact", mode="lines+markers",
            line={"color": style.algorithm(number), "dash": "solid" if number == 0 else "dash"},
            marker={"size": 5, "symbol": "circle" if number == 0 else "square"},
            customdata=texts(mine["eigenvalue"]),
            hovertemplate=f"{matrix}, rank %{{x}}: %{{customdata}}<extra></extra>",
        )  # fmt: skip
    least = min(float(frame["eigenvalue"][frame["eigenvalue"] > lowest].min()), edge)
    ends = (max(least, LEAST), max(float(frame["eigenvalue"].max()), edge, LEAST))
    limits = (math.log10(ends[0]) - 0.1, math.log10(ends[1]) + 0.4)
    builder.add_hline(edge, style.level)
    builder.add_shape({"type": "rect", "xref": "paper", "x0": 0, "x1": 1, "y0": 10 ** limits[0],
                       "y1": edge, "layer": "below", "line": {"width": 0},
                       "fillcolor": see_through(style.quiet, 0.18)})  # fmt: skip
    corner = {
        "x": 0.02,
        "xanchor": "left",
        "align": "left",
        "yref": "paper",
        "y": 0.02,
    }  # eigenvalues fall: it is empty
    builder.add_label(_edge_name(frame, edge, epsilon), style.quiet, **corner)
    _add_slider(builder, frame, edges, epsilon, style)
    _name_axes(builder, "Eigenvalue", ends, float(frame["rank"].max()))
    builder.update_yaxes(range=limits)
    return builder.figure()


def _edge_name(frame: pd.DataFrame, edge: float, epsilon: float) -> str:
    """Say where the noise ends, and how much of A stands above it."""
    target = frame["eigenvalue"][frame["matrix"] == "A"]
    above = f"{int((target > edge).sum())} of {plural(len(target), 'eigenvalue')} of A above"
    return f"noise edge of one release at ε = {number_text(epsilon)}: {number_text(edge)},<br>{above}"


def _add_slider(
    builder: FigureBuilder, frame: pd.DataFrame, edges: Mapping[float, float], epsilon: float, style: Style
) -> None:
    """A slider of ε that moves line, band and label in the browser."""
    steps = [
        {"label": number_text(at), "method": "relayout", "args": [{
            "shapes[0].y0": edge, "shapes[0].y1": edge, "shapes[1].y1": edge,
            "annotations[0].text": _edge_name(frame, edge, at)}]}
        for at, edge in edges.items()
    ]  # fmt: skip
    builder.update_layout(
        sliders=[{
            "active": list(edges).index(epsilon), "steps": steps, "pad": {"t": 58}, "len": 1, "x": 0,
            "currentvalue": {"prefix": "Privacy loss ε = ", "font": {"color": style.ink}},
            "font": {"color": style.quiet}, "bgcolor": style.faint, "activebgcolor": style.algorithm(0),
            "bordercolor": style.quiet, "tickcolor": style.quiet, "ticklen": 4, "minorticklen": 0,
        }]
    )  # fmt: skip


def _ranks(values: Array) -> range:
    return range(1, values.size + 1)
