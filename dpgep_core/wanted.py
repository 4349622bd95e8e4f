"""Whether a computation is wanted still: who began it may change their mind, and it ends between two groups of rows."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar


class NotWantedError(Exception):
    """Nobody waits for what was being computed."""


_asked: ContextVar[Callable[[], bool] | None] = ContextVar("wanted", default=None)


@contextmanager
def while_wanted(wanted: Callable[[], bool]) -> Generator[None]:
    """Let computations in this block end with a `NotWantedError` once ``wanted`` says no."""
    token = _asked.set(wanted)
    try:
        yield
    finally:
        _asked.reset(token)


def look() -> Callable[[], None]:
    """A function that raises once the computation is not wanted; other threads of the computation may call it too."""
    wanted = _asked.get()

    def check() -> None:
        if wanted is not None and not wanted():
            raise NotWantedError

    return check
