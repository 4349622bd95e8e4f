"""What the Data page remembers between reruns."""

from dataclasses import replace

from dashboard import cache
from dashboard.compute import rowfacts
from dashboard.memory import kept
from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset


def facts(data: Dataset) -> rowfacts.Facts:
    """Counts and sizes of the rows."""
    return _facts(data)


@kept(max_entries=6)
def _facts(data: Dataset) -> rowfacts.Facts:
    return rowfacts.facts(data)


def spectra(scenario: Scenario, data: Dataset) -> rowfacts.Spectra | None:
    """Spectra of the model's matrices; which algorithms are overlaid does not matter."""
    return _spectra(data, replace(scenario, algorithms=("ssp",), params=scenario.params_of("ssp"), n_components=None))


@kept(max_entries=24)
def _spectra(data: Dataset, scenario: Scenario) -> rowfacts.Spectra | None:
    return rowfacts.spectra(scenario, data, cache.laboratory(scenario, data))
