"""The attacker runs the algorithm again without noise, and sees everything that leaves.

Each planted fault leaves the ledger as it is, and 40 + 40 runs catch it; without the fault the attack is near chance.
"""

import sys
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpgep_core import ALGORITHMS, MODELS, ParameterError
from dpgep_core.audit import Attack, AuditFinding, AuditResult, audit, resolve
from dpgep_core.audit.answers import as_vector
from dpgep_core.audit.case import FLOWS, Case, again
from dpgep_core.audit.pairs import PAIRS
from dpgep_core.release import Setting
from dpgep_core.solve import plan, run

TRIALS = 40
CHANCE = 4.5 / np.sqrt(6 * TRIALS)  # Mann–Whitney
EXACT, FEW = (("calibration", "exact"),), (("n_iterations", 4),)
PRIVATE = [(key, model) for key, entry in ALGORITHMS.items() if entry.private for model in entry.models]


def power_script() -> Any:
    """The script that plants faults and makes the table."""
    path = Path(__file__).parents[2] / "benchmarks" / "audit_power.py"
    spec = spec_from_file_location("audit_power", path)
    assert spec is not None
    assert spec.loader is not None
    sys.modules["audit_power"] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = power_script()


def both(attack: Attack, fault: Any) -> tuple[AuditResult, AuditResult]:
    """The attack on the algorithm as it is, and with a fault."""
    clean = audit(attack)
    with SCRIPT.planted(fault):
        return clean, audit(attack)


@pytest.mark.parametrize(
    ("algorithm", "model", "params", "fault"),
    [
        ("dprf", "fda", FEW, SCRIPT.exact_about(("A·V", "B·V"), list)),
        pytest.param("dprf", "cca", EXACT + FEW, SCRIPT.exact_about(("A·V", "B·V"), list), marks=pytest.mark.slow),
        ("dptrf", "fda", EXACT + FEW, SCRIPT.exact_about(("A·V", "B·V"), list)),
        ("ppi", "pca", FEW, SCRIPT.exact_about(("A·V",), list)),
        pytest.param("ppi", "pca", EXACT + FEW, SCRIPT.exact_about(("A·V",), list), marks=pytest.mark.slow),
        ("sr_dp", "fda", (), SCRIPT.SPOILS["no_noise_B"]),
        ("analyze_gauss", "pca", EXACT, SCRIPT.SPOILS["no_noise_A"]),
        ("ssp", "fda", (), SCRIPT.SPOILS["exact_counts"]),
        ("ssp", "sir", (), SCRIPT.SPOILS["no_noise_A"]),
    ],
)
def test_missing_noise_is_seen_in_forty_runs(algorithm: str, model: str, params: Any, fault: Any) -> None:
    clean, faulty = both(Attack(algorithm=algorithm, model=model, trials=TRIALS, params=params), fault)
    assert clean.finding is AuditFinding.NOTHING
    assert abs(clean.auc - 0.5) < CHANCE + 0.1  # a little better than chance is what ε = 1 allows
    assert faulty.auc == 1.0
    assert faulty.finding is AuditFinding.LEDGER
    assert faulty.mu == clean.mu


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("algorithm", FLOWS)
def test_each_step_is_taken_again(algorithm: str, model: str) -> None:
    """Without noise every released basis is what the replay expects on the side that was used, to rounding."""
    if model not in ALGORITHMS[algorithm].models:
        return
    pair = PAIRS["generic"].build(200, 5, 0)
    setting = Setting(model=model, algorithm=algorithm, n_components=1, noise=False)
    case = Case(plan(pair.one, setting), plan(pair.other, setting))
    for side, sign in ((case.one, -1), (case.other, 1)):
        looked = case.look(run(again(side, 7)))
        assert looked.shape == (side.method.n_iterations, 2)
        np.testing.assert_allclose(looked[:, 0], sign * 2 * looked[:, 1], rtol=1e-6)
        assert (looked[:, 1] > 0).all()


def test_a_start_that_is_not_public_is_not_used() -> None:
    pair = PAIRS["generic"].build(200, 5, 0)
    setting = Setting(model="fda", algorithm="dprf", params=(("start", "private"),))
    case = Case(plan(pair.one, setting), plan(pair.other, setting))
    looked = case.look(run(again(case.one, 3)))
    assert (looked[:-1, 1] > 0).all()
    assert (looked[-1] == 0).all()


def test_the_noise_of_the_replay_is_not_that_of_the_run() -> None:
    """Nor are the rows that a sub-sampled method draws: the attacker does not know which they are."""
    pair = PAIRS["switch"].build(60, 5, 0)
    setting = Setting(model="pca", algorithm="dp_spca", n_components=1, seed=5, noise=False)
    case = Case(plan(pair.one, setting), plan(pair.other, setting))
    assert (case.look(run(case.one))[1:, 1] > 1e-6).all()


@pytest.mark.parametrize(("algorithm", "model"), PRIVATE)
def test_the_default_pair_tells_the_data_sets_apart_without_noise(algorithm: str, model: str) -> None:
    """Two data sets with the same results would accuse nobody, whatever the noise."""
    attack = resolve(Attack(algorithm=algorithm, model=model, rows=60))
    pair = PAIRS[str(attack.pair)].build(60, attack.columns, 0)
    setting = Setting(model=model, algorithm=algorithm, n_components=attack.n_components)
    case = Case(plan(pair.one, setting), plan(pair.other, setting))
    assert case.differs
    assert (pair.one.X != pair.other.X).any(axis=1).sum() == 1


def test_a_pair_that_cannot_differ_is_refused() -> None:
    with pytest.raises(ParameterError, match="a pair whose results without noise differ"):
        audit(Attack(algorithm="ppi", pair="opposite", distinguisher="replay", trials=20))


def test_a_pair_of_ones_own_is_attacked_by_what_always_fits() -> None:
    """A choice of the pair alone is never refused for a test that nobody chose."""
    assert resolve(Attack(algorithm="ppi", pair="opposite")).distinguisher == "learned"
    assert resolve(Attack(algorithm="ppi")).distinguisher == "replay"


def test_the_attacker_is_shown_the_counts() -> None:
    pair = PAIRS["orthogonal"].build(100, 5, 0)
    released = run(plan(pair.one, Setting(model="fda", algorithm="ssp")))
    assert released.moments is not None
    shown = as_vector(released.moments, 2)
    assert shown.size == 15 + 10 + 1  # they add up to n
    assert shown[-1] == released.moments.counts[0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("algorithm", "model"), PRIVATE)
def test_nobody_is_accused_without_a_fault(algorithm: str, model: str, seed: int) -> None:
    """More than forty audits of clean code; what reads an answer without noise is known and named."""
    attack = Attack(algorithm=algorithm, model=model, trials=60, seed=seed, rows=SCRIPT.rows_of(algorithm))
    found = audit(replace(attack, epsilon=2.0))
    if found.accounted.epsilon is not None:
        assert found.finding is AuditFinding.NOTHING
