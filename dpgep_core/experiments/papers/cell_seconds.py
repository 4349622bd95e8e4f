"""How long a cell of an exhibit takes, in seconds of one processor.

Cells that train a classifier take from a tenth of a second to more than a minute, by data set, classifier and method:
``benchmarks/cell_seconds.py`` measured one of each kind.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import fmean
from typing import TypeVar

from dpgep_core.experiments.grid import Cell
from dpgep_core.experiments.papers.bundled_results import bundled_reproduction
from dpgep_core.experiments.papers.exhibit import Exhibit, LabelledCell
from dpgep_core.experiments.papers.places import RANDOM_METHOD
from dpgep_core.experiments.papers.reproduce import ReproductionRequest, scope_of
from dpgep_core.kept_table import kept_records
from dpgep_core.wording import plural, time_text

Kind = tuple[str, str, str]  # data set, classifier and method, by the exhibits' labels
ExhibitData = tuple[str, str]  # an exhibit's key and a data set
Name = TypeVar("Name", bound=Hashable)
TABLE = "experiments/papers/cell_seconds.csv"


@dataclass(frozen=True, slots=True)
class CellSeconds:
    """Seconds that a cell of one kind took."""

    data: str
    classifier: str
    method: str
    seconds: float


def kind_of(task: LabelledCell) -> Kind | None:
    """The kind of a cell that trains a classifier, on which its time depends; None where it trains none."""
    if "classifier" not in task.labels:
        return None
    return task.labels["data"], task.labels["classifier"], task.labels["method"]


@cache
def measured_seconds() -> Mapping[Kind, float]:
    """The table that comes with the lab."""
    return {(one.data, one.classifier, one.method): one.seconds for one in kept_records(CellSeconds, TABLE)}


@dataclass(frozen=True, slots=True)
class Foretold:
    """Seconds of some cells, without those ``unmeasured`` of which nothing is known."""

    seconds: float
    unmeasured: int

    @property
    def words(self) -> str:
        """For a person."""
        known = "less than a second" if self.seconds < 1 else f"about {time_text(self.seconds)}"
        if not self.unmeasured:
            return known
        unknown = f"{plural(self.unmeasured, 'cell')} of kinds that were never measured"
        return f"{known} and {unknown}" if self.seconds else unknown


@dataclass(frozen=True, slots=True)
class Rates:
    """Seconds of a cell: of its kind, as cells computed here took, or of its exhibit and data set."""

    here: Mapping[Kind, float]
    exhibits: Mapping[ExhibitData, float]

    def seconds(self, exhibit: Exhibit, task: LabelledCell, *, is_released: bool) -> float | None:
        """Seconds of one cell; None where nothing like it was ever measured.

        A cell whose release is there already takes what a random projection does, which has none. Cells that were
        computed here found theirs as the others will.
        """
        kind = kind_of(task)
        if kind is None:
            return self.exhibits.get(_data_of(exhibit, task))
        if kind in self.here:
            return self.here[kind]
        kept, (data, classifier, _) = measured_seconds(), kind
        alone = kept.get(kind)
        return kept.get((data, classifier, RANDOM_METHOD), alone) if is_released else alone

    def foretold(self, exhibit: Exhibit, tasks: Iterable[LabelledCell]) -> Foretold:
        """Seconds of some cells of an exhibit, computed in this order: neighbours of one setting share its release."""
        told, before = list[float | None](), None
        for task in tasks:
            told.append(self.seconds(exhibit, task, is_released=_share_a_release(before, task)))
            before = task
        known = [seconds for seconds in told if seconds is not None]
        return Foretold(sum(known), len(told) - len(known))


def rates_of(tasks: Mapping[Exhibit, Sequence[tuple[str, LabelledCell]]], spent: Mapping[str, float]) -> Rates:
    """Rates of exhibits: from cells that were computed here, else from what was measured for the lab.

    Parameters
    ----------
    tasks : mapping
        The cells of each exhibit under their keys.
    spent : mapping
        Seconds of the cells that were computed, by key.
    """
    done = [(exhibit, task, spent[key]) for exhibit, cells in tasks.items() for key, task in cells if key in spent]
    kinds = _means((kind, seconds) for _, task, seconds in done if (kind := kind_of(task)) is not None)
    exhibits = _means((_data_of(exhibit, task), seconds) for exhibit, task, seconds in done)
    kept = {where: rate for exhibit in tasks for where, rate in _kept_rates(exhibit).items()}
    return Rates(kinds, {**kept, **exhibits})


def foretell(asked: ReproductionRequest) -> Foretold:
    """How long all cells of a request take. No row is read."""
    exhibit = asked.exhibit
    once = {task.cell: task for task in exhibit.tasks(scope_of(asked))}
    return rates_of({exhibit: ()}, {}).foretold(exhibit, once.values())


def _means(pairs: Iterable[tuple[Name, float]]) -> dict[Name, float]:
    values: dict[Name, list[float]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: fmean(found) for name, found in values.items()}


def _share_a_release(first: LabelledCell | None, second: LabelledCell) -> bool:
    if first is None or not isinstance(first.cell, Cell) or not isinstance(second.cell, Cell):
        return False
    return replace(first.cell, classifiers=second.cell.classifiers) == second.cell


def _data_of(exhibit: Exhibit, task: LabelledCell) -> ExhibitData:
    return exhibit.key, str(task.labels.get("data", ""))


def _kept_rates(exhibit: Exhibit) -> dict[ExhibitData, float]:
    """Seconds of a cell of the results that come with the lab, for the data sets that they have."""
    kept = bundled_reproduction(exhibit)
    if kept is None:
        return {}
    here = {str(line.labels.get("data", "")) for line in kept.lines if line.ours is not None}
    return {(exhibit.key, name): kept.computed / kept.done for name in here}
