"""A reproduction as one HTML file that needs nothing else: sentences, the curves as inline SVG, the table."""

import math
from collections.abc import Callable, Sequence
from html import escape

from dpgep_core.experiments.papers.bundled_results import MEDIAN_COLUMNS, is_median, label_names
from dpgep_core.experiments.papers.exhibit import OUTCOME_WORDS, ExhibitPicture, Outcome, ResultLine, curve_looks
from dpgep_core.experiments.papers.reproduce import Reproduction
from dpgep_core.experiments.papers.trends import SYMBOLS

# The colours of the page's figures, in their order.
COLOURS = ("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377", "#EE7733", "#009988", "#999933", "#777777")
SVG_DASHES = ("", "7 3", "2 3", "9 3 2 3", "14 4")
WIDTH, HEIGHT, ACROSS = 460, 320, 2
LEFT, RIGHT, TOP, BELOW = 74, 14, 30, 50  # around a panel
FEW_DECADES = 3  # up to so many, an axis has ticks at 2 and 5 as well
LETTERS = 62  # of a panel's title

CurvePoint = tuple[float, float]
Name = tuple[str, ...]
CurvePanels = dict[Name, dict[Name, list[CurvePoint]]]


def svg_of(lines: Sequence[ResultLine], picture: ExhibitPicture, unit: str) -> str:
    """The whole picture; empty where there is nothing to draw."""
    panels = _panels(lines, picture)
    if not panels:
        return ""
    curves = list(dict.fromkeys(curve for panel in panels.values() for curve in panel))
    looks = {curve: _look(*numbers) for curve, numbers in curve_looks(curves).items()}
    rows = math.ceil(len(panels) / ACROSS)
    wide, below = min(len(panels), ACROSS) * WIDTH, 18 * len(curves) + 10
    axis = SYMBOLS.get(picture.x, picture.x)
    drawn = "".join(
        f'<g transform="translate({(i % ACROSS) * WIDTH},{(i // ACROSS) * HEIGHT})">'
        f"{_panel(' · '.join(name), panel, looks, picture, axis, unit)}</g>"
        for i, (name, panel) in enumerate(panels.items())
    )
    legend = "".join(_entry(i, rows * HEIGHT, curve, looks[curve]) for i, curve in enumerate(curves))
    what = escape(f"{unit} against {axis}")
    return (
        f'<h2>{what}</h2><svg role="img" aria-label="{what}; the table below has every value" fill="currentColor" '
        f'viewBox="0 0 {wide} {rows * HEIGHT + below}" width="{wide}" '
        f'font-family="system-ui, sans-serif" font-size="11">{drawn}{legend}</svg>'
    )


def _panels(lines: Sequence[ResultLine], picture: ExhibitPicture) -> CurvePanels:
    panels: CurvePanels = {}
    for line in lines:
        x, y = line.labels.get(picture.x), line.ours
        if x is not None and y is not None and not (picture.log_y and y <= 0):
            panel, curve = (
                tuple(str(line.labels.get(name)) for name in names) for names in (picture.panel, picture.curve)
            )
            panels.setdefault(panel, {}).setdefault(curve, []).append((float(x), y))
    return panels


def _look(colour: int, dash: int) -> str:
    stroke, dashes = COLOURS[colour % len(COLOURS)], SVG_DASHES[dash % len(SVG_DASHES)]
    return f'stroke="{stroke}" stroke-dasharray="{dashes}" stroke-width="1.8" fill="none"'


def _panel(
    title: str,
    panel: dict[Name, list[CurvePoint]],
    looks: dict[Name, str],
    picture: ExhibitPicture,
    axis: str,
    unit: str,
) -> str:
    xs = [x for points in panel.values() for x, _ in points]
    ys = [y for points in panel.values() for _, y in points]
    across = _scale(xs, LEFT, WIDTH - RIGHT, log=True)
    up = _scale(ys, HEIGHT - BELOW, TOP, log=picture.log_y)
    parts = [f'<text x="{LEFT}" y="16" font-weight="600">{escape(title[:LETTERS])}</text>']
    parts += [_tick_below(across(x), x) for x in axis_ticks(min(xs), max(xs), log=True)]
    parts += [_tick_left(up(y), y) for y in axis_ticks(min(ys), max(ys), log=picture.log_y)]
    middle = (TOP + HEIGHT - BELOW) / 2
    parts += [
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 14}" text-anchor="middle">{escape(axis)}</text>',
        f'<text transform="translate(14,{middle}) rotate(-90)" text-anchor="middle">{escape(unit)}</text>',
    ]
    for curve, points in panel.items():
        path = "L".join(f"{across(x):.1f} {up(y):.1f}" for x, y in sorted(points))
        parts.append(f'<path d="M{path}" {looks[curve]}><title>{escape(" ".join(curve))}</title></path>')
    return "".join(parts)


