"""What-if answers: the smallest ε or n that reaches a target, and the ξ that is best at no extra cost.

Every answer reads the private rows, and no ε covers it: it is for planning on data one may see.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpgep_core.datasets import Dataset
from dpgep_core.errors import ParameterError, UnknownNameError
from dpgep_core.evaluate import Laboratory
from dpgep_core.evaluate.compare import at_least, signed_rank
from dpgep_core.evaluate.diagnostic import reference
from dpgep_core.evaluate.metrics import cosine_similarity, principal_angles
from dpgep_core.method import method_entry
from dpgep_core.release import Release, Setting
from dpgep_core.solve import paid, plan, rework, run

DRAWS = 11  # noise draws of an answer: odd, so that the median is one of them
TOLERANCE = 0.05  # of log value: the search ends where the answer is known to 5 %
BAND = (10.0, 90.0)  # percent of the draws between the ends of an interval
LEVEL = 0.05  # below this p, a ξ is told apart from the best
EPSILON_RANGE = (2.0**-10, 64.0)
AS_IF_RANGE = (0.01, 10_000.0)
XI_GRID = tuple(float(f"{xi:.3g}") for xi in np.geomspace(1e-5, 10, 31))

MEASURES: Mapping[str, Callable[[Laboratory, Release], float]] = {
    "accuracy": lambda room, release: room.score(release.components, "lda").accuracy,
    "cosine": lambda room, release: float(cosine_similarity(release.components, _exact(room, release)).mean()),
    "subspace": lambda room, release: float(
        np.cos(np.radians(principal_angles(release.components, _exact(room, release)))).mean()
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A value, with where it lies for the lucky and the unlucky draws.

    Parameters
    ----------
    value : float or None
        Where the median draw reaches the target; None: nowhere in the range.
    low, high : float or None
        Where the luckiest and the unluckiest tenth of the draws reach it; None: below, or above, the range.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class BestRidge:
    """The ξ with the best median, and those that the draws do not tell apart from it (Wilcoxon, p above 5 %)."""

    value: float
    low: float
    high: float
    median: float
    grid: tuple[float, ...]
    medians: tuple[float, ...]
    draws: int


def smallest_epsilon(
    dataset: Dataset, setting: Setting, target: float, *, measure: str = "accuracy", draws: int = DRAWS
) -> Answer:
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
    Answer
        Known to 5 %, within 2^-10 to 64.
    """
    return _search(dataset, setting, target, measure, draws, "epsilon", EPSILON_RANGE)


def rows_needed(
    dataset: Dataset, setting: Setting, target: float, *, measure: str = "accuracy", draws: int = DRAWS
) -> Answer:
    """How many times the rows the median draw needs to reach a target at the setting's ε, μ held fixed.

    As `smallest_epsilon`, along the pretended multiple of n, from .01 to 10,000. Averages are kept: what more rows
    would teach about them is not counted.
    """
    return _search(dataset, setting, target, measure, draws, "as_if", AS_IF_RANGE)


def best_ridge(dataset: Dataset, setting: Setting, *, measure: str = "accuracy", draws: int = 2 * DRAWS) -> BestRidge:
    """The ξ that is best for a method that answers once, where ξ is free: each draw is paid for once.

    Raises
    ------
    ParameterError
        For a method whose noise depends on ξ: every ξ would then be another release.
    """
    if not method_entry(setting.algorithm).spends_once:
        raise ParameterError("algorithm", setting.algorithm, "one for which ξ is free, such as ssp")
    if not plan(dataset, setting).keeps_moments:
        why = "such that its moments are kept (memory=whole): a release by products fixes ξ and k"
        raise ParameterError("memory", dict(setting.params).get("memory", "auto"), why)
    score, room, rows = _measure(measure), _room(dataset, setting, measure), []
    for draw in _seeds(setting, draws):
        once = run(plan(dataset, paid(draw)))
        reworked = (rework(once, dataset, _with(draw, "xi", xi)) for xi in XI_GRID)
        rows.append([score(room, release) for release in reworked])
    values = np.array(rows)
    medians = np.median(values, axis=0)
    best = next(i for i, median in enumerate(medians) if at_least(median, medians.max()))
    alike = [i for i in range(len(XI_GRID)) if _not_told_apart(values[:, best], values[:, i])]
    return BestRidge(
        value=XI_GRID[best], low=XI_GRID[min(alike)], high=XI_GRID[max(alike)], median=float(medians[best]),
        grid=XI_GRID, medians=tuple(map(float, medians)), draws=draws,
    )  # fmt: skip


