"""What the measures of the stories are taken from: releases and the rows behind them, each made once."""

from dataclasses import replace
from functools import lru_cache

from dashboard.scenario import Scenario
from dpgep_core.datasets import load_dataset
from dpgep_core.evaluate import Reference
from dpgep_core.release import Release
from dpgep_core.solve import Plan, plan, run

Of = tuple[str | float, ...]


def planned(scenario: Scenario) -> Plan:
    """The rows of seed 0, whatever the noise: that is what redrawing does."""
    setting = replace(scenario.setting(scenario.algorithms[0]), split_seed=0)
    return plan(load_dataset(scenario.dataset), setting)


@lru_cache(maxsize=8)
def released(scenario: Scenario) -> Release:
    """The release of the first algorithm: noise of the scenario's seed, rows of seed 0."""
    return run(planned(scenario))


def reference_of(scenario: Scenario) -> Reference:
    """The private side."""
    data = load_dataset(scenario.dataset)
    return _room_of(replace(scenario, seed=0).rows(published=data.X_test is not None))


@lru_cache(maxsize=4)
def _room_of(rows: Scenario) -> Reference:
    return Reference.of(load_dataset(rows.dataset), rows.setting("exact"))
