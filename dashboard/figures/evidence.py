"""Pictures for the stories: real changes beside the allowed one, energy by column, a guess about who was in it."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard.compute.exchanges import Membership, Swaps
from dashboard.figures.style import Style, escape_plotly, see_through
from dpgep_core.privacy.query import Array

BINS = 50
MOST_COLUMNS = 14


def changes(found: Swaps, style: Style) -> go.Figure:
    """How far real exchanges move B, as a histogram, and how far noise has to reach."""
    builder = style.builder(height=320, bargap=0.02)
    edges = np.linspace(0, max(found.proved, found.made_up) * 1.05, BINS + 1)
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
        ("from the forest", found.right, style.algorithm(1)),
        ("the most ε allows", found.allowed, style.algorithm(2)),
        ("blind guessing", 0.5, style.quiet),
    )
    builder.add_bar(
        x=[value for _, value, _ in bars][::-1], y=[name for name, _, _ in bars][::-1], orientation="h",
        marker={"color": [colour for *_, colour in bars][::-1]}, text=[f"{100 * v:.1f} %" for _, v, _ in bars][::-1],
        textposition="outside", cliponaxis=False, hovertemplate="%{y}: %{x:.1%}<extra></extra>",
    )  # fmt: skip
    builder.update_xaxes(title={"text": "Right guesses: was this row in it?"}, tickformat=".0%", range=(0, 1))
    return builder.figure()
