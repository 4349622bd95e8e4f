"""Edges of slices attacked: nothing beyond the ledger is found, and each planted fault is.

The attacker knows both neighbouring responses and sees the raw answer, of which the edges are post-processing. Whoever
is told apart by less noise, by an exact count, or by counts without noise in part of the bins, is found.
"""

from collections.abc import Callable

import numpy as np
import pytest

from dpgep_core.audit.bounds import AuditLevel, best_cutoffs, hits, mu_bounds
from dpgep_core.models.response_counts import public_cuts, running_counts
from dpgep_core.privacy import Curator, Grant, PlannedAnswer
from dpgep_core.privacy.calibration import exact
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Independent

TRIALS, GRANT = 1_500, Grant(epsilon=2.0, delta=1e-3)
CUTS = public_cuts(0.0, 1.0)[::16]
QUERY = running_counts(CUTS)
SIGMA = exact(QUERY.sensitivity, GRANT)
ONE = np.full(40, 0.5)
OTHER = np.concatenate([[-1.0], ONE[1:]])
MOVED = np.concatenate([[2.0], ONE[1:]])


def answers(response: Array, first_seed: int) -> Array:
    plan = (PlannedAnswer.of(QUERY, SIGMA, "sigma"),)
    return np.array([
        Curator(response, GRANT, seed=first_seed + i, plan=plan).ask(QUERY, sigma=SIGMA) for i in range(TRIALS)
    ])  # fmt: skip


def found_mu() -> float:
    """A lower bound on μ by the likelihood ratio, with what is known exactly weighed by how little it varies."""
    change = QUERY.evaluate(MOVED) - QUERY.evaluate(OTHER)
    lessons, tests = ([answers(side, seed) for side in (OTHER, MOVED)] for seed in (0, 10_000))
    spread = np.maximum(lessons[0].std(axis=0), 1e-9)
    level, scored = AuditLevel(0.95, GRANT.delta), [
        [(one - QUERY.evaluate(OTHER)) @ (change / spread**2) for one in part] for part in (lessons, tests)
    ]  # fmt: skip
    cutoff = best_cutoffs(*scored[0], level)[1]
    false, true = (hits(scores, cutoff) for scores in scored[1])
    return float(mu_bounds(true, false, TRIALS, level))


def test_nothing_beyond_the_ledger_is_found_and_nearly_all_of_it() -> None:
    assert 0.7 * GRANT.mu < found_mu() <= GRANT.mu


def halved(noise: Array) -> None:
    noise *= 0.5


def one_exact(noise: Array) -> None:
    noise[0] = 0.0


def last_quarter_exact(noise: Array) -> None:
    noise[-len(noise) // 4 :] = 0.0


@pytest.mark.parametrize("spoil", [halved, one_exact, last_quarter_exact])
def test_a_planted_fault_is_caught(spoil: Callable[[Array], None], monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Independent.draw

    def spoiled(self: Independent, rng: np.random.Generator, shape: tuple[int, ...], sigma: float) -> Array:
        noise = draw(self, rng, shape, sigma)
        spoil(noise)
        return noise

    monkeypatch.setattr(Independent, "draw", spoiled)
    assert found_mu() > GRANT.mu
