"""Sessions whose page was closed are closed too, a while later: what they hold is free from then on.

Streamlit keeps a session for two minutes for a browser that comes back, and forgets an old one only when another page
is closed. After a class had left, the last hundred sessions stayed in memory with all that their pages had shown.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from streamlit import runtime

COMES_BACK = 60.0  # seconds after which nobody is expected to come back
LOOK = 15.0  # seconds between two looks


@asynccontextmanager
async def closing_left_sessions(_app: object) -> AsyncGenerator[None]:
    """Close sessions that were left for as long as a server runs."""
    closing = asyncio.create_task(_close_again_and_again())
    try:
        yield
    finally:
        closing.cancel()
        with suppress(asyncio.CancelledError):
            await closing


async def _close_again_and_again() -> None:
    left: dict[str, float] = {}
    while True:
        await asyncio.sleep(LOOK)
        if runtime.exists():
            close_left(runtime.get_instance(), left, time.monotonic())


def close_left(server: runtime.Runtime, left: dict[str, float], now: float) -> None:
    """Close sessions without a page that were seen so for `COMES_BACK` seconds; in the thread of the server's loop.

    Parameters
    ----------
    left : dict
        When each session was first seen without a page, kept from look to look.
    now : float
        Seconds of a clock.
    """
    manager = server._session_mgr  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  there is no other list of them
    stored = manager.list_sessions()
    gone = {one.session.id for one in stored if not server.is_active_session(one.session.id)}
    for name in left.keys() - gone:
        del left[name]
    for name in gone:
        if now - left.setdefault(name, now) >= COMES_BACK:
            server.close_session(name)
            del left[name]