def _search(
    dataset: Dataset, setting: Setting, target: float, measure: str, draws: int, axis: str, span: tuple[float, float]
) -> Answer:
    if not 0 < target <= 1:
        raise ParameterError("target", target, "a number > 0 and <= 1")
    if draws < 1:
        raise ParameterError("draws", draws, "a whole number >= 1")
    if not method_entry(setting.algorithm).private:
        raise ParameterError("algorithm", setting.algorithm, "one with a privacy budget")
    score, room, seen = _measure(measure), _room(dataset, setting, measure), {}

    def at(place: float) -> list[float]:
        """The values of all draws at a place, each computed once."""
        if place not in seen:
            here = replace(setting, **{axis: place})
            seen[place] = [score(room, run(plan(dataset, draw))) for draw in _seeds(here, draws)]
        return seen[place]

    low, high = span
    while math.log(high / low) > TOLERANCE and float(np.median(at(span[1]))) >= target:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if float(np.median(at(middle))) >= target else (middle, high)
    places = sorted(seen)
    crossings = [_crossing(places, [seen[place][i] for place in places], target) for i in range(draws)]
    found = high if float(np.median(at(span[1]))) >= target else None
    lucky, unlucky = (_quantile(crossings, share) for share in BAND)
    return Answer(
        value=found, low=lucky, high=unlucky, target=target, reached=float(np.median(at(found or span[1]))),
        ceiling=_ceiling(dataset, setting, room, score), draws=draws, evaluations=len(seen) * draws,
    )  # fmt: skip


def _measure(name: str) -> Callable[[Laboratory, Release], float]:
    if name not in MEASURES:
        raise UnknownNameError("measure", name, tuple(MEASURES))
    return MEASURES[name]


def _room(dataset: Dataset, setting: Setting, measure: str) -> Laboratory:
    room = Laboratory.of(dataset, setting)
    if measure == "accuracy" and not room.scorable:
        raise ParameterError("measure", measure, f"cosine or subspace on {dataset.name}, because {room.unscored}")
    return room


def _seeds(setting: Setting, draws: int) -> list[Setting]:
    """The same setting under other noise, on the same rows."""
    first = setting.seed or 0
    rows = setting.split_seed if setting.split_seed is not None else first
    return [replace(setting, seed=first + number, split_seed=rows) for number in range(draws)]


def _with(setting: Setting, name: str, value: Any) -> Setting:
    return replace(setting, params=tuple(sorted({**dict(setting.params), name: value}.items())))


def _exact(room: Laboratory, release: Release) -> Any:
    return room.exact(release.components.shape[1], *reference(release))


def _ceiling(
    dataset: Dataset, setting: Setting, room: Laboratory, score: Callable[[Laboratory, Release], float]
) -> float:
    kept = {"xi", "sparsity"} & {name for name, _ in setting.params}
    params = tuple((name, value) for name, value in setting.params if name in kept)
    release = run(plan(dataset, replace(setting, algorithm="exact", epsilon=1.0, as_if=1.0, params=params)))
    return score(room, release)


def _crossing(places: Sequence[float], values: Sequence[float], target: float) -> float:
    """Where one draw reaches the target for good, by interpolation in the logarithm; infinity where it does not."""
    above = [value >= target for value in values]
    if not above[-1]:
        return math.inf
    first = next(i for i in range(len(above)) if all(above[i:]))
    if first == 0:
        return 0.0  # below the range
    low, high = values[first - 1], values[first]
    logs = np.log([places[first - 1], places[first]])
    return float(np.exp(np.interp((target - low) / (high - low), [0.0, 1.0], logs)))


def _quantile(crossings: Sequence[float], percent: float) -> float | None:
    """The crossing below which that share of the draws lies; None where it is outside the range."""
    found = sorted(crossings)[round(percent / 100 * (len(crossings) - 1))]
    return found if 0 < found < math.inf else None


def _not_told_apart(best: Any, other: Any) -> bool:
    result = signed_rank(dict(enumerate(best)), dict(enumerate(other)))
    return result is None or result.p > LEVEL
