"""The table and the figure of docs/performance.md, written from the measured figures."""

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dpgep_core.errors import DataError

ROOT = Path(__file__).parents[1]
PAGE, FIGURE = ROOT / "docs" / "performance.md", ROOT / "docs" / "images" / "performance.svg"
TABLE = re.compile(r"(<!-- table -->\n).*?(<!-- end of table -->)", re.DOTALL)
Row = dict[str, Any]
LEFT, WIDTH, HEIGHT, LINE = 150, 560, 14, 22  # of the figure, in pixels
LEAST, MOST = 0.25, 256.0  # ends of its axis
BEFORE, NOW = "#b0b7c3", "#0072b2"


def write(kept: Path, now: Sequence[Row], before: Sequence[Row] | None = None) -> None:
    """Keep the figures beside those of the version before, and write the page and its picture."""
    if not PAGE.exists():
        raise DataError("bench", f"{PAGE.name} is not there", "--write works in a checkout")
    whole = json.loads(kept.read_text("utf-8")) if kept.exists() else {"before": list(now)}
    whole["now"] = list(now)
    if before is not None:
        whole["before"] = list(before)
    kept.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    rows = table(whole["before"], whole["now"])
    PAGE.write_text(TABLE.sub(lambda found: found[1] + rows + found[2], PAGE.read_text("utf-8")), encoding="utf-8")
    FIGURE.write_text(picture(whole["before"], whole["now"]), encoding="utf-8")


def table(before: Sequence[Row], now: Sequence[Row]) -> str:
    """Markdown rows."""
    old = {one["name"]: one for one in before}
    lines = [
        "| figure | before | now | target | ours | other | noise | cosine, ours / other | the other |",
        "|---|---:|---:|---:|---:|---:|---:|---|---|",
    ]
    for one in now:
        cosines = "" if one["cosine_ours"] is None else f"{one['cosine_ours']:.3f} / {one['cosine_other']:.3f}"
        cells = [
            one["name"], number(old.get(one["name"], {}).get("ratio")), number(one["ratio"]), number(one["target"]),
            timed(one["ours"], one["unit"]), timed(one["other"], one["unit"]),
            "" if one["noise"] is None else f"{100 * one['noise']:.0f} %", cosines, one["note"],
        ]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def number(ratio: float | None) -> str:
    """A ratio with two digits or three."""
    if ratio is None:
        return ""
    return f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.3g}" if ratio >= 10 else f"{ratio:.2g}"


def timed(value: float | None, unit: str) -> str:
    """A time with its unit."""
    return "" if value is None else f"{value:,.4g} {unit}" if value < 1000 else f"{value:,.0f} {unit}"


def picture(before: Sequence[Row], now: Sequence[Row]) -> str:
    """SVG: two bars for each figure on a logarithmic axis of the ratio, with the target as a tick."""
    old = {one["name"]: one["ratio"] for one in before}
    shown = [one for one in now if one["ratio"] is not None]
    height = LINE * 2 * len(shown) + 50
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 40} {height}" font-family="sans-serif" '
        'font-size="12" role="img" aria-label="Ratios of the benchmark, before and now">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    ticks = [4.0**power for power in range(-1, 5)]
    for tick in ticks:
        x = _place(tick)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="8" y2="{height - 30}" stroke="#dddddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{height - 14}" text-anchor="middle">{tick:g}</text>')
    for index, one in enumerate(shown):
        top = 10 + 2 * LINE * index
        parts.append(f'<text x="{LEFT - 8}" y="{top + LINE}" text-anchor="end">{one["name"]}</text>')
        for ratio, color, y in ((old.get(one["name"]), BEFORE, top), (one["ratio"], NOW, top + HEIGHT + 2)):
            if ratio:
                parts.append(_bar(ratio, color, y))
        if one["target"]:
            x = _place(one["target"])
            parts.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{top + 2 * HEIGHT + 2}" stroke="#d55e00" '
                'stroke-width="2"/>'
            )
    words = "times faster: grey before, blue now, the orange tick is the target"
    parts.append(f'<text x="{LEFT}" y="{height - 1}">{words}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _bar(ratio: float, color: str, y: float) -> str:
    start, end = sorted((_place(1.0), _place(ratio)))
    return f'<rect x="{start:.1f}" width="{end - start:.1f}" y="{y}" height="{HEIGHT}" fill="{color}"/>'


def _place(ratio: float) -> float:
    share = math.log(min(max(ratio, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
    return LEFT + WIDTH * share
