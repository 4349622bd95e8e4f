"""Figures of the rows themselves: classes, norms, clipped values, spectra, changes by one row, energy, membership."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.compute.exchanges import Membership, Swaps
from dashboard.compute.rowfacts import Facts, Spectra
from dashboard.figures.style import FigureBuilder, Style, escape_plotly, see_through, texts
from dashboard.figures.sweep import round_ticks
from dpgep_core.privacy.query import Array
from dpgep_core.wording import number_text, plural

MOST_BARS = 40
BINS = 40
LEAST = 1e-300  # numbers below lose digits, and zero is nowhere on a logarithmic axis


def classes(frame: pd.DataFrame, style: Style) -> go.Figure:
    """Rows of each class, in the order of the codes; of very many, the largest."""
    shown = frame if len(frame) <= MOST_BARS else frame.nlargest(MOST_BARS, "rows")
    places = list(range(len(shown)))
    builder = style.builder(height=300, showlegend=False)
    builder.add_bar(
        x=places, y=shown["rows"], marker={"color": see_through(style.algorithm(0), 0.85)},
        customdata=[[escape_plotly(str(name))] for name in shown["class"]],
        hovertemplate="%{customdata[0]}: %{y:,} rows<extra></extra>",
    )  # fmt: skip
    ticks = [escape_plotly(str(name), 14) for name in shown["class"]]
    builder.update_xaxes(tickmode="array", tickvals=places, ticktext=ticks, automargin=True)
    builder.update_yaxes(title={"text": "Rows"}, rangemode="tozero")
    return builder.figure()


def norm_table(found: Facts) -> pd.DataFrame:
    """Histograms of row norms as stored and after the columns' bounds, each with bins of its own."""
    parts = [_norm_bins("as stored", found.stored), _norm_bins("after the columns' bounds", found.bounded)]
    return pd.concat(parts, ignore_index=True)


def norm_histogram(frame: pd.DataFrame, which: str, radius: float | None, style: Style) -> go.Figure:
    """One histogram of norms, with the radius that rows are clipped to, where they are."""
    mine = frame[frame["norms"] == which]
    builder = style.builder(height=300, showlegend=False, bargap=0.02)
    width = (mine["to"] - mine["from"]).to_numpy()
    builder.add_bar(
        x=mine["from"] + width / 2, y=mine["rows"], width=width,
        marker={"color": see_through(style.algorithm(0 if which == "as stored" else 1), 0.85)},
        customdata=texts(mine["from"] + width / 2, 4),
        hovertemplate="norm about %{customdata}: %{y:,} rows<extra></extra>",
    )  # fmt: skip
    if radius is not None:
        builder.add_vline(radius, style.mark)
        place = {"x": radius, "xref": "x", "xanchor": "left", "y": 1, "yref": "paper", "yanchor": "top"}
        builder.add_label(f"radius {number_text(radius, 6)}", style.quiet, **place)
    builder.update_xaxes(title={"text": f"Row norm {which}"})
    builder.update_yaxes(title={"text": "Rows"}, rangemode="tozero")
    return builder.figure()


def clipped_table(found: Facts, names: Sequence[str]) -> pd.DataFrame:
    """Share of each column's values that its bounds clip, the most first."""
    frame = pd.DataFrame({"column": list(names), "share clipped": found.clipped})
    return frame.sort_values("share clipped", ascending=False, kind="stable", ignore_index=True)


def clipped(frame: pd.DataFrame, style: Style) -> go.Figure:
    """The columns that lose most to their bounds."""
    shown = frame.head(15).iloc[::-1]
    places = list(range(len(shown)))
    builder = style.builder(height=120 + 24 * len(shown), showlegend=False)
    builder.add_bar(
        y=places, x=shown["share clipped"], orientation="h",
        marker={"color": see_through(style.algorithm(1), 0.85)},
        customdata=[[escape_plotly(str(name))] for name in shown["column"]],
        hovertemplate="%{customdata[0]}: %{x:.2%} clipped<extra></extra>",
    )  # fmt: skip
    ticks = [escape_plotly(str(name), 24) for name in shown["column"]]
    builder.update_yaxes(tickmode="array", tickvals=places, ticktext=ticks, automargin=True, ticks="", showgrid=False)
    builder.update_xaxes(title={"text": "Share of its values beyond the bounds"}, tickformat=".1%", rangemode="tozero")
    builder.update_layout(margin={"l": 8, "r": 16, "t": 12, "b": 52})
    return builder.figure()


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
    decades = [10.0**power for power in range(math.floor(math.log10(ends[0])), math.ceil(math.log10(ends[1])) + 1)]
    builder.update_yaxes(
        type="log", title={"text": "Eigenvalue"}, tickvals=decades, ticktext=texts(decades), range=limits
    )
    ticks = round_ticks(1.0, max(2.0, float(frame["rank"].max())), wide=True)
    builder.update_xaxes(type="log", title={"text": "Rank"}, **ticks)
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


