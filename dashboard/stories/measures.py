"""The numbers that the stories claim, computed by the product: `measured` is what the tests compare the texts with."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from statistics import median
from typing import Any

import numpy as np

from dashboard.evidence import attack_of, reconstruction, rule_rows
from dashboard.membership import Membership, membership
from dashboard.scenario import Scenario, from_query
from dashboard.stories.story import Claim, Query
from dashboard.swaps import Swaps, energy, swaps
from dpgep_core.audit import AuditResult, Level, audit, ceiling, trials_needed
from dpgep_core.datasets import load_dataset
from dpgep_core.evaluate import Laboratory
from dpgep_core.evaluate.diagnostic import reference
from dpgep_core.evaluate.metrics import cosine_similarity
from dpgep_core.models.neighbours import COUNTEREXAMPLES
from dpgep_core.privacy.accountant import best_guess, epsilon_of
from dpgep_core.privacy.ledger import Grant
from dpgep_core.privacy.rules import advanced_epsilon
from dpgep_core.release import Release
from dpgep_core.solve import Plan, plan, run

Of = tuple[str | float, ...]
CONFIDENCE = 0.95


def measured(claim: Claim, scene: Query) -> float:
    """What the product says: one draw, or the median of several."""
    scenario, problems = from_query({**scene, **claim.at})
    if problems:
        raise ValueError("; ".join(problems))
    measure = MEASURES[claim.measure]
    return float(median(measure(replace(scenario, seed=scenario.seed + i), claim.of) for i in range(claim.draws)))


def _planned(scenario: Scenario) -> Plan:
    """The rows of seed 0, whatever the noise: that is what redrawing does."""
    setting = replace(scenario.setting(scenario.algorithms[0]), split_seed=0)
    return plan(load_dataset(scenario.dataset), setting)


@lru_cache(maxsize=8)
def _released(scenario: Scenario) -> Release:
    return run(_planned(scenario))


def _room(scenario: Scenario) -> Laboratory:
    data = load_dataset(scenario.dataset)
    return _room_of(replace(scenario, seed=0).rows(published=data.X_test is not None))


@lru_cache(maxsize=4)
def _room_of(rows: Scenario) -> Laboratory:
    return Laboratory.of(load_dataset(rows.dataset), rows.setting("exact"))


def _cosine(scenario: Scenario, of: Of) -> float:
    """To the exact component of that place (from 1) at the same ξ and sparsity; the mean where none is given."""
    release = _released(scenario)
    cosines = cosine_similarity(release.components, _exact(scenario, release))
    return float(cosines[int(of[0]) - 1] if of else cosines.mean())


def _exact(scenario: Scenario, release: Release) -> Any:
    return _room(scenario).exact(release.components.shape[1], *reference(release))


def _after(scenario: Scenario, of: Of) -> float:
    """Mean cosine after that many steps of the scenario's run."""
    release = _released(scenario)
    return float(cosine_similarity(release.history[int(of[0]) - 1], _exact(scenario, release)).mean())


def _truth(scenario: Scenario, _of: Of) -> float:
    truth = load_dataset(scenario.dataset).truth
    assert truth is not None
    return float(cosine_similarity(_released(scenario).components[:, :1], truth[:, :1])[0])


def _accuracy(scenario: Scenario, of: Of) -> float:
    """Of LDA on held-out rows: on the private projection, or ``exact``, ``random``, ``released``, ``majority``."""
    release, room = _released(scenario), _room(scenario)
    k = release.components.shape[1]
    which = of[0] if of else "private"
    if which == "exact":
        return room.exact_score(k, *reference(release), "lda").accuracy
    if which == "random":
        return room.random_score(k, "lda").accuracy
    if which == "released":
        score = room.instant_scores(release)[1]
        return math.nan if score is None else score.accuracy
    return room.score(release.components, "lda").accuracy


def _eigenvalue(scenario: Scenario, of: Of) -> float:
    return float(np.linalg.eigvalsh(_room(scenario).problem.pencil.target)[-int(of[0])])


def _fact(scenario: Scenario, of: Of) -> float:
    return float(_released(scenario).facts[str(of[0])])


def _noise_entry(scenario: Scenario, _of: Of) -> float:
    """Standard deviation of one entry of the noise on the averages, off the diagonal."""
    release = _released(scenario)
    return release.facts["sigma"] / math.sqrt(2) / release.public.n


