"""Words about which method needs the least ε: names, the order of the rows, and the sentences that the numbers make."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.evaluate.which_method import ONE_STEP, OURS, TWO_STEPS, Reach, reach_table
from dpgep_core.wording import number_text, plural

WHICH, TITLE = "which-method", "Which method?"
KINDS: Mapping[str, str] = {reach.model: reach.model.upper() for reach in reach_table()}  # models that were run
SHARES: Mapping[str, float] = {"95": 0.95, "50": 0.5}
OWN_TITLES: Mapping[str, str] = {
    TWO_STEPS: "Ours, two steps", ONE_STEP: "Ours, one step", "dprf": "DP-RF", "dptrf": "DP-TRF",
}  # fmt: skip
SET_TITLES: Mapping[str, str] = {
    "adult": "Adult", "covertype": "Covertype", "covertype_part": "Covertype, a part", "dota2": "Dota2",
    "synthetic_fda": "synthetic",
}  # fmt: skip
TELLING = 1.1  # a smaller factor between one step and two is noise of the few seeds


@dataclass(frozen=True, slots=True)
class Match:
    """`ssp` in two steps beside the best other method on a data set.

    Parameters
    ----------
    dataset : str
    ours, other : float
        ε of both: infinite where the share is not reached, the least that was tried where that reaches it already.
    method : str
        The other method.
    open : bool
        Whether the other one reaches the share already at the least ε that was tried, and may need less.
    """

    dataset: str
    ours: float
    other: float
    method: str
    open: bool

    @property
    def won(self) -> bool | None:
        """Whether two steps need less; None where neither reaches the share, or the grid does not tell."""
        if (math.isinf(self.ours) and math.isinf(self.other)) or (self.open and self.ours < self.other):
            return None
        return self.ours < self.other


def chosen_reaches(kind: str, share: str) -> list[Reach]:
    """Everything that was measured of a model at a share of the gain."""
    return [reach for reach in reach_table() if reach.model == kind and reach.share == SHARES[share]]


def method_title(method: str) -> str:
    """Short name of a method: its title without the authors."""
    return OWN_TITLES.get(method) or ALGORITHMS[method].title.split(" (")[0]


def ordered_titles(reaches: Sequence[Reach]) -> dict[str, str]:
    """Names by method, `ssp` first, then by how many data sets are reached and at which ε."""
    ours = [method for method in OURS if any(reach.method == method for reach in reaches)]
    others = {reach.method for reach in reaches} - set(OURS)
    epsilons = {method: sorted(r.epsilon for r in reaches if r.method == method) for method in others}

    def worth(method: str) -> tuple[int, float]:
        mine = epsilons[method]
        return -sum(map(math.isfinite, mine)), mine[(len(mine) - 1) // 2]

    return {method: method_title(method) for method in (*ours, *sorted(others, key=worth))}


def set_title(dataset: str) -> str:
    """Name of a data set as the page writes it."""
    return SET_TITLES.get(dataset, dataset.replace("_", " "))


def matches(reaches: Sequence[Reach]) -> list[Match]:
    """Two steps against the best other method, data set by data set."""
    found: list[Match] = []
    for two in (reach for reach in reaches if reach.method == TWO_STEPS):
        rivals = [r for r in reaches if r.dataset == two.dataset and r.method not in OURS]
        if rivals:
            best = min(rivals, key=lambda reach: reach.epsilon)
            ends = (two.epsilon or two.least, best.epsilon or best.least)
            found.append(Match(two.dataset, *ends, best.method, open=best.epsilon == 0))
    return found


def verdict(reaches: Sequence[Reach]) -> str:
    """The sentence over the picture."""
    every = matches(reaches)
    decided = [match for match in every if match.won is not None]
    if not decided:
        return "Nothing was measured."
    won = sum(match.won is True for match in decided)
    ratios = sorted(match.other / match.ours for match in decided)
    middle = ratios[(len(ratios) - 1) // 2]  # the lower of two
    more = "reaches it nowhere near" if math.isinf(middle) else f"needs {number_text(middle, 2)} times as much"
    said = f"Ours in two steps needs the least ε on {won} of {plural(len(decided), 'data set')}"
    return f"{said}; on the median one the best other {more}."


def losses(reaches: Sequence[Reach]) -> list[str]:
    """A sentence for each data set on which another method, or one step, needs less than two steps."""
    said = [
        f"{set_title(match.dataset)}: {method_title(match.method)} needs ε = {number_text(match.other, 2)}, "
        f"two steps {_told(match.ours)}."
        for match in matches(reaches)
        if match.won is False
    ]
    for two in (reach for reach in reaches if reach.method == TWO_STEPS):
        one = next((r for r in reaches if r.dataset == two.dataset and r.method == ONE_STEP), None)
        if one is not None and TELLING * one.epsilon < two.epsilon:
            ours = f"two {_told(two.epsilon)}"
            said.append(f"{set_title(two.dataset)}: one step needs ε = {number_text(one.epsilon, 2)}, {ours}.")
    return said


def missing(reaches: Sequence[Reach]) -> list[str]:
    """A sentence for each method that was not run on some of the data sets."""
    sets = list(dict.fromkeys(reach.dataset for reach in reaches))
    said: list[str] = []
    for method, title in ordered_titles(reaches).items():
        absent = [name for name in sets if not any(r.dataset == name and r.method == method for r in reaches)]
        if absent:
            said.append(f"{title}: not run on {', '.join(map(set_title, absent))}.")
    return said


def _told(epsilon: float) -> str:
    return "more than was tried" if math.isinf(epsilon) else f"ε = {number_text(epsilon, 2)}"