def _norm_bins(which: str, values: Array) -> pd.DataFrame:
    inside = values[np.isfinite(values)]
    high = float(inside.max(initial=0.0))
    if not 0 < high < 1e300:  # all rows zero, or so large that bins have no width
        inside, high = np.minimum(inside, 1e300), min(max(high, 1.0), 1e300)
    counts, edges = np.histogram(inside, bins=BINS, range=(0.0, high))
    return pd.DataFrame({"norms": which, "from": edges[:-1], "to": edges[1:], "rows": counts})


CHANGE_BINS = 50
MOST_COLUMNS = 14


def changes(found: Swaps, style: Style) -> go.Figure:
    """How far real exchanges move B, as a histogram, and how far noise has to reach."""
    builder = style.builder(height=320, bargap=0.02)
    edges = np.linspace(0, max(found.proved, found.made_up) * 1.05, CHANGE_BINS + 1)
    counts, _ = np.histogram(found.changes, edges)
    builder.add_bar(
        x=(edges[1:] + edges[:-1]) / 2, y=counts / found.changes.size, width=np.diff(edges),
        marker={"color": see_through(style.algorithm(0), 0.8)}, name=f"{found.changes.size:,} exchanges of real rows",
        hovertemplate="%{y:.1%} near %{x:.2f}<extra></extra>",
    )  # fmt: skip
    for place, value, text in (
        (0.95, found.made_up, f"made-up row: {found.made_up:.2f}"),
        (0.8, found.proved, f"proved: {found.proved:.2f}"),
    ):
        builder.add_vline(value, style.mark)
        builder.add_annotation(
            x=value, y=place, yref="paper", xanchor="right", text=f"{text} ", showarrow=False, font={"size": 12}
        )
    builder.update_xaxes(title={"text": "n × change of B (Frobenius norm)"}, range=(0, edges[-1]))
    builder.update_yaxes(title={"text": "Share of the exchanges"}, tickformat=".0%")
    builder.update_layout(showlegend=True)
    return builder.figure()


def energies(shares: Array, names: Sequence[str], style: Style) -> go.Figure:
    """The share of the rows' squared length that each column carries, largest first."""
    order = np.argsort(-shares)[:MOST_COLUMNS]
    builder = style.builder(height=320, margin={"l": 180, "r": 40, "t": 16, "b": 48}, showlegend=False)
    builder.add_bar(
        x=shares[order][::-1], y=[escape_plotly(str(names[i]), 24) for i in order[::-1]], orientation="h",
        marker={"color": style.algorithm(0)}, text=[f"{100 * shares[i]:.1f} %" for i in order[::-1]],
        textposition="outside", cliponaxis=False, hovertemplate="%{y}: %{x:.2%}<extra></extra>",
    )  # fmt: skip
    builder.update_xaxes(title={"text": "Share of the energy"}, tickformat=".0%", range=(0, 1.08))
    return builder.figure()


def guesses(found: Membership, style: Style) -> go.Figure:
    """How often the guess about membership is right, beside blind guessing and what ε allows."""
    builder = style.builder(height=260, margin={"l": 190, "r": 40, "t": 16, "b": 48}, showlegend=False)
    bars = (
        ("from the forest", found.right, style.bad if found.right > found.allowed else style.good),
        ("the most ε allows", found.allowed, style.quiet),
        ("blind guessing", 0.5, style.quiet),
    )
    builder.add_bar(
        x=[value for _, value, _ in bars][::-1], y=[name for name, _, _ in bars][::-1], orientation="h",
        marker={"color": [colour for *_, colour in bars][::-1]}, text=[f"{100 * v:.1f} %" for _, v, _ in bars][::-1],
        textposition="outside", cliponaxis=False, hovertemplate="%{y}: %{x:.1%}<extra></extra>",
    )  # fmt: skip
    builder.update_xaxes(title={"text": "Right guesses: was this row in it?"}, tickformat=".0%", range=(0, 1))
    return builder.figure()
