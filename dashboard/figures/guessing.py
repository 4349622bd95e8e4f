"""Pictures of the guessing game: one output between two bells, and ten guesses beside the best attacker's."""

import numpy as np
import plotly.graph_objects as go

from dashboard.compute.guessing import ROUNDS, SumPair, best_law, score_law
from dashboard.figures.style import Style, see_through
from dpgep_core.wording import number_text


def one_output(pair: SumPair, mu: float, output: float, style: Style) -> go.Figure:
    """Noisy sum as a line over the two laws it may come from, N(sum, (Δ/μ)²) of D and of D′."""
    sigma = pair.sensitivity / mu
    reach = max(4 * sigma + pair.sensitivity / 2, 1.1 * abs(output - pair.middle))
    places = pair.middle + np.linspace(-reach, reach, 241)
    builder = style.builder(height=260, showlegend=False, margin={"l": 12, "r": 12, "t": 12, "b": 48})
    for number, (name, centre) in enumerate((("D", pair.first), ("D′", pair.second))):
        colour = style.algorithm(number)
        builder.add_scatter(
            x=places, y=np.exp(-(((places - centre) / sigma) ** 2) / 2), mode="lines", fill="tozeroy", name=name,
            line={"color": colour, "width": 2, "dash": "solid" if number == 0 else "dash"},
            fillcolor=see_through(colour, 0.12), hoverinfo="skip",
        )  # fmt: skip
        side = "right" if number == 0 else "left"
        builder.add_label(
            f" {name}: {number_text(centre)} ", colour, x=centre, xref="x", xanchor=side, y=1.02, yref="y"
        )
    builder.add_vline(output, line={"color": style.ink, "width": 3})
    left = output > pair.middle
    builder.add_label(
        f" output: {number_text(output)} ", style.ink, x=output, xref="x", xanchor="right" if left else "left",
        y=0.1, yref="y",
    )  # fmt: skip
    builder.update_xaxes(title={"text": "Sum of the rows plus noise"}, range=(places[0], places[-1]), zeroline=False)
    builder.update_yaxes(visible=False, range=(0, 1.2))
    return builder.figure()


def ten_guesses(mu: float, yours: int, attackers: int, style: Style) -> go.Figure:
    """Scores of the best attacker as bars, blind guessing as a line, and both scores of one game as marks."""
    scores, best = np.arange(ROUNDS + 1), best_law(mu)
    blind = score_law(0.5)
    builder = style.builder(height=320, margin={"l": 56, "r": 12, "t": 12, "b": 90})
    builder.add_bar(
        x=scores, y=best, name="best attacker, by ε", marker={"color": see_through(style.algorithm(1), 0.45)},
        hovertemplate="%{x} right: %{y:.1%} of its games<extra></extra>",
    )  # fmt: skip
    builder.add_scatter(
        x=scores, y=blind, name="blind guessing", mode="lines+markers",
        line={"color": style.quiet, "dash": "dot"}, marker={"size": 5},
        hovertemplate="%{x} right: %{y:.1%} of blind games<extra></extra>",
    )  # fmt: skip
    top = 1.15 * max(*best, *blind)
    for name, score, symbol, height, colour in (
        ("you", yours, "star", top, style.ink),
        ("best attacker, these ten", attackers, "diamond", 0.92 * top, style.algorithm(1)),
    ):
        builder.add_scatter(
            x=[score], y=[height], name=name, mode="markers", marker={"size": 14, "symbol": symbol, "color": colour},
            hovertemplate=f"{name}: %{{x}} right<extra></extra>",
        )  # fmt: skip
    builder.update_xaxes(title={"text": f"Right guesses of {ROUNDS}", "standoff": 6}, dtick=1, range=(-0.5, 10.5))
    builder.update_yaxes(title={"text": "Share of games"}, tickformat=".0%", range=(0, 1.08 * top))
    builder.update_layout(legend={"orientation": "h", "y": -0.28, "yanchor": "top"})
    return builder.figure()
