"""The audit finds what leaks, accuses nobody who keeps the word, and repeats itself.

Expected numbers of runs of DPSR are those of d = 5, n = 1,000, ε = 1, δ = n^-1.1, ξ = .01, m = 15.
"""

import os
import signal
from typing import Any

import numpy as np
import pytest

from dpgep_core import ParameterError
from dpgep_core.audit import Attack, AuditFinding, AuditResult, audit, bound_growth
from dpgep_core.audit.distinguishers import DISTINGUISHERS
from dpgep_core.audit.result import judge_bounds
from dpgep_core.pool import ProcessDiedError
from dpgep_core.privacy import Claim

FULL, MANY, ENOUGH = 10_000, 2_000, 1_000


def attack(algorithm: str, trials: int, **more: Any) -> AuditResult:
    fields = {name: more.pop(name) for name in list(more) if name in Attack.__dataclass_fields__}
    return audit(
        Attack(algorithm=algorithm, trials=trials, params=tuple(sorted(more.items())), **fields),
        jobs=None if trials >= 1000 else 1,
    )


def check_perfect(found: AuditResult, trials: int) -> None:
    assert (found.tpr, found.fpr, found.auc, found.guesses) == (1.0, 0.0, 1.0, 2 * trials)
    assert found.epsilon_lower_bound == found.ceiling
    assert found.finding is AuditFinding.FALSE
    assert "Λ_B" in found.evidence


class TestDpsr:
    """DPSR as published leaves Λ_B without noise."""

    @pytest.mark.parametrize("calibration", ["published", "exact"])
    def test_one_hundred_runs_of_each(self, calibration: str) -> None:
        found = attack("dpsr", 100, calibration=calibration)
        check_perfect(found, 100)
        assert found.distinguisher == "svd_identity"
        assert found.epsilon_lower_bound == pytest.approx(3.28, abs=0.005)
        assert found.claimed == Claim(1.0, 1000**-1.1)
        assert found.accounted.epsilon is None
        assert "the most so many runs can show is 3.28" in found.sentence

    def test_truncation_does_not_help(self) -> None:
        check_perfect(attack("dpsrs", 60), 60)

    @pytest.mark.parametrize("k", [1, 2, 5])
    def test_constant_classes(self, k: int) -> None:
        found = attack("dpsr", 60, pair="constant", n_components=k)
        check_perfect(found, 60)
        assert found.distinguisher == "flat_gram"

    def test_nearly_constant_classes(self) -> None:
        found = attack("dpsr", 120, pair="nearly_constant", n_components=2)
        assert found.distinguisher == "learned"
        assert found.training == 120
        assert found.finding is AuditFinding.FALSE
        assert found.epsilon_lower_bound > 2

    @pytest.mark.slow
    def test_ten_thousand_runs_of_each(self) -> None:
        found = attack("dpsr", FULL, n_iterations=5)
        check_perfect(found, FULL)
        assert found.epsilon_lower_bound == pytest.approx(7.90, abs=0.005)
        assert [point.ceiling for point in bound_growth(found, (100, FULL))] == pytest.approx([3.28, 7.90], abs=0.005)

    @pytest.mark.slow
    @pytest.mark.parametrize("k", [1, 2, 5])
    def test_many_runs_on_constant_classes(self, k: int) -> None:
        found = attack("dpsr", ENOUGH, pair="constant", n_components=k)
        check_perfect(found, ENOUGH)
        assert found.epsilon_lower_bound == pytest.approx(found.ceiling)

    @pytest.mark.slow
    @pytest.mark.parametrize("k", [1, 2, 4])
    def test_many_runs_on_nearly_constant_classes(self, k: int) -> None:
        """The bound depends on the learned cutoff: a handful of mistakes cost two units."""
        found = attack("dpsr", ENOUGH, pair="nearly_constant", n_components=k)
        assert found.tpr > 0.98
        assert found.fpr < 0.01
        assert found.epsilon_lower_bound > 4

    @pytest.mark.slow
    @pytest.mark.parametrize(("k", "trials"), [(1, ENOUGH), (2, ENOUGH), (4, MANY)])
    def test_no_clear_leak_of_fewer_components_on_generic_data(self, k: int, trials: int) -> None:
        found = attack("dpsr", trials, pair="generic", n_components=k)
        assert found.epsilon_lower_bound < 1
        assert found.finding is AuditFinding.NOTHING


