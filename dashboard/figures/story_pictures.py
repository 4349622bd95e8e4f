"""Small bare pictures in SVG for the cards of the stories, in colours that read on light and on dark."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from dashboard.figures.style import ALGORITHM_COLOURS, CLASS_COLOURS, DIVERGING
from dpgep_core.privacy.query import Array

WIDTH, HEIGHT, EDGE = 240.0, 100.0, 8.0
GREY, BLUE, RED = "#888888", ALGORITHM_COLOURS[0], ALGORITHM_COLOURS[1]


def tiles_svg(images: Sequence[Array], across: int) -> str:
    """Images of one shape in rows of so many, blue below zero and orange above, each scaled to its largest entry."""
    rows = -(-len(images) // across)
    side = min((WIDTH - EDGE) / across, (HEIGHT - EDGE) / rows)
    left, top = (WIDTH - side * across) / 2, (HEIGHT - side * rows) / 2
    parts = []
    for place, image in enumerate(images):
        dot = 0.92 * side / max(image.shape)
        x0, y0 = left + place % across * side, top + place // across * side
        scaled = image / (float(np.abs(image).max()) or 1.0)
        parts += [
            f'<rect x="{x0 + j * dot:.1f}" y="{y0 + i * dot:.1f}" width="{dot:.2f}" height="{dot:.2f}" '
            f'fill="{DIVERGING[0] if value < 0 else DIVERGING[-1]}" fill-opacity="{abs(value):.2f}"/>'
            for (i, j), value in np.ndenumerate(scaled)
            if abs(value) >= 0.05
        ]
    return _svg(parts)


def bars_svg(values: Sequence[float]) -> str:
    """Bars that stand side by side, the highest as high as the picture."""
    wide = (WIDTH - 2 * EDGE) / len(values)
    most = max(values) or 1.0
    highs = [(HEIGHT - 2 * EDGE) * value / most for value in values]
    return _svg(
        f'<rect x="{EDGE + (place + 0.1) * wide:.1f}" y="{HEIGHT - EDGE - high:.1f}" width="{0.8 * wide:.1f}" '
        f'height="{max(high, 1.0):.1f}" fill="{BLUE}"/>'
        for place, high in enumerate(highs)
    )


def line_svg(values: Sequence[float]) -> str:
    """A line from left to right through values between 0 and 1, and the level 1."""
    across = np.linspace(EDGE, WIDTH - EDGE, len(values))
    up = [HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * value for value in values]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(across, up, strict=True))
    return _svg(
        [
            f'<path d="M{EDGE} {EDGE}H{WIDTH - EDGE}" stroke="{GREY}" stroke-dasharray="3 4" fill="none"/>',
            f'<path d="M{EDGE} {EDGE}V{HEIGHT - EDGE}H{WIDTH - EDGE}" stroke="{GREY}" fill="none"/>',
            f'<path d="M{path}" stroke="{BLUE}" stroke-width="2.5" fill="none"/>',
        ]
    )


def dots_svg(points: Array, labels: NDArray[np.intp] | None) -> str:
    """Rows on two components, (m, 2), in the colours of their classes; those beyond 99 % are at the rim."""
    codes = np.zeros(len(points), dtype=np.intp) if labels is None else labels
    low, high = np.percentile(points, (1, 99), axis=0)
    placed = np.clip((points - low) / np.where(high > low, high - low, 1.0), 0, 1)
    return _svg(
        f'<circle cx="{EDGE + x * (WIDTH - 2 * EDGE):.1f}" cy="{HEIGHT - EDGE - y * (HEIGHT - 2 * EDGE):.1f}" r="2" '
        f'fill="{CLASS_COLOURS[code % len(CLASS_COLOURS)]}"/>'
        for (x, y), code in zip(placed, codes, strict=True)
    )


def arrows_svg(protected: Sequence[bool]) -> str:
    """One arrow for each answer that leaves the data: blue with noise, orange without."""
    step = HEIGHT / len(protected)
    parts = [f'<path d="M{x} {EDGE}V{HEIGHT - EDGE}" stroke="{GREY}" fill="none"/>' for x in (40, 200)]
    for place, noisy in enumerate(protected):
        y, colour = (place + 0.5) * step, BLUE if noisy else RED
        parts.append(f'<path d="M46 {y:.1f}H186" stroke="{colour}" stroke-width="{2 if noisy else 4}" fill="none"/>')
        parts.append(f'<path d="M184 {y - 6:.1f}L196 {y:.1f}L184 {y + 6:.1f}Z" fill="{colour}"/>')
    return _svg(parts)


def shares_svg(shares: Sequence[float]) -> str:
    """One bar over the whole width: what is spent, part by part, in colours, and the rest as an empty frame."""
    whole, top, high = WIDTH - 2 * EDGE, HEIGHT / 2 - 18, 36
    frame = f'<rect x="{EDGE}" y="{top}" width="{whole}" height="{high}" fill="none" stroke="{GREY}" stroke-width="2"/>'
    parts: list[str] = []
    left = EDGE
    for share, colour in zip(shares, ALGORITHM_COLOURS, strict=False):
        parts.append(f'<rect x="{left:.1f}" y="{top}" width="{whole * share:.1f}" height="{high}" fill="{colour}"/>')
        left += whole * share
    return _svg([*parts, frame])


def _svg(parts: Iterable[str]) -> str:
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'
