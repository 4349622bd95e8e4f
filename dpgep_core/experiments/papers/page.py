"""Reproductions as HTML that needs nothing else: a page for each, with curves as inline SVG, and a report of all."""

from collections.abc import Mapping, Sequence
from html import escape

from dpgep_core.experiments.papers.bundled_results import MEDIAN_COLUMNS, is_median, label_names
from dpgep_core.experiments.papers.cell_verdicts import cell_verdicts, count_verdicts
from dpgep_core.experiments.papers.data import absent
from dpgep_core.experiments.papers.drawing import svg_of
from dpgep_core.experiments.papers.exhibit import Exhibit, ResultLine
from dpgep_core.experiments.papers.outcome import OUTCOME_WORDS, WHEN_MET, Outcome
from dpgep_core.experiments.papers.reproduce import Reproduction
from dpgep_core.experiments.papers.uncovered import uncovered
from dpgep_core.release import VERSION

HtmlCell = tuple[str, str]  # text, and the attributes of its cell
NUMBER_CELL = ' class="number"'
TITLE = "The papers, reproduced"
BREAKS = "<style>@media print { h1 { break-before: page } details { display: none } }</style>"
STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid #8886; text-align: left; }
td.number, th.number { text-align: right; }
.wide { overflow-x: auto; }
svg { max-width: 100%; height: auto; }
"""


def as_html(found: Reproduction) -> str:
    """The whole page of an exhibit."""
    return whole_page(found.asked.exhibit.key, exhibit_parts(found))


def exhibit_parts(found: Reproduction, *, values: bool = True) -> list[str]:
    """Parts of an exhibit's page; without ``values`` the table of every value is left out."""
    exhibit = found.asked.exhibit
    mode = f"What was run: {found.mode}."
    drawn = " The paper only draws these values: orderings and shapes are compared, not digits." * exhibit.drawn
    return [
        f'<h1 id="{escape(exhibit.key)}">{escape(exhibit.key)}</h1>',
        f"<p>{escape(exhibit.paper)}: {escape(exhibit.title)}. {escape(mode + drawn)}</p>",
        f"<p><strong>{escape(found.summary)}</strong></p>",
        f"<p>Held fixed: {escape(exhibit.fixed)}.</p>",
        *(f"<p>{escape(said)}</p>" for said in (uncovered(found.lines), *found.learnt) if said),
        _outcomes(found.outcomes),
        _cells(found),
        "<h2>What the numbers say</h2>",
        _items(found.verdict),
        f"<p>{found.computed:.0f} s of computation. Repeat it: "
        f"{', '.join(f'<code>{escape(command)}</code>' for command in found.commands)}</p>",
        *_section("Why not all of it", why_partial(found)),
        *_section("Left out", [f"{name}: {why}." for name, why in found.missing]),
        *_section("Could not be computed", found.errors),
        svg_of(found.lines, exhibit.picture, exhibit.unit) if exhibit.picture else "",
        *([f"<h2>Values ({escape(exhibit.unit)})</h2>", _table(found.lines)] if values else []),
        *_section("How", exhibit.notes),
    ]


def why_partial(found: Reproduction) -> list[str]:
    """Reason for a part of an exhibit, as a sentence; none where nothing is missing."""
    left = found.asked.exhibit.left
    return [f"{left[0].upper()}{left[1:]}."] if left and found.mode != "full" else []


def whole_page(title: str, parts: Sequence[str]) -> str:
    """A page of these parts that needs nothing else."""
    body = "\n".join(part for part in parts if part)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _section(title: str, sentences: Sequence[str]) -> list[str]:
    return [f"<h2>{escape(title)}</h2>", _items(sentences)] if sentences else []


def _outcomes(outcomes: Sequence[Outcome]) -> str:
    """A row for each claim, and what the words mean."""
    if not outcomes:
        return ""
    rows = [_texts(one.subject, one.said, one.why) for one in outcomes]
    meant = "; ".join(
        f"{word}: {meaning}" for word, meaning in OUTCOME_WORDS.items() if any(s.word == word for s in outcomes)
    )
    heads = _texts("claim", "what became of it", "in numbers")
    return f"{html_table(heads, rows)}<p>{escape(meant)}.</p>"


def _cells(found: Reproduction) -> str:
    """A row for each cell and claim, folded, under their counts."""
    verdicts = cell_verdicts(found.asked.exhibit, found.lines)
    if not verdicts:
        return ""
    names = found.asked.exhibit.cell
    rows = [
        _texts(*(_text(one.cell[name]) for name in names), one.outcome.subject, one.outcome.said, one.outcome.why)
        for one in verdicts
    ]
    heads = _texts(*names, "claim", "what became of it", "in numbers")
    counted = "".join(f"<p>{escape(said)}.</p>" for said in count_verdicts(verdicts))
    table = html_table(heads, rows)
    return f"<h2>Cell by cell</h2>{counted}<details><summary>Verdict of each cell</summary>{table}</details>"


