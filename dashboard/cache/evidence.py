"""Cached evidence that an ε is true or not: worst neighbours, verdicts, attacks, exchanged rows, guesses of members."""

from typing import Any

import streamlit as st

from dashboard.cache.by_dataset import cached_for_dataset
from dashboard.cache.rows import reference_of
from dashboard.compute import evidence, exchanges
from dashboard.compute.jobs import Job
from dashboard.scenario import Scenario
from dpgep_core.audit import Attack, AuditResult
from dpgep_core.datasets import Dataset
from dpgep_core.models import neighbours
from dpgep_core.models.neighbours import SEARCH_SIZES, worst
from dpgep_core.solve import plan, run


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
