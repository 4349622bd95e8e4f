"""From a scenario to frozen results. Plain functions; what they are given to remember with is the caller's affair."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dashboard.compute.axes import Axis
from dashboard.compute.jobs import Job
from dashboard.scenario import UPLOAD, Scenario, as_text
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.evaluate import Diagnostic, Reference
from dpgep_core.evaluate.diagnostic import diagnose
from dpgep_core.evaluate.measures import CURVE_MEASURES, compute_measure, exact_for
from dpgep_core.evaluate.metrics import cosine_similarity, procrustes, shared_layout
from dpgep_core.evaluate.threshold import SEARCH_DRAWS, Scores, Threshold, threshold_search
from dpgep_core.experiments.answers import BestRidge, best_ridge
from dpgep_core.learnt import learnt_sentence
from dpgep_core.numerics import unit_columns
from dpgep_core.params import defaults
from dpgep_core.privacy.query import Array
from dpgep_core.protocols import ridge_of
from dpgep_core.release import Release, Setting
from dpgep_core.reuse import Remember, keeping_one, release_of
from dpgep_core.solve import plan, run
from dpgep_core.wording import number_text

POINTS = 600  # rows drawn in each projection
PROBLEM = ("xi", "sparsity")  # settings that change what is sought, with or without privacy
STEPS_TEXTS = {1: "one step", 2: "two steps", 3: "three steps"}
DEFAULT_XI = float(defaults(ALGORITHMS["exact"].make)["xi"])


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One algorithm at the current setting."""

    algorithm: str
    title: str
    release: Release
    diagnostic: Diagnostic

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the release, and about the exact solution that it is compared with."""
        return (*self.release.warnings, *self.diagnostic.warnings)

    @property
    def steps(self) -> int:
        """Steps that made it; 0 of a method without a choice."""
        return int(self.release.facts.get("steps_used", 0))

    @property
    def steps_text(self) -> str:
        """Steps in words; "" where there is no choice."""
        return STEPS_TEXTS.get(self.steps, "")

    @property
    def follows_noise(self) -> bool:
        """Whether the noise decides the ridge of the exact answer that it is compared with."""
        asked = ridge_of(self.release.method)
        return not self.release.public.identity_constraint and self.release.facts.get("xi_compared", asked) != asked

    @property
    def private(self) -> bool:
        """Whether the algorithm claims any privacy."""
        return ALGORITHMS[self.algorithm].private


@dataclass(frozen=True, slots=True)
class Draw:
    """One noise draw at one point of an axis: what the curves are made of. NaN where there is nothing to measure.

    ``subspace`` is the mean cosine of the principal angles; ``truth`` the mean |cos| to directions that are known by
    construction.
    """

    at: float
    seed: int
    cosine: float
    first_cosine: float
    angle: float
    subspace: float
    truth: float
    accuracy: float


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Rows on two components, held out where any are: exact, and private laid on it."""

    exact: Array = field(repr=False)
    private: Array = field(repr=False)
    labels: NDArray[np.intp] | None = field(repr=False)
    shared: float
    shared_random: float


def answer(scenario: Scenario, algorithm: str, dataset: Dataset, reference: Reference, remember: Remember) -> Answer:
    """Solve and compare. A method that releases moments pays once; ridge, sparsity and k are then reworked."""
    setting = scenario.setting(algorithm)
    release = release_of(dataset, setting, remember)
    diagnostic = diagnose(reference, release, ("lda",))
    # Answers are kept by the dozen, (d, d) matrices are not.
    slim = replace(release, moments=None, pencil=None, answers=())
    return Answer(algorithm=algorithm, title=ALGORITHMS[algorithm].title, release=slim, diagnostic=diagnostic)


def draws(scenario: Scenario, algorithm: str, dataset: Dataset, reference: Reference, axis: Axis) -> Iterator[Draw]:
    """Draws of noise along an axis, rows fixed: the scenario's own seed over the whole grid first, then others.

    A method without noise is drawn once; one that the axis does not concern, at the two ends.
    """
    grid = axis.grid(dataset.d)
    moves = axis.belongs(scenario, algorithm)
    places = axis.places(scenario, algorithm, dataset.d)
    for number in range(draws_of(scenario, algorithm)):
        remember, seed = keeping_one(), scenario.seed + number
        for value in places if moves else grid[:1]:
            here = axis.at(scenario, value) if moves else scenario
            release = release_of(dataset, here.setting(algorithm, seed=seed), remember)
            found = draw(release, reference, value, seed)
            yield from (found,) if moves else (replace(found, at=end) for end in (grid[0], grid[-1]))


def draws_of(scenario: Scenario, algorithm: str) -> int:
    """How many noise draws make a curve: one where there is no noise."""
    return SEARCH_DRAWS if scenario.noise and ALGORITHMS[algorithm].private else 1


def curve_length(scenario: Scenario, algorithm: str, d: int, axis: Axis) -> int:
    """Number of draws that `draws` yields."""
    places = len(axis.places(scenario, algorithm, d)) if axis.belongs(scenario, algorithm) else 2
    return draws_of(scenario, algorithm) * places


def draw(release: Release, reference: Reference, at: float, seed: int) -> Draw:
    """The numbers of one release that the curves show."""
    return _draw_of(release.components, exact_for(reference, release), reference, at, seed)


