"""Sweeps that survive: what is finished is on disk, and what is on disk is not done again."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from dpgep_core.errors import DpgepError
from dpgep_core.experiments.grid import Cell, Sweep, cells
from dpgep_core.experiments.store import CellStore, cell_store
from dpgep_core.experiments.workshop import Row, Special, Workshop, failed
from dpgep_core.pool import AHEAD, Pool, ProcessDiedError

CHUNK = 8  # cells handed out at once: those beside each other share work
Work = Cell | Special
Pair = tuple[str, Work]
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
    cells: tuple[Pair, ...]

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
            store.put(*done)  # without effect where a process of our own has kept it already
            report(clock.tick(failed="error" in done[2]))
            if stop is not None and stop.is_set():
                break
        return clock.progress


def _computed(
    waiting: Sequence[Pair], path: Path, jobs: int, dask: str | None, stop: Stop | None
) -> Iterator[Finished]:
    if not waiting:
        return
    if dask is not None:
        from dpgep_core.experiments.cluster import cluster

        with cluster(dask) as (executor, workers):
            yield from _on_cluster(executor, workers, waiting, stop)
    elif jobs > 1:
        pool = Pool(_kept_chunk, jobs, prepare=_open_store, prepared_with=(str(path),))
        yield from _in_processes(pool, _chunks(waiting, jobs), stop)
    else:
        yield from (finished(*pair) for pair in waiting)


def _chunks(waiting: Sequence[Pair], workers: int) -> list[Sequence[Pair]]:
    size = max(1, min(CHUNK, len(waiting) // (2 * workers)))
    return [waiting[start : start + size] for start in range(0, len(waiting), size)]


def _in_processes(
    pool: Pool[Sequence[Pair], list[Finished]], chunks: Sequence[Sequence[Pair]], stop: Stop | None
) -> Iterator[Finished]:
    """Cells from processes of this machine. A cell that ends its process is an error, and the others are computed."""
    lost: list[Pair] = []
    for chunk, found in pool.results(chunks, lambda: stop is not None and stop.is_set()):
        if not isinstance(found, ProcessDiedError):
            yield from found
        elif len(chunk) > 1:
            lost.extend(chunk)
        else:
            yield from ((key, cell.content(), failed(found), 0.0) for key, cell in chunk)
    if lost:  # one of each chunk ended the process, and no process is left to say which
        yield from _in_processes(pool, [[pair] for pair in lost], stop)


def _on_cluster(executor: Executor, workers: int, waiting: Sequence[Pair], stop: Stop | None) -> Iterator[Finished]:
    """Cells from a cluster, a few chunks ahead; stopped, what was not begun is taken back."""
    chunks = iter(_chunks(waiting, workers))
    running: set[Future[list[Finished]]] = set()
    while True:
        while len(running) < workers * AHEAD and (chunk := next(chunks, None)) is not None:
            running.add(executor.submit(_chunk, chunk))
        if not running:
            return
        done = next(iter(as_completed(running)))
        running.remove(done)
        yield from done.result()
        if stop is not None and stop.is_set():
            for future in running:
                future.cancel()
            return


def _chunk(pairs: Sequence[Pair]) -> list[Finished]:
    return [finished(*pair) for pair in pairs]


_store: CellStore | None = None
_open_for_life = ExitStack()  # of a process of a pool


def _open_store(path: str) -> None:
    global _store
    _store = _open_for_life.enter_context(cell_store(Path(path)))


def _kept_chunk(pairs: Sequence[Pair]) -> list[Finished]:
    """Compute cells and keep each at once: a killed process, or a killed parent, loses none that is finished."""
    assert _store is not None
    kept = _store.results(key for key, _ in pairs)
    done: list[Finished] = []
    for key, cell in pairs:
        if key in kept:  # by a process that was killed later in this chunk
            done.append((key, cell.content(), kept[key], 0.0))
            continue
        done.append(finished(key, cell))
        _store.put(*done[-1])
    return done


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
