"""Places of an exhibit, a point of a figure or a cell of a table, and what each method reached there."""

from collections.abc import Mapping, Sequence
from typing import Any

from dpgep_core.experiments.papers.exhibit import ResultLine

RANDOM_METHOD = "random projection"
PLACE = ("metric", "measure", "data", "classifier", "epsilon")  # labels that tell places apart

Labels = Mapping[str, Any]
Place = tuple[Any, ...]
Values = dict[Place, float]


def place_of(line: ResultLine) -> Place:
    """The place that a line stands at."""
    return tuple(line.labels.get(name) for name in PLACE)


def lines_of(lines: Sequence[ResultLine], wanted: Labels) -> list[ResultLine]:
    """Computed lines with these labels."""
    return [
        line
        for line in lines
        if line.ours is not None and all(line.labels.get(name) == value for name, value in wanted.items())
    ]


def values_of(lines: Sequence[ResultLine], wanted: Labels) -> Values:
    """Our values of the lines with these labels, by place."""
    return {place_of(line): line.ours for line in lines_of(lines, wanted) if line.ours is not None}
