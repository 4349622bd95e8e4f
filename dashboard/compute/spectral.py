"""How far real neighbours move the whitened matrix Ã against n and ξ: Chen et al., supplement, Figures 3 to 14.

Rows are exchanged for other rows of the same data set, so every number here reads the private data.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dashboard.compute.swaps import exchanged, records
from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset
from dpgep_core.models.moments import moments_of
from dpgep_core.models.neighbours import whitened_change, worst_whitened
from dpgep_core.models.neighbours.whitened import published_bound
from dpgep_core.models.problem import Problem
from dpgep_core.privacy.query import Indices
from dpgep_core.privacy.randomness import permutation
from dpgep_core.solve import plan

RIDGES = (1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 1.0)
PAIRS, FEW_PAIRS, WIDE = 8, 3, 200  # neighbours drawn at each size; fewer where the matrices are wide
LEAST_ROWS, SIZES = 50, 5


@dataclass(frozen=True, slots=True)
class WhitenedCurve:
    """A curve of the whitened change. ``kind`` is "worst", "real" or "bound"."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class SpectralPoint:
    """The largest and the median ‖Ã − Ã′‖₂ over some neighbours made of real rows."""

    n: int
    xi: float
    median: float
    largest: float


def sizes(rows: int) -> tuple[int, ...]:
    """Numbers of rows from few to all but those that stand in."""
    most = max(rows - PAIRS, 2)
    return tuple(sorted({int(n) for n in np.geomspace(min(LEAST_ROWS, most), most, SIZES)}))


def points(scenario: Scenario, data: Dataset) -> Iterator[tuple[SpectralPoint, ...]]:
    """One tuple for each number of rows, over all ridges."""
    problem = plan(data, scenario.setting("exact")).problem
    rows = problem.sample.X.shape[0]
    order = permutation(scenario.seed, rows, "data", "neighbours")
    for n in sizes(rows):
        yield _at(problem, order[:n], order[n : n + PAIRS])


def _at(problem: Problem, inside: Indices, spare: Indices) -> tuple[SpectralPoint, ...]:
    sample, n, pairs = problem.sample, len(inside), PAIRS if problem.sample.X.shape[1] <= WIDE else FEW_PAIRS
    kept = np.sort(inside)
    labels = None if sample.y is None else sample.y[kept]
    base = moments_of(sample.X[kept], labels, sample.n_classes, problem.preprocessing)
    one = problem.model.pencil(base)
    frame = one.constraint_spectrum.vectors
    others = [
        problem.model.pencil(exchanged(base, *records(problem, int(old), int(new))))
        for old, new in zip(inside[:pairs], spare[:pairs], strict=False)
    ]
    found: list[SpectralPoint] = []
    for xi in RIDGES:
        changes = [whitened_change(one, other, frame, xi) for other in others]
        found.append(SpectralPoint(n, xi, float(np.median(changes)), max(changes)))
    return tuple(found)


def nearest_ridge(xi: float) -> float:
    """Drawn ridge that is nearest to ``xi``, which may be 0."""
    return min(RIDGES, key=lambda ridge: abs(np.log(ridge / xi)) if xi > 0 else ridge)


def lines_by_rows(found: tuple[tuple[SpectralPoint, ...], ...], xi: float, real: bool) -> list[WhitenedCurve]:
    """Against n at the ridge nearest to ``xi``."""
    nearest = nearest_ridge(xi)
    chosen = [point for row in found for point in row if point.xi == nearest]
    grid = tuple(float(n) for n in np.geomspace(50, 60_000, 9))
    worst = tuple(worst_whitened(int(n), nearest) for n in grid)
    bound = tuple(published_bound(int(n), nearest) for n in grid)
    return [*_lines(grid, worst, bound), *_real(chosen, [point.n for point in chosen], real)]


def lines_by_ridge(found: tuple[tuple[SpectralPoint, ...], ...], n: int, real: bool) -> list[WhitenedCurve]:
    """Against ξ at the largest number of rows looked at so far, or at ``n`` where no row was."""
    chosen = list(found[-1]) if found else []
    n = chosen[0].n if chosen else n
    worst = tuple(worst_whitened(n, xi) for xi in RIDGES)
    bound = tuple(published_bound(n, xi) for xi in RIDGES)
    return [*_lines(RIDGES, worst, bound), *_real(chosen, [point.xi for point in chosen], real)]


def _lines(x: tuple[float, ...], worst: tuple[float, ...], bound: tuple[float, ...]) -> list[WhitenedCurve]:
    return [
        WhitenedCurve("published bound 8/(nξ)", x, bound, "bound"),
        WhitenedCurve("worst pair, Λ_B without noise", x, worst, "worst"),
    ]


def _real(points: list[SpectralPoint], x: list[float] | list[int], real: bool) -> list[WhitenedCurve]:
    if not real or not points:
        return []
    return [WhitenedCurve("real rows, largest", tuple(float(v) for v in x), tuple(p.largest for p in points), "real")]
