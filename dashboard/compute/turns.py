"""Turns to compute: pages before work beside them, pages in the order in which they asked, as many as processors.

Without an order, fifty pages that solve at once share two processors, each is done when all are, and their matrices
are in memory together. In a row, half of them have their answer in half of the time.
"""

import os
import time
from collections import Counter, deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import count
from threading import Condition, Event, Thread, current_thread, local

HOLD = 1.0  # seconds that all jobs wait when a browser on this machine draws without a break
LOOK = 0.5  # seconds between two looks of a page that waits: whether it is wanted still
SPARE = 3  # rank of what nobody waits for: it has the turns that are left over, and one at a time
STARVED = 3.0  # seconds after which one item of a job has its turn even though pages compute

Order = tuple[int, float]  # of an item among those of its rank
Ticket = tuple[int, int, float, int]  # rank, order, and a number of its own


def processors() -> int:
    """How many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return max(1, len(affinity(0)) if affinity is not None else os.cpu_count() or 1)


class Turns:
    """The turns of one server. As many compute ``at_once`` as there are processors, unless another number is given."""

    def __init__(self, at_once: int | None = None) -> None:
        self.at_once = processors() if at_once is None else at_once
        self._changed = Condition()
        self._waiting: deque[tuple[Event, Thread]] = deque()  # pages
        self._solving: set[Thread] = set()  # by thread: one that ended without a word holds no turn
        self._drawing: set[Thread] = set()
        self.drawn = 0  # pages so far
        self._items = 0
        self._asking: set[Ticket] = set()  # items that wait for a turn
        self._numbers = count()
        self._last_item = self._held_until = 0.0
        self._jobs: Counter[int] = Counter()  # jobs at work, by rank
        self._mine = local()

    @contextmanager
    def solving(self, wanted: Callable[[], None] | None) -> Generator[None]:
        """Wait until a page may solve. ``wanted`` raises where its page was closed, or has moved on, meanwhile;
        None is asked nothing.

        Whoever has a turn already, an item of a job too, goes on.
        """
        if getattr(self._mine, "has", False):
            yield
            return
        self._wait_in_row(wanted)
        self._mine.has = True
        try:
            yield
        finally:
            self._mine.has = False
            self._leave()

    def _wait_in_row(self, wanted: Callable[[], None] | None) -> None:
        ticket, mine = Event(), current_thread()
        with self._changed:
            self._waiting.append((ticket, mine))
            self._let_in()
        try:
            while not ticket.wait(LOOK):
                if wanted is not None:
                    wanted()
        except BaseException:
            with self._changed:
                had_come = ticket.is_set()
                if not had_come:
                    self._waiting.remove((ticket, mine))
            if had_come:
                self._leave()
            raise

    def _let_in(self) -> None:
        """Wake those alone whose turn it is: fifty that wake at each change take time from the one that works."""
        self._solving = {thread for thread in self._solving if thread.is_alive()}
        while self._waiting and len(self._solving) < self.at_once:
            ticket, thread = self._waiting.popleft()
            self._solving.add(thread)
            ticket.set()

    def _leave(self) -> None:
        with self._changed:
            self._solving.discard(current_thread())
            self._let_in()
            self._changed.notify_all()

    @contextmanager
    def drawing(self) -> Generator[None]:
        """One processor is left to a page that is drawn."""
        mine = current_thread()
        with self._changed:
            self._drawing.add(mine)
        try:
            yield
        finally:
            with self._changed:
                self._drawing.discard(mine)
                self.drawn += 1
                self._changed.notify_all()

    @contextmanager
    def resting(self) -> Generator[None]:
        """A page that is drawn waits for its browser: meanwhile no processor is left to it."""
        mine = current_thread()
        with self._changed:
            had = mine in self._drawing
            self._drawing.discard(mine)
            self._changed.notify_all()
        try:
            yield
        finally:
            if had:
                with self._changed:
                    self._drawing.add(mine)

    @contextmanager
    def job(self, rank: int) -> Generator[None]:
        """A job is at work: those of higher ranks wait."""
        with self._changed:
            self._jobs[rank] += 1
        try:
            yield
        finally:
            with self._changed:
                self._jobs[rank] -= 1
                self._changed.notify_all()

    @contextmanager
    def item(self, rank: int, patience: float, order: Order = (0, 0.0)) -> Generator[bool]:
        """Whether a job may make its next item; it waits for its turn no longer than ``patience`` seconds.

        Of those that wait, the one of the lowest rank goes first, among these the one of the lowest ``order``.
        """
        ticket = (rank, *order, next(self._numbers))
        with self._changed:
            self._asking.add(ticket)
            if has := self._changed.wait_for(lambda: self._may(rank) and ticket == min(self._asking), patience):
                self._items += 1
                self._last_item = time.monotonic()
            self._asking.remove(ticket)
            self._changed.notify_all()
        self._mine.has = has
        try:
            yield has
        finally:
            self._mine.has = False
            if has:
                with self._changed:
                    self._items -= 1
                    self._changed.notify_all()

    def _may(self, rank: int) -> bool:
        now = time.monotonic()
        if now < self._held_until or any(self._jobs[before] > 0 for before in range(rank)):
            return False
        if rank == SPARE:
            return not (self._items or self._solving or self._waiting or any(one.is_alive() for one in self._drawing))
        if self._items == 0 and now - self._last_item > STARVED:
            return True
        drawn = any(thread.is_alive() for thread in self._drawing)
        taken = max(len(self._solving) + len(self._waiting), int(drawn))
        return self._items + taken < self.at_once

    def hold(self) -> None:
        """Let all jobs wait a moment after their current items: someone drags a picture on this very machine."""
        self._held_until = time.monotonic() + HOLD

    @property
    def jobs(self) -> int:
        """How many threads of jobs are at work, or wait for their turn."""
        return sum(self._jobs.values())

    @property
    def idle(self) -> bool:
        """Whether nobody computes."""
        with self._changed:
            return not (self._solving or self._drawing or self._items or self._waiting)


TURNS = Turns()
