"""Slow work beside the page: it goes on while someone looks, and waits while nobody does."""

import time
from collections import Counter
from collections.abc import Iterator
from threading import Lock, Thread
from typing import Generic, TypeVar

from threadpoolctl import threadpool_limits

Item = TypeVar("Item")
PATIENCE = 6.0  # seconds without a look before a job waits
WAIT = 0.2  # seconds until a job asks again for its turn
HOLD = 1.0  # seconds that all jobs wait when a browser on this machine draws without a break
_one_at_a_time = Lock()  # two cores: one for the pages, one for the jobs
_held_until = 0.0
_count = Lock()
_running: Counter[int] = Counter()  # jobs at work, by rank
FIRST, SOON, LATER = 0, 1, 2  # ranks: what one drags, what one waits for, what fills in


def hold() -> None:
    """Let all jobs wait a moment after their current item: someone drags a picture on this very machine."""
    global _held_until
    _held_until = time.monotonic() + HOLD


def _has_turn(rank: int) -> bool:
    return time.monotonic() >= _held_until and not any(_running[before] > 0 for before in range(rank))


class Job(Generic[Item]):
    """Collects the items of an iterator in a thread of its own.

    ``look`` returns what there is and keeps the job going; a job that nobody looks at stops after its current item
    and goes on where it was at the next look. Jobs of a lower rank go first.
    """

    def __init__(self, items: Iterator[Item], total: int, rank: int = SOON) -> None:
        self._items = items
        self._total = max(total, 1)
        self._rank = rank
        self._found: list[Item] = []
        self._lock = Lock()
        self._seen = 0.0
        self._running = False
        self.finished = False
        self.error: Exception | None = None

    def look(self) -> tuple[Item, ...]:
        """Everything found so far."""
        with self._lock:
            self._seen = time.monotonic()
            if not self._running and not self.finished:
                self._running = True
                Thread(target=self._work, daemon=True, name="dpgep-job").start()
            return tuple(self._found)

    @property
    def progress(self) -> float:
        """Share done, 0 to 1."""
        return 1.0 if self.finished else min(len(self._found) / self._total, 1.0)

    def _work(self) -> None:
        with _count:
            _running[self._rank] += 1
        try:
            self._collect()
        finally:
            with _count:
                _running[self._rank] -= 1

    def _collect(self) -> None:
        while self._wanted():
            if not _has_turn(self._rank):
                time.sleep(WAIT)
                continue
            try:
                with _one_at_a_time, threadpool_limits(1):
                    item = next(self._items)
            except StopIteration:
                self._end(None)
            except Exception as error:  # shown on the page, where the user is
                self._end(error)
            else:
                with self._lock:
                    self._found.append(item)

    def _wanted(self) -> bool:
        with self._lock:
            self._running = not self.finished and time.monotonic() - self._seen < PATIENCE
            return self._running

    def _end(self, error: Exception | None) -> None:
        with self._lock:
            self.finished, self.error = True, error
