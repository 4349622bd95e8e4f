"""Processes on this machine that share out a computation. A process that dies is replaced, and its work done again.

The processes come from ``loky``: it does not run the caller's main script again in each of them, so a script needs no
main guard, and a page of a dashboard may compute in parallel.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Generic, TypeVar

from dpgep_core.errors import DpgepError

AHEAD = 4  # pieces of work waiting for each process
ORPHANED = 0.1  # seconds between looks of a process at whether its parent lives
ONE_BLAS_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
Piece = TypeVar("Piece")
Computed = TypeVar("Computed")


class ProcessDiedError(DpgepError):
    """The process that computed something ended without an answer, and so did its replacement."""

    def __init__(self) -> None:
        super().__init__(
            "The process that computed it ended without an answer, twice: it was killed, or memory ran out."
        )


class Pool(Generic[Piece, Computed]):
    """Computes pieces of work in other processes.

    Parameters
    ----------
    compute : callable
        Piece → result, in another process. Both are pickled.
    jobs : int
        How many processes.
    prepare : callable, optional
        Called once in each process before the first piece.
    prepared_with : tuple
        Its arguments, pickled once for each process.
    finish_begun : bool
        Whether pieces that were begun are finished when the reader of the results stops reading.
    """

    def __init__(
        self,
        compute: Callable[[Piece], Computed],
        jobs: int,
        *,
        prepare: Callable[..., None] | None = None,
        prepared_with: tuple[Any, ...] = (),
        finish_begun: bool = True,
    ) -> None:
        self._compute, self._jobs = compute, jobs
        self._prepare, self._prepared_with = prepare, prepared_with
        self._finish_begun = finish_begun

    def results(
        self, pieces: Sequence[Piece], stopped: Callable[[], bool] = lambda: False
    ) -> Iterator[tuple[Piece, Computed | ProcessDiedError]]:
        """Each piece with its result, as the results come.

        When a process dies, there is no telling which piece it had: every piece that was handed out is computed
        again, one at a time, and the piece that ends its process a second time, alone, comes with a `ProcessDiedError`.

        Parameters
        ----------
        pieces : sequence
            Each is handed out in this order.
        stopped : callable
            Asked after each result. Once it says so, no further piece is begun.
        """
        waiting = list(reversed(pieces))
        while waiting and not stopped():
            suspects: list[Piece] = []
            yield from self._until_one_dies(waiting, suspects, stopped)
            yield from self._one_at_a_time(suspects, stopped)

    def _until_one_dies(
        self, waiting: list[Piece], suspects: list[Piece], stopped: Callable[[], bool]
    ) -> Iterator[tuple[Piece, Computed]]:
        """Take pieces off the end of ``waiting``; those that were handed out when a process died are ``suspects``."""
        pool, running = self._processes(self._jobs), dict[Future[Computed], Piece]()
        at_once = not self._finish_begun
        try:
            while not stopped():
                while waiting and len(running) < self._jobs * AHEAD:
                    piece = waiting.pop()
                    running[pool.submit(self._compute, piece)] = piece
                if not running:
                    return
                done = next(iter(wait(running, return_when=FIRST_COMPLETED).done))
                result = done.result()  # before the piece is taken off: a dead process leaves the piece a suspect
                yield running.pop(done), result
        except BrokenProcessPool:
            suspects.extend(running.values())
        except KeyboardInterrupt:
            at_once = True
            raise
        finally:
            kill = at_once and bool(running)
            for future in running if not kill else ():  # loky tells futures of killed workers so, cancelled ones too
                future.cancel()
            pool.shutdown(wait=True, kill_workers=kill)

    def _one_at_a_time(
        self, suspects: Sequence[Piece], stopped: Callable[[], bool]
    ) -> Iterator[tuple[Piece, Computed | ProcessDiedError]]:
        pool = self._processes(1)
        try:
            for piece in suspects:
                if stopped():
                    return
                try:
                    yield piece, pool.submit(self._compute, piece).result()
                except BrokenProcessPool:
                    pool.shutdown()
                    pool = self._processes(1)
                    yield piece, ProcessDiedError()
        finally:
            pool.shutdown()

    def _processes(self, jobs: int) -> Any:
        from loky import ProcessPoolExecutor  # here, as most commands need none
        from loky.backend import get_context

        return ProcessPoolExecutor(
            jobs,
            context=get_context("loky"),
            initializer=_begin,
            initargs=(os.getpid(), self._prepare, self._prepared_with),
            env=ONE_BLAS_THREAD,  # read by the BLAS of the process when it loads
        )


def _begin(parent: int, prepare: Callable[..., None] | None, prepared_with: tuple[Any, ...]) -> None:
    """Make a process leave Ctrl-C to its parent and end with its parent, which may be killed without a word."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    if prepare is not None:
        prepare(*prepared_with)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(ORPHANED)
    os._exit(1)


def cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
