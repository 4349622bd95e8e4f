"""Faults planted in algorithms whose ledger looks innocent: the audit catches each and says what is wrong.

Each test also runs the attack without the fault, which must find nothing.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpgep_core.algorithms import ssp
from dpgep_core.audit import Attack, AuditFinding, AuditResult, audit
from dpgep_core.privacy.randomness import Independent, Isotropic

EXACT = (("calibration", "exact"),)
ONE_STEP = (("steps", 1),)  # of `ssp`: faults of its two steps are in test_planted_two_steps.py


def caught(attack: Attack, accounted: float) -> AuditResult:
    """The ledger is wrong, and by its own account all is well."""
    found = audit(attack)
    assert found.accounted.epsilon == pytest.approx(accounted, rel=1e-6)
    assert found.unprotected == ()
    assert found.finding is AuditFinding.LEDGER
    return found


def test_noise_of_half_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    attack = Attack(algorithm="ssp", epsilon=4.0, trials=300, params=ONE_STEP)
    assert audit(attack).finding is AuditFinding.NOTHING
    draw = Isotropic.draw
    monkeypatch.setattr(Isotropic, "draw", lambda self, rng, shape, sigma: draw(self, rng, shape, sigma / 2))
    found = caught(attack, 4.0)
    assert "the noise on the released sums is smaller than the ledger says" in found.evidence
    assert 1.5 * found.mu < found.mu_lower_bound < 2 * found.mu


def test_one_eigenvalue_without_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    attack = Attack(algorithm="dpsr_corrected", trials=50)
    assert audit(attack).finding is AuditFinding.NOTHING
    draw = Independent.draw

    def all_but_the_first(self: Independent, rng: Any, shape: tuple[int, ...], sigma: float) -> Any:
        noise = draw(self, rng, shape, sigma)
        noise[0] = 0.0
        return noise

    monkeypatch.setattr(Independent, "draw", all_but_the_first)
    found = caught(attack, 1.0)
    assert "an eigenvalue of B leaves without noise" in found.evidence
    assert found.epsilon_lower_bound == found.ceiling


def test_sensitivity_of_another_relation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calibrated to a row more or fewer, while a row is replaced: μ is √2 times what the ledger says."""
    attack = Attack(algorithm="ssp", epsilon=4.0, trials=1000, params=ONE_STEP)
    joint_gram = ssp.joint_gram
    monkeypatch.setattr(
        ssp, "joint_gram", lambda weight, public: joint_gram(weight, replace(public, relation="add_remove"))
    )
    found = caught(attack, 4.0)
    assert "smaller than the ledger says for what one row can change" in found.evidence
    assert 1.1 * found.mu < found.mu_lower_bound < 1.5 * found.mu


def test_the_same_noise_for_two_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    attack = Attack(algorithm="sr_dp", epsilon=4.0, trials=50, distinguisher="reused_noise", params=EXACT)
    assert audit(attack).finding is AuditFinding.NOTHING
    draw = Isotropic.draw
    before: dict[int, Any] = {}  # of a generator: itself, so that it keeps its number, and its first state

    def again(self: Isotropic, rng: Any, shape: tuple[int, ...], sigma: float) -> Any:
        _, state = before.setdefault(id(rng.bit_generator), (rng.bit_generator, rng.bit_generator.state))
        rng.bit_generator.state = state
        return draw(self, rng, shape, sigma)

    monkeypatch.setattr(Isotropic, "draw", again)
    found = caught(attack, 4.0)
    assert "two answers carry the same noise" in found.evidence
    assert found.guesses > 90  # a noisy B with a negative eigenvalue spoils the identity


def test_a_known_seed_is_no_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run under one seed: the likelihood ratio is always right."""
    monkeypatch.setattr(Isotropic, "draw", lambda _self, _rng, shape, sigma: _symmetric(shape, sigma))
    found = caught(Attack(algorithm="ssp", trials=100, params=ONE_STEP), 1.0)
    assert found.guesses == 200


def _symmetric(shape: tuple[int, ...], sigma: float) -> Any:
    noise = np.random.default_rng(0).standard_normal(shape)
    return sigma * (noise + noise.T) / 2
