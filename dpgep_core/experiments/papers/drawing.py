"""Curves of a reproduction as inline SVG: whole with axes and legend for a file, small and bare for a card.

Rates of theorems are straight lines through a value that was measured, here and in the figures of the page.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import count, cycle

from dpgep_core.experiments.papers.exhibit import ExhibitPicture, Guide, ResultLine, grouped
from dpgep_core.experiments.papers.trends import SYMBOLS

# The colours of the page's figures, in their order.
COLOURS = ("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE", "#AA3377", "#EE7733", "#009988", "#999933", "#777777")
USUAL_COLOURS = ("DPSR", "DPRF", "SSP (ours)", "non-private", "random projection")  # in the order of colours
GUIDE_LOOK = 'stroke="#888" stroke-dasharray="1 5" stroke-linecap="round" stroke-width="2.2" fill="none"'
SVG_DASHES = ("", "7 3", "2 3", "9 3 2 3", "10 3 2 3 2 3")
WIDTH, HEIGHT, ACROSS = 460, 320, 2
LEFT, RIGHT, TOP, BELOW = 74, 14, 30, 50  # around a panel
FEW_DECADES = 3  # up to so many, an axis has ticks at 2 and 5 as well
LETTERS = 62  # of a panel's title
SMALL_WIDTH, SMALL_HEIGHT, EDGE, PAD = 320, 150, 8, 6  # of a card's picture, its edge, and the room inside its axes
ROUNDING = 1e-12  # what is smaller is no error of a method: it would press all others together on a logarithmic axis
MANY_FOLD = 1_000  # values that lie so far apart are drawn on logarithmic axes

CurvePoint = tuple[float, float]
Name = tuple[str, ...]
CurvePanels = dict[Name, dict[Name, list[CurvePoint]]]


def curve_looks(curves: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], tuple[int, int]]:
    """Numbers of the colour and the dash of each curve: colour tells the first part of its name, the dash the rest.

    Methods of several figures have the same colour in all of them; others take the colours that are left.
    """
    heads = list(dict.fromkeys(curve[0] for curve in curves))
    alike = {head: [curve for curve in curves if curve[0] == head] for head in heads}
    usual = {head: USUAL_COLOURS.index(head) for head in heads if head in USUAL_COLOURS}
    left = (number for number in count() if number not in usual.values())
    colours = {head: usual[head] if head in usual else next(left) for head in heads}
    return {curve: (colours[curve[0]], alike[curve[0]].index(curve)) for curve in curves}


def svg_of(lines: Sequence[ResultLine], picture: ExhibitPicture, unit: str) -> str:
    """The whole picture; empty where there is nothing to draw."""
    panels = _panels(lines, picture)
    if not panels:
        return ""
    curves = list(dict.fromkeys(curve for panel in panels.values() for curve in panel))
    looks = {curve: _look(*numbers) for curve, numbers in curve_looks(curves).items()}
    guided = {
        tuple(map(str, name)): list(guides_of(own, picture)) for name, own in grouped(lines, picture.panel).items()
    }
    looks |= {(guide.name,): GUIDE_LOOK for some in guided.values() for guide, _ in some}
    rows = math.ceil(len(panels) / ACROSS)
    wide, below = min(len(panels), ACROSS) * WIDTH, 18 * len(looks) + 10
    axis = SYMBOLS.get(picture.x, picture.x)
    drawn = "".join(
        f'<g transform="translate({(i % ACROSS) * WIDTH},{(i // ACROSS) * HEIGHT})">'
        f"{_panel(' · '.join(name), panel, looks, picture, axis, unit, guided.get(name, ()))}</g>"
        for i, (name, panel) in enumerate(panels.items())
    )
    legend = "".join(_entry(i, rows * HEIGHT, curve, look) for i, (curve, look) in enumerate(looks.items()))
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
        if x is not None and y is not None and not (picture.log_y and y < ROUNDING):
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
    guides: Sequence[tuple[Guide, list[CurvePoint]]],
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
    drawn = [(sorted(points), looks[curve], " ".join(curve)) for curve, points in panel.items()]
    drawn += [(ends, GUIDE_LOOK, guide.name) for guide, ends in guides]
    parts += [
        f'<path d="{_path(points, across, up)}" {look}><title>{escape(name)}</title></path>'
        for points, look, name in drawn
    ]
    return "".join(parts)


def _path(points: Sequence[CurvePoint], across: Callable[[float], float], up: Callable[[float], float]) -> str:
    return "M" + "L".join(f"{across(x):.1f} {up(y):.1f}" for x, y in points)


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


def guides_of(lines: Sequence[ResultLine], picture: ExhibitPicture) -> Iterator[tuple[Guide, list[CurvePoint]]]:
    """The guides of a panel with these lines, each with the points of its own from one end of the axis to the other."""
    at = [float(line.labels[picture.x]) for line in lines if line.ours is not None]
    values = [line.ours for line in lines if line.ours is not None and line.ours >= ROUNDING]
    for guide in picture.guides:
        own = [line for line in lines if _is_through(line, guide)]
        if own and len(set(at)) > 1:
            anchor = min(own, key=lambda line: abs(math.log(float(line.labels[picture.x]) / guide.at)))
            x0, y0 = float(anchor.labels[picture.x]), anchor.ours or 0.0
            yield guide, _within(guide.power, (x0, y0), (min(at), max(at)), (min(values), max(values)))


def _is_through(line: ResultLine, guide: Guide) -> bool:
    known = line.ours is not None and line.ours >= ROUNDING
    return known and all(line.labels.get(name) == value for name, value in guide.through)


def _within(
    power: float, anchor: tuple[float, float], across: tuple[float, float], up: tuple[float, float]
) -> list[CurvePoint]:
    """Both ends of a line, cut where it leaves the values."""
    (x0, y0), ends = anchor, list[tuple[float, float]]()
    for x in across:
        y = min(max(y0 * (x / x0) ** power, up[0]), up[1])
        ends.append((x0 * (y / y0) ** (1 / power), y))
    return ends


def thumbnail_svg(lines: Sequence[ResultLine], picture: ExhibitPicture | None) -> str:
    """Draw a small bare picture for a card: the curves of the first panel, or our values up over printed ones across.

    It reads well on light and on dark; empty where there is nothing to draw.
    """
    drawn = _printed_dots(lines) if picture is None else _first_panel(lines, picture)
    if not drawn:
        return ""
    frame = f'<path d="M{EDGE} {EDGE}V{SMALL_HEIGHT - EDGE}H{SMALL_WIDTH - EDGE}" stroke="#888" fill="none"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SMALL_WIDTH} {SMALL_HEIGHT}" width="{SMALL_WIDTH}" '
        f'height="{SMALL_HEIGHT}">{frame}{drawn}</svg>'
    )


def _first_panel(lines: Sequence[ResultLine], picture: ExhibitPicture) -> str:
    panel = next(iter(_panels(lines, picture).values()), {})
    if not panel:
        return ""
    looks = {curve: _look(*numbers) for curve, numbers in curve_looks(list(panel)).items()}
    points = [point for curve in panel.values() for point in curve]
    across = _scale([x for x, _ in points], EDGE + PAD, SMALL_WIDTH - EDGE, log=True)
    up = _scale([y for _, y in points], SMALL_HEIGHT - EDGE - PAD, EDGE, log=picture.log_y)
    return "".join(f'<path d="{_path(sorted(own), across, up)}" {looks[curve]}/>' for curve, own in panel.items())


def _printed_dots(lines: Sequence[ResultLine]) -> str:
    """One dot a printed value, and the line on which ours agrees with it."""
    heads = [str(next(iter(line.labels.values()), "")) for line in lines]
    dots = [(line.published, line.ours, head) for line, head in zip(lines, heads, strict=True)
            if line.published is not None and line.ours is not None]  # fmt: skip
    if not dots:
        return ""
    colours = dict(zip(dict.fromkeys(heads), cycle(COLOURS), strict=False))
    both = [value for dot in dots for value in dot[:2]]
    log = 0 < MANY_FOLD * min(both) < max(both)  # p-values
    across = _scale(both, EDGE + PAD, SMALL_WIDTH - EDGE, log=log)
    up = _scale(both, SMALL_HEIGHT - EDGE - PAD, EDGE, log=log)
    low, high = min(both), max(both)
    agreement = _path([(low, low), (high, high)], across, up)
    return f'<path d="{agreement}" stroke="#888" stroke-dasharray="3 4" fill="none"/>' + "".join(
        f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="3.5" fill-opacity=".7" fill="{colours[head]}"/>'
        for x, y, head in dots
    )
