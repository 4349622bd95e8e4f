"""Verdicts on all claims of the papers as one matrix: a column for each exhibit, a mark for each claim."""

from collections.abc import Mapping, Sequence
from html import escape

import pandas as pd
import plotly.graph_objects as go

from dashboard.figures.style import Style, escape_plotly
from dashboard.text.gallery import CHIP_WORDS, NOT_RUN
from dpgep_core.experiments.papers.outcome import MET, MET_AT_RANDOM, NEEDS_CONSTANTS, NEEDS_START, NOT, UNDECIDED

MARKS: Mapping[str, tuple[str, str]] = {  # Plotly's mark, and the same as a letter: a page takes no drawings from us
    MET: ("circle", "●"), NEEDS_CONSTANTS: ("triangle-up", "▲"), NEEDS_START: ("triangle-down", "▼"),
    MET_AT_RANDOM: ("diamond", "◆"), NOT: ("x", "✖"), UNDECIDED: ("circle-open", "○"), NOT_RUN: ("line-ew-open", "–"),
}  # fmt: skip
LOOK = """<style>
.dpgep-claims .mark { font-size: 16px; line-height: 15px; }
.dpgep-claims .legend { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; font-size: .875rem; margin: 0 0 .6rem; }
.dpgep-claims .papers, .dpgep-claims .columns { display: flex; flex-wrap: wrap; align-items: flex-end; }
.dpgep-claims .papers { gap: .8rem 1.5rem; }
.dpgep-claims .columns { row-gap: .5rem; border-bottom: 1px solid currentColor; }
.dpgep-claims .column { flex: 1 0 26px; max-width: 3.5rem; display: flex; flex-direction: column-reverse;
  align-items: center; gap: 1px; font-size: .75rem; }
</style>"""

MARK = 18  # pixels of a claim, so that no mark lies on another, and on a phone just so


def claim_matrix(rows: pd.DataFrame, style: Style) -> go.Figure:
    """A mark for each row of ``rows`` (paper, exhibit, short, claim, verdict), stacked over its exhibit."""
    columns = list(dict.fromkeys(zip(rows["paper"], rows["exhibit"], strict=True)))
    places = {column: number for number, column in enumerate(columns)}
    height = rows.groupby(["paper", "exhibit"], sort=False).cumcount()
    most = max(height.max(), 1)
    builder = style.builder(
        height=126 + round(MARK * (most + 1.2)), margin={"l": 8, "r": 8, "t": 62, "b": 64}, hovermode="closest"
    )
    x = [places[column] for column in zip(rows["paper"], rows["exhibit"], strict=True)]
    marked = rows.assign(x=x, y=height)
    for word, (symbol, _) in MARKS.items():
        mine = marked[marked["verdict"] == word]
        if len(mine):
            builder.add_scatter(
                x=mine["x"], y=mine["y"], mode="markers", name=CHIP_WORDS[word], showlegend=True,
                marker={"symbol": symbol, "size": 11, "color": _colour(word, style), "line": {"width": 2}},
                text=[
                    f"{escape_plotly(one.paper)}, {escape_plotly(one.exhibit)}<br>{escape_plotly(one.claim, 60)}"
                    for one in mine.itertuples()
                ],
                hovertemplate="%{text}<br>" + CHIP_WORDS[word] + "<extra></extra>",
            )  # fmt: skip
    shorts = marked.drop_duplicates("x")
    builder.update_xaxes(
        tickmode="array", tickvals=list(shorts["x"]), ticktext=list(shorts["short"]), showgrid=False,
        zeroline=False,
        range=(-0.7, len(columns) - 0.3), ticks="", tickfont={"size": 11},
    )  # fmt: skip
    builder.update_yaxes(visible=False, range=(-0.6, most + 0.6), fixedrange=True)
    for paper, ends in _spans(list(shorts["paper"])):
        builder.add_annotation(
            x=sum(ends) / 2, y=0, yref="paper", yshift=-50, text=f"<b>{escape_plotly(paper)}</b>", showarrow=False,
            font={"size": 13, "color": style.ink},
        )  # fmt: skip
        if ends[0]:
            builder.add_vline(ends[0] - 0.5, style.level)
    return builder.figure()


def claim_html(rows: pd.DataFrame, style: Style, alt: str) -> str:
    """The matrix for a page: columns that do not fit beside each other on a phone stand under each other."""
    words = [word for word in MARKS if (rows["verdict"] == word).any()]
    legend = "".join(f"<span>{_mark(word, style)} {CHIP_WORDS[word]}</span>" for word in words)
    papers = "".join(_paper_html(str(paper), mine, style) for paper, mine in rows.groupby("paper", sort=False))
    return (
        f'{LOOK}<div class="dpgep-claims" role="img" aria-label="{escape(alt)}"><div class="legend">{legend}</div>'
        f'<div class="papers">{papers}</div></div>'
    )


def _paper_html(paper: str, rows: pd.DataFrame, style: Style) -> str:
    columns = [_column_html(mine, style) for _, mine in rows.groupby("exhibit", sort=False)]
    return (
        f'<div style="flex: {len(columns)} 1 {26 * len(columns)}px"><div class="columns">{"".join(columns)}</div>'
        f"<b>{escape(paper)}</b></div>"
    )


def _column_html(rows: pd.DataFrame, style: Style) -> str:
    """An exhibit: its short name below, a mark for each claim above, named under the mouse."""
    marks = "".join(
        f'<span title="{escape(f"{one.paper}, {one.exhibit}: {one.claim}: {CHIP_WORDS[str(one.verdict)]}")}">'
        f"{_mark(str(one.verdict), style)}</span>"
        for one in rows.itertuples()
    )
    return f'<div class="column"><span>{escape(str(rows["short"].iloc[0]))}</span>{marks}</div>'


def _mark(word: str, style: Style) -> str:
    return f'<span class="mark" style="color: {_colour(word, style)}">{MARKS[word][1]}</span>'


def _colour(word: str, style: Style) -> str:
    if word == MET:
        return style.good
    return style.bad if word == NOT else style.quiet if word in (UNDECIDED, NOT_RUN) else style.algorithm(1)


def _spans(papers: Sequence[str]) -> list[tuple[str, tuple[int, int]]]:
    """First and last column of each paper."""
    return [(one, (papers.index(one), len(papers) - 1 - papers[::-1].index(one))) for one in dict.fromkeys(papers)]