def exact_along(scenario: Scenario, dataset: Dataset, reference: Reference, axis: Axis, k: int) -> Iterator[Draw]:
    """Results without privacy along an axis that changes the problem itself, ξ or sparsity; none along the others."""
    if axis.key not in PROBLEM:
        return
    for value in axis.grid(dataset.d):
        here = dict(axis.at(scenario, value).params)
        best = reference.exact(k, here.get("xi", DEFAULT_XI), int(here.get("sparsity", 0)) % dataset.d)
        yield _draw_of(best, best, reference, value, scenario.seed)


def _draw_of(components: Array, best: Array, reference: Reference, at: float, seed: int) -> Draw:
    numbers = {key: compute_measure(key, reference, components, best) for key in CURVE_MEASURES}
    return Draw(at=at, seed=seed, **numbers)


def redraws(scenario: Scenario, algorithm: str, dataset: Dataset, reference: Reference) -> Iterator[Draw]:
    """Draw where the scenario stands: its own seed first, then those after it; the rows stay."""
    for seed in range(scenario.seed, scenario.seed + SEARCH_DRAWS):
        release = run(plan(dataset, scenario.setting(algorithm, seed=seed)))
        yield draw(release, reference, scenario.epsilon, seed)


def by_iteration(item: Answer) -> Array:
    """(m,) mean cosine to the exact solution after each step."""
    best = item.diagnostic.reference
    return np.array([cosine_similarity(basis, best).mean() for basis in item.release.history])


def layout(item: Answer, reference: Reference, first: int, second: int, *, aligned: bool) -> Layout:
    """Rows on two components (counted from 0) of the exact and the private basis.

    The same component twice is drawn along the line, with the rows spread in height so that they can be told apart.
    """
    rows, labels = reference.drawn_rows(POINTS)
    columns = [min(first, item.release.components.shape[1] - 1), min(second, item.release.components.shape[1] - 1)]
    exact, private, chance = (
        _subtract_mean(rows @ unit_columns(basis)[:, columns])
        for basis in (item.diagnostic.reference, item.release.components, reference.random(max(2, max(columns) + 1)))
    )
    alone = columns[0] == columns[1]
    if alone:
        exact, private, chance = (points[:, :1] for points in (exact, private, chance))
    placed = procrustes(private, exact) if aligned else private
    return Layout(
        exact=_spread(exact) if alone else exact,
        private=_spread(placed) if alone else placed,
        labels=labels,
        shared=shared_layout(private, exact),
        shared_random=shared_layout(chance, exact),
    )


def settings_text(scenario: Scenario, items: Sequence[Answer]) -> str:
    """One line with every setting behind a figure, so that a screenshot explains itself."""
    release = items[0].release
    public = release.public
    methods = "; ".join(_with_parameters(item) for item in items)
    as_if = "" if scenario.as_if == 1 else f" (as if ×{number_text(scenario.as_if, 6)}, μ held)"
    raw = "" if scenario.bounds else ", no column bounds"
    name, usual = scenario.dataset.removeprefix(UPLOAD), Scenario().test_size
    held_out = "" if scenario.test_size == usual else f", {as_text(scenario.test_size)} of the rows held out"
    learnt = learnt_sentence(tuple(dict.fromkeys(fact for item in items for fact in item.release.learnt)))
    return (
        f"{name}{raw}{held_out}, {scenario.model}, n={public.n:,}{as_if}, d={public.d:,}, k={public.k}, "
        f"ε={number_text(scenario.epsilon, 6)}, δ={number_text(release.accounted.delta)}, "
        f"{public.relation.replace('_', '-')}, "
        f"seed {scenario.seed}: {methods}. DP-GEP Lab {release.version}"
        f"{learnt and '. ' + learnt[:-1]}"
    )


def _with_parameters(item: Answer) -> str:
    changed = ", ".join(f"{name}={as_text(value)}" for name, value in item.release.setting.params)
    return f"{item.algorithm} ({changed})" if changed else item.algorithm


def _spread(line: Array) -> Array:
    """(m, 2) points of a line (m, 1), each at a height of its own that means nothing."""
    heights = np.arange(len(line)) * 0.6180339887 % 1 - 0.5  # the golden ratio spreads any number of rows evenly
    return np.column_stack([line[:, 0], heights * np.abs(line).max(initial=0.0)])


def _subtract_mean(points: NDArray[Any]) -> Array:
    wide = points.astype(np.float64)
    return wide - wide.mean(axis=0)


PLACES = 13  # that a search usually visits
Found = int | Threshold | BestRidge  # releases compared so far, then the answer


def search(
    data: Dataset, setting: Setting, question: str, target: float, measure: str, draws: int, known: Scores
) -> Iterator[Found]:
    """Search for the answer to a question; ``known`` are scores by ε, which the search reads and adds to."""
    if question == "xi":
        yield best_ridge(data, setting, measure=measure)
    elif question == "n":
        yield (yield from threshold_search(data, setting, target, axis="as_if", measure=measure, draws=draws))
    else:
        yield (yield from threshold_search(data, setting, target, measure=measure, draws=draws, known=known))


def answer_in(job: Job[Found]) -> Threshold | BestRidge | None:
    """Result of a search; None while it searches."""
    found = job.look()
    return found[-1] if found and not isinstance(found[-1], int) else None
