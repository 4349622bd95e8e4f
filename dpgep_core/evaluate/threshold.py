"""The smallest ε, or the fewest rows, with which the median noise draw reaches a target: the one search for both.

Every answer reads the private rows, and no ε covers it: it is for planning on data one may see.
"""

import math
from collections.abc import Callable, Generator, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from dpgep_core.datasets import Dataset
from dpgep_core.errors import ParameterError, UnknownNameError
from dpgep_core.evaluate.compare import as_large_as
from dpgep_core.evaluate.measures import TARGETS, compute_measure, exact_for, score_of
from dpgep_core.evaluate.reference import Reference
from dpgep_core.method import method_entry
from dpgep_core.privacy.query import Array
from dpgep_core.release import Setting
from dpgep_core.solve import plan, run

SEARCH_DRAWS = 20  # noise draws at every place of a search
LOG_TOLERANCE = 0.05  # of log value: the search ends where the answer is known to 5 %
OCTAVE = math.log(2) + 1e-9  # the ends of an interval are searched for to a factor of 2, and interpolated
LUCKY_TO_UNLUCKY = (0.1, 0.9)  # shares of the draws at the ends of an interval
EPSILON_RANGE = (2.0**-10, 64.0)
SPANS = {"epsilon": EPSILON_RANGE, "as_if": (0.01, 10_000.0)}
Scores = MutableMapping[float, list[float]]  # by place, one score a draw, in the order of the seeds
SearchResult = TypeVar("SearchResult")


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """A value, with where it lies for the lucky and the unlucky draws.

    Parameters
    ----------
    value : float or None
        Where the median draw reaches the target; None: nowhere in the range.
    low, high : float or None
        Where the luckiest tenth of the draws, and all but the unluckiest tenth, reach it; None: below, or above, the
        range.
    target, reached : float
        What was asked for, and the median at ``value`` (at the end of the range where there is none).
    ceiling : float
        The same measure without privacy.
    draws, evaluations : int
        Noise draws, the same at every place; and how many releases were compared.
    """

    value: float | None
    low: float | None
    high: float | None
    target: float
    reached: float
    ceiling: float
    draws: int
    evaluations: int


def epsilon_for_target(
    dataset: Dataset, setting: Setting, target: float, *, measure: str = "accuracy", draws: int = SEARCH_DRAWS
) -> Threshold:
    """The smallest ε at which the median draw reaches a target.

    Parameters
    ----------
    dataset : Dataset
    setting : Setting
        Its ε does not matter. Noise seeds start at its seed; the rows stay those of its split.
    target : float
        In (0, 1]: an accuracy on held-out rows (LDA), or a cosine to the exact solution at the same ξ and sparsity.
    measure : {"accuracy", "cosine", "subspace"}
        ``cosine`` is the mean over components, ``subspace`` the mean cosine of the principal angles.
    draws : int
        Noise draws. They are the same at every ε (one draw scaled), so the search sees a nearly monotone curve.

    Returns
    -------
    Threshold
        Known to 5 %, within 2^-10 to 64.
    """
    return _end_of(threshold_search(dataset, setting, target, measure=measure, draws=draws))


def rows_needed(
    dataset: Dataset, setting: Setting, target: float, *, measure: str = "accuracy", draws: int = SEARCH_DRAWS
) -> Threshold:
    """How many times the rows the median draw needs to reach a target at the setting's ε, μ held fixed.

    As `epsilon_for_target`, along the pretended multiple of n, from .01 to 10,000. Averages are kept: what more rows
    would teach about them is not counted.
    """
    return _end_of(threshold_search(dataset, setting, target, axis="as_if", measure=measure, draws=draws))


def threshold_search(
    dataset: Dataset,
    setting: Setting,
    target: float,
    *,
    axis: str = "epsilon",
    measure: str = "accuracy",
    draws: int = SEARCH_DRAWS,
    known: Scores | None = None,
) -> Generator[int, None, Threshold]:
    """`epsilon_for_target`, or `rows_needed` along "as_if", step by step.

    Yields how many releases were compared so far, and returns the threshold. ``known`` holds scores that are already
    there, by place, and takes those of this search: another target on the same setting visits many of the same places.
    It changes no result.
    """
    if not 0 < target <= 1:
        raise ParameterError("target", target, "a number > 0 and <= 1")
    if draws < 1:
        raise ParameterError("draws", draws, "a whole number >= 1")
    if not method_entry(setting.algorithm).private:
        raise ParameterError("algorithm", setting.algorithm, "one with a privacy budget")
    return _Search(
        dataset=dataset, setting=setting, reference=reference_for(dataset, setting, measure), target=target,
        measure=measure, draws=draws, axis=axis, known={} if known is None else known,
    ).threshold()  # fmt: skip


