"""What protects and what leaks: the measures of the stories about noise, ledgers, attacks and neighbours."""

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from dashboard.compute.evidence import attack_of, reconstruction, rule_rows
from dashboard.compute.exchanges import Membership, Swaps, energy, measure_membership, measure_swaps
from dashboard.scenario import Scenario
from dashboard.stories.proofs import leak_of, leak_truth
from dpgep_core.audit import AuditResult, audit
from dpgep_core.audit.bounds import AuditLevel, ceiling
from dpgep_core.datasets import load_dataset
from dpgep_core.evaluate import Reference
from dpgep_core.models.neighbours import COUNTEREXAMPLES
from dpgep_core.privacy.accountant import best_guess, epsilon_of
from dpgep_core.privacy.ledger import Grant
from dpgep_core.privacy.rules import advanced_epsilon
from dpgep_core.solve import plan, run
from story_claims.solved import Of, planned, reference_of, released

CONFIDENCE = 0.95


def _mu(scenario: Scenario, of: Of) -> float:
    """μ of what was granted; with ``follows``, as if δ followed the pretended n."""
    bound = planned(scenario)
    if not of:
        return bound.grant.mu
    n = bound.problem.sample.X.shape[0] * scenario.as_if
    return Grant(epsilon=scenario.epsilon, delta=float(n) ** -1.1).mu


def _allowed(scenario: Scenario, of: Of) -> float:
    """Right guesses of so many that the granted μ allows at most."""
    return float(of[0]) * best_guess(planned(scenario).grant.mu)


def _sigma(scenario: Scenario, of: Of) -> float:
    return _rule(scenario, of).sigma


def _worth(scenario: Scenario, of: Of) -> float:
    return _rule(scenario, of).loss.epsilon


def _worth_mu(scenario: Scenario, of: Of) -> float:
    return _rule(scenario, of).loss.mu


def _worth_right(scenario: Scenario, of: Of) -> float:
    return 1000 * best_guess(_rule(scenario, of).loss.mu)


def _rule(scenario: Scenario, of: Of) -> Any:
    key, count = str(of[0]), int(of[1])
    return next(row for row in rule_rows(planned(scenario).grant, count) if row.rule.key == key)


def _lemma(scenario: Scenario, _of: Of) -> float:
    """What advanced composition gives for one phase of DPSR: each of m answers at ε/(2√m), δ/4 set aside."""
    grant, m = planned(scenario).grant, 15
    return advanced_epsilon(grant.epsilon / (2 * math.sqrt(m)), grant.delta / 4, m)


def _noisy_epsilon(scenario: Scenario, _of: Of) -> float:
    """ε of the answers that carry noise, the others left aside."""
    release = released(scenario)
    mu = math.sqrt(sum(entry.mu**2 for entry in release.ledger if math.isfinite(entry.mu)))
    return epsilon_of(mu, release.accounted.delta)


def _accounted(scenario: Scenario, _of: Of) -> float:
    epsilon = released(scenario).accounted.epsilon
    return math.inf if epsilon is None else epsilon


def _leak(scenario: Scenario, _of: Of) -> float:
    """How well 1/S² − ξ of W = U S Vᵀ gives uᵀBu: the largest error."""
    release, problem = released(scenario), planned(scenario).problem
    return float(np.abs(leak_of(release)[0] - leak_truth(release, problem.pencil.constraint_matrix)).max())


@lru_cache(maxsize=8)
def _attacked(scenario: Scenario, trials: int) -> AuditResult:
    return audit(attack_of(scenario, scenario.algorithms[0], trials))


def _right(scenario: Scenario, of: Of) -> float:
    return float(_attacked(scenario, int(of[0])).guesses)


def _shown(scenario: Scenario, of: Of) -> float:
    return _attacked(scenario, int(of[0])).epsilon_lower_bound


def _showable(scenario: Scenario, of: Of) -> float:
    """The most that so many runs on each side can show, at the level of the attack."""
    return ceiling(int(of[0]), _level(scenario))


def _needed(scenario: Scenario, of: Of) -> float:
    """The fewest runs on each side with which an attack without a mistake shows so much."""
    epsilon, level = float(of[0]), _level(scenario)
    return float(next(trials for trials in itertools.count(1) if ceiling(trials, level) >= epsilon))


def _level(scenario: Scenario) -> AuditLevel:
    return AuditLevel(CONFIDENCE, planned(scenario).grant.delta)


def _row_error(scenario: Scenario, _of: Of) -> float:
    xi = float(dict(scenario.params).get("xi", 0.01))
    return reconstruction(scenario.algorithms[0], scenario.epsilon, xi, scenario.seed).row_error


@lru_cache(maxsize=2)
def _swapped(scenario: Scenario) -> Swaps:
    return measure_swaps(scenario, load_dataset(scenario.dataset))


def _swap(scenario: Scenario, of: Of) -> float:
    found = _swapped(replace(scenario, seed=0))
    named = {"median": float(np.median(found.changes)), "largest": float(found.changes.max())}
    return {**named, "made up": found.made_up, "proved": found.proved}[str(of[0])]


def _energy(scenario: Scenario, of: Of) -> float:
    data = load_dataset(scenario.dataset)
    return float(energy(scenario, data)[(data.feature_names or ()).index(str(of[0]))])


def _widened(scenario: Scenario, of: Of) -> float:
    """Accuracy where the public bounds of one column, or of all, are so many times wider."""
    data, (factor, column) = load_dataset(scenario.dataset), of
    names = data.feature_names or ()
    asked = [float(factor) if column in ("", name) else 1.0 for name in names]
    upper = np.broadcast_to(np.asarray(data.preprocessing.upper, float), len(names)) * asked
    prepared = replace(data.preprocessing, upper=tuple(float(v) for v in upper))
    wide = replace(data, preprocessing=prepared)
    setting = replace(scenario.setting(scenario.algorithms[0]), split_seed=0)
    release = run(plan(wide, setting))
    return Reference.of(wide, setting).score(release.components, "lda").accuracy


def _rescaled(_scenario: Scenario, of: Of) -> float:
    """Change of the second moment when rows are divided by the largest norm among n of them."""
    return COUNTEREXAMPLES["largest_norm"].found(int(of[0])) / float(of[0])


@lru_cache(maxsize=2)
def _members(scenario: Scenario) -> Membership:
    return measure_membership(released(scenario), reference_of(scenario))


def _member(scenario: Scenario, of: Of) -> float:
    return float(getattr(_members(scenario), str(of[0])))


GUARANTEES: Mapping[str, Callable[[Scenario, Of], float]] = {
    "μ": _mu,
    "right allowed": _allowed,
    "σ by rule": _sigma,
    "ε by rule": _worth,
    "μ by rule": _worth_mu,
    "right of 1,000 by rule": _worth_right,
    "lemma": _lemma,
    "ε of the noisy answers": _noisy_epsilon,
    "accounted ε": _accounted,
    "error of the leak": _leak,
    "right guesses": _right,
    "ε shown": _shown,
    "ε showable": _showable,
    "runs needed": _needed,
    "error of the row": _row_error,
    "swap": _swap,
    "energy": _energy,
    "widened bounds": _widened,
    "change when rescaled": _rescaled,
    "membership": _member,
}
