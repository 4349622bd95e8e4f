"""Sweeps that survive: what is finished is on disk, and what is on disk is not done again."""

import os
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol

from dpgep_core.errors import DpgepError
from dpgep_core.experiments.grid import Cell, Sweep, cells
from dpgep_core.experiments.store import CellStore, cell_store
from dpgep_core.experiments.workshop import Row, Special, Workshop, failed

CHUNK = 8  # cells handed out at once: those beside each other share work
ORPHANED = 0.1  # seconds between looks of a worker at whether its parent lives
AHEAD = 4  # chunks waiting for each worker
Work = Cell | Special
Finished = tuple[str, dict[str, Any], Row, float]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a sweep is. ``left`` are seconds, None while nothing is known."""

    done: int
    total: int
    errors: int
    left: float | None


class Stop(Protocol):
    """Says whether to stop."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """The cells of a sweep under their keys, in the order of its table."""

    sweep: Sweep
    cells: tuple[tuple[str, Work], ...]

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(key for key, _ in self.cells)


def planned(sweep: Sweep) -> Plan:
    """The cells with their keys. It reads each data set once: a key depends on the rows."""
    shop = workshop()
    keyed = [(cell.key(_fingerprint(shop, cell)), cell) for cell in cells(sweep)]
    return Plan(sweep, tuple(dict(keyed).items()))


def _fingerprint(shop: Workshop, cell: Cell) -> str:
    try:
        return shop.fingerprint(cell.dataset, cell.n)
    except DpgepError as error:  # too few rows, a file that is gone: the cell says so when it is computed
        return str(error)


@cache
def workshop() -> Workshop:
    """The workshop of this process."""
    return Workshop()


def finished(key: str, cell: Work) -> Finished:
    """Compute a cell. What goes wrong is its result, and does not stop the others."""
    began = time.perf_counter()
    try:
        row = workshop().compute(cell) if isinstance(cell, Cell) else cell.compute()
    except Exception as error:  # kept with the cell
        row = failed(error)
    return key, cell.content(), row, time.perf_counter() - began


def run_sweep(
    plan: Plan,
    path: Path,
    *,
    jobs: int = 1,
    dask: str | None = None,
    report: Callable[[Progress], None] = lambda _: None,
    stop: Stop | None = None,
) -> Progress:
    """Compute every cell of a plan that is not in the store yet.

    Parameters
    ----------
    plan : Plan
        From `planned`.
    path : Path
        The store. Other sweeps may write it at the same time.
    jobs : int
        Processes on this machine; 1 computes in this one.
    dask : str, optional
        Address of a Dask scheduler: its workers compute, and this process keeps what they send.
    report : callable
        Told after every cell.
    stop : object with ``is_set``, optional
        Asked after every cell; what is running is then finished and kept.

    Returns
    -------
    Progress
        Where it ended: ``done`` below ``total`` where it was stopped.
    """
    with cell_store(path) as store:
        known = store.known(plan.keys)
        waiting = [pair for pair in plan.cells if pair[0] not in known]
        clock = _Clock(len(plan.cells), len(known))
        report(clock.progress)
        for done in _computed(waiting, path, jobs, dask, stop):
            if not (jobs > 1 and dask is None):  # a process of our own has kept it already
                store.put(*done)
            report(clock.tick(failed="error" in done[2]))
            if stop is not None and stop.is_set():
                break
        return clock.progress


def _computed(
    waiting: Sequence[tuple[str, Work]], path: Path, jobs: int, dask: str | None, stop: Stop | None
) -> Iterator[Finished]:
    if not waiting:
        return
    if dask is not None:
        from dpgep_core.experiments.cluster import cluster

        with cluster(dask) as (pool, workers):
            yield from _handed_out(pool, workers, waiting, _chunk, stop)
    elif jobs > 1:
        with _processes(jobs, path) as pool:
            yield from _handed_out(pool, jobs, waiting, _kept_chunk, stop)
    else:
        yield from (finished(*pair) for pair in waiting)


def _handed_out(
    pool: Executor,
    workers: int,
    waiting: Sequence[tuple[str, Work]],
    work: Callable[[Sequence[tuple[str, Work]]], list[Finished]],
    stop: Stop | None,
) -> Iterator[Finished]:
    """Chunks for the workers, a few ahead; stopped, what was not begun is taken back."""
    size = max(1, min(CHUNK, len(waiting) // (2 * workers)))
    chunks = iter([waiting[start : start + size] for start in range(0, len(waiting), size)])
    running: set[Future[list[Finished]]] = set()
    while True:
        while len(running) < workers * AHEAD and (chunk := next(chunks, None)) is not None:
            running.add(pool.submit(work, chunk))
        if not running:
            return
        done = next(iter(as_completed(running)))
        running.remove(done)
        yield from done.result()
        if stop is not None and stop.is_set():
            for future in running:
                future.cancel()
            return


def _chunk(pairs: Sequence[tuple[str, Work]]) -> list[Finished]:
    return [finished(*pair) for pair in pairs]


_store: CellStore | None = None
_open_for_life = ExitStack()  # of a worker


def _kept_chunk(pairs: Sequence[tuple[str, Work]]) -> list[Finished]:
    """Compute cells and keep each at once: a killed parent loses none that is finished."""
    assert _store is not None
    done: list[Finished] = []
    for pair in pairs:
        done.append(finished(*pair))
        _store.put(*done[-1])
    return done


def _enter(path: str, parent: int) -> None:
    """A worker's first act: open the store, and die with the parent, which may be killed without a word."""
    global _store
    _store = _open_for_life.enter_context(cell_store(Path(path)))
    threading.Thread(target=_die_with, args=(parent,), daemon=True).start()


def _die_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(ORPHANED)
    os._exit(1)


@contextmanager
def _processes(jobs: int, path: Path) -> Generator[Executor]:
    limits: dict[str, str] = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    before = {name: os.environ.get(name) for name in limits}
    os.environ.update(limits)  # read by the workers' BLAS when it loads
    try:
        with ProcessPoolExecutor(
            jobs, mp_context=get_context("spawn"), initializer=_enter, initargs=(str(path), os.getpid())
        ) as pool:
            yield pool
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class _Clock:
    """Counts cells and foretells the rest from those just computed."""

    def __init__(self, total: int, known: int) -> None:
        self._total, self._known, self._done, self._errors = total, known, known, 0
        self._began = time.monotonic()

    @property
    def progress(self) -> Progress:
        new = self._done - self._known
        left = (time.monotonic() - self._began) / new * (self._total - self._done) if new else None
        return Progress(self._done, self._total, self._errors, left)

    def tick(self, *, failed: bool) -> Progress:
        self._done += 1
        self._errors += failed
        return self.progress


def table_rows(plan: Plan, path: Path) -> Iterable[dict[str, Any]]:
    """One row for each finished cell, in the order of the plan: settings, then numbers."""
    with cell_store(path) as store:
        found = store.results(plan.keys)
    for key, cell in plan.cells:
        if key in found:
            yield {**cell.content(), **found[key]}
