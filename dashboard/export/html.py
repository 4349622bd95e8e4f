"""Pages that stand alone: one HTML file, Plotly inside, nothing fetched from anywhere."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd
from markdown_it import MarkdownIt
from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs

from dashboard.export.figure_spec import PAPER, FigureSpec, dressed, without_buttons
from dpgep_core.wording import number_text

EXTRA = 60  # pixels of a narrow printed figure beside its square: legend and axis titles
BETWEEN = 16  # pixels between two figures of a printed row
MOST_ROWS = 500  # of a table on a page: the CSV has all
POLICY = (  # whatever a name in a file contains, the page asks nobody for anything
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
)


@dataclass(frozen=True, slots=True)
class Code:
    """Text of a program or a command, as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """Markdown in a box."""

    text: str


@dataclass(frozen=True, slots=True)
class Paper:
    """HTML of this program as it is: a page within the page. Whoever makes it escapes every name."""

    html: str


@dataclass(frozen=True, eq=False, slots=True)
class Fold:
    """Blocks behind a line of plain text, shown when it is pressed."""

    title: str
    blocks: tuple["Block", ...]


@dataclass(frozen=True, eq=False, slots=True)
class Row:
    """Narrow figures in one row, each under its title."""

    specs: tuple[FigureSpec, ...]


Block = str | Row | Code | Note | Paper | Fold | FigureSpec | pd.DataFrame


def html_page(title: str, blocks: Iterable[Block], *, dark: bool = False, width: int | None = None) -> str:
    """One self-contained HTML file, which asks for nothing from the network: its own policy forbids it to.

    Parameters
    ----------
    title : str
        Plain text; the page's heading too.
    blocks : iterable
        A str is Markdown (tags in it are shown as they are, pictures are left out; escape names from files with
        ``words.escape_markdown``). `Note`, `Code` and `Fold` say what they are, a DataFrame is a table, a
        `FigureSpec` a figure with its caption, its table, and buttons that save it as PNG and SVG in a browser.
    dark : bool
        Light is the default: reports are printed.
    width : int, optional
        A fixed width of the figures in pixels; else they follow the window.
    """
    body = "\n".join(_block_html(block, dark, width) for block in blocks)
    script = f"<script>{get_plotlyjs()}</script>" if 'class="plot"' in body else ""
    name, own = escape(title), _asset("page.js") if script else ""
    return (
        f'<!DOCTYPE html>\n<html lang="en"{" class=dark" if dark else ""}><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{name}</title>\n'
        f"<style>{_asset('page.css')}</style>\n{script}</head>\n"
        f"<body><main><h1>{name}</h1>\n{body}\n</main><script>{own}</script></body></html>\n"
    )


def figure_html(spec: FigureSpec, *, dark: bool = False) -> str:
    """One figure as a page of its own."""
    return html_page(spec.title or spec.alt, [spec], dark=dark)


def table_html(frame: pd.DataFrame) -> str:
    """HTML of a table with every text escaped. A long table is cut, with a sentence that says so."""
    names = "".join(f"<th>{escape(str(name))}</th>" for name in frame.columns)
    rows = "\n".join(
        "<tr>" + "".join(map(_cell_html, row)) + "</tr>"
        for row in frame.head(MOST_ROWS).itertuples(index=False, name=None)
    )
    rest = len(frame) - MOST_ROWS
    cut = f"<p class=small>{rest:,} more rows are in the CSV.</p>" if rest > 0 else ""
    return f'<div class="wide"><table><thead><tr>{names}</tr></thead><tbody>\n{rows}\n</tbody></table></div>{cut}'


def markdown_html(text: str) -> str:
    """Markdown without tags, pictures or tricks."""
    return str(_markdown().render(text))


def _block_html(block: Block, dark: bool, width: int | None) -> str:
    match block:
        case str():
            return markdown_html(block)
        case Code():
            return f"<pre><code>{escape(block.text)}</code></pre>"
        case Note():
            return f'<div class="note">{markdown_html(block.text)}</div>'
        case Paper():
            return block.html
        case Fold():
            inside = "\n".join(_block_html(each, dark, width) for each in block.blocks)
            return f"<details><summary>{escape(block.title)}</summary>{inside}</details>"
        case FigureSpec():
            return "".join(_figure_html(block, dark, width))
        case Row():
            narrow = None if width is None else (width - BETWEEN) // 2
            inside = (
                f"<h3>{escape(spec.title)}</h3>" + "".join(_figure_html(spec, dark, narrow)) for spec in block.specs
            )
            return f'<div class="row">{"".join(f"<section>{each}</section>" for each in inside)}</div>'
        case _:
            return table_html(block)


def _figure_html(spec: FigureSpec, dark: bool, width: int | None) -> Iterator[str]:
    figure = spec.figure(dark=dark)
    figure.update_layout(paper_bgcolor=PAPER[dark], plot_bgcolor=PAPER[dark], width=width)
    if width is not None:  # it is for print
        without_buttons(figure)
        figure.update_layout(height=figure.layout.height and min(figure.layout.height, width + EXTRA))
    height, still = int(figure.layout.height or 340), dressed(spec, dark=dark)
    yield f'<figure><div class="plot" role="img" aria-label="{escape(spec.alt)}" style="min-height:{height}px" '
    yield f'data-name="{escape(spec.name)}"></div>'
    yield f'<script type="application/json">{{"figure": {_json(figure)}, "still": {_json(still.layout)}}}</script>'
    yield '<p class="buttons"><button data-kind="png">PNG</button> <button data-kind="svg">SVG</button></p>'
    yield f"<figcaption>{escape(spec.caption)}</figcaption>"
    if spec.rows is not None and len(spec.rows):
        yield f"<details><summary>The numbers behind it</summary>{table_html(spec.rows)}</details>"
    yield "</figure>"


def _cell_html(value: object) -> str:
    if isinstance(value, bool | np.bool_):
        return f"<td>{value}</td>"
    if isinstance(value, float | np.floating):
        return f'<td class="n">{number_text(float(value), 6)}</td>'
    if isinstance(value, int | np.integer):
        return f'<td class="n">{value}</td>'
    return f"<td>{escape('' if value is None else str(value))}</td>"


def _json(part: Any) -> str:
    """JSON that no tag in it can end."""
    text = str(to_json_plotly(part))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


@cache
def _asset(name: str) -> str:
    return (files("dashboard.export") / name).read_text(encoding="utf-8")
