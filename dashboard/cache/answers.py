"""Cached answers of the algorithms: solves, curves, draws, frames and searches."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from streamlit.runtime.scriptrunner_utils.script_run_context import get_run_yield_check

from dashboard.cache.by_dataset import cached_for_dataset, is_own
from dashboard.cache.rows import reference_of
from dashboard.compute import results
from dashboard.compute.axes import AXES, Axis
from dashboard.compute.jobs import FIRST, LATER, AheadJob, Job, ParallelJob
from dashboard.compute.spectra import ScatterSpectra, scatter_spectra
from dashboard.compute.turns import TURNS
from dashboard.figures.live_frames import FIRST_PLACES, Frame, live_frames
from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset
from dpgep_core.evaluate.diagnostic import Accuracies, score_classifier
from dpgep_core.evaluate.threshold import Scores
from dpgep_core.release import Release, Setting
from dpgep_core.reuse import Remember, keeping_one, release_of
from dpgep_core.solve import plan

Grid = tuple[float, ...]


def answer(scenario: Scenario, algorithm: str, data: Dataset) -> results.Answer:
    """The answer of one algorithm."""
    return _answer(data, scenario.with_algorithms(algorithm), algorithm)


@cached_for_dataset(max_entries=192)  # at most 1 MB each: three methods at every place of two axes
def _answer(data: Dataset, scenario: Scenario, algorithm: str, _remember: Remember | None = None) -> results.Answer:
    def remember(setting: Setting, solve: Callable[[], Release]) -> Release:
        return _release(data, setting, solve) if _remember is None else _remember(setting, solve)

    with TURNS.solving(get_run_yield_check()):
        return results.answer(scenario, algorithm, data, reference_of(scenario, data), remember)


@cached_for_dataset(max_entries=6)  # 20 MB each on MNIST
def _release(data: Dataset, setting: Setting, _solve: Callable[[], Release]) -> Release:  # noqa: ARG001  keys
    return _solve()


def released_spectra(scenario: Scenario, algorithm: str, data: Dataset) -> ScatterSpectra | None:
    """Eigenvalues of what one algorithm released; None where it releases no sums."""
    return _released_spectra(data, scenario.with_algorithms(algorithm), algorithm)


@cached_for_dataset(max_entries=48)
def _released_spectra(data: Dataset, scenario: Scenario, algorithm: str) -> ScatterSpectra | None:
    setting = scenario.setting(algorithm)
    bound = plan(data, setting)
    if not bound.keeps_moments:
        return None
    release = release_of(data, setting, lambda costly, solve: _release(data, costly, solve))
    return scatter_spectra(bound, release, reference_of(scenario, data))


def curve(scenario: Scenario, algorithm: str, data: Dataset, axis: Axis) -> Job[results.Draw]:
    """The draws of one algorithm along an axis, filling in the background; where one stands on it does not matter."""
    return _curve(data, axis.anywhere(scenario, algorithm), algorithm, axis.key)


@cached_for_dataset(max_entries=24)
def _curve(data: Dataset, scenario: Scenario, algorithm: str, over: str) -> Job[results.Draw]:
    axis = AXES[over]
    items = results.draws(scenario, algorithm, data, reference_of(scenario, data), axis)
    return Job(items, results.curve_length(scenario, algorithm, data.d, axis), LATER)


def exact_curve(scenario: Scenario, data: Dataset, axis: Axis, k: int) -> Job[results.Draw]:
    """Results without privacy along an axis."""
    alone = axis.anywhere(replace(scenario.rows(published=data.X_test is not None), params=scenario.params), "exact")
    return _exact_curve(data, alone, axis.key, k)


@cached_for_dataset(max_entries=12)
def _exact_curve(data: Dataset, scenario: Scenario, over: str, k: int) -> Job[results.Draw]:
    axis = AXES[over]
    return Job(results.exact_along(scenario, data, reference_of(scenario, data), axis, k), len(axis.grid(data.d)))


def redraws(scenario: Scenario, algorithm: str, data: Dataset) -> Job[results.Draw]:
    """Twenty draws of one algorithm where the scenario stands."""
    return _redraws(data, scenario.with_algorithms(algorithm), algorithm)


@cached_for_dataset(max_entries=48)
def _redraws(data: Dataset, scenario: Scenario, algorithm: str) -> Job[results.Draw]:
    return Job(results.redraws(scenario, algorithm, data, reference_of(scenario, data)), results.SEARCH_DRAWS)


def trained(scenario: Scenario, algorithm: str, name: str, data: Dataset) -> Job[Accuracies]:
    """A slow classifier on one algorithm's projection, trained in the background."""
    return _trained(data, scenario.with_algorithms(algorithm), algorithm, name)


