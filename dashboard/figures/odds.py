"""ε in plain words and as 1,000 dots."""

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.style import Style
from dpgep_core.privacy.accountant import best_guess, power

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
    hits = [power(mu, a) if 0 < a < 1 else a for a in alarms]
    builder.add_scatter(
        x=alarms, y=hits, mode="lines", line={"color": style.algorithm(1), "width": 2.5}, hoverinfo="skip"
    )
    for place, alarms_at in enumerate((0.01, 0.05)):
        hits_at = power(mu, alarms_at)
        builder.add_scatter(
            x=[alarms_at],
            y=[hits_at],
            mode="markers",
            marker={"size": 9, "color": style.algorithm(1)},
            hoverinfo="skip",
        )
        builder.add_annotation(
            x=alarms_at, y=hits_at, ax=0.42, ay=0.12 + 0.14 * place, axref="x", ayref="y", xanchor="left",
            text=f"at {100 * alarms_at:.0f} %: {100 * hits_at:.1f} % hits", font={"size": 12},
            arrowcolor=style.quiet, arrowwidth=1, arrowhead=0,
        )  # fmt: skip
    builder.update_xaxes(title={"text": "False alarms"}, range=(0, 1), tickformat=".0%")
    builder.update_yaxes(title={"text": "Hits"}, range=(0, 1.02), tickformat=".0%")
    return builder.figure()