def _items(sentences: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>"


def _table(lines: Sequence[ResultLine]) -> str:
    names, more = label_names(lines), MEDIAN_COLUMNS if any(map(is_median, lines)) else ()
    numbers = ("published", "ours", "standard deviation", "runs", *more)
    heads = [*_texts(*names), *((name, NUMBER_CELL) for name in numbers)]
    rows: list[list[HtmlCell]] = []
    for line in lines:
        values = (line.published, line.ours, line.spread, line.runs, *(getattr(line, name) for name in more))
        labels = _texts(*(_text(line.labels.get(name)) for name in names))
        rows.append([*labels, *((_text(value), NUMBER_CELL) for value in values)])
    return html_table(heads, rows)


def _texts(*texts: str) -> list[HtmlCell]:
    return [(text, "") for text in texts]


def html_table(heads: Sequence[HtmlCell], rows: Sequence[Sequence[HtmlCell]]) -> str:
    """A table that scrolls sideways where it is too wide."""
    head = "".join(f"<th scope=col{kind}>{escape(text)}</th>" for text, kind in heads)
    body = "".join("<tr>" + "".join(f"<td{kind}>{escape(text)}</td>" for text, kind in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "–" if value is None else str(value)


def as_report(found: Sequence[Reproduction], exhibits: Mapping[str, Exhibit]) -> str:
    """One HTML page that needs nothing else."""
    computed = sum(one.computed for one in found)
    parts = [
        BREAKS,
        f"<h1>{TITLE}</h1>",
        f"<p>{len(found)} of {len(exhibits)} exhibits, {computed:,.0f} s of computation, version {VERSION}. "
        "Published values stand beside ours; words are chosen by the numbers.</p>",
        _items([*(f"{word}: {said}" for word, said in OUTCOME_WORDS.items()), WHEN_MET]),
        "<h2>What became of each claim</h2>",
        _summary(found),
        "<h2>What was not run</h2>",
        _items(not_run(found, exhibits)),
        *(part for one in found for part in exhibit_parts(one, values=one.asked.exhibit.grid is not None)),
    ]
    return whole_page(TITLE, parts)


def _summary(found: Sequence[Reproduction]) -> str:
    heads = _texts("exhibit", "how much of it", "what became of its claims", "cell by cell")
    rows = [_texts(one.asked.exhibit.key, one.mode, one.summary, "; ".join(cells_in_words(one))) for one in found]
    return html_table(heads, rows)


def cells_in_words(found: Reproduction) -> list[str]:
    """Counts of the verdicts on an exhibit's cells."""
    return count_verdicts(cell_verdicts(found.asked.exhibit, found.lines))


def not_run(found: Sequence[Reproduction], exhibits: Mapping[str, Exhibit]) -> list[str]:
    """Sentences on exhibits without a result, on parts that are missing, and on data sets that are not here."""
    there = {one.asked.exhibit.key for one in found}
    said = [f"{key} ({', '.join(one.data)}): not run; {one.left}" for key, one in exhibits.items() if key not in there]
    said += [f"{one.asked.exhibit.key}: {one.mode}; {one.asked.exhibit.left}" for one in found if one.mode != "full"]
    missing = absent(name for exhibit in exhibits.values() for name in exhibit.data)
    return said + [f"{name}: {why}" for name, why in missing.items()]


def markdown_tables(found: Sequence[Reproduction], results: str) -> str:
    """The two tables of docs/reproduction.md, which links the CSV files in the folder ``results``."""
    run = [
        "| exhibit | how much of it | command | data | runs behind a value | computation |",
        "|---|---|---|---|---|---|",
    ]
    out = ["| exhibit | what became of its claims |", "|---|---|"]
    for one in found:
        key = one.asked.exhibit.key
        data = ", ".join(dict.fromkeys(str(line.labels["data"]) for line in one.lines))
        commands = "<br>".join(f"`{command}`" for command in one.commands)
        runs = max((line.runs for line in one.lines), default=0)
        run.append(
            f"| [{key}]({results}/{key}.csv) | {one.mode} | {commands} | {data} | {runs} | {one.computed:,.0f} s |"
        )
        out.append(f"| `{key}` | {one.summary} |")
        out += [f"| | {said} |" for said in cells_in_words(one)]
    return "\n".join([*run, "", *out]) + "\n"
