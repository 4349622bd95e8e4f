"""What the stories remember between reruns."""

from dashboard import cache
from dashboard.compute.membership import Membership, membership
from dashboard.compute.swaps import Swaps, swaps
from dashboard.memory import kept
from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset
from dpgep_core.solve import plan, run


def swapped(scenario: Scenario, data: Dataset) -> Swaps:
    """How far real rows move B: no noise changes it."""
    return _swapped(data, scenario.rows(published=False), scenario.relation)


@kept(max_entries=6, show_spinner="Exchanging rows …")
def _swapped(data: Dataset, rows: Scenario, relation: str) -> Swaps:
    return swaps(rows, data, relation=relation)


def members(scenario: Scenario, algorithm: str, data: Dataset) -> Membership:
    """Who was in the forest that was trained on one projection."""
    return _members(data, scenario.with_algorithms(algorithm))


@kept(max_entries=12, show_spinner="Training a forest and asking it …")
def _members(data: Dataset, scenario: Scenario) -> Membership:
    release = run(plan(data, scenario.setting(scenario.algorithms[0])))
    return membership(release, cache.laboratory(scenario, data))
