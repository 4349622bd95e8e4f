"""Cancel ends a task within seconds, however long its cell takes; finished cells are kept, and no process is left."""

import os
import signal
import time
from pathlib import Path

import pytest
from lab import until
from sleeping_cells import sleeping_plan

from dashboard.compute import task_processes
from dashboard.compute.task_processes import TaskProcesses
from dpgep_core.experiments.runner import run_sweep
from dpgep_core.experiments.store import cell_store

AT_ONCE = 4
ASLEEP = 4
SECONDS = 600.0  # a cell sleeps, which no test waits for
SOON = 60.0  # seconds on a busy machine; two or three times the grace on one at rest


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Start the cells in a process beside this one; its store, its folder and the process."""
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parent}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    found = TaskProcesses()

    def started(at_once=AT_ONCE, asleep=ASLEEP, seconds=SECONDS, jobs=1):
        store = tmp_path / "cells.sqlite"
        arguments = (str(store), str(tmp_path), at_once, asleep, seconds, jobs)
        found.start("one", "sleeping_cells", *map(str, arguments))
        return store, found

    yield started
    found.close()


def sleepers(folder):
    """Processes that compute a cell that sleeps."""
    texts = [path.read_text() for path in folder.glob("[0-9]*")]
    return {int(text) for text in texts if text}


def gone(number):
    """Whether a process has ended. One that nobody asks for its exit code has ended too, where it is not ours."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def finished(store):
    with cell_store(store) as kept:
        return kept.finished_keys(map(str, range(AT_ONCE + ASLEEP)))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("jobs", [1, 2])
def test_cancelled_while_a_cell_sleeps_it_ends_and_keeps_what_was_finished(start, tmp_path, jobs):
    """It ended with its running cell, minutes later. The processes of a pool end with it."""
    store, tasks = start(jobs=jobs)
    until(lambda: len(sleepers(tmp_path)) >= jobs and len(finished(store)) == AT_ONCE)
    run = tasks.running("one")
    computing = {run.process.pid, *sleepers(tmp_path)}
    began = time.monotonic()
    tasks.cancel("one")
    until(lambda: not tasks.busy())
    assert time.monotonic() - began < SOON
    run.listener.join(SOON)
    until(lambda: all(map(gone, computing)))
    assert not Path(f"/proc/{run.process.pid}").exists(), "our own child is asked for its exit code"
    assert run.cancelled
    assert run.failed is None, "what was cancelled has not failed"
    assert finished(store) == set(map(str, range(AT_ONCE)))


def test_started_again_it_computes_the_cell_that_was_lost(start, tmp_path):
    store, tasks = start(asleep=1)
    until(lambda: sleepers(tmp_path))
    tasks.cancel("one")
    until(lambda: not tasks.busy())
    progress = run_sweep(sleeping_plan(AT_ONCE, 1, 0.0, str(tmp_path)), store)
    assert (progress.done, progress.total, progress.errors) == (AT_ONCE + 1, AT_ONCE + 1, 0)


def test_a_cell_that_is_nearly_done_is_kept(start, tmp_path, monkeypatch):
    """The process has a moment in which it ends by itself: here one that is long enough for a busy machine."""
    monkeypatch.setattr(task_processes, "GRACE", SOON)
    store, tasks = start(at_once=0, asleep=2, seconds=1.0)
    until(lambda: sleepers(tmp_path))
    tasks.cancel("one")
    until(lambda: not tasks.busy())
    assert finished(store) >= {"0"}


def test_killed_in_the_middle_of_its_writing_it_leaves_the_store_whole(start):
    """Cells that end at once are written without a break: it is killed as it writes."""
    store, tasks = start(at_once=50_000, asleep=0)
    until(lambda: store.exists() and len(finished(store)) == AT_ONCE + ASLEEP)
    tasks.running("one").signal(signal.SIGKILL)
    until(lambda: not tasks.busy())
    with cell_store(store) as kept:  # which checks the whole file
        found = kept.results(map(str, range(50_000)))
        assert found == {key: {"result": int(key)} for key in map(str, range(len(found)))}
        assert kept.put("50000", {}, {}, 0.0)
