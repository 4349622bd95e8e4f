"""Levels of a figure of curves: lines that say what a floor or a ceiling is, with their names."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dashboard.figures.level_names import Field, limits_of, name_places
from dashboard.figures.style import FigureBuilder, Style
from dpgep_core.privacy.query import Array

BEYOND = 0.1  # decades that an axis goes on beyond its ends
TOO_CLOSE = 0.01  # of levels: nothing is drawn between them


@dataclass(frozen=True, slots=True)
class Level:
    """A horizontal line that says what a floor or ceiling is; a ceiling is named on the left, if there is room."""

    value: float
    label: str
    ceiling: bool = False


def name_beyond(
    builder: FigureBuilder, levels: Sequence[Level], limits: tuple[float, float] | None, style: Style
) -> None:
    """Levels beyond the axis, with arrows to where they are."""
    below = [level.label for level in levels if limits is not None and level.value < limits[0]]
    above = [level.label for level in levels if limits is not None and level.value > limits[1]]
    for arrow, names, edge, anchor in (("↓", below, 0, "bottom"), ("↑", above, 1, "top")):
        if names:
            place = {"y": edge, "yref": "paper", "yanchor": anchor, "bgcolor": style.behind}
            builder.add_label(f"{arrow} {', '.join(names)}", style.quiet, **place)


def is_within(level: Level, limits: tuple[float, float] | None) -> bool:
    """Whether a level lies on an axis with such limits."""
    return limits is None or limits[0] <= level.value <= limits[1]


def merge_levels(levels: Sequence[Level]) -> list[Level]:
    """Levels whose names would lie on each other share one line."""
    found: list[Level] = []
    for level in levels:
        near = next((i for i, other in enumerate(found) if abs(other.value - level.value) < TOO_CLOSE), None)
        if near is None:
            found.append(level)
        else:
            found[near] = replace(found[near], label=f"{found[near].label}, {level.label}")
    return found


def add_levels(
    builder: FigureBuilder, levels: Sequence[Level], style: Style, lines: Sequence[Array],
    dots: Sequence[tuple[float, float]], ends: tuple[float, float], limits: tuple[float, float] | None,
) -> None:  # fmt: skip
    """Levels with their names, which lie on no line and no dot where there is room."""
    values = [level.value for level in levels] + [value for _, value in dots]
    up = limits_of([*values, *(float(value) for line in lines for value in line[:, 1])]) if limits is None else limits
    field = Field(lines, dots, (ends[0] / 10**BEYOND, ends[1] * 10**BEYOND), up)
    places = name_places([(level.label, level.value, level.ceiling) for level in levels], field)
    for level, place in zip(levels, places, strict=True):
        builder.add_hline(level.value, style.level)
        builder.add_label(level.label, style.quiet, bgcolor=style.behind, **place)
