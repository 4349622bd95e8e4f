"""Figures of the rows themselves: classes, norms, clipped values, changes by one row, energy, membership."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dashboard.compute.exchanges import Membership, Swaps
from dashboard.compute.rowfacts import Facts
from dashboard.figures.style import Style, escape_plotly, see_through, texts
from dpgep_core.privacy.query import Array
from dpgep_core.wording import number_text

MOST_BARS = 40
BINS = 40


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


def _norm_bins(which: str, values: Array) -> pd.DataFrame:
    inside = values[np.isfinite(values)]
    high = float(inside.max(initial=0.0))
    if not 0 < high < 1e300:  # all rows zero, or so large that bins have no width
        inside, high = np.minimum(inside, 1e300), min(max(high, 1.0), 1e300)
    counts, edges = np.histogram(inside, bins=BINS, range=(0.0, high))
    return pd.DataFrame({"norms": which, "from": edges[:-1], "to": edges[1:], "rows": counts})


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
