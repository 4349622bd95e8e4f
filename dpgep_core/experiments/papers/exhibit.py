"""A table or figure of a paper: what is computed for it, its lines, and how they are shown."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpgep_core.experiments.papers.left_out import why_left_out
from dpgep_core.experiments.papers.outcome import OWN_METHOD, Outcome
from dpgep_core.experiments.runner import AnyCell

RunRecord = Mapping[str, Any]  # labels of a task, its settings, its numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """How much is run: what `ReproductionRequest` asks for, of the data sets that are here (the paper's name to ours).

    ``chosen`` is whether the user named them: a quick run then leaves none of them out.
    """

    quick: bool
    data: Mapping[str, str]
    seeds: int | None = None
    chosen: bool = False
    classifiers: tuple[str, ...] = ()

    def repeats(self, full: int, quick: int) -> range:
        """The seeds to run."""
        return range(self.seeds or (quick if self.quick else full))

    def classifiers_to_train(self, full: Sequence[str], quick: Sequence[str]) -> tuple[str, ...]:
        """The classifiers to train."""
        return self.classifiers or tuple(quick if self.quick else full)

    def few(self, kept: Sequence[str]) -> dict[str, str]:
        """The data sets to run, of which quick runs keep to ``kept``."""
        all_of_them = self.chosen or not self.quick
        return {name: ours for name, ours in self.data.items() if all_of_them or name in kept}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledCell:
    """One thing to compute, with the labels that its numbers go under."""

    labels: Mapping[str, Any]
    cell: AnyCell


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLine:
    """A published value beside ours: mean and standard deviation ``spread`` over ``runs``, or the median of them.

    ``published`` is None where the paper prints no number; ``ours`` where nothing was computed. A median has the
    quantiles ``low`` and ``high`` beside it, and how many draws ``failed``.
    """

    labels: Mapping[str, Any]
    published: float | None
    ours: float | None
    spread: float | None = None
    runs: int = 0
    low: float | None = None
    high: float | None = None
    failed: int | None = None

    @property
    def gap(self) -> float | None:
        """Ours minus the published one."""
        return None if self.published is None or self.ours is None else self.ours - self.published


def grouped(
    lines: Sequence[ResultLine], by: Sequence[str], *, absent: Any = None
) -> dict[tuple[Any, ...], list[ResultLine]]:
    """Lines by the values of some labels, in order of appearance; ``absent`` stands for a label that a line lacks."""
    groups: dict[tuple[Any, ...], list[ResultLine]] = {}
    for line in lines:
        groups.setdefault(tuple(line.labels.get(name, absent) for name in by), []).append(line)
    return groups


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """A straight line on logarithmic axes: a rate that a theorem states, whose constant is open.

    It goes through the value of the curve with the labels ``through`` that is nearest to ``at``, so it bounds nothing.
    """

    name: str
    power: float
    through: tuple[tuple[str, str], ...]
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ExhibitPicture:
    """How lines are drawn: one panel for each value of ``panel``, one curve for each of ``curve``, along ``x``.

    ``first`` are values of labels that a page shows at first, where it does not show all.
    """

    x: str
    panel: tuple[str, ...]
    curve: tuple[str, ...]
    log_y: bool = False
    guides: tuple[Guide, ...] = ()
    first: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLayout:
    """How lines are laid out as a table, by their labels."""

    pick: tuple[str, ...]  # one value of each is shown at a time
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    within: float | None = None  # how far from a printed value counts as meeting it
    also: str = ""  # a label that stands in the cell beside the number


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """One table or figure.

    Parameters
    ----------
    key, paper, title : str
    data : tuple of str
        Data sets by the papers' names, see `dpgep_core.experiments.papers.data`.
    unit : str
        Of the values.
    fixed : str
        Settings that all values share, δ among them: a curve against ε cannot be reported without it.
    classifiers : tuple of str
        Those it trains and may be held to some of; none where it trains none, or always the same.
    drawn : bool
        Whether the paper only draws its values: they cannot then be compared to the digit.
    tasks, lines, verdict, outcomes : callable
        What is computed; the table it makes; what the numbers say, one sentence each; what became of each claim.
    seeds : int
        How many runs are behind a value of the full exhibit; 0 where that is open.
    notes : tuple of str
        Where the reproduction departs from the paper, or the paper leaves something open.
    picture, grid : optional
        How a figure is drawn; how a table is laid out.
    cell : tuple of str
        Labels that tell the cells apart which get a verdict of their own; none where the claims are of one cell each.
    own : bool
        Whether the lab asks it and no paper does.
    """

    key: str
    paper: str
    title: str
    data: tuple[str, ...]
    unit: str
    fixed: str
    tasks: Callable[[Scope], list[LabelledCell]]
    lines: Callable[[Sequence[RunRecord]], list[ResultLine]]
    verdict: Callable[[Sequence[ResultLine]], list[str]]
    outcomes: Callable[[Sequence[ResultLine]], list[Outcome]] = lambda _: []
    seeds: int = 0
    classifiers: tuple[str, ...] = ()
    drawn: bool = False
    notes: tuple[str, ...] = ()
    picture: ExhibitPicture | None = None
    grid: TableLayout | None = None
    cell: tuple[str, ...] = ()
    own: bool = False

    def claimed_by_paper(self, subject: str) -> bool:
        """Whether the paper makes the claim; otherwise it is about a method of the lab, or the exhibit is its own."""
        return not self.own and OWN_METHOD not in subject

    @property
    def left(self) -> str:
        """Why the results that come with the lab are not all of it; empty where they are."""
        return why_left_out(self.key)

    @property
    def picked(self) -> tuple[str, ...]:
        """Labels by whose values panels, or tables, are picked."""
        return (*(() if self.picture is None else self.picture.panel), *(() if self.grid is None else self.grid.pick))
