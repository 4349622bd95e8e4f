"""From a scenario to frozen results. Plain functions; what they are given to remember with is the caller's affair."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboard.scenario import Scenario, as_text
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.evaluate import Diagnostic, Laboratory
from dpgep_core.evaluate.diagnostic import Accuracies, accuracies, diagnose, reference
from dpgep_core.evaluate.metrics import cosine_similarity, principal_angles, procrustes, shared_layout
from dpgep_core.models import MODELS
from dpgep_core.numerics import unit_columns
from dpgep_core.params import parameters
from dpgep_core.privacy.query import Array
from dpgep_core.release import Release, Setting
from dpgep_core.solve import paid, plan, rework, run

DRAWS = 20
EPSILONS = tuple(float(f"{e:.4g}") for e in np.geomspace(2**-10, 10, 14))
POINTS = 600  # held-out rows drawn in each projection
Remember = Callable[[Setting, Callable[[], Release]], Release]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One algorithm at the current setting."""

    algorithm: str
    title: str
    release: Release
    diagnostic: Diagnostic

    @property
    def private(self) -> bool:
        """Whether the algorithm claims any privacy."""
        return ALGORITHMS[self.algorithm].private


@dataclass(frozen=True, slots=True)
class Draw:
    """One noise draw at one ε: what the curves are made of."""

    epsilon: float
    seed: int
    cosine: float
    first_cosine: float
    angle: float
    accuracy: float


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Held-out rows on two components: exact, and private laid on it."""

    exact: Array = field(repr=False)
    private: Array = field(repr=False)
    labels: NDArray[np.intp] | None = field(repr=False)
    shared: float
    shared_random: float
    aligned: bool


def answer(scenario: Scenario, algorithm: str, dataset: Dataset, laboratory: Laboratory, remember: Remember) -> Answer:
    """Solve and compare. A method that releases moments pays once; ridge, sparsity and k are then reworked."""
    setting = scenario.setting(algorithm)
    release = solved(setting, dataset, remember)
    diagnostic = diagnose(laboratory, release, ("lda",))
    slim = replace(release, moments=None, pencil=None)  # answers are kept by the dozen, (d, d) matrices are not
    return Answer(algorithm=algorithm, title=ALGORITHMS[algorithm].title, release=slim, diagnostic=diagnostic)


def solved(setting: Setting, dataset: Dataset, remember: Remember) -> Release:
    """The release of a setting, from what was already paid for where that is enough."""
    if not ALGORITHMS[setting.algorithm].spends_once:
        return remember(setting, lambda: run(plan(dataset, setting)))
    bound = plan(dataset, setting)  # checks the free parameters too
    once = remember(paid(setting), lambda: run(plan(dataset, paid(setting))))
    return once if paid(setting) == setting else rework(once, dataset, bound.setting)


def draws(scenario: Scenario, algorithm: str, dataset: Dataset, laboratory: Laboratory) -> Iterator[Draw]:
    """Draws of noise over the ε grid, rows fixed: the scenario's own seed over the whole grid first, then others."""
    if not ALGORITHMS[algorithm].private:
        return
    for number in range(DRAWS):
        seed = scenario.seed + number
        for epsilon in EPSILONS:
            release = run(plan(dataset, scenario.setting(algorithm, epsilon=epsilon, seed=seed)))
            yield draw(release, laboratory, epsilon, seed)


def draw(release: Release, laboratory: Laboratory, epsilon: float, seed: int) -> Draw:
    """The numbers of one release that the curves show."""
    k, (xi, sparsity) = release.components.shape[1], reference(release)
    best = laboratory.exact(k, xi, sparsity)
    cosines = cosine_similarity(release.components, best)
    return Draw(
        epsilon,
        seed,
        float(cosines.mean()),
        float(cosines[0]),
        float(principal_angles(release.components, best).mean()),
        laboratory.score(release.components, "lda").accuracy if laboratory.labelled else float("nan"),
    )


def by_iteration(item: Answer) -> Array:
    """(m,) mean cosine to the exact solution after each step."""
    best = item.diagnostic.reference
    return np.array([cosine_similarity(basis, best).mean() for basis in item.release.history])


def layout(item: Answer, laboratory: Laboratory, first: int, second: int, *, aligned: bool) -> Layout:
    """Held-out rows on two components (counted from 0) of the exact and the private basis.

    The same component twice is drawn along the line, with the rows spread in height so that they can be told apart.
    """
    rows, labels = laboratory.test_rows[:POINTS], laboratory.parts.y_test
    columns = [min(first, item.release.components.shape[1] - 1), min(second, item.release.components.shape[1] - 1)]
    exact, private, chance = (
        _centred(rows @ unit_columns(basis)[:, columns].astype(rows.dtype))
        for basis in (item.diagnostic.reference, item.release.components, laboratory.random(max(2, max(columns) + 1)))
    )
    alone = columns[0] == columns[1]
    if alone:
        exact, private, chance = (points[:, :1] for points in (exact, private, chance))
    placed = procrustes(private, exact) if aligned else private
    return Layout(
        exact=_spread(exact) if alone else exact,
        private=_spread(placed) if alone else placed,
        labels=None if labels is None else labels[:POINTS],
        shared=shared_layout(private, exact),
        shared_random=shared_layout(chance, exact),
        aligned=aligned,
    )


def classifier(item: Answer, laboratory: Laboratory, name: str) -> Accuracies:
    """One classifier on the private, the exact and a random projection."""
    return accuracies(laboratory, item.release, name)


def model_parameters(model: str) -> frozenset[str]:
    """Names of the parameters that belong to a model and not to an algorithm."""
    return frozenset(parameters(MODELS[model].make))


def settings_text(scenario: Scenario, items: Sequence[Answer]) -> str:
    """One line with every setting behind a figure, so that a screenshot explains itself."""
    release = items[0].release
    public = release.public
    methods = "; ".join(_with_parameters(item) for item in items)
    as_if = "" if scenario.as_if == 1 else f" (as if ×{scenario.as_if:g}, μ held)"
    raw = "" if scenario.bounds else ", no column bounds"
    return (
        f"{scenario.dataset}{raw}, {scenario.model}, n={public.n}{as_if}, d={public.d}, k={public.k}, "
        f"ε={scenario.epsilon:g}, δ={release.accounted.delta:.3g}, {public.relation.replace('_', '-')}, "
        f"seed {scenario.seed}: {methods}. DP-GEP Lab {release.version}"
    )


def _with_parameters(item: Answer) -> str:
    changed = ", ".join(f"{name}={as_text(value)}" for name, value in item.release.setting.params)
    return f"{item.algorithm} ({changed})" if changed else item.algorithm


def _spread(line: Array) -> Array:
    """(m, 2) points of a line (m, 1), each at a height of its own that means nothing."""
    heights = np.arange(len(line)) * 0.6180339887 % 1 - 0.5  # the golden ratio spreads any number of rows evenly
    return np.column_stack([line[:, 0], heights * np.abs(line).max(initial=0.0)])


def _centred(points: NDArray[Any]) -> Array:
    wide = points.astype(np.float64)
    return wide - wide.mean(axis=0)
