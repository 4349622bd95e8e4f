"""Methods on one axis of ε: ε asked for and claimed, ε that a ledger proves, and ε that known neighbours need."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from dashboard.figures.curves import decade_ticks, tick_text
from dashboard.figures.style import FigureBuilder, Style, escape_plotly
from dpgep_core.method import Verdict
from dpgep_core.privacy.privacy_loss import at_most
from dpgep_core.verdict import HOLDING
from dpgep_core.wording import number_text

ROW, EDGES = 56, 150  # pixels of a method, and of the axis with its legend, which takes two lines on a phone
NARROWEST = 1.0  # decades on either side of what is asked
LONGEST = 60  # letters of a line over a bar, as a phone shows them
WIDE = 6.0  # decades from which every second one is named: on a phone the others would be turned
ASKED = "asked for, not claimed"
BEYOND = 0.25  # decades between the largest number and the end of the axis, where arrows end


@dataclass(frozen=True, slots=True)
class EpsilonBar:
    """One method: ``asked`` is None where no ε is, ``accounted`` where none is proved, ``needed`` 0 if unknown.

    ``by_authors`` says whether the authors of the method claim the ε that is asked for.
    """

    title: str
    asked: float | None
    accounted: float | None
    verdict: Verdict
    needed: float = 0.0
    by_authors: bool = True


def epsilon_bars(bars: Sequence[EpsilonBar], style: Style) -> go.Figure:
    """One row for each method: a bar from what it is asked to what its ledger proves, on a logarithmic axis."""
    low, high = _ends(bars)
    builder = style.builder(height=EDGES + ROW * len(bars), margin={"l": 12, "r": 12, "t": 34, "b": 62})
    for place, bar in enumerate(bars):
        _add_bar(builder, bar, place, 10**high, style)
    _add_marks(builder, bars, style)
    builder.update_xaxes(
        type="log", range=(low, high), **_ticks(low, high),
        title={"text": "Privacy loss ε", "font": {"size": 13}},
    )  # fmt: skip
    builder.update_yaxes(range=(len(bars) - 0.35, -0.8), visible=False, fixedrange=True)
    builder.update_layout(showlegend=True)
    return builder.figure()


def _ends(bars: Sequence[EpsilonBar]) -> tuple[float, float]:
    """Both ends of the axis, as powers of ten."""
    every = [value for bar in bars for value in (bar.asked, bar.accounted, bar.needed) if value]
    told = [math.log10(value) for value in every if math.isfinite(value)] or [0.0]
    middle = [math.log10(bar.asked) for bar in bars if bar.asked] or told
    return min(min(told) - BEYOND, min(middle) - NARROWEST), max(max(told) + BEYOND, max(middle) + NARROWEST)


def _ticks(low: float, high: float) -> dict[str, object]:
    """Names of decades that stand beside each other; 1 is among them."""
    if high - low < WIDE:
        return decade_ticks(low, high, fine=high - low < 2.5)
    ticks = [10.0**power for power in range(math.floor(low), math.ceil(high) + 1) if power % 2 == 0]
    return {"tickvals": ticks, "ticktext": [tick_text(tick) for tick in ticks]}


def _colour(bar: EpsilonBar, style: Style) -> str:
    """Colour of the verdict that the words beside the bar say."""
    if bar.verdict in HOLDING:
        return style.good
    return style.bad if bar.verdict is Verdict.FALSE else style.quiet


def _add_bar(builder: FigureBuilder, bar: EpsilonBar, place: int, end: float, style: Style) -> None:
    colour = _colour(bar, style)
    said = _said(bar)
    long = len(bar.title) + len(said) > LONGEST
    builder.add_annotation(
        x=0, xref="paper", xanchor="left", align="left", y=place - (0.5 if long else 0.42),
        text=f"<b>{escape_plotly(bar.title)}</b>{'<br>' if long else ': '}{said}",
        showarrow=False, font={"size": 13, "color": style.ink},
    )  # fmt: skip
    builder.add_shape({"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": place, "y1": place, "layer": "below",
                       "line": {"color": style.faint, "width": 1}})  # fmt: skip
    if bar.asked is None:
        return
    to = end if bar.accounted is None else bar.accounted
    builder.add_scatter(
        x=[bar.asked, to], y=[place, place], mode="lines", showlegend=False, hoverinfo="skip",
        line={"color": colour, "width": 7, "dash": "dot" if bar.accounted is None else "solid"},
    )  # fmt: skip


def _said(bar: EpsilonBar) -> str:
    """The verdict in words, with the number that the ledger proves."""
    if bar.asked is None:
        return str(bar.verdict)
    proved = "no bound" if bar.accounted is None else f"ε ≤ {at_most(bar.accounted)}"
    return f"{proved}, {bar.verdict}"


def _add_marks(builder: FigureBuilder, bars: Sequence[EpsilonBar], style: Style) -> None:
    """Marks of three kinds over all rows, each named once in the legend."""
    kinds = (
        ("claimed", "line-ns-open", 14, [bar.asked if bar.by_authors else None for bar in bars]),
        (ASKED, "line-ns-open", 14, [None if bar.by_authors else bar.asked for bar in bars]),
        ("accounted", "circle", 13, [bar.accounted for bar in bars]),
        ("needed: two neighbours show at least this", "triangle-right", 13, [bar.needed or None for bar in bars]),
    )
    for name, symbol, size, values in kinds:
        there = [
            (value, place, bar)
            for place, (bar, value) in enumerate(zip(bars, values, strict=True))
            if value is not None and math.isfinite(value) and bar.asked is not None
        ]
        if there:
            colours = [{"claimed": style.ink, ASKED: style.quiet}.get(name, _colour(bar, style)) for *_, bar in there]
            builder.add_scatter(
                x=[value for value, *_ in there], y=[place for _, place, _ in there], mode="markers", name=name,
                marker={"symbol": symbol, "size": size, "color": colours, "line": {"width": 3, "color": colours}},
                customdata=[[bar.title, number_text(value, 4)] for value, _, bar in there],
                hovertemplate="%{customdata[0]}: ε = %{customdata[1]}<extra></extra>",
            )  # fmt: skip


def epsilon_table(bars: Sequence[EpsilonBar]) -> pd.DataFrame:
    """Table behind the bars; infinite where no ε is proved."""
    return pd.DataFrame(
        {"method": bar.title, "asked": bar.asked, "claimed": bar.asked if bar.by_authors else None,
         "accounted": math.inf if bar.accounted is None else bar.accounted,
         "needed": bar.needed, "verdict": str(bar.verdict)}
        for bar in bars
    )  # fmt: skip
