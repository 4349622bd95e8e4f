"""Slow work beside the page: it goes on while someone looks, and waits while nobody does."""

import time
from collections.abc import Callable, Iterator, Sequence
from threading import Lock, Thread
from typing import Generic, TypeVar

from dashboard.compute.turns import SPARE, TURNS, Order
from dpgep_core.typed_scipy import blas_threads
from dpgep_core.wanted import look, while_wanted

Item = TypeVar("Item")
PATIENCE = 6.0  # seconds without a look before a job waits
WAIT = 0.2  # seconds until a job that waits for its turn asks whether it is wanted still
FIRST, SOON, LATER = 0, 1, 2  # ranks: what one drags, what one waits for, what fills in
AHEAD_PATIENCE = 60.0  # as PATIENCE, of what one may ask for next: a page at rest is not drawn again


class Job(Generic[Item]):
    """Collects the items of an iterator in a thread of its own.

    ``look`` returns what there is and keeps the job going; a job that nobody looks at stops after its current item
    and goes on where it was at the next look. Jobs of a lower rank go first.
    """

    threads = 1
    patience = PATIENCE

    def __init__(self, items: Iterator[Item], total: int, rank: int = SOON, *, urgent: int = 0) -> None:
        self._urgent = urgent
        self._items = items
        self._total = max(total, 1)
        self._rank = rank
        self._found: list[Item] = []
        self._lock = Lock()
        self._seen = 0.0
        self._begun, self._spent = 0, 0.0  # items, seconds of a processor
        self._running = 0  # threads
        self._exhausted = False
        self.finished = False
        self.error: Exception | None = None

    def look(self) -> tuple[Item, ...]:
        """Everything found so far."""
        with self._lock:
            self._seen = time.monotonic()
            if not self._running and not self.finished:
                self._running = self.threads
                for _ in range(self.threads):
                    Thread(target=self._work, daemon=True, name="dpgep-job").start()
            return tuple(self._found)

    @property
    def progress(self) -> float:
        """Share done, 0 to 1."""
        return 1.0 if self.finished else min(len(self._found) / self._total, 1.0)

    def _work(self) -> None:
        with TURNS.job(self._rank):
            while self._wanted():
                with TURNS.item(self._rank, WAIT, self._claim()) as has_turn:
                    if has_turn:
                        self._make_item()

    def _claim(self) -> Order:
        """Jobs of a rank have equal shares of the processors, once each has made what it makes first."""
        return int(self._begun >= self._urgent), self._spent

    def _make_item(self) -> None:
        self._begun += 1
        began = time.thread_time()
        try:
            with blas_threads(1):
                item = self._next()
        except StopIteration:
            self._exhausted = True
        except Exception as error:  # shown on the page, where the user is
            with self._lock:
                self._exhausted, self.error = True, error
        else:
            with self._lock:
                self._found.append(item)
                self._spent += time.thread_time() - began

    def _next(self) -> Item:
        return next(self._items)

    def _wanted(self) -> bool:
        """Whether a thread goes on; the last one to leave says that the job has ended."""
        with self._lock:
            if not self._exhausted and time.monotonic() - self._seen < self.patience:
                return True
            self._running -= 1
            self.finished = self._exhausted and not self._running
            return False


class ParallelJob(Job[Item]):
    """Collects items that do not depend on each other, as many at once as there are processors.

    ``parts`` are begun in their order; each is called once, and what it returns is an item. Items are in the order in
    which they were done. The first ``urgent`` ones go before all others of the rank.
    """

    threads = TURNS.at_once

    def __init__(self, parts: Iterator[Callable[[], Item]], total: int, rank: int = SOON, *, urgent: int = 0) -> None:
        super().__init__(iter(()), total, rank, urgent=urgent)
        self._parts = parts
        self._taking = Lock()

    def _next(self) -> Item:
        with self._taking:
            part = next(self._parts)
        return part()


class AheadJob(Job[Item]):
    """Makes items that somebody may ask for next, the nearest place first, while nobody computes anything."""

    patience = AHEAD_PATIENCE

    def __init__(self, places: Sequence[float], make: Callable[[float], Item]) -> None:
        super().__init__(iter(()), len(places), SPARE)
        self._order = {place: number for number, place in enumerate(places)}
        self._left, self._make, self._here = list(places), make, places[0]
        self._taking = Lock()

    def look_from(self, here: float) -> None:
        """Go on, with the places nearest to this one first."""
        self._here = here
        self.look()

    def make_at(self, number: int, wanted: Callable[[], bool]) -> None:
        """Make the item of a place before all others, for as long as it is wanted; one that is begun is left alone."""
        place = next((one for one, at in self._order.items() if at == number), None)
        with self._taking:
            if place is None or place not in self._left:
                return
            self._left.remove(place)
        with while_wanted(wanted):
            try:
                with TURNS.solving(look()), blas_threads(1):
                    self._make(place)
            except Exception:  # whoever lets go there solves it, and is told what is wrong
                with self._taking:
                    self._left.append(place)

    def _next(self) -> Item:
        start = self._order.get(self._here, 0)
        with self._taking:
            if not self._left:
                raise StopIteration
            nearest = min(self._left, key=lambda place: abs(self._order[place] - start))
            self._left.remove(nearest)
        return self._make(nearest)
