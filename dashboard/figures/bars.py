"""Bars of a classifier's accuracy on a projection, drawn between its floor and its ceiling."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from dashboard.figures.style import Style, see_through
from dpgep_core.evaluate.classify import Score

FOOT, HALF = 0.25, 0.65  # accuracies between which a line runs through the middle of bars


@dataclass(frozen=True, slots=True)
class Bar:
    """One accuracy with its interval; ``number`` is the place of the algorithm, None for the exact solution."""

    group: str
    name: str
    score: Score
    number: int | None
    all_private: bool = False


def accuracies(bars: Sequence[Bar], floors: Sequence[tuple[str, Score]], majority: float, style: Style) -> go.Figure:
    """Grouped bars by classifier, with the random projection marked in each group and the majority class as a line."""
    builder = style.builder(height=380, barmode="group", bargap=0.25)
    anchor = "start" if FOOT < majority < HALF else "middle"  # the numbers of bars keep off the name of the line
    for name in dict.fromkeys(bar.name for bar in bars):
        mine = [bar for bar in bars if bar.name == name]
        colour = style.quiet if mine[0].number is None else style.algorithm(mine[0].number)
        builder.add_bar(
            x=[bar.group for bar in mine], y=[bar.score.accuracy for bar in mine], name=name,
            marker={
                "color": see_through(colour, 0.12 if mine[0].all_private else 0.9),
                "pattern": {
                    "shape": "/" if mine[0].all_private else "", "fgcolor": colour, "fgopacity": 0.6,
                    "bgcolor": "rgba(0,0,0,0)", "size": 12, "solidity": 0.15,
                },
                "line": {"color": colour, "width": 1.2},
            },
            error_y={
                "type": "data", "symmetric": False, "color": style.ink, "thickness": 1.2, "width": 4,
                "array": [bar.score.high - bar.score.accuracy for bar in mine],
                "arrayminus": [bar.score.accuracy - bar.score.low for bar in mine],
            },
            text=[f"{bar.score.accuracy:.3f}" for bar in mine], textposition="inside", insidetextanchor=anchor,
            insidetextfont={"color": style.ink if mine[0].all_private else style.on_colour}, textangle=0,
            customdata=[[b.score.precision, b.score.recall, b.score.f1, b.score.n_train, b.score.n_test] for b in mine],
            hovertemplate="%{x}, " + name + ": %{y:.4f}<br>precision %{customdata[0]:.3f}, "
            "recall %{customdata[1]:.3f}, F1 %{customdata[2]:.3f}<br>"
            "%{customdata[3]} training rows, %{customdata[4]} held out<extra></extra>",
        )  # fmt: skip
    builder.add_scatter(
        x=[group for group, _ in floors], y=[score.accuracy for _, score in floors], mode="markers",
        name="random projection",
        marker={"symbol": "line-ew-open", "size": 24, "line": {"width": 2}, "color": style.ink},
        hovertemplate="%{x}, random projection: %{y:.4f}<extra></extra>",
    )  # fmt: skip
    for place, (_, score) in enumerate(floors):  # over all bars of the group: a short mark would seem to be of one
        builder.add_shape({"type": "line", "xref": "x", "x0": place - 0.375, "x1": place + 0.375, "y0": score.accuracy,
                           "y1": score.accuracy, "line": {"color": style.ink, "width": 2}})  # fmt: skip
    builder.add_hline(majority, style.level)
    builder.add_label(f"majority class: {majority:.3f}", style.ink, y=majority, bgcolor=style.behind)
    builder.update_yaxes(title={"text": "Accuracy on held-out rows"}, range=(0, 1.02))
    return builder.figure()
