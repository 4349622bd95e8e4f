"""Predicted time of a sweep against one of its sizes: a line for each method, both axes logarithmic."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from dashboard.compute.growth import GrowthLine
from dashboard.figures.style import CLASS_COLOURS, DASHES, Style, escape_plotly
from dashboard.figures.sweep import round_ticks
from dpgep_core.wording import number_text, time_text

TICKS: Mapping[float, str] = {
    0.01: "0.01 s", 0.1: "0.1 s", 1: "1 s", 10: "10 s", 60: "1 min", 600: "10 min", 3600: "1 h", 36_000: "10 h",
    360_000: "100 h", 3_600_000: "1,000 h",
}  # fmt: skip


def growth_figure(lines: Sequence[GrowthLine], planned: float, words: str, style: Style) -> go.Figure:
    """Lines over the sizes, and a mark at the planned one."""
    builder = style.builder(height=380, margin={"l": 64, "r": 16, "t": 48, "b": 56})
    for line in lines:
        shared = line.number is None
        number = line.number or 0
        several = len(lines) > 4
        own = CLASS_COLOURS[number % len(CLASS_COLOURS)] if several else style.algorithm(number)
        builder.add_scatter(
            x=list(line.sizes), y=list(line.seconds), mode="lines", name=escape_plotly(line.name),
            line={"color": style.quiet if shared else own, "width": 2.5,
                  "dash": "solid" if shared else DASHES[number % len(DASHES)]},
            text=[f"{number_text(at, 6)}: {time_text(seconds)}"
                  for at, seconds in zip(line.sizes, line.seconds, strict=True)],
            hovertemplate=f"{escape_plotly(line.name)}<br>%{{text}}<extra></extra>",
        )  # fmt: skip
    builder.add_vline(planned, style.mark)
    ends = min(line.sizes[0] for line in lines), max(line.sizes[-1] for line in lines)
    builder.update_xaxes(type="log", title={"text": words}, **round_ticks(*ends, wide=True))
    builder.update_yaxes(
        type="log", title={"text": "time on one core"}, tickvals=list(TICKS), ticktext=list(TICKS.values())
    )
    return builder.figure()