class TestCorrected:
    """Attacks of DPSR on the algorithm that noises Λ_B."""

    @pytest.mark.parametrize("variant", ["whiten_after", "drop_in"])
    def test_the_identity_is_at_chance(self, variant: str) -> None:
        found = attack("dpsr_corrected", 100, variant=variant)
        assert found.distinguisher == "svd_identity"
        assert abs(found.auc - 0.5) < 4 / np.sqrt(6 * 100)  # Mann–Whitney
        assert abs(found.guesses - 100) < 4 * np.sqrt(100 / 2)
        check_quiet(found)

    @pytest.mark.parametrize("pair", ["constant", "nearly_constant"])
    def test_the_other_pairs_too(self, pair: str) -> None:
        check_quiet(attack("dpsr_corrected", 40, pair=pair))

    @pytest.mark.slow
    @pytest.mark.parametrize("k", [1, 5])
    def test_constant_classes_with_many_runs(self, k: int) -> None:
        found = attack("dpsr_corrected", ENOUGH, pair="constant", distinguisher="learned", n_components=k)
        check_quiet(found)
        assert 0.45 < found.auc < 0.55


def check_quiet(found: AuditResult) -> None:
    assert found.finding is AuditFinding.NOTHING
    assert found.evidence == ""
    assert found.accounted.epsilon is not None
    assert found.epsilon_lower_bound <= found.accounted.epsilon
    assert found.mu_lower_bound <= found.mu


DEAR: list[tuple[str, dict[str, Any]]] = [  # four times as many runs: the cutoff is learned in runs of its own
    ("sr_dp", {"calibration": "exact", "epsilon": 4.0}),
    ("analyze_gauss", {"calibration": "exact", "epsilon": 4.0}),
    ("dprf", {"calibration": "exact", "n_iterations": 5}),
]


@pytest.mark.parametrize(
    ("algorithm", "settings"),
    [
        ("ssp", {"model": "pca"}),
        ("ssp", {"model": "cca"}),
        ("ssp", {"distinguisher": "learned"}),
        ("sr_dp", {"calibration": "exact", "distinguisher": "reused_noise"}),
        ("sr_dp", {"calibration": "exact", "distinguisher": "svd_identity", "n_components": 5}),
        *((algorithm, {"trials": 60, **settings}) for algorithm, settings in DEAR),
        *(pytest.param(*one, marks=pytest.mark.slow) for one in DEAR),
    ],
    ids=str,
)
def test_nobody_who_keeps_the_word_is_accused(algorithm: str, settings: dict[str, Any]) -> None:
    check_quiet(attack(algorithm, **{"trials": 200, **settings}))