def _mu(scenario: Scenario, of: Of) -> float:
    """Of what was granted; with ``follows``, as if δ followed the pretended n."""
    planned = _planned(scenario)
    if not of:
        return planned.grant.mu
    n = planned.problem.sample.X.shape[0] * scenario.as_if
    return Grant(epsilon=scenario.epsilon, delta=float(n) ** -1.1).mu


def _allowed(scenario: Scenario, of: Of) -> float:
    """Right guesses of so many that the granted μ allows at most."""
    return float(of[0]) * best_guess(_planned(scenario).grant.mu)


def _sigma(scenario: Scenario, of: Of) -> float:
    return _rule(scenario, of).sigma


def _worth(scenario: Scenario, of: Of) -> float:
    return _rule(scenario, of).worth.epsilon


def _worth_mu(scenario: Scenario, of: Of) -> float:
    return _rule(scenario, of).worth.mu


def _worth_right(scenario: Scenario, of: Of) -> float:
    return 1000 * best_guess(_rule(scenario, of).worth.mu)


def _rule(scenario: Scenario, of: Of) -> Any:
    key, count = str(of[0]), int(of[1])
    return next(row for row in rule_rows(_planned(scenario).grant, count) if row.rule.key == key)


def _lemma(scenario: Scenario, _of: Of) -> float:
    """What advanced composition gives for one phase of DPSR: each of m answers at ε/(2√m), δ/4 set aside."""
    grant, m = _planned(scenario).grant, 15
    return advanced_epsilon(grant.epsilon / (2 * math.sqrt(m)), grant.delta / 4, m)


def _noisy_epsilon(scenario: Scenario, _of: Of) -> float:
    """ε of the answers that carry noise, the others left aside."""
    release = _released(scenario)
    mu = math.sqrt(sum(entry.mu**2 for entry in release.ledger if math.isfinite(entry.mu)))
    return epsilon_of(mu, release.accounted.delta)


def _accounted(scenario: Scenario, _of: Of) -> float:
    epsilon = _released(scenario).accounted.epsilon
    return math.inf if epsilon is None else epsilon


def _leak(scenario: Scenario, _of: Of) -> float:
    """How well 1/S² − ξ of W = U S Vᵀ gives uᵀBu: the largest error."""
    release, problem = _released(scenario), _planned(scenario).problem
    return float(np.abs(leaked(release)[0] - leaked_truth(release, problem.pencil.constraint_matrix)).max())


def leaked(release: Release) -> tuple[Any, Any]:
    """(numbers, directions): 1/S² − ξ and U of W = U S Vᵀ."""
    directions, lengths, _ = np.linalg.svd(release.components, full_matrices=False)
    return 1 / lengths**2 - float(release.method.xi), directions


def leaked_truth(release: Release, constraint: Any) -> Any:
    """uᵀBu for the directions of `leaked`: read without noise."""
    directions = leaked(release)[1]
    return np.einsum("ij,ik,kj->j", directions, constraint, directions)


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
    return float(trials_needed(float(of[0]), _level(scenario)))


def _level(scenario: Scenario) -> Level:
    return Level(CONFIDENCE, _planned(scenario).grant.delta)


def _row_error(scenario: Scenario, _of: Of) -> float:
    xi = float(dict(scenario.params).get("xi", 0.01))
    return reconstruction(scenario.algorithms[0], scenario.epsilon, xi, scenario.seed).row_error


@lru_cache(maxsize=2)
def _swapped(scenario: Scenario) -> Swaps:
    return swaps(scenario, load_dataset(scenario.dataset))


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
    return Laboratory.of(wide, setting).score(release.components, "lda").accuracy


def _rescaled(_scenario: Scenario, of: Of) -> float:
    """Change of the second moment when rows are divided by the largest norm among n of them."""
    return COUNTEREXAMPLES["largest_norm"].found(int(of[0])) / float(of[0])


@lru_cache(maxsize=2)
def _members(scenario: Scenario) -> Membership:
    return membership(_released(scenario), _room(scenario))


def _member(scenario: Scenario, of: Of) -> float:
    return float(getattr(_members(scenario), str(of[0])))


MEASURES: Mapping[str, Callable[[Scenario, Of], float]] = {
    "cosine": _cosine,
    "cosine after": _after,
    "cosine to the truth": _truth,
    "accuracy": _accuracy,
    "eigenvalue": _eigenvalue,
    "fact": _fact,
    "noise entry": _noise_entry,
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
