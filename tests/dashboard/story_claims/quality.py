"""How good an answer is: the measures of the stories that compare with the exact one."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dashboard.scenario import Scenario
from dpgep_core.datasets import load_dataset
from dpgep_core.evaluate.diagnostic import reference_parameters
from dpgep_core.evaluate.metrics import cosine_similarity
from dpgep_core.release import Release
from story_claims.solved import Of, reference_of, released


def _cosine(scenario: Scenario, of: Of) -> float:
    """To the exact component of that place (from 1) at the same ξ and sparsity; the mean where none is given."""
    release = released(scenario)
    cosines = cosine_similarity(release.components, _exact(scenario, release))
    return float(cosines[int(of[0]) - 1] if of else cosines.mean())


def _exact(scenario: Scenario, release: Release) -> Any:
    return reference_of(scenario).exact(release.components.shape[1], *reference_parameters(release))


def _after(scenario: Scenario, of: Of) -> float:
    """Mean cosine after that many steps of the scenario's run."""
    release = released(scenario)
    return float(cosine_similarity(release.history[int(of[0]) - 1], _exact(scenario, release)).mean())


def _truth(scenario: Scenario, _of: Of) -> float:
    truth = load_dataset(scenario.dataset).truth
    assert truth is not None
    return float(cosine_similarity(released(scenario).components[:, :1], truth[:, :1])[0])


def _accuracy(scenario: Scenario, of: Of) -> float:
    """Accuracy of LDA on held-out rows, by projection: private, ``exact``, ``random``, ``released`` or ``majority``."""
    release, reference = released(scenario), reference_of(scenario)
    k = release.components.shape[1]
    which = of[0] if of else "private"
    if which == "exact":
        return reference.exact_score(k, *reference_parameters(release), "lda").accuracy
    if which == "random":
        return reference.random_score(k, "lda").accuracy
    if which == "released":
        score = reference.instant_scores(release)[1]
        return math.nan if score is None else score.accuracy
    return reference.score(release.components, "lda").accuracy


def _share_below(scenario: Scenario, of: Of) -> float:
    """Share of so many draws in which the cosine of one component is below a limit."""
    place, limit, draws = int(of[0]), float(of[1]), int(of[2])
    found = [_cosine(replace(scenario, seed=seed), (place,)) for seed in range(draws)]
    return sum(cosine < limit for cosine in found) / draws


def _eigenvalue(scenario: Scenario, of: Of) -> float:
    return float(np.linalg.eigvalsh(reference_of(scenario).problem.pencil.target)[-int(of[0])])


def _fact(scenario: Scenario, of: Of) -> float:
    return float(released(scenario).facts[str(of[0])])


def _noise_entry(scenario: Scenario, _of: Of) -> float:
    """Standard deviation of one entry of the noise on the averages, off the diagonal."""
    release = released(scenario)
    return release.facts["sigma"] / math.sqrt(2) / release.public.n


def _signal_entry(scenario: Scenario, of: Of) -> float:
    """Mean size of an entry of A among the largest so many of its leading eigenvector, off the diagonal."""
    A = reference_of(scenario).problem.pencil.target
    places = np.argsort(-np.abs(np.linalg.eigh(A)[1][:, -1]))[: int(of[0])]
    block = np.abs(A[np.ix_(places, places)])
    return float(block[~np.eye(len(places), dtype=bool)].mean())


QUALITY: Mapping[str, Callable[[Scenario, Of], float]] = {
    "cosine": _cosine,
    "cosine after": _after,
    "cosine to the truth": _truth,
    "accuracy": _accuracy,
    "eigenvalue": _eigenvalue,
    "fact": _fact,
    "noise entry": _noise_entry,
    "signal entry": _signal_entry,
    "share of draws below": _share_below,
}
