"""A kept budget as bars: what its releases add up to, and what the accountant finds that they are worth together."""

from typing import Any

import plotly.graph_objects as go

from dashboard.figures.style import Style
from dpgep_core.publishing.budget import Budget, Charge
from dpgep_core.wording import decimal_text, number_text, plural

NARROW = 0.14  # of the budget: a part below has no room for its name
ADDED, TOGETHER = "added up", "together, by the accountant"


def budget_alt(budget: Budget) -> str:
    """Text that describes `budget_bars`."""
    return (
        f"ε = {decimal_text(budget.spent_epsilon)} of {decimal_text(budget.limit.epsilon)} is spent by "
        f"{plural(len(budget.charges), 'release')}, worth ε at most {number_text(budget.accounted_epsilon)} together"
    )


def budget_bars(budget: Budget, style: Style) -> go.Figure:
    """One bar of all releases, each a part with its ε, up to the limit, and one of what they are worth together."""
    most = float(budget.limit.epsilon)
    builder = style.builder(height=230, barmode="stack", showlegend=False)
    edge = {"line": {"width": 1.5, "color": style.on_colour}}
    parts: list[tuple[str, float, dict[str, Any], str, str]] = [
        (ADDED, float(charge.asked.epsilon), {"color": style.algorithm(number % 3), **edge},
         _named(number, charge, most), style.on_colour)
        for number, charge in enumerate(budget.charges)
    ]  # fmt: skip
    left, worth = f"left: {decimal_text(budget.left.epsilon)}", f"ε ≤ {number_text(budget.accounted_epsilon)}"
    parts.append((ADDED, float(budget.left.epsilon), {"color": style.faint}, left, style.ink))
    parts.append((TOGETHER, min(budget.accounted_epsilon, most), {"color": style.quiet}, worth, style.on_colour))
    for row, value, marker, text, ink in parts:
        builder.add_bar(
            y=[row], x=[value], orientation="h", marker=marker, text=[text], textposition="inside",
            insidetextanchor="middle", textangle=0, insidetextfont={"color": ink}, hoverinfo="skip",
        )  # fmt: skip
    builder.add_vline(most, style.mark)
    builder.add_label(f"the budget: ε = {decimal_text(budget.limit.epsilon)}", style.quiet,
                      x=most, xref="x", y=1, yref="paper")  # fmt: skip
    builder.update_xaxes(title={"text": "ε of the budget"}, range=(0, 1.02 * most))
    builder.update_yaxes(ticks="", automargin=True, showgrid=False, autorange="reversed")
    legible = {"minsize": 10, "mode": "hide"}  # else a name shrinks until it fits
    builder.update_layout(margin={"l": 8, "r": 16, "t": 28, "b": 52}, uniformtext=legible)
    return builder.figure()


def _named(number: int, charge: Charge, most: float) -> str:
    share = float(charge.asked.epsilon) / most
    return f"release {number + 1}<br>ε = {decimal_text(charge.asked.epsilon)}" if share >= NARROW else ""
