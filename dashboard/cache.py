"""What the server remembers between reruns and shares between sessions. Keys are scenarios and data set identities."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from dashboard.compute import results
from dashboard.compute.axes import AXES, Axis
from dashboard.compute.jobs import FIRST, LATER, Job
from dashboard.figures.live_frames import Frame
from dashboard.figures.live_frames import frames as live_frames
from dashboard.memory import kept
from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset, load_dataset
from dpgep_core.evaluate import Laboratory
from dpgep_core.evaluate.diagnostic import Accuracies
from dpgep_core.release import Release, Setting


def dataset(name: str) -> Dataset:
    """A data set; the loader keeps the last few."""
    return load_dataset(name)


def laboratory(scenario: Scenario, data: Dataset) -> Laboratory:
    """The private side of a scenario: one for all sessions, whatever the noise."""
    return _laboratory(data, scenario.rows(published=data.X_test is not None))


@kept(max_entries=4, show_spinner="Reading the rows once …")
def _laboratory(data: Dataset, rows: Scenario) -> Laboratory:
    return Laboratory.of(data, rows.setting(rows.algorithms[0]))


def answer(scenario: Scenario, algorithm: str, data: Dataset) -> results.Answer:
    """The answer of one algorithm, from memory where it was asked before."""
    return _answer(data, scenario.with_algorithms(algorithm), algorithm)


@kept(max_entries=64)
def _answer(data: Dataset, scenario: Scenario, algorithm: str) -> results.Answer:
    def remember(setting: Setting, solve: Callable[[], Release]) -> Release:
        return _release(data, setting, solve)

    return results.answer(scenario, algorithm, data, laboratory(scenario, data), remember)


@kept(max_entries=6)  # 20 MB each on MNIST
def _release(data: Dataset, setting: Setting, _solve: Callable[[], Release]) -> Release:  # noqa: ARG001  keys
    return _solve()


def curve(scenario: Scenario, algorithm: str, data: Dataset, axis: Axis) -> Job[results.Draw]:
    """The draws of one algorithm along an axis, filling in the background; where one stands on it does not matter."""
    return _curve(data, axis.anywhere(scenario, algorithm), algorithm, axis.key)


@kept(max_entries=24)
def _curve(data: Dataset, scenario: Scenario, algorithm: str, over: str) -> Job[results.Draw]:
    axis = AXES[over]
    items = results.draws(scenario, algorithm, data, laboratory(scenario, data), axis)
    return Job(items, results.curve_length(scenario, algorithm, data.d, axis), LATER)


def exact_curve(scenario: Scenario, data: Dataset, axis: Axis, k: int) -> Job[results.Draw]:
    """What no privacy gives along an axis."""
    alone = axis.anywhere(replace(scenario.rows(published=data.X_test is not None), params=scenario.params), "exact")
    return _exact_curve(data, alone, axis.key, k)


@kept(max_entries=12)
def _exact_curve(data: Dataset, scenario: Scenario, over: str, k: int) -> Job[results.Draw]:
    axis = AXES[over]
    return Job(results.exact_along(scenario, data, laboratory(scenario, data), axis, k), len(axis.grid(data.d)))


def trained(scenario: Scenario, algorithm: str, name: str, data: Dataset) -> Job[Accuracies]:
    """A slow classifier on one algorithm's projection, trained in the background."""
    return _trained(data, scenario.with_algorithms(algorithm), algorithm, name)


@kept(max_entries=48)
def _trained(data: Dataset, scenario: Scenario, algorithm: str, name: str) -> Job[Accuracies]:
    item, room = answer(scenario, algorithm, data), laboratory(scenario, data)

    def train() -> Iterator[Accuracies]:
        yield results.classifier(item, room, name)

    return Job(train(), 1)


def frames(
    scenario: Scenario, algorithm: str, data: Dataset, axis: Axis, grid: tuple[float, ...], components: tuple[int, int]
) -> Job[Frame]:
    """The live panel's frames of one algorithm, nearest the current place first; shared by all places on the axis."""
    here = axis.value(scenario, algorithm, data.d)
    return _frames(data, axis.anywhere(scenario, algorithm), algorithm, axis.key, grid, components, here)


@kept(max_entries=24)
def _frames(
    data: Dataset,
    scenario: Scenario,
    algorithm: str,
    over: str,
    grid: tuple[float, ...],
    components: tuple[int, int],
    _first: float,
) -> Job[Frame]:
    room = laboratory(scenario, data)
    return Job(live_frames(scenario, algorithm, data, room, AXES[over], grid, _first, components), len(grid), FIRST)
