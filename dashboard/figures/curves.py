"""Curves: a metric against ε with its bands over noise draws, and cosine by iteration."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go

from dashboard.figures.style import DASHES, Style, see_through
from dashboard.services import EPSILONS, Draw
from dpgep_core.privacy.query import Array

TOO_CLOSE = 0.01  # of levels: nothing is drawn between them


@dataclass(frozen=True, slots=True)
class Metric:
    """What a curve shows, with the words of its axis."""

    key: str
    label: str
    axis: str
    limits: tuple[float, float] | None


METRICS: Mapping[str, Metric] = {
    metric.key: metric
    for metric in (
        Metric("accuracy", "Accuracy", "Accuracy of LDA on held-out rows", None),
        Metric("angle", "Principal angle", "Mean principal angle to exact (degrees)", (0, 92)),
        Metric("cosine", "Cosine", "Mean |cosine| to exact components", (0, 1.04)),
        Metric("first_cosine", "First cosine", "|cosine| of the first component to exact", (0, 1.04)),
    )
}


@dataclass(frozen=True, slots=True)
class Curve:
    """The draws of one algorithm, with its value at the current ε."""

    title: str
    draws: Sequence[Draw]
    seed: int
    now: float
    starts_at_answer: bool = False


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line that says what a floor or ceiling is; a ceiling is named on the left, where curves are low."""

    value: float
    label: str
    ceiling: bool = False


def against_epsilon(
    curves: Sequence[Curve], metric: Metric, levels: Sequence[Level], epsilon: float, style: Style
) -> go.Figure:
    """Median of the draws, soft 50 % and 90 % bands, faint single draws, the current draw marked."""
    figure = style.figure(height=380)
    for level in _merged(levels):
        figure.add_shape(style.across(level.value))
        figure.add_annotation(
            x=0 if level.ceiling else 1, xref="paper", xanchor="left" if level.ceiling else "right", y=level.value,
            yanchor="bottom", text=level.label, showarrow=False, font={"size": 12, "color": style.quiet},
        )  # fmt: skip
    for number, curve in enumerate(curves):
        _add_curve(figure, curve, metric, number, style)
    figure.add_shape(style.upright(epsilon))
    for number, curve in enumerate(curves):
        figure.add_scatter(
            x=[epsilon], y=[curve.now], mode="markers", showlegend=False, name=f"{curve.title}, now",
            marker={"size": 13, "color": style.algorithm(number), "line": {"color": style.ink, "width": 1.5}},
            hovertemplate=f"{curve.title} now: %{{y:.3f}} at ε = %{{x:g}}<extra></extra>",
        )  # fmt: skip
    ends = np.log10([min(EPSILONS[0], epsilon), max(EPSILONS[-1], epsilon)])  # the same while draws come in
    figure.update_xaxes(
        type="log", range=(ends[0] - 0.1, ends[1] + 0.1),
        tickvals=[0.001, 0.01, 0.1, 1, 10], ticktext=[".001", ".01", ".1", "1", "10"],
        title={"text": "← noisier      Privacy loss ε      sharper →", "font": {"size": 13}},
    )  # fmt: skip
    figure.update_yaxes(title={"text": metric.axis}, range=metric.limits)
    return figure


def _merged(levels: Sequence[Level]) -> list[Level]:
    """Levels whose names would lie on each other share one line."""
    found: list[Level] = []
    for level in levels:
        near = next((i for i, other in enumerate(found) if abs(other.value - level.value) < TOO_CLOSE), None)
        if near is None:
            found.append(level)
        else:
            found[near] = replace(found[near], label=f"{found[near].label}, {level.label}")
    return found


def _add_curve(figure: go.Figure, curve: Curve, metric: Metric, number: int, style: Style) -> None:
    by_seed: dict[int, list[tuple[float, float]]] = defaultdict(list)
    by_epsilon: dict[float, list[float]] = defaultdict(list)
    for draw in curve.draws:
        value = float(getattr(draw, metric.key))
        by_seed[draw.seed].append((draw.epsilon, value))
        by_epsilon[draw.epsilon].append(value)
    colour, x = style.algorithm(number), sorted(by_epsilon)
    count = max((len(values) for values in by_epsilon.values()), default=0)
    if count >= 5:
        for low, high, alpha in ((5, 95, 0.12), (25, 75, 0.2)):
            lower, upper = ([float(np.percentile(by_epsilon[e], q)) for e in x] for q in (low, high))
            figure.add_scatter(
                x=[*x, *x[::-1]], y=[*upper, *lower[::-1]], fill="toself", fillcolor=see_through(colour, alpha),
                line={"width": 0}, hoverinfo="skip", showlegend=False,
            )  # fmt: skip
    for seed, points in by_seed.items():
        if seed != curve.seed:
            figure.add_scatter(
                x=[e for e, _ in points], y=[v for _, v in points], mode="lines", hoverinfo="skip", showlegend=False,
                line={"color": see_through(colour, 0.16), "width": 1},
            )  # fmt: skip
    figure.add_scatter(
        x=x, y=[float(np.median(by_epsilon[e])) for e in x], mode="lines+markers",
        name=f"{curve.title}: {count} draw{'s' * (count != 1)}" + (", starts at the answer" * curve.starts_at_answer),
        line={"color": colour, "width": 2.5, "dash": "dash" if curve.starts_at_answer else DASHES[number]},
        marker={"size": 5}, hovertemplate="median %{y:.3f} at ε = %{x:g}<extra></extra>",
    )  # fmt: skip


def by_iteration(histories: Mapping[str, Array], chance: float, style: Style) -> go.Figure:
    """Mean cosine to the exact solution after each step; one-shot methods are a level line."""
    figure = style.figure(height=380)
    longest = max((len(values) for values in histories.values()), default=1)
    figure.add_shape(style.across(chance))
    figure.add_annotation(
        x=1, xref="paper", xanchor="right", y=chance, yanchor="bottom", showarrow=False,
        text=f"a random direction: {chance:.2f}", font={"size": 12, "color": style.quiet},
    )  # fmt: skip
    for number, (title, values) in enumerate(histories.items()):
        steps = np.arange(1, len(values) + 1)
        if len(values) == 1:
            steps, values = np.array([1, max(longest, 2)]), np.repeat(values, 2)
            title = f"{title}, answers once"
        figure.add_scatter(
            x=steps, y=values, mode="lines+markers" if len(steps) > 2 else "lines", name=title,
            line={"color": style.algorithm(number), "width": 2.5, "dash": DASHES[number]}, marker={"size": 6},
            hovertemplate="%{y:.3f} after step %{x}<extra></extra>",
        )  # fmt: skip
    figure.update_layout(showlegend=True)
    figure.update_xaxes(title={"text": "Iteration"}, dtick=1 if longest <= 12 else None, tickformat="d")
    figure.update_yaxes(title={"text": "Mean |cosine| to exact components"}, range=(0, 1.04))
    return figure
