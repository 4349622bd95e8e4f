"""Noise draws at one setting, made beside the page and remembered."""

from collections.abc import Iterator

from dashboard import cache
from dashboard.compute import results
from dashboard.compute.jobs import Job
from dashboard.memory import kept
from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset
from dpgep_core.evaluate import Laboratory
from dpgep_core.solve import plan, run


def at_setting(scenario: Scenario, algorithm: str, data: Dataset) -> Job[results.Draw]:
    """Twenty draws of one algorithm where the scenario stands."""
    return _at_setting(data, scenario.with_algorithms(algorithm), algorithm)


@kept(max_entries=48)
def _at_setting(data: Dataset, scenario: Scenario, algorithm: str) -> Job[results.Draw]:
    return Job(redrawn(scenario, algorithm, data, cache.laboratory(scenario, data)), results.DRAWS)


def redrawn(scenario: Scenario, algorithm: str, data: Dataset, laboratory: Laboratory) -> Iterator[results.Draw]:
    """The scenario's own draw, then those of the seeds after it; the rows stay."""
    for seed in range(scenario.seed, scenario.seed + results.DRAWS):
        release = run(plan(data, scenario.setting(algorithm, seed=seed)))
        yield results.draw(release, laboratory, scenario.epsilon, seed)
