"""The words beside a bar: a time left that holds, or that the running cell takes longer than it said."""

import time
from types import SimpleNamespace

import pytest

from dashboard.panels import progress
from dpgep_core.experiments.runner import SweepProgress


def words(left, taken, *, done=135, total=250, cancelled=False):
    """What the bar says; ``left`` as it was foretold when the last cell ended."""
    running = SimpleNamespace(cancelled=cancelled, silent=taken, progress=SweepProgress(done, total, 0, left))
    return progress._progress_text(running, done, total)


def test_a_cell_that_takes_longer_than_what_was_left_is_said():
    """ "about 13 s left" stood for as long as a cell of a slow method ran."""
    slow = "135 of 250 cells; the one that runs has taken 70 s, longer than those before it"
    assert words(13.0, 70.0) == slow
    assert "longer than those before it" in words(13.0, 6.0)  # a tenth of a second is usual
    assert "longer than those before it" in words(3000.0, 70.0)  # 26 s are usual


def test_the_time_left_runs_down_while_a_cell_takes_its_time():
    assert words(1150.0, 0.0) == "135 of 250 cells, about 19 min left"
    assert words(80.0, 0.5) == "135 of 250 cells, about 80 s left"
    assert words(80.0, 20.0, done=248) == "248 of 250 cells, about 60 s left"
    assert words(80.0, 60.0, done=248) == "248 of 250 cells, about 40 s left"


@pytest.mark.parametrize(("taken", "end"), [(1.0, ""), (50.0, "; the one that runs has taken 50 s")])
def test_before_the_first_cell_has_ended_no_time_is_told(taken, end):
    assert words(None, taken, done=0) == f"0 of 250 cells{end}"


def test_a_cancelled_one_says_that_it_stops_soon():
    assert words(13.0, 70.0, cancelled=True) == "135 of 250 cells: it stops within seconds, and these are kept"


def test_a_process_that_has_said_nothing_reads_the_data():
    running = SimpleNamespace(cancelled=False, silent=70.0, progress=None)
    assert progress._progress_text(running, 0, 250) == "0 of 250 cells; reading the data"


def test_silence_is_counted_from_the_last_word():
    from dashboard.compute.task_processes import TaskProcess

    run = TaskProcess(SimpleNamespace(poll=lambda: None), heard=time.monotonic() - 70)
    assert 70 <= run.silent < 100
