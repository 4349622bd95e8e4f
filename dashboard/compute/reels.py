"""Reels: frames that a panel in a browser asks for while its jobs work, without the page being drawn again.

A name is a secret of the page that was told it, and no longer known once nobody has the job.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Generic, TypeVar
from uuid import uuid4
from weakref import WeakKeyDictionary, WeakValueDictionary

from dashboard.compute.jobs import Job
from dashboard.compute.parcels import PARCELS

Item = TypeVar("Item")
Made = list[tuple[float, str]]  # places, and the names under which their frames are fetched


@dataclass(frozen=True, eq=False)
class _Reel(Generic[Item]):
    name: str
    tell: Callable[[Item], tuple[float, str]]
    made: Made = field(default_factory=list)  # as many as were told so far


class Reels:
    """The jobs of one server whose items browsers ask for."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._reels: WeakKeyDictionary[Job[Any], _Reel[Any]] = WeakKeyDictionary()
        self._jobs: WeakValueDictionary[str, Job[Any]] = WeakValueDictionary()

    def know(self, job: Job[Item], tell: Callable[[Item], tuple[float, str]]) -> str | None:
        """The name by which a browser asks what a job has made; None without a server, and for a job that has ended.

        ``tell`` gives the place and the text of an item. It may hold nothing of a session.
        """
        if not PARCELS.opened or job.finished:
            return None
        with self._lock:
            reel = self._reels.setdefault(job, _Reel(uuid4().hex, tell))
            self._jobs[reel.name] = job
        return reel.name

    def made(self, names: Iterable[str]) -> dict[str, Made]:
        """Frames that the jobs of these names have made; asking keeps the jobs going. Unknown names are left out."""
        return {name: self._made(job) for name in names if (job := self._jobs.get(name)) is not None}

    def _made(self, job: Job[Any]) -> Made:
        found = job.look()
        with self._lock:
            reel = self._reels[job]
            for number, item in enumerate(found):
                if number < len(reel.made) and PARCELS.keeps(reel.made[number][1]):
                    continue
                at, text = reel.tell(item)
                reel.made[number : number + 1] = [(at, PARCELS.name(text) or "")]
            return list(reel.made)


REELS = Reels()