def reference_for(dataset: Dataset, setting: Setting, measure: str) -> Reference:
    """The reference that a setting is measured against; an error where it has no such target."""
    if measure not in TARGETS:
        raise UnknownNameError("measure", measure, TARGETS)
    reference = Reference.of(dataset, setting)
    if measure == "accuracy" and not reference.scorable:
        allowed = f"cosine or subspace on {dataset.name}, because {reference.unscored}"
        raise ParameterError("measure", measure, allowed)
    return reference


def draw_settings(setting: Setting, draws: int) -> list[Setting]:
    """Settings that differ in the noise alone; all fit the same rows."""
    first = setting.seed or 0
    rows = setting.split_seed if setting.split_seed is not None else first
    return [replace(setting, seed=first + number, split_seed=rows) for number in range(draws)]


@dataclass(frozen=True, eq=False, kw_only=True)
class _Search:
    """A search along one setting. Places halve the span in its logarithm: searches for other targets share them."""

    dataset: Dataset
    setting: Setting
    reference: Reference
    target: float
    measure: str
    draws: int
    axis: str
    known: Scores
    visited: list[float] = field(default_factory=list[float])

    def scores_at(self, place: float) -> Generator[int, None, list[float]]:
        """The scores of all draws at a place; each is computed once, even where two searches take turns."""
        if place not in self.visited:
            self.visited.append(place)
        values = self.known.setdefault(place, [])
        settings = draw_settings(replace(self.setting, **{self.axis: place}), self.draws)
        while len(values) < self.draws:
            release = run(plan(self.dataset, settings[len(values)]))
            values.append(score_of(self.measure, self.reference, release))
            yield len(self.visited) * self.draws
        return values[: self.draws]

    def bracket(
        self, reaches: Callable[[list[float]], bool], tolerance: float
    ) -> Generator[int, None, tuple[float, float] | None]:
        """Two places near each other of which only the second reaches; None where the end of the span does not."""
        low, high = SPANS[self.axis]
        if not reaches((yield from self.scores_at(high))):
            return None
        while math.log(high / low) > tolerance:
            middle = math.sqrt(low * high)
            low, high = (low, middle) if reaches((yield from self.scores_at(middle))) else (middle, high)
        return low, high

    def threshold(self) -> Generator[int, None, Threshold]:
        """The threshold of the median, then that of the lucky and the unlucky draws."""
        found = yield from self.bracket(
            lambda values: as_large_as(float(np.median(values)), self.target), LOG_TOLERANCE
        )
        end = SPANS[self.axis][1] if found is None else found[1]
        low = yield from self.band_end(math.ceil(LUCKY_TO_UNLUCKY[0] * self.draws))
        high = yield from self.band_end(math.ceil(LUCKY_TO_UNLUCKY[1] * self.draws))
        best = exact_for(self.reference, run(plan(self.dataset, replace(self.setting, **{self.axis: end}))))
        return Threshold(
            value=None if found is None else end, low=low, high=high, target=self.target,
            reached=float(np.median(self.known[end][: self.draws])),
            ceiling=compute_measure(self.measure, self.reference, best, best), draws=self.draws,
            evaluations=len(self.visited) * self.draws,
        )  # fmt: skip

    def band_end(self, many: int) -> Generator[int, None, float | None]:
        """Where so many of the draws have reached the target, by interpolation; None outside the span."""
        found = yield from self.bracket(lambda values: sum(as_large_as(v, self.target) for v in values) >= many, OCTAVE)
        if found is None:
            return None
        yield from self.scores_at(found[0])
        places = sorted(self.visited)
        scores = np.array([self.known[place][: self.draws] for place in places])
        found_at = sorted(crossing(places, draw, self.target) for draw in scores.T)[many - 1]
        return found_at if 0 < found_at < math.inf else None


def _end_of(search: Generator[int, None, SearchResult]) -> SearchResult:
    while True:
        try:
            next(search)
        except StopIteration as ended:
            return ended.value


def crossing(places: Sequence[float], values: Sequence[float] | Array, target: float) -> float:
    """Where values reach a target for good, by interpolation in the logarithm of the place.

    Parameters
    ----------
    places : sequence of float
        In ascending order.
    values : sequence of float
        One for each place.
    target : float

    Returns
    -------
    float
        0 where they do from the first place on, infinity where they do not at the last.
    """
    above = [as_large_as(value, target) for value in values]
    if not above[-1]:
        return math.inf
    first = next(i for i in range(len(above)) if all(above[i:]))
    if first == 0:
        return 0.0
    low, high = values[first - 1], values[first]
    logs = np.log([places[first - 1], places[first]])
    return float(np.exp(np.interp((target - low) / (high - low), [0.0, 1.0], logs)))
