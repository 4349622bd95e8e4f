"""Hands that rest on a slider: what letting go there would wait for is begun before they let go."""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Any
from weakref import ReferenceType, ref

from dashboard.compute.jobs import AheadJob

MOST = 1000  # pages that are known: those that were drawn last


@dataclass
class _Hand:
    """One hand: the jobs that can make a place, and the number of the place it rests at."""

    jobs: tuple[ReferenceType[AheadJob[Any]], ...]
    at: int | None = None


class Hands:
    """The hands of one server, by the name that their page was told."""

    def __init__(self) -> None:
        self._lock, self._hands = Lock(), OrderedDict[str, _Hand]()

    def know(self, name: str, jobs: Iterable[AheadJob[Any]]) -> None:
        """Say what makes the places of a page's slider."""
        with self._lock:
            hand = self._hands.setdefault(name, _Hand(()))
            hand.jobs = tuple(map(ref, jobs))
            self._hands.move_to_end(name)
            while len(self._hands) > MOST:
                self._hands.popitem(last=False)

    def rest(self, name: str, at: int | None) -> None:
        """A hand rests at a place, or, with None, has moved on: what was begun for it ends."""
        with self._lock:
            hand = self._hands.get(name)
            if hand is None:
                return
            hand.at = at
            jobs = [job for one in hand.jobs if (job := one()) is not None]
        for job in jobs if at is not None and at >= 0 else ():
            Thread(target=job.make_at, args=(at, lambda: hand.at == at), daemon=True, name="dpgep-hand").start()


HANDS = Hands()
