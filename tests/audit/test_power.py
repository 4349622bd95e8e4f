"""What an attack that found nothing could have found: the table, a part of it measured again, and its sentences."""

import json

import pytest
from test_replay import SCRIPT

from dpgep_core import ALGORITHMS
from dpgep_core.audit import Attack, AuditFinding, audit, resolve
from dpgep_core.audit.result import FAULTS, FaultPower, found_by, power_in_words, power_of, power_table
from dpgep_core.cli import main

ONE_STEP_PAIR = "orthogonal"  # rows of `ssp` in one step are in the table too
KNOWN_TO_LEAK = ("dpsr", "dpsrs", "wishart")


def test_every_algorithm_with_a_guarantee_is_in_the_table() -> None:
    for key, entry in ALGORITHMS.items():
        rows = [row for row in power_table() if row.algorithm == key and row.pair != ONE_STEP_PAIR]
        if not entry.private or key in KNOWN_TO_LEAK:
            assert not rows
            continue
        attack = resolve(Attack(algorithm=key))
        expected = [fault for fault in FAULTS if SCRIPT.fits(fault, key, attack.model or "")]
        assert [row.fault for row in rows] == expected
        assert power_of(key, str(attack.model), str(attack.pair), str(attack.distinguisher)) == tuple(rows)
        assert all(row.runs is None or 20 <= row.runs <= row.most for row in rows)


@pytest.mark.parametrize(
    ("algorithm", "fault", "trials"),
    [
        ("ssp", "exact_counts", 60),
        ("ssp", "no_noise_B", 60),
        ("sr_dp", "no_noise_B", 60),
        pytest.param("ppi", "no_noise_A", 40, marks=pytest.mark.slow),
    ],
)
def test_a_part_of_the_table_measured_again(algorithm: str, fault: str, trials: int) -> None:
    kept = next(row for row in power_table() if (row.algorithm, row.fault) == (algorithm, fault))
    again = SCRIPT.measure(algorithm, fault, trials)
    assert (again.runs, again.pair, again.distinguisher, again.rows) == (
        kept.runs, kept.pair, kept.distinguisher, kept.rows,
    )  # fmt: skip
    assert kept.runs == 20


def test_a_fault_that_is_not_there_is_not_in_the_table() -> None:
    """Two-sided: the same computation on clean code finds that no number of runs raises an alarm."""
    found = audit(resolve(Attack(algorithm="ssp", trials=200)))
    assert found.finding is AuditFinding.NOTHING
    assert max(SCRIPT.alarms(found, n) for n in SCRIPT.GRID) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 4])
def test_half_of_the_noise_is_found_with_the_runs_of_the_table(seed: int) -> None:
    """Of one step: two answers would take minutes."""
    kept = next(row for row in power_table() if (row.pair, row.fault) == (ONE_STEP_PAIR, "sigma_half"))
    assert kept.runs is not None
    attack = Attack(algorithm="ssp", trials=kept.runs, seed=seed, params=(("steps", 1),))
    assert audit(attack).finding is AuditFinding.NOTHING
    with SCRIPT.planted(SCRIPT.SPOILS["sigma_half"]):
        assert audit(attack).finding is AuditFinding.LEDGER


def rows(**runs: int | None) -> list[FaultPower]:
    return [
        FaultPower("x", "fda", 1.0, 1000, "switch", "replay", fault, number, 20_000, 500)
        for fault, number in runs.items()
    ]


def test_words() -> None:
    powers = rows(sigma_half=2000, no_noise_A=20, exact_counts=None)
    assert found_by(powers, 1000) == "no noise on A"
    assert power_in_words(powers, 1000) == (
        "1,000 + 1,000 runs of this attack find in 95 % of the audits: no noise on A. "
        "More runs are needed for: noise of half the size (2,000 runs). "
        "Not found with 20,000 + 20,000 runs: exact class counts. Measured at ε = 1 and default settings."
    )
    assert "none of the faults that were planted" in power_in_words(powers, 10)
    assert "was not measured" in power_in_words([], 1000)


def test_the_command_says_what_it_could_have_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--algorithm", "ssp", "--trials", "40"]) == 0
    said = capsys.readouterr().out
    assert "no leak found by this attack" in said
    assert (
        "40 + 40 runs of this attack find in 95 % of the audits: no noise on A, no noise on B, exact class counts."
        in said
    )
    assert "More runs are needed for: noise of half the size" in said
    assert main(["audit", "--algorithm", "ssp", "--trials", "40", "--pair", "generic"]) == 0
    assert "was not measured" in capsys.readouterr().out
    assert main(["audit", "--algorithm", "ssp", "--trials", "40", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {row["fault"]: row["runs"] for row in report["power"]}["exact_counts"] == 20


def test_the_command_does_not_say_it_where_a_leak_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--algorithm", "dpsr", "--trials", "40"]) == 0
    assert "runs of this attack find" not in capsys.readouterr().out
