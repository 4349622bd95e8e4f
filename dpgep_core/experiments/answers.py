"""Best ridge: the ξ that is best at no extra cost. Thresholds are in `dpgep_core.evaluate.threshold`.

Every answer reads the private rows, and no ε covers it: it is for planning on data one may see.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpgep_core.datasets import Dataset
from dpgep_core.errors import ParameterError
from dpgep_core.evaluate.compare import as_large_as, signed_rank
from dpgep_core.evaluate.measures import score_of
from dpgep_core.evaluate.threshold import draw_settings, reference_for
from dpgep_core.method import method_entry
from dpgep_core.release import Setting
from dpgep_core.reuse import keeping_one, release_of
from dpgep_core.solve import plan

RIDGE_DRAWS = 22  # noise draws of an answer
TOLD_APART_BELOW = 0.05  # below this p, a ξ is told apart from the best
XI_GRID = tuple(float(f"{xi:.3g}") for xi in np.geomspace(1e-5, 10, 31))


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


def best_ridge(dataset: Dataset, setting: Setting, *, measure: str = "accuracy", draws: int = RIDGE_DRAWS) -> BestRidge:
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
    reference, rows = reference_for(dataset, setting, measure), []
    for draw in draw_settings(setting, draws):
        remember = keeping_one()
        others = [(name, value) for name, value in draw.params if name != "xi"]
        settings = (replace(draw, params=tuple(sorted([*others, ("xi", xi)]))) for xi in XI_GRID)
        rows.append([score_of(measure, reference, release_of(dataset, each, remember)) for each in settings])
    values = np.array(rows)
    medians = np.median(values, axis=0)
    best = next(i for i, median in enumerate(medians) if as_large_as(median, medians.max()))
    alike = [i for i in range(len(XI_GRID)) if _not_told_apart(values[:, best], values[:, i])]
    return BestRidge(
        value=XI_GRID[best], low=XI_GRID[min(alike)], high=XI_GRID[max(alike)], median=float(medians[best]),
        grid=XI_GRID, medians=tuple(map(float, medians)), draws=draws,
    )  # fmt: skip


def _not_told_apart(best: Any, other: Any) -> bool:
    result = signed_rank(dict(enumerate(best)), dict(enumerate(other)))
    return result is None or result.p > TOLD_APART_BELOW
