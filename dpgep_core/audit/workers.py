"""Many runs, in this process or shared out to others. The result depends on the seeds alone, not on who ran them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpgep_core.audit.case import AttackerView, Case, observe
from dpgep_core.method import MethodEntry
from dpgep_core.plugins import adopt, outside_entries
from dpgep_core.pool import Pool, ProcessDiedError
from dpgep_core.privacy.query import Array

RUNS_AT_ONCE = 50  # runs between two reports of progress
ReportRuns = Callable[[int, int], None]  # runs done, runs in all


@dataclass(frozen=True, eq=False)
class Runs:
    """Runs of one side of a case, 0 or 1, one for each seed."""

    case: Case
    side: int
    view: AttackerView
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Chunk:
    task: int
    place: int
    seeds: list[int]


def perform(tasks: Sequence[Runs], jobs: int = 1, progress: ReportRuns | None = None) -> list[Array]:
    """What is seen in the runs of each task, (runs, …), in the order of its seeds.

    Parameters
    ----------
    jobs : int
        Processes; 1 runs in this one.
    progress : callable, optional
        Called with the runs done and the runs in all; what it raises stops everything.
    """
    chunks = [
        _Chunk(index, first, list(task.seeds[first : first + RUNS_AT_ONCE]))
        for index, task in enumerate(tasks)
        for first in range(0, len(task.seeds), RUNS_AT_ONCE)
    ]
    total, done = sum(len(task.seeds) for task in tasks), 0
    found: list[dict[int, Array]] = [{} for _ in tasks]
    answers = (
        _here(tasks, chunks) if min(jobs, len(chunks)) <= 1 else _in_processes(tasks, chunks, min(jobs, len(chunks)))
    )
    for chunk, array in answers:
        found[chunk.task][chunk.place] = array
        done += len(chunk.seeds)
        if progress is not None:
            progress(done, total)
    return [np.concatenate([parts[place] for place in sorted(parts)]) for parts in found]


def _here(tasks: Sequence[Runs], chunks: Sequence[_Chunk]) -> Iterator[tuple[_Chunk, Array]]:
    return ((chunk, _observe_chunk(tasks, chunk)) for chunk in chunks)


def _in_processes(tasks: Sequence[Runs], chunks: Sequence[_Chunk], jobs: int) -> Iterator[tuple[_Chunk, Array]]:
    """Answers of ``jobs`` other processes as they come; all of them are stopped when the reader stops."""
    pool: Pool[_Chunk, Array] = Pool(
        _compute, jobs, prepare=_receive, prepared_with=(tasks, outside_entries()), finish_begun=False
    )
    for chunk, answer in pool.results(chunks):
        if isinstance(answer, ProcessDiedError):
            raise answer
        yield chunk, answer


def _observe_chunk(tasks: Sequence[Runs], chunk: _Chunk) -> Array:
    task = tasks[chunk.task]
    return observe(task.case, task.side, task.view, chunk.seeds)


_tasks: Sequence[Runs] = ()  # of a process of a pool, which gets them once


def _receive(tasks: Sequence[Runs], entries: Sequence[MethodEntry]) -> None:
    global _tasks
    adopt(entries)
    _tasks = tasks


def _compute(chunk: _Chunk) -> Array:
    return _observe_chunk(_tasks, chunk)
