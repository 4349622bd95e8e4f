"""One pass over the files of a folder: sums of whole numbers, file by file, here or on a cluster.

Each file gives sums of whole numbers, and those add up to the same bits in any order. So a pass may be stopped and gone
on with, and its files may go to any number of workers. After each file the sums so far are kept in the user's cache
folder.
"""

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.kept_sums import KeptSums
from dpgep_core.errors import DpgepError, reason_of
from dpgep_core.privacy.query import Indices, Integers
from dpgep_core.wording import plural

AHEAD = 2  # files that wait at each worker
Sums = tuple[Integers, ...]
Rows = tuple[NDArray[Any], Indices]  # rows as stored, and the class of each


class RowSum(Protocol):
    """Sums of whole numbers over rows; it is sent to workers, and any two of them add up entry by entry."""

    @property
    def identity(self) -> str:
        """Text that differs wherever the sums could."""
        ...

    def of(self, blocks: Iterable[Rows]) -> Sums:
        """The sums over blocks of rows."""
        ...


class PartReader(Protocol):
    """The rows of one file; it is sent to workers."""

    @property
    def rows(self) -> int: ...

    def blocks(self) -> Iterator[Rows]:
        """Blocks of rows; raises where the file is not what was listed, before the first and after the last."""
        ...


@dataclass(frozen=True, slots=True)
class PassProgress:
    """How far a pass is: rows and files. ``left`` are seconds, None while nothing is known."""

    what: str
    rows: int
    total: int
    files: int
    left: float | None


@dataclass(frozen=True, slots=True)
class PassSettings:
    """Where passes are computed, and who is told.

    Parameters
    ----------
    executor : Executor or None
        Workers that get whole files; None computes here.
    workers : int
        How many there are.
    report : callable
        Told how far a pass is, after each block of rows or, with workers, after each file.
    """

    executor: Executor | None = None
    workers: int = 1
    report: Callable[[PassProgress], None] = lambda _: None


HERE = PassSettings()
_settings: ContextVar[PassSettings] = ContextVar("passes", default=HERE)


@contextmanager
def passes(**changes: Any) -> Generator[None]:
    """Settings of every pass inside, as `PassSettings` names them."""
    token = _settings.set(replace(_settings.get(), **changes))
    try:
        yield
    finally:
        _settings.reset(token)


class WorkersError(DpgepError):
    """Workers did not finish a pass. What they did finish is kept."""


class PassClock:
    """Counts rows and files of a pass and foretells the time left from those just read."""

    def __init__(self, what: str, total: int, rows: int = 0, files: int = 0) -> None:
        self._what, self._total, self._known, self._rows, self._files = what, total, rows, rows, files
        self._began = time.monotonic()

    def tick(self, rows: int, files: int = 0) -> None:
        """Count rows and files, and report."""
        self._rows, self._files = self._rows + rows, self._files + files
        new = self._rows - self._known
        left = (time.monotonic() - self._began) / new * (self._total - self._rows) if new else None
        _settings.get().report(PassProgress(self._what, self._rows, self._total, self._files, left))

    def counted(self, reader: PartReader) -> Iterator[Rows]:
        """The blocks of a file, each counted once it is done with; the rows of it that are not taken, at its end."""
        left = reader.rows
        for block in reader.blocks():
            yield block
            left -= len(block[0])
            self.tick(len(block[0]))
        self.tick(left)


def pass_sums(what: str, readers: Sequence[PartReader], row_sum: RowSum, kept: KeptSums) -> Sums:
    """The sums over all files; files that are among the kept sums are not read again.

    Raises
    ------
    DataError
        A file cannot be read, or changed during the pass; it is named.
    WorkersError
        The workers went away.
    """
    known = sum(readers[number].rows for number in kept.done)
    clock = PassClock(what, sum(reader.rows for reader in readers), known, len(kept.done))
    waiting = [number for number in range(len(readers)) if number not in kept.done]
    settings = _settings.get()
    with kept:
        if settings.executor is None:
            for number in waiting:
                kept.add(number, row_sum.of(clock.counted(readers[number])))
                clock.tick(0, files=1)
        else:
            for number, sums in _on_workers(settings.executor, settings.workers, readers, waiting, row_sum, kept):
                kept.add(number, sums)
                clock.tick(readers[number].rows, files=1)
    return kept.total


def part_sums(reader: PartReader, row_sum: RowSum) -> Sums | DpgepError:
    """The sums over one file, or why there are none: the work of a worker.

    An error of this package may tell of a row. It goes back as a value: a worker writes what is raised into its log,
    which is no place for private rows, and tries again, which mends no file.
    """
    try:
        return row_sum.of(reader.blocks())
    except DpgepError as error:
        return error


def _on_workers(
    executor: Executor,
    workers: int,
    readers: Sequence[PartReader],
    waiting: Sequence[int],
    row_sum: RowSum,
    kept: KeptSums,
) -> Iterator[tuple[int, Sums]]:
    """Sums as workers finish them, a few files ahead; stopped, what was not begun is taken back."""
    left = iter(waiting)
    running: dict[Future[Sums | DpgepError], int] = {}
    try:
        while True:
            while len(running) < workers * AHEAD and (number := next(left, None)) is not None:
                running[executor.submit(part_sums, readers[number], row_sum)] = number
            if not running:
                return
            done = next(iter(as_completed(running)))
            number = running.pop(done)
            found = done.result()
            if isinstance(found, DpgepError):
                raise found
            yield number, tuple(np.asarray(each) for each in found)
    except (DpgepError, GeneratorExit):
        raise
    except Exception as error:  # of a scheduler that is gone, a connection, a worker that cannot import this package
        told = plural(len(kept.done), "file")
        raise WorkersError(
            f"The workers did not finish the pass ({reason_of(error)}). The sums of {told} of {len(readers)} are kept: "
            "the same command goes on from there."
        ) from error
    finally:
        for future in running:
            future.cancel()