@pytest.mark.parametrize("steps", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_the_likelihood_ratio_comes_close_to_the_truth(steps: int) -> None:
    """Two-sided: an attack that is too weak would accuse nobody, guilty or not.

    A release in two steps takes an attacker far longer; test_planted_two_steps.py has one of fewer runs.
    """
    found = attack("ssp", 800, epsilon=4.0, steps=steps)
    check_quiet(found)
    assert found.distinguisher == "likelihood_ratio"
    assert 0.75 * found.mu < found.mu_lower_bound <= found.mu
    assert found.epsilon_lower_bound > 1.4


def test_a_claim_can_be_false_while_the_ledger_is_right() -> None:
    """Each of two matrices calibrated as if it were alone: the ledger says what that costs."""
    assert judge_bounds(Claim(1.0, 1e-5), Claim(3.0, 1e-5), 0.7, 2.0, 0.6) is AuditFinding.FALSE
    assert judge_bounds(Claim(1.0, 1e-5), Claim(3.0, 1e-5), 0.7, 2.0, 0.8) is AuditFinding.LEDGER
    assert judge_bounds(Claim(1.0, 1e-5), Claim(3.0, 1e-5), 0.7, 3.5, 0.0) is AuditFinding.LEDGER
    assert judge_bounds(Claim(1.0, 1e-5), Claim(3.0, 1e-5), float("nan"), 0.9, 0.8) is AuditFinding.NOTHING
    assert judge_bounds(None, Claim(None, 1e-5), float("inf"), 9.0, 9.0) is AuditFinding.UNCLAIMED


def test_no_guarantee_is_told_apart_and_not_accused() -> None:
    found = attack("exact", 30)
    assert found.finding is AuditFinding.UNCLAIMED
    assert found.guesses == 60


class TestRepeating:
    def test_any_number_of_processes_gives_the_same(self) -> None:
        steps: list[tuple[int, int]] = []
        setting = Attack(algorithm="sr_dp", trials=60, seed=4, params=(("calibration", "exact"),))
        alone = audit(setting)
        shared = audit(setting, jobs=2, progress=lambda done, total: steps.append((done, total)))
        np.testing.assert_array_equal(alone.scores, shared.scores)
        np.testing.assert_array_equal(alone.scores_other, shared.scores_other)
        assert alone.epsilon_lower_bound == shared.epsilon_lower_bound
        assert steps[-1] == (240, 240)
        assert [done for done, _ in steps] == sorted(done for done, _ in steps)

    def test_another_seed_is_another_attack(self) -> None:
        one, other = (audit(Attack(algorithm="ssp", trials=20, seed=seed)) for seed in (0, 1))
        assert not np.array_equal(one.scores, other.scores)
        assert not np.array_equal(one.scores, one.scores_other)

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_what_progress_raises_stops_it(self, jobs: int) -> None:
        def stop(done: int, total: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            audit(Attack(algorithm="ssp", trials=200), jobs=jobs, progress=stop)

    def test_growth_ends_at_the_result(self) -> None:
        found = attack("dpsr", 60)
        points = bound_growth(found, (20, 40, 60))
        assert points[-1].epsilon == found.epsilon_lower_bound
        assert [point.epsilon for point in points] == sorted(point.epsilon for point in points)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"algorithm": "dprf", "distinguisher": "svd_identity"}, "as many components as columns"),
        ({"algorithm": "dpsr", "model": "pca", "distinguisher": "svd_identity"}, "depends on the rows"),
        ({"algorithm": "dpsr", "distinguisher": "flat_gram"}, "B = 0"),
        ({"algorithm": "dpsr", "distinguisher": "likelihood_ratio"}, "releases moments"),
        ({"algorithm": "dpsr", "distinguisher": "reused_noise"}, "once for A and once for B"),
        ({"algorithm": "dpsr", "distinguisher": "psychic"}, "one of svd_identity"),
        ({"algorithm": "dpsr", "trials": 1}, "trials"),
    ],
)
def test_what_does_not_fit_is_said(settings: dict[str, Any], why: str) -> None:
    with pytest.raises(ParameterError, match=why):
        audit(Attack(**settings))


def test_every_distinguisher_says_what_it_does() -> None:
    for key, one in DISTINGUISHERS.items():
        assert one.key == key
        assert one.sentence.endswith(".")
        assert one.meaning


def _end_this_process(*_given: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_a_process_that_is_killed_again_and_again_ends_the_attack_with_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dpgep_core.audit.attack._compute", _end_this_process)
    with pytest.raises(ProcessDiedError, match="killed, or memory ran out"):
        audit(Attack(algorithm="sr_dp", trials=60), jobs=2)
