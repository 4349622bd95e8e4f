"""Noise under each accounting rule, where a budget goes, what a μ is worth, and an attack as three pictures."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from scipy.special import ndtr, ndtri

from dashboard.compute.evidence import RuleRow, Share
from dashboard.figures.style import FigureBuilder, Style, escape_plotly, see_through, texts
from dashboard.figures.wrapping import text_width, wrap_text
from dpgep_core.audit import AuditResult
from dpgep_core.audit.bounds import ceiling
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


TICK_EMS, TICK_LINE = 6, 19  # width of a line below a bar in letters, and its height in pixels
ALL_ANSWERS = "all<br>answers"


def waterfall(shares: Sequence[Share], granted: float, style: Style) -> go.Figure:
    """μ² answer by answer up to its sum, with what was granted as a line."""
    names = [_broken(share) for share in shares]
    total = sum(share.squared for share in shares)
    whole = total or 1.0  # noise so wide that no square of μ is left
    places = list(range(len(shares) + 1))
    below = TICK_LINE * max(name.count("<br>") + 1 for name in [*names, ALL_ANSWERS])
    builder = style.builder(height=310 + below, showlegend=False)
    builder.update_layout(margin={"b": 16 + below})
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
    builder.update_xaxes(tickmode="array", tickvals=places, ticktext=[*names, ALL_ANSWERS], tickangle=0)
    builder.update_yaxes(title={"text": "μ², which adds up"}, range=(0, 1.2 * max(total, granted)), rangemode="tozero")
    return builder.figure()


def _broken(share: Share) -> str:
    """The name of an answer in short lines, as a bar is narrow beside the words of a story; words stay whole."""
    name, equals, formula = share.name.partition(" = ")
    lines: list[str] = []
    for part in (name + equals.rstrip(), formula):
        lines += wrap_text(part, max(TICK_EMS, *map(text_width, part.split()), 0))
    return "<br>".join([*map(escape_plotly, lines), *([f"×{share.count}"] if share.count > 1 else [])])


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


SCORE_BINS = 40
TICKS = [10, 30, 100, 300, 1000, 3000, 10_000]
PLOT, AXIS, LEGEND = 208, 56, 72  # pixels: a plot, the text under its axis, three names under that


def histograms(result: AuditResult, style: Style) -> go.Figure:
    """The statistic under each data set, over each other, with the cutoff."""
    scores = np.concatenate([result.scores, result.scores_other])
    low, high = np.percentile(scores, [0.5, 99.5])
    edges = np.linspace(low, high if high > low else low + 1, SCORE_BINS + 1)
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
    builder.add_label(
        f"{name}: {number_text(epsilon)}", style.quiet, x=place, xanchor=side, y=epsilon, bgcolor=style.behind
    )
