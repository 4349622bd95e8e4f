"""Many runs, in this process or shared out to others. The result depends on the seeds alone, not on who ran them.

Other processes are started by hand and not by `multiprocessing`, which would run the caller's main script again in
each of them: that script may be a page of a dashboard.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np

from dpgep_core.audit.case import Case, View, observe
from dpgep_core.privacy.query import Array

CHUNK = 50  # runs between two reports of progress
SERVE = "from dpgep_core.audit.workers import serve; serve()"
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
Progress = Callable[[int, int], None]  # runs done, runs in all


@dataclass(frozen=True, eq=False)
class Task:
    """Runs of one side of a case, 0 or 1, one for each seed."""

    case: Case
    side: int
    view: View
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Chunk:
    task: int
    place: int
    seeds: list[int]


def perform(tasks: Sequence[Task], jobs: int = 1, progress: Progress | None = None) -> list[Array]:
    """What is seen in the runs of each task, (runs, …), in the order of its seeds.

    Parameters
    ----------
    jobs : int
        Processes; 1 runs in this one.
    progress : callable, optional
        Called with the runs done and the runs in all; what it raises stops everything.
    """
    chunks = [
        _Chunk(index, first, list(task.seeds[first : first + CHUNK]))
        for index, task in enumerate(tasks)
        for first in range(0, len(task.seeds), CHUNK)
    ]
    total, done = sum(len(task.seeds) for task in tasks), 0
    found: list[dict[int, Array]] = [{} for _ in tasks]
    answers = _here(tasks, chunks) if min(jobs, len(chunks)) <= 1 else _elsewhere(tasks, chunks, min(jobs, len(chunks)))
    for chunk, array in answers:
        found[chunk.task][chunk.place] = array
        done += len(chunk.seeds)
        if progress is not None:
            progress(done, total)
    return [np.concatenate([parts[place] for place in sorted(parts)]) for parts in found]


def _here(tasks: Sequence[Task], chunks: Sequence[_Chunk]) -> Iterator[tuple[_Chunk, Array]]:
    for chunk in chunks:
        task = tasks[chunk.task]
        yield chunk, observe(task.case, task.side, task.view, chunk.seeds)


def _elsewhere(tasks: Sequence[Task], chunks: Sequence[_Chunk], jobs: int) -> Iterator[tuple[_Chunk, Array]]:
    """Answers of ``jobs`` other processes as they come; all of them are stopped when the reader stops."""
    answers: SimpleQueue[Any] = SimpleQueue()
    workers = [_start() for _ in range(jobs)]
    try:
        with ThreadPoolExecutor(jobs) as listeners:
            for index, worker in enumerate(workers):
                listeners.submit(_talk, worker, (tasks, chunks[index::jobs]), answers)
            try:
                for _ in chunks:
                    answer = answers.get()
                    if isinstance(answer, BaseException):
                        raise RuntimeError("a process of the attack stopped before it was done") from answer
                    yield answer
            finally:
                for worker in workers:
                    worker.kill()  # so that the listeners come to an end
    finally:
        for worker in workers:
            worker.wait()


def _start() -> subprocess.Popen[bytes]:
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    environment = os.environ | dict.fromkeys(ONE_THREAD, "1") | {"PYTHONPATH": path}
    return subprocess.Popen(
        [sys.executable, "-c", SERVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )


def _talk(worker: subprocess.Popen[bytes], work: Any, answers: "SimpleQueue[Any]") -> None:
    """Hand a process its work and pass on what it answers, or the reason why it does not."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    try:
        with worker.stdin as stdin, worker.stdout as stdout:
            pickle.dump(work, stdin)
            stdin.close()
            for _ in work[1]:
                answers.put(pickle.load(stdout))
    except (EOFError, OSError, pickle.PickleError) as error:
        answers.put(error)


def serve() -> None:
    """In another process: read the work from stdin, write (chunk, array) to stdout until it is done."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not get between the answers
    tasks, chunks = pickle.load(sys.stdin.buffer)
    for chunk, array in _here(tasks, chunks):
        pickle.dump((chunk, array), answers)
        answers.flush()


def cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
