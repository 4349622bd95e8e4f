"""Diagram of what passes between the data, the curator and an algorithm, from the algorithm's noise plan."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go

from dashboard.figures.style import FigureBuilder, Style, escape_plotly
from dpgep_core.privacy.ledger import PlannedAnswer
from dpgep_core.wording import number_text, plural

LANES = ("Data", "Curator", "Algorithm")
PLACES = (0.0, 1.0, 2.0)
HALF = 0.27  # width of a box on either side of its lane
STEP, TOP = 78, 62  # pixels of an answer and of the boxes
AT_HOME = " of each person"  # each person adds noise before anything reaches the curator
OPEN, OPEN_DARK = "#B3261E", "#FF8A80"


def noise_flow(answers: Sequence[PlannedAnswer], style: Style) -> go.Figure:
    """One row for each answer: what the data give, what noise it gets, and what the algorithm sees."""
    rows = len(answers)
    builder = style.builder(
        height=TOP * 2 + STEP * rows + 16, margin={"l": 8, "r": 8, "t": 8, "b": 8}, hovermode="closest"
    )
    hidden = {"visible": False, "fixedrange": True}
    builder.update_xaxes(range=[-HALF - 0.02, 2 + HALF + 0.02], **hidden)
    builder.update_yaxes(range=[rows + 1.3, -0.4], **hidden)
    for name, x in zip(LANES, PLACES, strict=True):
        end = rows + 0.55
        builder.add_shape({"type": "line", "x0": x, "x1": x, "y0": 0, "y1": end, "layer": "below",
                           "line": {"color": style.faint, "width": 2}})  # fmt: skip
        _add_box(builder, x, 0, f"<b>{name}</b>", style)
    for number, answer in enumerate(answers, start=1):
        _add_answer(builder, number, answer, style)
    _add_box(builder, PLACES[2], rows + 0.9, "components", style)
    builder.add_scatter(
        x=[1.5] * rows, y=list(range(1, rows + 1)), mode="markers", marker={"opacity": 0, "size": 24},
        showlegend=False, text=[_hover(answer) for answer in answers], hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip
    return builder.figure()


def _add_box(builder: FigureBuilder, x: float, y: float, text: str, style: Style) -> None:
    builder.add_shape({"type": "rect", "x0": x - HALF, "x1": x + HALF, "y0": y - 0.3, "y1": y + 0.3,
                       "fillcolor": style.faint, "line": {"width": 0}})  # fmt: skip
    builder.add_annotation(x=x, y=y, text=text, showarrow=False, font={"size": 13, "color": style.ink})


def _add_answer(builder: FigureBuilder, row: int, answer: PlannedAnswer, style: Style) -> None:
    colour = style.algorithm(0) if answer.protected else (OPEN_DARK if style.dark else OPEN)
    name = escape_plotly(answer.name, 60).replace(" of ", "<br>of ").replace(", z =", ",<br>z =")
    at_home = AT_HOME in answer.name
    given, seen = (_noise_words(answer), "as it came") if at_home else ("exact", _noise_words(answer))
    for start, said, below, ink in (
        (0, name, given, colour if at_home else style.quiet),
        (1, _times(answer), seen, colour),
    ):
        x0, x1 = PLACES[start] + 0.03, PLACES[start + 1] - 0.03
        builder.add_annotation(
            x=x1, y=row, ax=x0, ay=row, xref="x", yref="y", axref="x", ayref="y", text="", showarrow=True,
            arrowhead=2, arrowsize=1.2, arrowwidth=2 if answer.protected else 3, arrowcolor=ink,
        )  # fmt: skip
        for text, anchor in ((said, "bottom"), (below, "top")):
            builder.add_annotation(x=start + 0.5, y=row, text=text, showarrow=False, yanchor=anchor,
                                   font={"size": 12, "color": style.ink if anchor == "bottom" else ink})  # fmt: skip


def _times(answer: PlannedAnswer) -> str:
    times = "once" if answer.count == 1 else f"{answer.count:,} times"
    share = f",<br>{number_text(100 * answer.sampling_rate, 2)} % of the rows" if answer.sampling_rate < 1 else ""
    return times + share


def _noise_words(answer: PlannedAnswer) -> str:
    if answer.sigma == 0:
        return "no noise"
    size = f"noise {number_text(answer.sigma / answer.sensitivity, 2)} × sensitivity"
    return size if answer.protected else f"{size},<br>which proves nothing"


def _hover(answer: PlannedAnswer) -> str:
    return (
        f"{escape_plotly(answer.name, 60)}<br>σ {number_text(answer.sigma, 3)}, "
        f"sensitivity {number_text(answer.sensitivity, 3)}<br>{_times(replace(answer, sampling_rate=1.0))}"
    )


def flow_sentence(answers: Sequence[PlannedAnswer]) -> str:
    """Say the diagram in words: each answer, how often, and with which noise."""
    said = "; ".join(f"{one.name}, {_times(one)}, {_noise_words(one)}".replace("<br>", " ") for one in answers)
    return f"The data answer {plural(sum(one.count for one in answers), 'time')}: {said}"


def flow_rows(answers: Sequence[PlannedAnswer]) -> pd.DataFrame:
    """The noise plan as a table."""
    return pd.DataFrame(
        {"answer": one.name, "times": one.count, "share of the rows": one.sampling_rate,
         "sensitivity": one.sensitivity, "σ": one.sigma, "protected": one.protected}
        for one in answers
    )  # fmt: skip
