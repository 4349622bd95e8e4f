"""Noise under each accounting rule, where a budget goes, and what a μ is worth as dots and as a trade-off."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard.compute.evidence import RuleRow, Share
from dashboard.figures.style import Style, escape_plotly, see_through, texts
from dpgep_core.privacy.accountant import best_guess, largest_hit_share
from dpgep_core.wording import number_text


def by_rule(rows: Sequence[RuleRow], chosen: str, style: Style) -> go.Figure:
    """σ of one answer under each rule; the chosen one coloured, what proves nothing hatched."""
    shown = list(reversed(rows))
    colours = [style.algorithm(0) if row.rule.key == chosen else style.quiet for row in shown]
    builder = style.builder(height=110 + 34 * len(shown), showlegend=False)
    builder.add_bar(
        y=[row.rule.title for row in shown], x=[row.sigma for row in shown], orientation="h",
        marker={
            "color": [see_through(colour, 0.9 if row.rule.keeps else 0.12)
                      for row, colour in zip(shown, colours, strict=True)],
            "line": {"color": colours, "width": 1.2},
            "pattern": {"shape": ["" if row.rule.keeps else "/" for row in shown], "fgcolor": style.quiet, "size": 9,
                        "solidity": 0.2, "bgcolor": "rgba(0,0,0,0)"},
        },
        text=texts(row.sigma for row in shown), textposition="outside", textfont={"color": style.ink},
        cliponaxis=False,
        customdata=[[number_text(row.sigma, 4), *texts((row.loss.epsilon, row.loss.mu))] for row in shown],
        hovertemplate="%{y}: σ = %{customdata[0]}<br>really worth ε = %{customdata[1]}, μ = %{customdata[2]}"
        "<extra></extra>",
    )  # fmt: skip
    most = max(row.sigma for row in shown)
    builder.update_xaxes(title={"text": "Noise of each answer, σ ÷ Δ"}, range=(0, 1.12 * most))
    builder.update_yaxes(ticks="", automargin=True, showgrid=False)
    builder.update_layout(margin={"l": 8, "r": 16, "t": 12, "b": 52})
    return builder.figure()


def waterfall(shares: Sequence[Share], granted: float, style: Style) -> go.Figure:
    """μ² answer by answer up to its sum, with what was granted as a line."""
    names = [escape_plotly(share.name) + (f" ×{share.count}" if share.count > 1 else "") for share in shares]
    total = sum(share.squared for share in shares)
    whole = total or 1.0  # noise so wide that no square of μ is left
    places = list(range(len(shares) + 1))
    builder = style.builder(height=360, showlegend=False)
    builder.add_waterfall(
        x=places, y=[*(share.squared for share in shares), total],
        measure=["relative"] * len(shares) + ["total"],
        text=[f"{100 * share.squared / whole:.0f} %" for share in shares] + [f"μ² = {number_text(total)}"],
        textposition="outside", textfont={"color": style.ink}, cliponaxis=False,
        increasing={"marker": {"color": style.algorithm(0)}}, totals={"marker": {"color": style.quiet}},
        connector={"line": {"color": style.quiet, "width": 1}},
        customdata=texts([*(share.squared for share in shares), total], 4),
        hovertemplate="%{customdata}<extra></extra>",
    )  # fmt: skip
    builder.add_hline(granted, line={"color": style.ink, "width": 1.2, "dash": "dot"})
    builder.add_label(f"dotted: granted, {number_text(granted)}", style.quiet, y=1, yref="paper")
    builder.update_xaxes(tickmode="array", tickvals=places, ticktext=[*names, "all answers"], tickangle=0)
    builder.update_yaxes(title={"text": "μ², which adds up"}, range=(0, 1.2 * max(total, granted)), rangemode="tozero")
    return builder.figure()


DOTS, COLUMNS = 1000, 50


def dots(mu: float, style: Style) -> go.Figure:
    """An array of 1,000 dots: 500 for blind guessing, the excess that the result allows coloured."""
    right = round(DOTS * best_guess(mu))
    place = np.arange(DOTS)
    x, y = place // (DOTS // COLUMNS), place % (DOTS // COLUMNS)
    builder = style.builder(height=190, margin={"l": 4, "r": 4, "t": 8, "b": 4}, showlegend=False)
    for chosen, colour in (
        (place < 500, style.quiet),
        ((place >= 500) & (place < right), style.algorithm(1)),
        (place >= max(right, 500), style.faint),
    ):
        builder.add_scatter(
            x=x[chosen], y=y[chosen], mode="markers", hoverinfo="skip", marker={"size": 5.5, "color": colour},
        )  # fmt: skip
    builder.update_xaxes(visible=False)
    builder.update_yaxes(visible=False)
    return builder.figure()


def trade_off(mu: float, style: Style) -> go.Figure:
    """Hits against false alarms: the most that any test can do, with the 1 % and 5 % points."""
    alarms = np.concatenate([[0.0], np.geomspace(1e-4, 1, 120)])
    builder = style.builder(height=250, showlegend=False)
    builder.add_scatter(x=[0, 1], y=[0, 1], mode="lines", line={"color": style.quiet, "dash": "dot"}, hoverinfo="skip")
    hits = [largest_hit_share(mu, a) if 0 < a < 1 else a for a in alarms]
    builder.add_scatter(
        x=alarms, y=hits, mode="lines", line={"color": style.algorithm(1), "width": 2.5}, hoverinfo="skip"
    )
    for place, alarms_at in enumerate((0.01, 0.05)):
        hits_at = largest_hit_share(mu, alarms_at)
        marker = {"size": 9, "color": style.algorithm(1)}
        builder.add_scatter(x=[alarms_at], y=[hits_at], mode="markers", marker=marker, hoverinfo="skip")
        builder.add_annotation(
            x=alarms_at, y=hits_at, ax=0.42, ay=0.12 + 0.14 * place, axref="x", ayref="y", xanchor="left",
            text=f"at {100 * alarms_at:.0f} %: {100 * hits_at:.1f} % hits", font={"size": 12},
            arrowcolor=style.quiet, arrowwidth=1, arrowhead=0,
        )  # fmt: skip
    builder.update_xaxes(title={"text": "False alarms"}, range=(0, 1), tickformat=".0%")
    builder.update_yaxes(title={"text": "Hits"}, range=(0, 1.02), tickformat=".0%")
    return builder.figure()
