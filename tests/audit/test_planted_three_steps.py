"""Faults planted in the third step of `ssp`: the audit sees that answer as well, and catches what is wrong with it."""

from dataclasses import replace
from typing import Any

import pytest

from dpgep_core.audit import Attack, AuditFinding, audit
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Isotropic

ATTACK = Attack(algorithm="ssp", epsilon=4.0, trials=150, rows=60, params=(("steps", 3),))


def test_nothing_is_found_without_a_fault_and_nearly_all_of_mu_is_seen() -> None:
    found = audit(replace(ATTACK, trials=200, seed=2))
    assert found.finding is AuditFinding.NOTHING
    assert 0.7 * found.mu < found.mu_lower_bound <= found.mu


def half(noise: Array) -> None:
    noise *= 0.5


def no_scatter(noise: Array) -> None:
    noise[:5, :5] = 0.0


FAULTS = {"half of the noise in step 3": half, "exact scatter in step 3": no_scatter}


@pytest.mark.parametrize(
    "fault", ["half of the noise in step 3", pytest.param("exact scatter in step 3", marks=pytest.mark.slow)]
)
def test_a_fault_in_the_third_step_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    draw, turns = Isotropic.draw, [0]

    def spoiled(self: Any, rng: Any, shape: tuple[int, ...], sigma: float) -> Array:
        noise = draw(self, rng, shape, sigma)
        turns[0] += 1
        if turns[0] % 2 == 0:  # step 2 draws first
            FAULTS[fault](noise)
        return noise

    monkeypatch.setattr(Isotropic, "draw", spoiled)
    found = audit(ATTACK)
    assert found.accounted.epsilon == pytest.approx(4.0, rel=1e-6)  # the ledger looks innocent
    assert found.finding is AuditFinding.LEDGER
