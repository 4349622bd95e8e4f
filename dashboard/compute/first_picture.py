"""The first picture before the rest of a page: what stands under it is sent when the browser has drawn it.

A browser reads the program of every chart that a page holds before it draws anything. Charts under the first window
kept the picture at its top waiting for seconds, and its slider for more.
"""

import time
from collections.abc import Callable
from threading import Event, Lock
from uuid import uuid4

from dashboard.compute.turns import TURNS

MOST = 10.0  # seconds for which the rest waits: a browser that does not answer gets it then
SLIDER = 6.0  # seconds for which it then waits, until the whole slider can be dragged and no hand drags it
LOOK = 0.05  # seconds between two looks: whether the page is wanted still


class FirstPictures:
    """The pictures of one server that browsers are about to draw.

    Nothing waits before :meth:`open`: a page that runs without a server has no browser that would answer.
    """

    def __init__(self) -> None:
        self._open = False
        self._lock = Lock()
        self._awaited: dict[str, tuple[Event, Event]] = {}

    def open(self) -> None:
        """Say that browsers can answer from now on."""
        self._open = True

    def expect(self) -> str | None:
        """A name for a picture that is sent next, by which the browser says that it is drawn; None without a server."""
        if not self._open:
            return None
        name = uuid4().hex
        with self._lock:
            self._awaited[name] = (Event(), Event())
        return name

    def drawn(self, name: str, *, ready: bool = False) -> None:
        """Note that a browser has drawn a picture, or that its slider is ready. An unknown name is passed over."""
        with self._lock:
            events = self._awaited.get(name)
        if events is not None:
            events[int(ready)].set()

    def wait(self, name: str, wanted: Callable[[], None] | None) -> None:
        """Wait until a picture is drawn, at most ``MOST`` seconds, and then for its slider, at most ``SLIDER``.

        ``wanted`` raises where its page has moved on. Jobs have the page's processor while the slider is made ready.
        """
        drawn, ready = self._awaited[name]
        try:
            if _waited(drawn, MOST, wanted):
                with TURNS.resting():
                    _waited(ready, SLIDER, wanted)
        finally:
            with self._lock:
                del self._awaited[name]


def _waited(event: Event, most: float, wanted: Callable[[], None] | None) -> bool:
    ends = time.monotonic() + most
    while not event.wait(LOOK) and time.monotonic() < ends:
        if wanted is not None:
            wanted()
    return event.is_set()


FIRST_PICTURES = FirstPictures()
