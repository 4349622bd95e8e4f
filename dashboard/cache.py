"""Cached results of the server. Keys are scenarios and the identities of data sets.

Results for data sets that have a name serve all sessions; results for an upload serve its own session alone.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial, wraps
from itertools import count
from typing import Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary, WeakSet

import streamlit as st
from streamlit.runtime.scriptrunner_utils.script_run_context import get_run_yield_check

from dashboard.compute import evidence, exchanges, results, rowfacts
from dashboard.compute.axes import AXES, Axis
from dashboard.compute.jobs import FIRST, LATER, Job, ParallelJob
from dashboard.compute.spectra import ScatterSpectra, scatter_spectra
from dashboard.compute.turns import TURNS
from dashboard.figures.live_frames import Frame, live_frames
from dashboard.scenario import Scenario
from dpgep_core.audit import Attack, AuditResult
from dpgep_core.datasets import Dataset
from dpgep_core.datasets.dataset import dataset_digest
from dpgep_core.evaluate import Reference
from dpgep_core.evaluate.diagnostic import Accuracies
from dpgep_core.evaluate.threshold import Scores
from dpgep_core.models import neighbours
from dpgep_core.models.neighbours import SEARCH_SIZES, worst
from dpgep_core.release import Release, Setting
from dpgep_core.reuse import release_of
from dpgep_core.solve import plan, run

Rest = ParamSpec("Rest")
Result = TypeVar("Result")
Grid = tuple[float, ...]
OfData = Callable[Concatenate[Dataset, Rest], Result]

_serials: WeakKeyDictionary[Dataset, int] = WeakKeyDictionary()
_counter = count()
_own: WeakSet[Dataset] = WeakSet()


def identity(data: Dataset) -> int:
    """A number for a loaded data set that, unlike ``id``, is never used again."""
    return _serials.setdefault(data, next(_counter))


def mark_own(data: Dataset) -> None:
    """Say that a data set belongs to one session: nothing about it may outlive that session."""
    _own.add(data)


def alive() -> int:
    """How many data sets that belong to a session are in memory."""
    return len(_own)


def cached_for_dataset(
    *, max_entries: int, show_spinner: bool | str = False
) -> Callable[[OfData[Rest, Result]], OfData[Rest, Result]]:
    """Decorator that caches the last ``max_entries`` results of a function whose first argument is a data set."""

    def cached(make: OfData[Rest, Result]) -> OfData[Rest, Result]:
        options: Any = {
            "max_entries": max_entries, "show_spinner": show_spinner, "hash_funcs": {Dataset: identity},
        }  # fmt: skip
        shared: OfData[Rest, Result] = st.cache_resource(**options)(make)
        alone: OfData[Rest, Result] = st.cache_resource(scope="session", **options)(make)

        @wraps(make)
        def look(data: Dataset, *args: Rest.args, **named: Rest.kwargs) -> Result:
            return (alone if data in _own else shared)(data, *args, **named)

        return look

    return cached


@cached_for_dataset(max_entries=16)
def digest(data: Dataset) -> bytes:
    """Digest of a loaded data set, computed once (see `dataset_digest`)."""
    return dataset_digest(data)


def reference_of(scenario: Scenario, data: Dataset) -> Reference:
    """The private side of a scenario: one for all sessions, whatever the noise."""
    return _reference(data, scenario.rows(published=data.X_test is not None))


@cached_for_dataset(max_entries=4, show_spinner="Reading the rows once …")
def _reference(data: Dataset, rows: Scenario) -> Reference:
    return Reference.of(data, rows.setting(rows.algorithms[0]))


def answer(scenario: Scenario, algorithm: str, data: Dataset) -> results.Answer:
    """The answer of one algorithm."""
    return _answer(data, scenario.with_algorithms(algorithm), algorithm)


@cached_for_dataset(max_entries=192)  # at most 1 MB each: three methods at every place of two axes
def _answer(data: Dataset, scenario: Scenario, algorithm: str) -> results.Answer:
    def remember(setting: Setting, solve: Callable[[], Release]) -> Release:
        return _release(data, setting, solve)

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
        yield results.classifier(item, reference, name)

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
    reference, solve = reference_of(scenario, data), None if data in _own else partial(_answer, data)
    parts = live_frames(scenario, algorithm, data, reference, AXES[over], grid, _first, components, solve)
    return ParallelJob(parts, len(grid), FIRST)


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


@st.cache_resource(max_entries=128, show_spinner="Looking for the worst neighbours …")
def worst_pair(key: str, relation: str, n: int) -> neighbours.WorstPair:
    """The worst neighbours of a statistic at one size."""
    return worst(key, relation, n, starts=3)


@st.cache_resource(max_entries=24, show_spinner=False)
def worst_by_size(key: str, relation: str) -> Job[neighbours.WorstPair]:
    """The worst neighbours at sizes from 2 to 20,000, searched for in the background."""
    return Job((worst(key, relation, n, starts=3) for n in SEARCH_SIZES), len(SEARCH_SIZES))


def verdicts(scenario: Scenario, data: Dataset) -> Job[evidence.VerdictRow]:
    """Every algorithm at the scenario; which ones are overlaid does not matter."""
    return _verdicts(data, scenario.with_algorithms("exact"))


@cached_for_dataset(max_entries=12)
def _verdicts(data: Dataset, scenario: Scenario) -> Job[evidence.VerdictRow]:
    return Job(evidence.verdict_rows(scenario, data), len(evidence.audited_keys(scenario.model)))


@st.cache_resource(max_entries=12, show_spinner=False)
def attacks(scenario: Scenario) -> Job[Any]:
    """Quick attack on each algorithm, in a background thread."""
    return Job(evidence.attacks(scenario), len(evidence.audited_keys(scenario.model)))


@st.cache_resource(max_entries=32, show_spinner=False)
def growing_attack(attack: Attack) -> Job[AuditResult]:
    """One attack with more and more runs."""
    return Job(evidence.growing_attack(attack), evidence.STEPS)


@st.cache_resource(max_entries=32, show_spinner="Solving for what left …")
def reconstruction(algorithm: str, epsilon: float, xi: float, seed: int) -> evidence.Reconstruction:
    """B and the last row from a few outputs."""
    return evidence.reconstruction(algorithm, epsilon, xi, seed)


def spectral_points(scenario: Scenario, data: Dataset) -> Job[tuple[exchanges.SpectralPoint, ...]]:
    """Real neighbours at each size, computed in the background."""
    return _spectral(data, scenario.rows(published=False))


@cached_for_dataset(max_entries=6)
def _spectral(data: Dataset, scenario: Scenario) -> Job[tuple[exchanges.SpectralPoint, ...]]:
    return Job(exchanges.spectral_points(scenario, data), exchanges.SPECTRAL_SIZES)


def row_swaps(scenario: Scenario, data: Dataset) -> exchanges.Swaps:
    """How far real rows move B: no noise changes it."""
    return _row_swaps(data, scenario.rows(published=False))


@cached_for_dataset(max_entries=6, show_spinner="Exchanging rows …")
def _row_swaps(data: Dataset, rows: Scenario) -> exchanges.Swaps:
    return exchanges.measure_swaps(rows, data)


def members(scenario: Scenario, algorithm: str, data: Dataset) -> exchanges.Membership:
    """Membership guesses against the forest that was trained on one projection."""
    return _members(data, scenario.with_algorithms(algorithm))


@cached_for_dataset(max_entries=12, show_spinner="Training a forest and asking it …")
def _members(data: Dataset, scenario: Scenario) -> exchanges.Membership:
    release = run(plan(data, scenario.setting(scenario.algorithms[0])))
    return exchanges.measure_membership(release, reference_of(scenario, data))


@cached_for_dataset(max_entries=6)
def row_facts(data: Dataset) -> rowfacts.Facts:
    """Counts and sizes of the rows."""
    return rowfacts.facts(data)


def spectra(scenario: Scenario, data: Dataset) -> rowfacts.Spectra | None:
    """Spectra of the model's matrices; which algorithms are overlaid does not matter."""
    return _spectra(data, replace(scenario, algorithms=("ssp",), params=scenario.params_of("ssp"), n_components=None))


@cached_for_dataset(max_entries=24)
def _spectra(data: Dataset, scenario: Scenario) -> rowfacts.Spectra | None:
    return rowfacts.spectra(scenario, data, reference_of(scenario, data))
