"""Random projections of Chen et al.'s data sets: what directions reach that know nothing about the data.

A run has one for each of its seeds, so that its scatter is known. The pages show one and the same, which does not move.
"""

from dataclasses import dataclass
from typing import Any

from dpgep_core.experiments.grid import Cell
from dpgep_core.experiments.papers.places import RANDOM_METHOD
from dpgep_core.experiments.runner import shared_cell_runner


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomProjection:
    """The random projection of a seed, in place of the release of ``cell``, whose rows and classifier it has."""

    cell: Cell
    components: int
    seed: int

    def content(self) -> dict[str, Any]:
        return {
            "dataset": self.cell.dataset, "method": RANDOM_METHOD, "classifiers": list(self.cell.classifiers),
            "components": self.components, "rows": self.cell.setting.row_seed, "seed": self.seed,
        }  # fmt: skip

    def compute(self) -> dict[str, Any]:
        """Scores, by column."""
        return shared_cell_runner().random_row(self.cell, self.components, self.seed)