def _tick_below(at: float, value: float) -> str:
    bottom = HEIGHT - BELOW
    return (
        f'<path d="M{at:.1f} {TOP}V{bottom + 4}" stroke="#8884" fill="none"/>'
        f'<text x="{at:.1f}" y="{bottom + 17}" text-anchor="middle">{value:.3g}</text>'
    )


def _tick_left(at: float, value: float) -> str:
    return (
        f'<path d="M{LEFT - 4} {at:.1f}H{WIDTH - RIGHT}" stroke="#8884" fill="none"/>'
        f'<text x="{LEFT - 7}" y="{at + 4:.1f}" text-anchor="end">{value:.3g}</text>'
    )


def axis_ticks(low: float, high: float, *, log: bool) -> list[float]:
    """Round numbers from ``low`` to ``high``; both ends where there are fewer than two of them."""
    found = _decades(low, high) if log else _even(low, high)
    inside = [tick for tick in found if low * (1 - 1e-9) <= tick <= high * (1 + 1e-9)] if log else found
    return inside if len(inside) > 1 else sorted({low, high})


def _decades(low: float, high: float) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    marks = (1, 2, 5) if last - first <= FEW_DECADES else (1,)
    return [mark * 10.0**power for power in range(first, last + 1) for mark in marks]


def _even(low: float, high: float) -> list[float]:
    size = 10.0 ** math.floor(math.log10((high - low) / 4)) if high > low else 1.0
    step = next(size * mark for mark in (1, 2, 5, 10) if (high - low) / (size * mark) <= 6)
    return [step * i for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _scale(values: Sequence[float], start: float, end: float, *, log: bool) -> Callable[[float], float]:
    def of(value: float) -> float:
        return math.log(value) if log else value

    low, high = of(min(values)), of(max(values))
    width = (high - low) or 1.0
    return lambda value: start + (of(value) - low) / width * (end - start)


def _entry(i: int, top: float, curve: Name, look: str) -> str:
    y = top + 18 * i + 8
    name = ", ".join(word for word in curve if word != "none")
    return f'<path d="M{LEFT} {y}h28" {look}/><text x="{LEFT + 36}" y="{y + 4}">{escape(name)}</text>'


HtmlCell = tuple[str, str]  # text, and the attributes of its cell
NUMBER_CELL = ' class="number"'
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
    rows = [[(text, "") for text in (one.subject, one.said, one.why)] for one in outcomes]
    meant = "; ".join(
        f"{word}: {meaning}" for word, meaning in OUTCOME_WORDS.items() if any(s.word == word for s in outcomes)
    )
    heads = [(text, "") for text in ("claim", "what became of it", "in numbers")]
    return f"{_html_table(heads, rows)}<p>{escape(meant)}.</p>"


def _items(sentences: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>"


def _table(lines: Sequence[ResultLine]) -> str:
    names, more = label_names(lines), MEDIAN_COLUMNS if any(map(is_median, lines)) else ()
    numbers = ("published", "ours", "standard deviation", "runs", *more)
    heads = [(name, "") for name in names] + [(name, NUMBER_CELL) for name in numbers]
    rows: list[list[HtmlCell]] = []
    for line in lines:
        values = (line.published, line.ours, line.spread, line.runs, *(getattr(line, name) for name in more))
        labels = [(_text(line.labels.get(name)), "") for name in names]
        rows.append([*labels, *((_text(value), NUMBER_CELL) for value in values)])
    return _html_table(heads, rows)


def _html_table(heads: Sequence[HtmlCell], rows: Sequence[Sequence[HtmlCell]]) -> str:
    head = "".join(f"<th scope=col{kind}>{escape(text)}</th>" for text, kind in heads)
    body = "".join("<tr>" + "".join(f"<td{kind}>{escape(text)}</td>" for text, kind in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "–" if value is None else str(value)
