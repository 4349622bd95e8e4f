"""Faults planted in either step of `ssp`: the audit sees both raw answers, and catches what is wrong with each."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpgep_core.audit import Attack, AuditFinding, audit, case
from dpgep_core.audit.answers import seen_answers
from dpgep_core.audit.pairs import PAIRS
from dpgep_core.models.centred_queries import CENTRED_GRAM, CLASS_SUMS
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Independent, Isotropic
from dpgep_core.release import Release, Setting
from dpgep_core.solve import plan, run

ATTACK = Attack(algorithm="ssp", epsilon=4.0, trials=150, rows=60, params=(("steps", 2),))
Spoil = Callable[[Array], None]


def smaller(factor: float) -> Spoil:
    def spoil(noise: Array) -> None:
        noise *= factor

    return spoil


def no_noise_at(*place: Any) -> Spoil:
    def spoil(noise: Array) -> None:
        for one in place:
            noise[one] = 0.0

    return spoil


FAULTS = {
    "a third of the noise in step 1": (Independent, smaller(1 / 3)),
    "half of the noise in step 2": (Isotropic, smaller(1 / 2)),
    "exact counts in step 1": (Independent, no_noise_at(-1)),
    "one exact class sum in step 1": (Independent, no_noise_at(np.s_[:-1, 0])),
    "exact counts in step 2": (Isotropic, no_noise_at((-2, -2), (-1, -1))),
    "exact scatter in step 2": (Isotropic, no_noise_at(np.s_[:5, :5])),
}


def test_nothing_is_found_without_a_fault_and_nearly_all_of_mu_is_seen() -> None:
    found = audit(replace(ATTACK, trials=250))
    assert found.pair == "corner"
    assert found.finding is AuditFinding.NOTHING
    assert 0.7 * found.mu < found.mu_lower_bound <= found.mu


OFTEN = ("half of the noise in step 2", "exact counts in step 1")


@pytest.mark.parametrize("fault", [pytest.param(f, marks=[] if f in OFTEN else pytest.mark.slow) for f in FAULTS])
def test_a_fault_in_either_step_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    law, spoil = FAULTS[fault]
    draw = law.draw

    def spoiled(self: Any, rng: Any, shape: tuple[int, ...], sigma: float) -> Array:
        noise = draw(self, rng, shape, sigma)
        spoil(noise)
        return noise

    monkeypatch.setattr(law, "draw", spoiled)
    found = audit(ATTACK)
    assert found.accounted.epsilon == pytest.approx(4.0, rel=1e-6)  # the ledger looks innocent
    assert found.finding is AuditFinding.LEDGER


def test_counts_that_leave_past_both_answers_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(bound: Any) -> Release:
        release = run(bound)
        assert release.moments is not None
        return replace(release, moments=replace(release.moments, counts=bound.problem.moments.counts))

    monkeypatch.setattr(case, "run", leaking)
    assert audit(ATTACK).finding is AuditFinding.LEDGER


def test_the_attacker_judges_the_second_answer_about_the_released_centres() -> None:
    """The noise that is left, once the exact answers about these centres are taken off, is that of the ledger."""
    pair = PAIRS["corner"].build(60, 5, 0)
    one, other = (plan(side, Setting(epsilon=4.0, params=(("steps", 2),))) for side in (pair.one, pair.other))
    release = run(one)
    assert [entry.query for entry in release.ledger] == [CLASS_SUMS, CENTRED_GRAM]
    beyond, change = seen_answers(one, other, release)
    sizes = [answer.sensitivity / answer.sigma for answer in release.ledger]
    answers = (np.s_[:12], np.s_[12:40])  # 6 × 2 numbers, and the upper triangle of 7 × 7
    scales = [np.full(12, release.ledger.entries[0].sigma), _scales(release.ledger.entries[1].sigma)]
    for where, scale, size in zip(answers, scales, sizes, strict=True):
        noise = (beyond + change / 2)[where] / scale
        assert np.abs(noise).max() < 5
        assert np.sqrt(np.mean((change[where] / scale) ** 2 * len(scale))) == pytest.approx(size, rel=0.1)
    assert not change[40:].any()  # the moments are made from the answers alone


def _scales(sigma: float) -> Array:
    full = np.full((7, 7), sigma / np.sqrt(2)) + np.diag(np.full(7, sigma - sigma / np.sqrt(2)))
    return full[np.triu_indices(7)]
