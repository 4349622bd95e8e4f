"""Parts of a table or figure of a paper, and what became of the paper's claims, in a few words that numbers choose."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpgep_core.experiments.papers.left_out import why_left_out
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
class Outcome:
    """Outcome of a claim: one of a few words, and the counts behind it.

    ``word`` is one of `OUTCOME_WORDS`, with the constants in ``under``
    where the claim is met.
    """

    subject: str
    word: str
    why: str
    under: str = ""

    @property
    def said(self) -> str:
        """The word with its constants."""
        return f"{self.word} under {self.under}" if self.under else self.word


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


OWN_METHOD = "(ours)"  # ends the name of a method that no paper has
MET = "met"
NEEDS_CONSTANTS = "needs constants that no proof covers"
NEEDS_START = "needs a start that knows the answer"
NOT = "not reached"
MET_AT_RANDOM = "also met by a random projection"
UNDECIDED = "cannot tell"
OUTCOME_WORDS: Mapping[str, str] = {
    MET: "under the constants or the accounting that is named",
    NEEDS_CONSTANTS: "only with noise that is smaller than any proof allows",
    NEEDS_START: "only where the method starts at the exact answer, which no guarantee covers",
    NOT: "under nothing that was tried",
    MET_AT_RANDOM: "directions that know nothing about the data do as well, so that the claim tells nothing apart",
    UNDECIDED: "the interval is too wide for a verdict, or too few places tell anything",
}
ENOUGH = 0.75  # share of its values, or places, from which a claim counts as met
WHEN_MET = f"A claim about several values or places counts as met from {100 * ENOUGH:.0f} % of them on."
RULE_WORDS: Mapping[str, str] = {
    "published": "the published constants", "exact": "exact accounting", "unit": "constants of 1",
    "valid": "constants that are valid here", "replaced": "the published rule for a replaced row", "none": "",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How a method was run, and in how many of its values or places a claim holds.

    ``proved`` is whether its constants are; ``oracle`` is whether it starts at the exact answer.
    """

    name: str
    held: int
    of: int
    proved: bool = True
    oracle: bool = False

    @property
    def met(self) -> bool:
        """In enough of them."""
        return self.of > 0 and self.held >= ENOUGH * self.of

    @property
    def said(self) -> str:
        """The counts in words."""
        return f"{self.held} of {self.of}" + (f" under {self.name}" if self.name else "")


START_WORDS: Mapping[str, str] = {"random": "from a random start", "oracle": "from the exact answer"}


def rival_in_words(one: str, other: str, start: str) -> str:
    """A method with the start that another is compared from."""
    return " ".join(filter(None, (one, other, START_WORDS.get(start, ""))))


def constants_in_words(calibration: str) -> str:
    """The constants of a method as a name, as in a legend."""
    return RULE_WORDS.get(calibration, calibration).removeprefix("the ")


def variant_in_words(calibration: str, start: str = "none") -> str:
    """A way in words."""
    rule = RULE_WORDS.get(calibration, calibration)
    return f"{rule}, {start} start" if rule and start != "none" else rule


def outcome(subject: str, ways: Sequence[Trial], by_chance: Trial | None = None) -> list[Outcome]:
    """The word for a claim, alone in a list; the list is empty where nothing was computed.

    ``by_chance`` says in how many of the same values or places a random projection does as well.
    """
    tried = [way for way in ways if way.of]
    if not tried:
        return []
    why = "; ".join(way.said for way in tried)
    if by_chance is not None and by_chance.of:
        why += f"; {by_chance.held} of {by_chance.of} by a random projection"
    if by_chance is not None and by_chance.met:
        return [Outcome(subject=subject, word=MET_AT_RANDOM, why=why)]
    met = [way for way in tried if way.met]
    proved = [way for way in met if way.proved and not way.oracle]
    if proved:
        under = " and under ".join(dict.fromkeys(way.name for way in proved))
        return [Outcome(subject=subject, word=MET, why=why, under=under)]
    own_start = [way for way in met if not way.oracle]
    word = NEEDS_CONSTANTS if own_start else NEEDS_START if met else NOT
    return [Outcome(subject=subject, word=word, why=why)]


def outcome_summary(outcomes: Sequence[Outcome]) -> str:
    """Summarise outcomes in one line, those with the same word together."""
    said: dict[str, list[str]] = {}
    for one in outcomes:
        said.setdefault(one.said, []).append(one.subject)
    return "; ".join(f"{', '.join(subjects)}: {word}" for word, subjects in said.items())
