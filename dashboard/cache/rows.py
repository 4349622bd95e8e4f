"""Cached facts about the rows, which no noise changes."""

from dataclasses import replace

from dashboard.cache.by_dataset import cached_for_dataset
from dashboard.compute import rowfacts
from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset
from dpgep_core.datasets.digests import dataset_digest
from dpgep_core.evaluate import Reference

SMALL = 200  # columns up to which the matrices of a reference take less than a megabyte


@cached_for_dataset(max_entries=16)
def digest(data: Dataset) -> bytes:
    """Digest of a loaded data set, computed once (see `dataset_digest`)."""
    return dataset_digest(data)


def reference_of(scenario: Scenario, data: Dataset) -> Reference:
    """The private side of a scenario: one for all sessions, whatever the noise."""
    rows = scenario.rows(published=data.X_test is not None)
    return (_large_reference if data.d > SMALL else _small_reference)(data, rows)


@cached_for_dataset(max_entries=6, show_spinner="Reading the rows once …")
def _large_reference(data: Dataset, rows: Scenario) -> Reference:
    return Reference.of(data, rows.setting(rows.algorithms[0]))


@cached_for_dataset(max_entries=48)  # a class has a seed for each of its small tables: none may drive out a large one
def _small_reference(data: Dataset, rows: Scenario) -> Reference:
    return Reference.of(data, rows.setting(rows.algorithms[0]))


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
