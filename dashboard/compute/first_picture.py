"""The first picture before the rest of a page: what stands under it is sent when the browser has drawn it.

A browser reads the program of every chart that a page holds before it draws anything. Charts under the first window
kept the picture at its top waiting for seconds.
"""

import time
from collections.abc import Callable
from threading import Event, Lock
from uuid import uuid4

MOST = 10.0  # seconds for which the rest waits: a browser that does not answer gets it then
LOOK = 0.05  # seconds between two looks: whether the page is wanted still


class FirstPictures:
    """The pictures of one server that browsers are about to draw.

    Nothing waits before :meth:`open`: a page that runs without a server has no browser that would answer.
    """

    def __init__(self) -> None:
        self._open = False
        self._lock = Lock()
        self._awaited: dict[str, Event] = {}

    def open(self) -> None:
        """Say that browsers can answer from now on."""
        self._open = True

    def expect(self) -> str | None:
        """A name for a picture that is sent next, by which the browser says that it is drawn; None without a server."""
        if not self._open:
            return None
        name = uuid4().hex
        with self._lock:
            self._awaited[name] = Event()
        return name

    def drawn(self, name: str) -> None:
        """Note that a browser has drawn a picture. A name that nobody waits for is passed over."""
        with self._lock:
            event = self._awaited.get(name)
        if event is not None:
            event.set()

    def wait(self, name: str, wanted: Callable[[], None] | None) -> None:
        """Wait until a picture is drawn, at most ``MOST`` seconds. ``wanted`` raises where its page has moved on."""
        event, ends = self._awaited[name], time.monotonic() + MOST
        try:
            while not event.wait(LOOK) and time.monotonic() < ends:
                if wanted is not None:
                    wanted()
        finally:
            with self._lock:
                del self._awaited[name]


FIRST_PICTURES = FirstPictures()
