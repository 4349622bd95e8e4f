"""Printed values against ours."""

from collections.abc import Sequence

import plotly.graph_objects as go

from dashboard.figures.style import CLASS_COLOURS, CLASS_SYMBOLS, Style, escape_plotly, texts
from dashboard.text.exhibits import named, word
from dpgep_core.experiments.papers.exhibit import ResultLine


def against(lines: Sequence[ResultLine], by: Sequence[str], unit: str, style: Style) -> go.Figure:
    """Printed values across, ours up: on the line they agree. One colour and symbol for each value of ``by``."""
    some = [line for line in lines if line.published is not None and line.ours is not None]
    builder = style.builder(height=460, margin={"l": 60, "r": 16, "t": 16, "b": 60})
    ends = [value for line in some for value in (line.published or 0.0, line.ours or 0.0)]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = 0.04 * (high - low) or 1.0
    span = [low - room, high + room]
    builder.add_scatter(x=span, y=span, mode="lines", name="agreement", hoverinfo="skip",
                       line={"color": style.quiet, "width": 1.2, "dash": "dot"})  # fmt: skip
    groups = list(dict.fromkeys(named(line, by) for line in some))
    for i, group in enumerate(groups):
        own = [line for line in some if named(line, by) == group]
        builder.add_scatter(
            x=[line.published for line in own], y=[line.ours for line in own], mode="markers",
            name=escape_plotly(", ".join(group), 60), text=[escape_plotly(_where(line, by), 80) for line in own],
            marker={"size": 9, "opacity": 0.75, "symbol": CLASS_SYMBOLS[i % len(CLASS_SYMBOLS)],
                    "color": CLASS_COLOURS[i % len(CLASS_COLOURS)]},
            customdata=[texts((line.published, line.ours), 4) for line in own],
            hovertemplate="%{text}<br>printed %{customdata[0]}, ours %{customdata[1]}<extra></extra>",
        )  # fmt: skip
    lines_of = {"gridcolor": style.faint, "linecolor": style.quiet, "zerolinecolor": style.faint, "range": span}
    builder.update_xaxes(title={"text": f"printed, {unit}"}, ticks="outside", **lines_of)
    builder.update_yaxes(title={"text": f"ours, {unit}"}, ticks="outside", **lines_of)
    return builder.figure()


def _where(line: ResultLine, by: Sequence[str]) -> str:
    return ", ".join(word(value) for name, value in line.labels.items() if name not in by and value is not None)
