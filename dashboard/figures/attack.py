"""An attack as pictures: what it looks at under both data sets, hits against false alarms, the bound as it grows."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from scipy.special import ndtr, ndtri

from dashboard.figures.builder import FigureBuilder
from dashboard.figures.style import Style, see_through, texts
from dpgep_core.audit import AuditResult, ceiling
from dpgep_core.wording import number_text

BINS = 40
TICKS = [10, 30, 100, 300, 1000, 3000, 10_000]
PLOT, AXIS, LEGEND = 208, 56, 72  # pixels: a plot, the text under its axis, three names under that


def histograms(result: AuditResult, style: Style) -> go.Figure:
    """The statistic under each data set, over each other, with the cutoff."""
    scores = np.concatenate([result.scores, result.scores_other])
    low, high = np.percentile(scores, [0.5, 99.5])
    edges = np.linspace(low, high if high > low else low + 1, BINS + 1)
    builder = style.builder(height=300, barmode="overlay", bargap=0)
    for number, (name, values) in enumerate((("D", result.scores), ("D′, one row changed", result.scores_other))):
        counts, _ = np.histogram(np.clip(values, edges[0], edges[-1]), edges)
        colour = style.algorithm(number)
        builder.add_bar(
            x=(edges[1:] + edges[:-1]) / 2, y=counts / len(values), width=np.diff(edges), name=name,
            marker={
                "color": see_through(colour, 0.45), "line": {"color": colour, "width": 1},
                "pattern": {"shape": "/" if number else "", "fgcolor": colour, "fgopacity": 0.8,
                            "bgcolor": "rgba(0,0,0,0)", "size": 7, "solidity": 0.15},
            },
            hovertemplate=name + ": %{y:.1%}<extra></extra>",
        )  # fmt: skip
    builder.add_vline(result.cutoff, line={"color": style.ink, "width": 1.2, "dash": "dot"})
    builder.update_xaxes(title={"text": "The attacker's statistic"}, range=(edges[0], edges[-1]))
    builder.update_yaxes(title={"text": "Share of the runs"}, tickformat=".0%")
    return builder.figure()


def roc(result: AuditResult, style: Style) -> go.Figure:
    """Hits against false alarms of the attack, below the most that the accounted μ allows."""
    cutoffs = np.unique(np.quantile(np.concatenate([result.scores, result.scores_other]), np.linspace(0, 1, 201)))
    alarms = [1.0, *(float(np.mean(result.scores > c)) for c in cutoffs), 0.0]
    hits = [1.0, *(float(np.mean(result.scores_other > c)) for c in cutoffs), 0.0]
    builder = style.builder(height=40 + PLOT + AXIS + LEGEND, margin={"l": 56, "r": 16, "t": 40, "b": AXIS + LEGEND})
    builder.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", name="blind guessing", line={"color": style.quiet, "dash": "dot"},
        hoverinfo="skip",
    )  # fmt: skip
    if np.isfinite(result.mu):
        grid = np.concatenate([[0.0], np.geomspace(1e-4, 0.999, 100), [1.0]])
        builder.add_scatter(
            x=grid, y=ndtr(ndtri(grid) + result.mu), mode="lines", name="most the accounted μ allows",
            line={"color": style.algorithm(2), "width": 2, "dash": "dash"}, hoverinfo="skip",
        )  # fmt: skip
    builder.add_scatter(
        x=alarms, y=hits, mode="lines", name=f"this attack, AUC {result.auc:.3f}",
        line={"color": style.algorithm(1), "width": 2.5},
        hovertemplate="%{y:.1%} hits at %{x:.1%} false alarms<extra></extra>",
    )  # fmt: skip
    builder.update_xaxes(title={"text": "False alarms", "standoff": 6}, range=(-0.01, 1), tickformat=".0%")
    builder.update_yaxes(title={"text": "Hits"}, range=(0, 1.02), tickformat=".0%")
    builder.update_layout(legend={"orientation": "v", "y": -AXIS / PLOT, "yanchor": "top"})  # curves may be anywhere
    return builder.figure()


def growth(results: Sequence[AuditResult], most: int, style: Style) -> go.Figure:
    """Lower bound on ε after more and more runs, the most that so many runs can show, and claimed and accounted ε."""
    last = results[-1]
    runs = np.unique(np.geomspace(10, max(most, 20), 60).astype(int))
    builder = style.builder(height=300)
    builder.add_scatter(
        x=runs, y=[ceiling(int(n), last.level) for n in runs], mode="lines", name="the most so many runs can show",
        line={"color": style.quiet, "width": 1.5, "dash": "dot"},
        hovertemplate="%{y:.2f} at %{x:,} runs<extra></extra>",
    )  # fmt: skip
    builder.add_scatter(
        x=[r.trials for r in results], y=[r.epsilon_lower_bound for r in results], mode="lines+markers",
        name="attacked: ε is at least", line={"color": style.algorithm(1), "width": 2.5}, marker={"size": 9},
        customdata=texts(r.epsilon_lower_bound for r in results),
        hovertemplate="ε ≥ %{customdata} after %{x:,} + %{x:,} runs<extra></extra>",
    )  # fmt: skip
    _level(builder, "claimed", None if last.claimed is None else last.claimed.epsilon, "center", style)
    _level(builder, "accounted", last.accounted.epsilon, "right", style)
    builder.update_xaxes(title={"text": "Runs on each side"}, type="log", tickvals=TICKS)
    builder.update_yaxes(title={"text": "ε"}, rangemode="tozero")
    return builder.figure()


def _level(builder: FigureBuilder, name: str, epsilon: float | None, side: str, style: Style) -> None:
    if epsilon is None or epsilon > 12:
        return
    builder.add_hline(epsilon, line={"color": style.ink, "width": 1.2, "dash": "dash"})
    place = 0.5 if side == "center" else 1  # not at the left: the bound of few runs rises there
    builder.add_label(f"{name}: {number_text(epsilon)}", style.quiet, x=place, xanchor=side, y=epsilon)
