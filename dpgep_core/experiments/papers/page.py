"""A reproduction as one HTML file that needs nothing else: sentences, a picture, the table."""

from collections.abc import Sequence
from html import escape

from dpgep_core.experiments.papers.bundled_results import MEDIAN_COLUMNS, is_median, label_names
from dpgep_core.experiments.papers.drawing import svg_of
from dpgep_core.experiments.papers.exhibit import Outcome, ResultLine
from dpgep_core.experiments.papers.outcomes import OUTCOME_WORDS
from dpgep_core.experiments.papers.reproduce import Reproduction

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
    """The whole page."""
    exhibit = found.asked.exhibit
    mode = f"What was run: {found.mode}."
    drawn = " The paper only draws these values: orderings and shapes are compared, not digits." * exhibit.drawn
    parts = [
        f"<h1>{escape(exhibit.key)}</h1>",
        f"<p>{escape(exhibit.paper)}: {escape(exhibit.title)}. {escape(mode + drawn)}</p>",
        f"<p><strong>{escape(found.summary)}</strong></p>",
        *(f"<p>{escape(said)}</p>" for said in found.learnt),
        _outcomes(found.outcomes),
        "<h2>What the numbers say</h2>",
        _items(found.verdict),
        f"<p>{found.computed:.0f} s of computation. Repeat it: <code>{escape(found.asked.command)}</code></p>",
        *_section("Computed earlier", [part.said for part in found.earlier]),
        *_section("Left out", [f"{name}: {why}." for name, why in found.missing]),
        *_section("Could not be computed", found.errors),
        svg_of(found.lines, exhibit.picture, exhibit.unit) if exhibit.picture else "",
        f"<h2>Values ({escape(exhibit.unit)})</h2>",
        _table(found.lines),
        *_section("How", exhibit.notes),
    ]
    body = "\n".join(part for part in parts if part)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(exhibit.key)}</title><style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _section(title: str, sentences: Sequence[str]) -> list[str]:
    return [f"<h2>{escape(title)}</h2>", _items(sentences)] if sentences else []


def _outcomes(outcomes: Sequence[Outcome]) -> str:
    """A row for each claim, and what the words mean."""
    if not outcomes:
        return ""
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in (one.subject, one.said, one.why)) + "</tr>"
        for one in outcomes
    )
    meant = "; ".join(
        f"{word}: {meaning}" for word, meaning in OUTCOME_WORDS.items() if any(s.word == word for s in outcomes)
    )
    return (
        '<div class="wide"><table><thead><tr><th scope=col>claim</th><th scope=col>what became of it</th>'
        f"<th scope=col>in numbers</th></tr></thead><tbody>{rows}</tbody></table></div><p>{escape(meant)}.</p>"
    )


def _items(sentences: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>"


def _table(lines: Sequence[ResultLine]) -> str:
    names, more = label_names(lines), MEDIAN_COLUMNS if any(map(is_median, lines)) else ()
    numbers = ("published", "ours", "standard deviation", "runs", *more)
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in names)
    head += "".join(f'<th scope=col class="number">{name}</th>' for name in numbers)
    rows = "".join(_row(line, names, more) for line in lines)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _row(line: ResultLine, names: Sequence[str], more: Sequence[str]) -> str:
    labels = "".join(f"<td>{escape(_text(line.labels.get(name)))}</td>" for name in names)
    values = (line.published, line.ours, line.spread, line.runs, *(getattr(line, name) for name in more))
    return f"<tr>{labels}" + "".join(f'<td class="number">{escape(_text(value))}</td>' for value in values) + "</tr>"


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "–" if value is None else str(value)