@cached_for_dataset(max_entries=48)
def _trained(data: Dataset, scenario: Scenario, algorithm: str, name: str) -> Job[Accuracies]:
    item, reference = answer(scenario, algorithm, data), reference_of(scenario, data)

    def train() -> Iterator[Accuracies]:
        yield score_classifier(reference, item.release, name)

    return Job(train(), 1)


def frames(
    scenario: Scenario, algorithm: str, data: Dataset, axis: Axis, grid: Grid, components: tuple[int, int]
) -> Job[Frame]:
    """The live panel's frames of one algorithm, nearest the current place first; shared by all places on the axis."""
    here = axis.value(scenario, algorithm, data.d)
    return _frames(data, axis.anywhere(scenario, algorithm), algorithm, axis.key, grid, components, here)


@cached_for_dataset(max_entries=24)
def _frames(
    data: Dataset, scenario: Scenario, algorithm: str, over: str, grid: Grid, components: tuple[int, int], _first: float
) -> Job[Frame]:
    reference, solve = reference_of(scenario, data), None if is_own(data) else partial(_answer, data)
    parts = live_frames(scenario, algorithm, data, reference, AXES[over], grid, _first, components, solve)
    return ParallelJob(parts, len(grid), FIRST, urgent=FIRST_PLACES)


def answers_ahead(scenario: Scenario, algorithm: str, data: Dataset, axis: Axis, grid: Grid) -> AheadJob[None] | None:
    """The job that has answers at other places of an axis ready, for as long as nobody computes, once it is looked at.

    Their sums are not kept, so that those of the page that is shown are. Rows of somebody's own are left alone.
    """
    return None if is_own(data) else _answers_ahead(data, axis.anywhere(scenario, algorithm), algorithm, axis.key, grid)


@cached_for_dataset(max_entries=24)
def _answers_ahead(data: Dataset, scenario: Scenario, algorithm: str, over: str, grid: Grid) -> AheadJob[None]:
    def make(place: float) -> None:
        _answer(data, AXES[over].at(scenario, place), algorithm, keeping_one())

    return AheadJob(grid, make)


def search_for(
    scenario: Scenario, algorithm: str, data: Dataset, question: str, target: float, measure: str
) -> Job[results.Found]:
    """The answer to one question about one method; where the answer does not depend on ε, it is asked once for all."""
    if question == "epsilon":
        scenario = AXES["epsilon"].anywhere(scenario, algorithm)
    alone = scenario.with_algorithms(algorithm)
    return _search(data, alone, algorithm, question, 0.0 if question == "xi" else target, measure)


@cached_for_dataset(max_entries=32)
def _search(
    data: Dataset, scenario: Scenario, algorithm: str, question: str, target: float, measure: str
) -> Job[results.Found]:
    setting, draws = scenario.setting(algorithm), results.draws_of(scenario, algorithm)
    known = _scores(data, scenario, algorithm, measure)  # here: the thread of a job belongs to no session
    steps = 1 if question == "xi" else results.PLACES * draws + 1
    return Job(results.search(data, setting, question, target, measure, draws, known), steps)


def share_scores(scenario: Scenario, algorithm: str, data: Dataset, draws: Iterable[results.Draw]) -> None:
    """Let searches for an ε use the accuracies of a whole curve over ε, whose draws are the same ones."""
    known = _scores(data, AXES["epsilon"].anywhere(scenario, algorithm), algorithm, "accuracy")
    by_place: dict[float, list[float]] = defaultdict(list)
    for one in sorted(draws, key=lambda draw: draw.seed):
        by_place[one.at].append(one.accuracy)
    known.update({place: values for place, values in by_place.items() if len(values) > len(known.get(place, ()))})


@cached_for_dataset(max_entries=32)
def _scores(data: Dataset, scenario: Scenario, algorithm: str, measure: str) -> Scores:  # noqa: ARG001  keys
    """Scores by ε that searches for several targets share."""
    return {}
