"""How long a sweep may take: what such cells took here before, else what the sizes of their rows tell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import DatasetSizes, dataset_sizes
from dpgep_core.errors import DpgepError
from dpgep_core.evaluate.forecast import PlannedRun, forecast, machine_speed, measured_algorithms
from dpgep_core.experiments.grid import Cell
from dpgep_core.models import MODELS
from dpgep_core.models.row_space import PRODUCT_COLUMNS
from dpgep_core.params import defaults
from dpgep_core.wording import plural, time_text

GUESS = 0.5  # seconds of a cell of which nothing is known
START = 4.0  # seconds until a process computes
FORETOLD = ("lda",)  # the classifiers whose time the sizes tell
Split = tuple[str, str, int | None, int | None]  # data set, model, rows, and the seed where it splits them


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds of all cells, and how they are known.

    Parameters
    ----------
    seconds : float
    cells, timed, foretold : int
        Cells, those whose like was timed here, and those whose time was told from the sizes of their rows.
    is_least : bool
        Whether some of these train a classifier whose time is not told.
    """

    seconds: float
    cells: int
    timed: int
    foretold: int
    is_least: bool = False

    @property
    def words(self) -> str:
        """For a person."""
        about = f"{'at least' if self.is_least else 'about'} {time_text(self.seconds)}"
        guessed = self.cells - self.timed - self.foretold
        parts = [
            "as such cells took here before" if self.timed else "",
            f"{self._some(self.foretold)}by the sizes of the data" if self.foretold else "",
            f"{self._some(guessed)}a guess" if guessed else "",
        ]
        more = "; classifiers beside LDA come on top" if self.is_least else ""
        return f"{about}, {', '.join(filter(None, parts))}{more}"

    def _some(self, count: int) -> str:
        return "" if count == self.cells else f"{plural(count, 'cell')} "


def estimate_time(cells: Sequence[Cell], typical: Mapping[tuple[str, str], float]) -> Estimate:
    """The time of all cells.

    Parameters
    ----------
    cells : sequence of Cell
    typical : mapping
        Seconds that a cell took here, by data set and algorithm.
    """
    seconds, timed, foretold, is_least = START, 0, 0, False
    splits: set[Split] = set()
    for cell in cells:
        if (known := typical.get((cell.dataset, cell.setting.algorithm))) is not None:
            seconds, timed = seconds + known, timed + 1
            continue
        is_least |= not set(cell.classifiers) <= set(FORETOLD)
        if (told := _seconds(cell, splits)) is None:
            seconds += GUESS
        else:
            seconds, foretold = seconds + told, foretold + 1
    return Estimate(seconds, len(cells), timed, foretold, is_least)


def _seconds(cell: Cell, splits: set[Split]) -> float | None:
    """Seconds of a cell by the sizes of its rows, with those of its sums where no cell before it makes them."""
    setting = cell.setting
    if setting.algorithm not in measured_algorithms():
        return None
    try:
        sizes = dataset_sizes(cell.dataset)
    except DpgepError:  # a file that is gone or cannot be used: the cell says so in no time
        return None
    if sizes.d >= PRODUCT_COLUMNS:  # methods then go by products, whose growth was not measured
        return None
    m = dict(setting.params).get("n_iterations")
    once, each = _shares(sizes, cell.n, setting.model, setting.algorithm, setting.n_components, m)
    split = cell.dataset, setting.model, cell.n, None if sizes.is_split else setting.seed
    is_first = split not in splits
    splits.add(split)
    return each + once * is_first


@lru_cache(1000)
def _shares(
    sizes: DatasetSizes, n: int | None, model: str, algorithm: str, k: int | None, m: int | None
) -> tuple[float, float]:
    """Seconds of the sums and exact answers, and of one cell."""
    usual = defaults(ALGORITHMS[algorithm].make).get("n_iterations") or 1
    components = k or MODELS[model].make().default_components(sizes.classes, sizes.d)
    planned = PlannedRun(
        n=n or sizes.n, d=sizes.d, k=components, m=m or usual, classes=max(sizes.classes, 1), algorithms=(algorithm,)
    )
    shares = dict(forecast(planned, machine_speed()).shares)
    return shares[""], shares[algorithm]
