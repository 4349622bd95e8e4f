"""Rows exchanged for others: how far that moves the statistics, and what a classifier tells of its rows. Reads rows."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset
from dpgep_core.evaluate import Reference
from dpgep_core.evaluate.classify import CLASSIFIERS, project
from dpgep_core.models.moments import Moments, moments_of
from dpgep_core.models.neighbours import whitened_change, worst_whitened
from dpgep_core.models.neighbours.whitened import published_bound
from dpgep_core.models.problem import Problem
from dpgep_core.privacy.accountant import best_guess
from dpgep_core.privacy.query import Array, Indices
from dpgep_core.privacy.randomness import permutation
from dpgep_core.release import Release
from dpgep_core.solve import plan

SWAPS, OLD = 1500, 40  # exchanges of real rows, and real rows that become made-up ones
WIDE, FEW_SWAPS, FEW_OLD = 200, 60, 1  # columns from which on matrices are large, and what is then looked at


@dataclass(frozen=True, slots=True)
class Swaps:
    """Changes of B times n: between real rows, the largest with a made-up row, and the proved bound."""

    changes: Array = field(repr=False)
    made_up: float
    proved: float


def measure_swaps(scenario: Scenario, data: Dataset, count: int = SWAPS) -> Swaps:
    """Exchange rows for other rows of the same data."""
    problem = plan(data, scenario.setting("exact")).problem
    sample, moments = problem.sample, problem.moments
    n = sample.X.shape[0]
    count, old_rows = (count, OLD) if sample.X.shape[1] <= WIDE else (min(count, FEW_SWAPS), FEW_OLD)
    places = permutation(0, n * 2, "data", "swaps") % n
    takes = np.resize(places, 2 * count).reshape(count, 2)
    changes = np.array([_change(problem, moments, *records(problem, old, new)) for old, new in takes])
    proved = n * problem.model.sensitivity(scenario.relation, n).constraint
    return Swaps(changes, _made_up(problem, moments, min(old_rows, n)), proved)


def energy(scenario: Scenario, data: Dataset) -> Array:
    """(d,) share of the squared length of the prepared rows that each column carries."""
    problem = plan(data, scenario.setting("exact")).problem
    diagonal = np.diag(problem.moments.gram)
    return diagonal / diagonal.sum()


Record = tuple[Array, int]


def records(problem: Problem, old: int, new: int) -> tuple[Record, Record]:
    """Two rows of a problem, prepared, with their classes."""
    x, z = problem.rows(np.array([old, new], np.intp)).astype(np.float64)
    y = problem.sample.y
    return (x, 0 if y is None else int(y[old])), (z, 0 if y is None else int(y[new]))


def _made_up(problem: Problem, moments: Moments, old_rows: int) -> float:
    """The largest change found when a real row becomes a made-up one: against each class mean, in each class."""
    means = moments.class_means.T
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    away = -means / np.where(lengths > 0, lengths, 1.0)
    best = 0.0
    for old in range(old_rows):
        (record, _) = records(problem, old, old)
        best = max(
            best,
            *(_change(problem, moments, record, (row, label)) for row in away for label in range(len(means))),
        )
    return best


def _change(problem: Problem, moments: Moments, old: Record, new: Record) -> float:
    """n‖ΔB‖_F."""
    one, two = (problem.model.pencil(m).constraint_matrix for m in (moments, exchanged(moments, old, new)))
    return float(moments.n * np.linalg.norm(one - two))


def exchanged(moments: Moments, old: Record, new: Record) -> Moments:
    """Moments with one record exchanged for another."""
    (x, y), (z, w) = old, new
    classes: Array = np.eye(moments.sums.shape[1])
    sums: Any = moments.sums + np.outer(z, classes[w]) - np.outer(x, classes[y])
    counts = moments.counts + classes[w] - classes[y]
    return Moments(moments.n, moments.gram + np.outer(z, z) - np.outer(x, x), sums, counts)


MOST_TRAINED = 5000  # trained on; as many are asked about on each side as were held out


@dataclass(frozen=True, slots=True)
class Membership:
    """How often a guesser who sees the classifier is right about who was in it, and what ε would allow."""

    trained_on: int
    asked: int
    right: float
    allowed: float
    inside: float
    outside: float


def measure_membership(release: Release, reference: Reference, most_rows: int = MOST_TRAINED) -> Membership:
    """Train a random forest on projected rows; guess "it was in" where the forest is surer of the true label.

    A private projection does not make a classifier trained on projected rows private. Half of the rows asked about were
    trained on, half held out; the cutoff is the median over both.
    """
    parts = reference.parts
    assert parts.y is not None
    chosen = permutation(0, parts.y.size, "classifier", "membership")[:most_rows]
    count = min(chosen.size, reference.test_labels.size)
    inside = project(parts.X[chosen], reference.problem.preprocessing, release.components)
    outside = project(parts.X_test[:count], reference.problem.preprocessing, release.components)
    forest = CLASSIFIERS["random_forest"].make(0).fit(inside, parts.y[chosen])
    sure_in = _sureness(forest.predict_proba(inside[:count]), forest.classes_, parts.y[chosen][:count])
    sure_out = _sureness(forest.predict_proba(outside), forest.classes_, reference.test_labels[:count])
    cutoff = float(np.median(np.concatenate([sure_in, sure_out])))
    hits, alarms = float(np.mean(sure_in > cutoff)), float(np.mean(sure_out > cutoff))
    return Membership(
        trained_on=chosen.size,
        asked=2 * count,
        right=(1 + hits - alarms) / 2,
        allowed=best_guess(release.ledger.mu),
        inside=float(sure_in.mean()),
        outside=float(sure_out.mean()),
    )


def _sureness(shares: Array, known: NDArray[np.intp], labels: NDArray[np.intp]) -> Array:
    """(m,) the share of trees that vote for the true label; 0 for a label that was never trained on."""
    place = {int(label): column for column, label in enumerate(known)}
    return np.array([row[place[int(y)]] if int(y) in place else 0.0 for row, y in zip(shares, labels, strict=True)])


RIDGES = (1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 1.0)
PAIRS, FEW_PAIRS = 8, 3  # neighbours drawn at each size; fewer where the matrices are wide
LEAST_ROWS, SPECTRAL_SIZES = 50, 5


@dataclass(frozen=True, slots=True)
class WhitenedCurve:
    """Curve of the whitened change (Chen et al., supplement, Figures 3 to 14). ``kind``: "worst", "real" or "bound"."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class SpectralPoint:
    """The largest ‖Ã − Ã′‖₂ over some neighbours made of real rows."""

    n: int
    xi: float
    largest: float


