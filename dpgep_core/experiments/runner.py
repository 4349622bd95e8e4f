"""Sweeps that survive: what is finished is on disk, and what is on disk is not done again."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from dpgep_core.errors import DpgepError, ParameterError
from dpgep_core.experiments.cell_runner import CellRow, CellRunner, CustomCell, error_row
from dpgep_core.experiments.grid import Cell, Sweep, cells_of
from dpgep_core.experiments.store import CellStore, cell_store
from dpgep_core.method import MethodEntry
from dpgep_core.plugins import adopt, outside_entries
from dpgep_core.pool import AHEAD, Pool, ProcessDiedError

CELLS_AT_ONCE = 8  # cells handed out at once: those beside each other share work
SECONDS_TO_CONNECT = 20  # seconds until a scheduler has answered
SECONDS_FOR_A_WORKER = 10  # seconds until the first worker is there, for a cluster that has just been started
RETRIES = 5  # of a chunk whose worker died
AnyCell = Cell | CustomCell
KeyedCell = tuple[str, AnyCell]
FinishedCell = tuple[str, dict[str, Any], CellRow, float]


@dataclass(frozen=True, slots=True)
class SweepProgress:
    """How far a sweep is. ``left`` are seconds, foretold from the cells just computed, None while nothing is known."""

    done: int
    total: int
    errors: int
    left: float | None


class Stop(Protocol):
    """Says whether to stop."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """The cells of a sweep under their keys, in the order of its table."""

    sweep: Sweep
    cells: tuple[KeyedCell, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(key for key, _ in self.cells)


def plan_sweep(sweep: Sweep) -> SweepPlan:
    """The cells with their keys. It reads each data set once: a key depends on the rows."""
    runner = shared_cell_runner()
    keyed = [(cell.key(_fingerprint(runner, cell)), cell) for cell in cells_of(sweep)]
    return SweepPlan(sweep, tuple(dict(keyed).items()))


def _fingerprint(runner: CellRunner, cell: Cell) -> str:
    try:
        return runner.fingerprint(cell.dataset, cell.n)
    except DpgepError as error:  # too few rows, a file that is gone: the cell says so when it is computed
        return str(error)


@cache
def shared_cell_runner() -> CellRunner:
    """The cell runner of this process."""
    return CellRunner()


def compute_cell(key: str, cell: AnyCell) -> FinishedCell:
    """Compute a cell. What goes wrong is its result, and does not stop the others.

    Its seconds are those of the processor, which others on the machine do not lengthen.
    """
    began = time.process_time()
    try:
        row = shared_cell_runner().run(cell) if isinstance(cell, Cell) else cell.compute()
    except Exception as error:  # kept with the cell
        row = error_row(error)
    return key, cell.content(), row, time.process_time() - began


def run_sweep(
    plan: SweepPlan,
    path: Path,
    *,
    jobs: int = 1,
    dask: str | None = None,
    report: Callable[[SweepProgress], None] = lambda _: None,
    stop: Stop | None = None,
) -> SweepProgress:
    """Compute every cell of a plan that is not in the store yet, and say where that ended.

    Parameters
    ----------
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
    """
    with cell_store(path) as store:
        known = store.finished_keys(plan.keys)
        waiting = [pair for pair in plan.cells if pair[0] not in known]
        progress, began = SweepProgress(len(known), len(plan.cells), 0, None), time.monotonic()
        report(progress)
        for new, done in enumerate(_compute(waiting, path, jobs, dask, stop), start=1):
            store.put(*done)  # without effect where a process of our own has kept it already
            left = (time.monotonic() - began) / new * (progress.total - len(known) - new)
            progress = SweepProgress(len(known) + new, progress.total, progress.errors + ("error" in done[2]), left)
            report(progress)
            if stop is not None and stop.is_set():
                break
        return progress


def _compute(
    waiting: Sequence[KeyedCell], path: Path, jobs: int, dask: str | None, stop: Stop | None
) -> Iterator[FinishedCell]:
    if not waiting:
        return
    if dask is not None:
        with cluster(dask) as (executor, workers):
            yield from _on_cluster(executor, workers, waiting, stop)
    elif jobs > 1:
        pool = Pool(_compute_and_keep, jobs, prepare=_open_store, prepared_with=(str(path), outside_entries()))
        yield from _in_processes(pool, _chunks(waiting, jobs), stop)
    else:
        yield from (compute_cell(*pair) for pair in waiting)


def _chunks(waiting: Sequence[KeyedCell], workers: int) -> list[Sequence[KeyedCell]]:
    size = max(1, min(CELLS_AT_ONCE, len(waiting) // (2 * workers)))
    return [waiting[start : start + size] for start in range(0, len(waiting), size)]


def _in_processes(
    pool: Pool[Sequence[KeyedCell], list[FinishedCell]], chunks: Sequence[Sequence[KeyedCell]], stop: Stop | None
) -> Iterator[FinishedCell]:
    """Cells from processes of this machine. A cell that ends its process is an error, and the others are computed."""
    lost: list[KeyedCell] = []
    for chunk, found in pool.results(chunks, lambda: stop is not None and stop.is_set()):
        if not isinstance(found, ProcessDiedError):
            yield from found
        elif len(chunk) > 1:
            lost.extend(chunk)
        else:
            yield from ((key, cell.content(), error_row(found), 0.0) for key, cell in chunk)
    if lost:  # one of each chunk ended the process, and no process is left to say which
        yield from _in_processes(pool, [[pair] for pair in lost], stop)


def _on_cluster(
    executor: Executor, workers: int, waiting: Sequence[KeyedCell], stop: Stop | None
) -> Iterator[FinishedCell]:
    """Cells from a cluster, a few chunks ahead; stopped, what was not begun is taken back."""
    chunks = iter(_chunks(waiting, workers))
    running: set[Future[list[FinishedCell]]] = set()
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


def _chunk(pairs: Sequence[KeyedCell]) -> list[FinishedCell]:
    return [compute_cell(*pair) for pair in pairs]


_store: CellStore | None = None
_open_for_life = ExitStack()  # of a process of a pool


def _open_store(path: str, entries: Sequence[MethodEntry]) -> None:
    global _store
    adopt(entries)
    _store = _open_for_life.enter_context(cell_store(Path(path)))


def _compute_and_keep(pairs: Sequence[KeyedCell]) -> list[FinishedCell]:
    """Compute cells and keep each at once: a killed process, or a killed parent, loses none that is finished."""
    assert _store is not None
    kept = _store.results(key for key, _ in pairs)
    done: list[FinishedCell] = []
    for key, cell in pairs:
        if key in kept:  # by a process that was killed later in this chunk
            done.append((key, cell.content(), kept[key], 0.0))
            continue
        done.append(compute_cell(key, cell))
        _store.put(*done[-1])
    return done


class ClusterError(DpgepError):
    """The cluster cannot be used."""


@contextmanager
def cluster(address: str) -> Generator[tuple[Executor, int]]:
    """An executor on the cluster at an address, and the number of its workers.

    Raises
    ------
    ParameterError
        If nothing answers there.
    ClusterError
        If Dask is not installed, or the cluster has no workers.
    """
    if find_spec("distributed") is None:
        raise ClusterError("--dask needs Dask: install it with  python -m pip install 'dpgep-lab[distributed]'")
    from distributed import Client

    try:
        client = Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        allowed = "the address of a Dask scheduler that answers, as in tcp://host:8786"
        raise ParameterError("--dask", address, allowed) from error
    with client:
        try:
            client.wait_for_workers(1, timeout=SECONDS_FOR_A_WORKER)
        except TimeoutError as error:
            raise ClusterError(
                f"the Dask cluster at {address} has no workers: start some, as in  dask worker {address}"
            ) from error
        workers = len(client.scheduler_info(n_workers=-1)["workers"])  # each computes one cell at a time
        with client.get_executor(pure=False, retries=RETRIES) as pool:
            yield pool, workers
