"""Curves as inline SVG: small panels side by side, one legend."""

import math
from collections.abc import Callable, Sequence
from html import escape

from dpgep_core.experiments.papers.exhibit import Line, Picture

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f")
DASHES = ("", "7 3", "2 3", "9 3 2 3")
WIDTH, HEIGHT, MARGIN, ACROSS = 300, 220, 46, 3

Point = tuple[float, float]
Name = tuple[str, ...]
Panels = dict[Name, dict[Name, list[Point]]]


def drawing(lines: Sequence[Line], picture: Picture, unit: str) -> str:
    """The whole picture; empty where there is nothing to draw."""
    panels: Panels = {}
    for line in lines:
        x, y = line.labels.get(picture.x), line.ours
        if x is not None and y is not None and not (picture.log_y and y <= 0):
            panel, curve = (
                tuple(str(line.labels.get(name)) for name in names) for names in (picture.panel, picture.curve)
            )
            panels.setdefault(panel, {}).setdefault(curve, []).append((float(x), y))
    if not panels:
        return ""
    curves = list(dict.fromkeys(curve for panel in panels.values() for curve in panel))
    colours = list(dict.fromkeys(curve[0] for curve in curves))
    looks = {curve: _look(curve, curves, colours) for curve in curves}
    rows = math.ceil(len(panels) / ACROSS)
    across, below = min(len(panels), ACROSS), 18 * len(curves) + 10
    drawn = "".join(
        f'<g transform="translate({(i % ACROSS) * WIDTH},{(i // ACROSS) * HEIGHT})">'
        f"{_panel(' · '.join(name), panel, looks, picture)}</g>"
        for i, (name, panel) in enumerate(panels.items())
    )
    legend = "".join(_entry(i, rows * HEIGHT, curve, looks[curve]) for i, curve in enumerate(curves))
    what = escape(f"{unit} against {picture.x}")
    return (
        f'<h2>{what}</h2><svg role="img" aria-label="{what}; the table below has every value" fill="currentColor" '
        f'viewBox="0 0 {max(across * WIDTH, 420)} {rows * HEIGHT + below}" width="{max(across * WIDTH, 420)}" '
        f'font-family="system-ui, sans-serif" font-size="11">{drawn}{legend}</svg>'
    )


def _look(curve: Name, curves: Sequence[Name], colours: Sequence[str]) -> str:
    alike = [other for other in curves if other[0] == curve[0]]
    colour = COLOURS[colours.index(curve[0]) % len(COLOURS)]
    dash = DASHES[alike.index(curve) % len(DASHES)]
    return f'stroke="{colour}" stroke-dasharray="{dash}" stroke-width="1.8" fill="none"'


def _panel(title: str, panel: dict[Name, list[Point]], looks: dict[Name, str], picture: Picture) -> str:
    xs = [x for points in panel.values() for x, _ in points]
    ys = [y for points in panel.values() for _, y in points]
    across = _scale(xs, MARGIN, WIDTH - 14, log=True)
    up = _scale(ys, HEIGHT - 34, 24, log=picture.log_y)
    parts = [f'<text x="{MARGIN}" y="14" font-weight="600">{escape(title)}</text>']
    parts += [
        f'<text x="{across(x):.1f}" y="{HEIGHT - 16}" text-anchor="middle">{x:.3g}</text>' for x in {min(xs), max(xs)}
    ]
    for y in sorted({min(ys), max(ys)}):
        parts.append(f'<text x="{MARGIN - 5}" y="{up(y) + 4:.1f}" text-anchor="end">{y:.3g}</text>')
        parts.append(f'<path d="M{MARGIN} {up(y):.1f}H{WIDTH - 14}" stroke="#8886" fill="none"/>')
    for curve, points in panel.items():
        path = "L".join(f"{across(x):.1f} {up(y):.1f}" for x, y in sorted(points))
        parts.append(f'<path d="M{path}" {looks[curve]}><title>{escape(" ".join(curve))}</title></path>')
    return "".join(parts)


def _scale(values: Sequence[float], start: float, end: float, *, log: bool) -> Callable[[float], float]:
    def of(value: float) -> float:
        return math.log(value) if log else value

    low, high = of(min(values)), of(max(values))
    width = (high - low) or 1.0
    return lambda value: start + (of(value) - low) / width * (end - start)


def _entry(i: int, top: float, curve: Name, look: str) -> str:
    y = top + 18 * i + 8
    name = ", ".join(word for word in curve if word != "none")
    return f'<path d="M{MARGIN} {y}h28" {look}/><text x="{MARGIN + 36}" y="{y + 4}">{escape(name)}</text>'