def sizes(rows: int) -> tuple[int, ...]:
    """Numbers of rows from few to all but those that stand in."""
    most = max(rows - PAIRS, 2)
    return tuple(sorted({int(n) for n in np.geomspace(min(LEAST_ROWS, most), most, SPECTRAL_SIZES)}))


def spectral_points(scenario: Scenario, data: Dataset) -> Iterator[tuple[SpectralPoint, ...]]:
    """One tuple for each number of rows, over all ridges."""
    problem = plan(data, scenario.setting("exact")).problem
    rows = problem.sample.X.shape[0]
    order = permutation(scenario.seed, rows, "data", "neighbours")
    for n in sizes(rows):
        yield _points_at(problem, order[:n], order[n : n + PAIRS])


def _points_at(problem: Problem, inside: Indices, spare: Indices) -> tuple[SpectralPoint, ...]:
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
    return tuple(SpectralPoint(n, xi, max(whitened_change(one, other, frame, xi) for other in others)) for xi in RIDGES)


def nearest_ridge(xi: float) -> float:
    """Drawn ridge that is nearest to ``xi``, which may be 0."""
    return min(RIDGES, key=lambda ridge: abs(np.log(ridge / xi)) if xi > 0 else ridge)


def lines_by_rows(found: tuple[tuple[SpectralPoint, ...], ...], xi: float, real: bool) -> list[WhitenedCurve]:
    """Against n at the ridge nearest to ``xi``."""
    nearest = nearest_ridge(xi)
    grid = tuple(float(n) for n in np.geomspace(50, 60_000, 9))
    chosen = {float(point.n): point for row in found for point in row if point.xi == nearest}
    return _whitened_curves(grid, [(int(n), nearest) for n in grid], chosen if real else {})


def lines_by_ridge(found: tuple[tuple[SpectralPoint, ...], ...], n: int, real: bool) -> list[WhitenedCurve]:
    """Against ξ at the largest number of rows looked at so far, or at ``n`` where no row was."""
    last = found[-1] if found else ()
    n = last[0].n if last else n
    return _whitened_curves(RIDGES, [(n, xi) for xi in RIDGES], {point.xi: point for point in last if real})


def _whitened_curves(
    x: tuple[float, ...], places: list[tuple[int, float]], real: dict[float, SpectralPoint]
) -> list[WhitenedCurve]:
    """Curves of what is stated at the places (n, ξ), and of the largest change of real rows, if any were looked at."""
    bound, worst = (tuple(stated(n, xi) for n, xi in places) for stated in (published_bound, worst_whitened))
    found = [
        WhitenedCurve("published bound 8/(nξ)", x, bound, "bound"),
        WhitenedCurve("worst pair, Λ_B without noise", x, worst, "worst"),
    ]
    largest = tuple(point.largest for point in real.values())
    return [*found, WhitenedCurve("real rows, largest", tuple(real), largest, "real")] if real else found
