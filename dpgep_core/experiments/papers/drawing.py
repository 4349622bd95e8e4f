"""Curves as inline SVG: panels side by side with axes and ticks, one legend."""

import math
from collections.abc import Callable, Sequence
from html import escape

from dpgep_core.experiments.papers.exhibit import ExhibitPicture, ResultLine
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
    colours = list(dict.fromkeys(curve[0] for curve in curves))
    looks = {curve: _look(curve, curves, colours) for curve in curves}
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


def _look(curve: Name, curves: Sequence[Name], colours: Sequence[str]) -> str:
    alike = [other for other in curves if other[0] == curve[0]]
    colour = COLOURS[colours.index(curve[0]) % len(COLOURS)]
    dash = SVG_DASHES[alike.index(curve) % len(SVG_DASHES)]
    return f'stroke="{colour}" stroke-dasharray="{dash}" stroke-width="1.8" fill="none"'


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
