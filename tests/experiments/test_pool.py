"""Processes that are killed, by a user or for want of memory, cost no result but their own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dpgep_core.experiments.grid import parse_sweep
from dpgep_core.experiments.runner import SweepPlan, plan_sweep, run_sweep
from dpgep_core.experiments.table import sweep_table
from dpgep_core.pool import Pool, ProcessDiedError

WITHOUT_GUARD = """
from pathlib import Path
from dpgep_core.experiments.grid import parse_sweep
from dpgep_core.experiments.runner import plan_sweep, run_sweep

print("once")
sweep = parse_sweep({"datasets": ["wine"], "epsilon": [1.0], "seeds": 4})
ended = run_sweep(plan_sweep(sweep), Path("a.sqlite"), jobs=2)
print(ended.done, ended.errors)
"""


def square_after(piece):
    """The square of a number; a process with an unused mark dies on its first call, one without a mark at once."""
    number, mark = piece
    if mark is not None and (mark == "always" or not Path(mark).exists()):
        if mark != "always":
            Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number**2


class Deadly:
    """A cell that kills the process which computes it."""

    def content(self):
        return {"deadly": True}

    def compute(self):
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_a_process_that_dies_is_replaced_and_nothing_is_lost(tmp_path):
    pieces = [(number, str(tmp_path / "mark") if number == 5 else None) for number in range(12)]
    found = dict(Pool(square_after, 2).results(pieces))
    assert found == {piece: piece[0] ** 2 for piece in pieces}
    assert (tmp_path / "mark").exists()  # it did die


@pytest.mark.slow
def test_a_piece_that_ends_every_process_is_told_and_the_others_are_computed():
    pieces = [(number, "always" if number == 3 else None) for number in range(8)]
    found = dict(Pool(square_after, 2).results(pieces))
    assert isinstance(found.pop((3, "always")), ProcessDiedError)
    assert found == {piece: piece[0] ** 2 for piece in pieces if piece[0] != 3}


@pytest.mark.slow
def test_a_sweep_with_a_deadly_cell_has_a_table_and_the_cell_its_error(tmp_path):
    """The cell shares its chunk with others, which are all computed."""
    plan = plan_sweep(parse_sweep({"datasets": ["wine"], "algorithms": ["ssp"], "epsilon": [1.0], "seeds": 12}))
    cells = (*plan.cells[:5], ("deadly", Deadly()), *plan.cells[5:])
    told = []
    ended = run_sweep(SweepPlan(plan.sweep, cells), tmp_path / "a.sqlite", jobs=2, report=told.append)
    assert (ended.done, ended.total, ended.errors) == (13, 13, 1)
    assert [progress.done for progress in told] == list(range(14))  # each is counted once
    table = sweep_table(SweepPlan(plan.sweep, cells), tmp_path / "a.sqlite")
    wrong = [error for error in table["error"] if isinstance(error, str) and error]
    assert len(wrong) == 1
    assert "killed, or memory ran out" in wrong[0]
    assert table["lda_accuracy"].notna().sum() == 12
    assert run_sweep(SweepPlan(plan.sweep, cells), tmp_path / "a.sqlite").done == 13  # kept, like every error


@pytest.mark.slow
def test_a_script_needs_no_main_guard(tmp_path):
    (tmp_path / "script.py").write_text(WITHOUT_GUARD)
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    ran = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "once\n4 0\n", "")


MISTAKEN = """
import time
from dpgep_core.pool import Pool


def refused(number):
    if number == 3:
        raise ValueError("three is not allowed")
    time.sleep(0.02)
    return number


for _ in range(2):
    try:
        list(Pool(refused, 2, finish_begun=False).results(range(30)))
    except ValueError as mistake:
        print(mistake)
"""


@pytest.mark.slow
def test_a_mistake_ends_work_that_is_stopped_at_once_without_a_traceback(tmp_path):
    """A thread of the pool failed, each time, where futures were cancelled and their workers killed as well."""
    script = tmp_path / "mistaken.py"
    script.write_text(MISTAKEN)
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=300)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.count("three is not allowed") == 2
