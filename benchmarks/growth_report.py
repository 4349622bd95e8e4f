"""The table of docs/growth.md and its figure, from the measured growth."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from dpgep_core.evaluate.growth import PARTS, Exponent, declared_parts, exponents, growth_of, growth_table
from dpgep_core.growth import SIZES

ROOT = Path(__file__).parents[1]
PAGE, FIGURE = ROOT / "docs" / "growth.md", ROOT / "docs" / "images" / "growth.svg"
TABLE = re.compile(r"(<!-- table -->\n).*?(<!-- end of table -->)", re.DOTALL)
REASONS = re.compile(r"(<!-- reasons -->\n).*?(<!-- end of reasons -->)", re.DOTALL)
CLOSE = 0.15  # difference from the expected exponent from which a word is due
COSTS: Mapping[str, str] = {"seconds": "time", "megabytes": "memory"}
SUMMED, ONE_ROW = ("sums", "reference", "ssp"), ("dp_spca", "dp_vrpca")
FLOWS = ("dprf", "dptrf", "rayleigh_flow", "truncated_rayleigh_flow", "ppi")
SQUARE_FRAMES = ("dpsr", "dpsrs", "dpsr_corrected", "sr")
DISCRIMINANTS = ("exact", "ssp", "reference", "comparison")
REASONS_BY_CASE: tuple[tuple[str, str, tuple[str, ...], str], ...] = (  # cost, sizes, parts (none: all), reason
    ("seconds", "d", SUMMED, "*Sums against d*: to prepare a row, and to centre it, takes a time that follows d. With "
     "1,000 columns that is still a third of the whole."),
    ("seconds", "d", ("comparison",), "*Comparison against d*: the exact answer is solved anew for the ridge of each "
     "run, in d² K."),
    ("seconds", "d", ONE_ROW, "*Methods of one row a step, against d*: a step takes a tenth of a millisecond of Python "
     "whatever the size, and d k outweighs that only beyond the sizes here."),
    ("seconds", "d", ("dprf", "dptrf"), "*Flows with noise, against d*: noise along k directions takes d k² and Python "
     "a third of a millisecond a step. The d² of the product leads from about 1,000 columns on."),
    ("seconds", "d", SQUARE_FRAMES, "*m d³ against d*: measured up to 1,000 columns alone, where an operation takes "
     "half the time that it takes with 320, and the d² of the noise still counts."),
    ("seconds", "d", (), "*d³ and d² against d*: between 1,000 and 2,000 columns matrices outgrow the processor's "
     "cache, and memory bounds half of a reduction. Exponents of up to 3.3 and 2.3 are what that costs; less than 3 is "
     "what d² K, or d² of noise, still takes."),
    ("seconds", "n", (), "*Time against n*: a constant part of a few milliseconds counts where rows are few, and times "
     "of less than 20 ms scatter by a tenth on a busy machine."),
    ("seconds", "k", FLOWS, "*Flows against k*: a product with one column reads the whole matrix, as one with a "
     "hundred does, so that time follows k from some thirty columns on; noise and rotations then add "
     "d k²."),
    ("seconds", "k", (*ONE_ROW, "comparison"), "*Above k*: k columns are brought to norm, or rotated, in d k²."),
    ("seconds", "k", (), "*A little growth against k*: k columns of a frame, or k eigenvectors, take d² k beside d³."),
    ("seconds", "m", (), "*Time against m*: runs of 2 to 80 ms scatter by a fifth on a busy machine."),
    ("seconds", "K", DISCRIMINANTS, "*Time against K*: FDA solves for the K class means, in d² K, which outweighs the "
     "rest where K is near d; an indicator of K columns is multiplied for every row."),
    ("megabytes", "n", (), "*Memory of a pass against n*: rows are read in blocks of 8,192 at most, and fewer rows "
     "take less than a block. `ssp` takes some 180 bytes a row besides, which count from tens of thousands on."),
    ("megabytes", "d", SUMMED, "*Memory of a pass against d*: a block of rows takes more than a d × d matrix until "
     "there are thousands of columns."),
    ("megabytes", "k", (), "*Memory of an iteration against k and m*: it keeps the basis of every step, m d k numbers, "
     "or fifty of them where steps are many."),
    ("megabytes", "m", (), "*Memory of an iteration against k and m*: it keeps the basis of every step, m d k numbers, "
     "or fifty of them where steps are many."),
    ("megabytes", "dK", DISCRIMINANTS, "*Memory of FDA against d and K*: solutions for K class means at some fifty "
     "shifts take 50 d K numbers, more than d² where K is larger than d/50."),
)  # fmt: skip
LEFT, PANEL, GAP, LINE, HIGHEST = 190, 120, 22, 18, 3.6  # of the figure, in pixels; the last in powers
EXPECTED, FITTED = "#b0b7c3", "#0072b2"


def write_report() -> None:
    """Write the table into the page, and the figure."""
    found = exponents(growth_table())
    rows, reasons = "\n".join(table_lines(found)) + "\n", "\n".join(reason_lines(found)) + "\n"
    text = TABLE.sub(lambda old: old[1] + rows + old[2], PAGE.read_text("utf-8"))
    PAGE.write_text(REASONS.sub(lambda old: old[1] + reasons + old[2], text), encoding="utf-8")
    FIGURE.write_text(picture(found), encoding="utf-8")


def title_of(part: str, setting: str) -> str:
    """Name of a part in the table."""
    return f"{part}, {setting}" if setting else part


def table_lines(found: Sequence[Exponent]) -> Iterator[str]:
    """A line for each part: expected terms, and the fitted exponent for every size, bold where it is not close."""
    yield f"| part | time, memory | {' | '.join(f'{size}' for size in SIZES)} |"
    yield "|---|---|" + "---|" * len(SIZES)
    for part, setting in declared_parts():
        growth = growth_of(part, setting)
        cells = [cell_of(found, part, setting, size) for size in SIZES]
        yield f"| {title_of(part, setting)} | {growth.time}, {growth.memory[0]} | {' | '.join(cells)} |"


def cell_of(found: Sequence[Exponent], part: str, setting: str, size: str) -> str:
    """Exponents of time and of memory for one size."""
    some = [each for each in found if (each.part, each.setting, each.size) == (part, setting, size)]
    return " / ".join(f"**{told(each.fitted)}**" if is_off(each) else told(each.fitted) for each in some)


def told(exponent: float) -> str:
    """An exponent with two decimals, and no sign before nothing."""
    return f"{round(exponent, 2) + 0.0:.2f}"


def reason_lines(found: Sequence[Exponent]) -> Iterator[str]:
    """A line for every reason that an exponent on the page needs."""
    for reason in dict.fromkeys(reason_of_exponent(each) for each in found if is_off(each)):
        yield f"- {reason}"


def reason_of_exponent(exponent: Exponent) -> str:
    """Why a fitted exponent is not the expected one; empty where no reason is known."""
    for cost, sizes, parts, reason in REASONS_BY_CASE:
        if exponent.cost == cost and exponent.size in sizes and (not parts or exponent.part in parts):
            return reason
    return ""


def is_off(exponent: Exponent) -> bool:
    """Whether a fitted exponent is not close to the expected one."""
    return abs(exponent.fitted - exponent.expected) > CLOSE


def picture(found: Sequence[Exponent]) -> str:
    """SVG: a panel for each size, in it a line for each part with the expected and the fitted exponent of time."""
    parts = [each for each in declared_parts() if each[0] not in PARTS] + [(part, "") for part in PARTS]
    width, height = LEFT + len(SIZES) * (PANEL + GAP), 58 + LINE * len(parts)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="12" role="img" aria-label="Expected and fitted exponents of time, a panel for each size">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for number, (size, words) in enumerate(SIZES.items()):
        left = LEFT + number * (PANEL + GAP)
        lines.append(f'<text x="{left + PANEL / 2}" y="16" text-anchor="middle">{size}, {words}</text>')
        for power in range(4):
            x = left + PANEL * power / HIGHEST
            lines.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="24" y2="{height - 32}" stroke="#dddddd"/>')
            lines.append(f'<text x="{x:.1f}" y="{height - 18}" text-anchor="middle">{power}</text>')
        for line, (part, setting) in enumerate(parts):
            y = 36 + LINE * line
            if not number:
                lines.append(
                    f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(title_of(part, setting))}</text>'
                )
            for each in found:
                if (each.part, each.setting, each.size, each.cost) == (part, setting, size, "seconds"):
                    lines += _marks(each, left, y)
    said = "exponent of processor time: the grey bar is expected, the blue dot is fitted"
    lines.append(f'<text x="{LEFT}" y="{height - 3}">{said}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _marks(exponent: Exponent, left: float, y: float) -> list[str]:
    at, dot = (left + PANEL * value / HIGHEST for value in (exponent.expected, max(exponent.fitted, -0.1)))
    return [
        f'<rect x="{at - 2:.1f}" y="{y - 6}" width="4" height="12" fill="{EXPECTED}"/>',
        f'<circle cx="{dot:.1f}" cy="{y}" r="4" fill="{FITTED}"/>',
    ]
