"""What the Privacy lab remembers between reruns: searches, and work that goes on beside the page."""

from typing import Any

import streamlit as st

from dashboard.compute import evidence, spectral
from dashboard.compute.jobs import Job
from dashboard.memory import kept
from dashboard.scenario import Scenario
from dpgep_core.audit import Attack, AuditResult
from dpgep_core.datasets import Dataset
from dpgep_core.models.neighbours import SIZES, Found, worst


@st.cache_resource(max_entries=128, show_spinner="Looking for the worst neighbours …")
def worst_pair(key: str, relation: str, n: int) -> Found:
    """The worst neighbours of a statistic at one size."""
    return worst(key, relation, n, starts=3)


@st.cache_resource(max_entries=24, show_spinner=False)
def worst_by_size(key: str, relation: str) -> Job[Found]:
    """The same at sizes from 2 to 20,000, beside the page."""
    return Job((worst(key, relation, n, starts=3) for n in SIZES), len(SIZES))


def verdicts(scenario: Scenario, data: Dataset) -> Job[evidence.VerdictRow]:
    """Every algorithm at the scenario; which ones are overlaid does not matter."""
    return _verdicts(data, scenario.with_algorithms("exact"))


@kept(max_entries=12)
def _verdicts(data: Dataset, scenario: Scenario) -> Job[evidence.VerdictRow]:
    return Job(evidence.verdict_rows(scenario, data), len(evidence.audited_keys(scenario.model)))


@st.cache_resource(max_entries=12, show_spinner=False)
def attacks(scenario: Scenario) -> Job[Any]:
    """A quick attack on each algorithm."""
    return Job(evidence.attacks(scenario), len(evidence.audited_keys(scenario.model)))


@st.cache_resource(max_entries=32, show_spinner=False)
def looks(attack: Attack) -> Job[AuditResult]:
    """One attack with more and more runs."""
    return Job(evidence.looks(attack), evidence.STEPS)


@st.cache_resource(max_entries=32, show_spinner="Solving for what left …")
def reconstruction(algorithm: str, epsilon: float, xi: float, seed: int) -> evidence.Reconstruction:
    """B and the last row from a few outputs."""
    return evidence.reconstruction(algorithm, epsilon, xi, seed)


def spectral_points(scenario: Scenario, data: Dataset) -> Job[tuple[spectral.SpectralPoint, ...]]:
    """Real neighbours at each size, beside the page."""
    return _spectral(data, scenario.rows(published=False))


@kept(max_entries=6)
def _spectral(data: Dataset, scenario: Scenario) -> Job[tuple[spectral.SpectralPoint, ...]]:
    return Job(spectral.points(scenario, data), spectral.SIZES)
