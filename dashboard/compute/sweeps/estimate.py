"""How long a sweep may take: as long as cells like its own took here, and a guess where there were none."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dpgep_core.experiments.grid import Cell

GUESS = 0.5  # seconds of a cell of which nothing is known
START = 4.0  # seconds until a process computes


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds, and for how many of the cells something like them had been timed."""

    seconds: float
    timed: int
    cells: int

    @property
    def words(self) -> str:
        """For a person."""
        if not self.timed:
            return f"nothing like it has run here; at {GUESS:g} s a cell it would take {span(self.seconds)}"
        rest = "" if self.timed == self.cells else f", {self.cells - self.timed:,} of them guessed"
        return f"about {span(self.seconds)}, as such cells took here before{rest}"


def estimated(cells: Iterable[Cell], typical: Mapping[tuple[str, str], float]) -> Estimate:
    """The time of all cells, from what a cell of the same data set and method took."""
    seconds, timed, count = START, 0, 0
    for cell in cells:
        found = typical.get((cell.dataset, cell.setting.algorithm))
        seconds, timed, count = seconds + (GUESS if found is None else found), timed + (found is not None), count + 1
    return Estimate(seconds, timed, count)


def span(seconds: float) -> str:
    """A time for a person."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
