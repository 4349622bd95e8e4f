"""Memory of a server that runs for long: what is garbage is looked for now and then, and what is free goes back."""

import ctypes
import gc
import sys
import time
from collections.abc import Iterator

from dashboard.compute.turns import TURNS

TIDY = 15.0  # least seconds between two looks for garbage
RESTS = 4  # looks of a server that draws nothing, of which one is made: a session that was left ends minutes later
SHARE = 0.02  # of the time that these looks may take, on a busy machine too
BREATH = 5.0  # seconds for which a look waits until nobody computes
ARENA_MAX = -8  # a setting of the GNU C library, as its malloc.h numbers it
ARENAS = 2  # pools of memory that all threads share


def share_pools() -> None:
    """Have threads share few pools of memory, where the C library is the GNU one.

    Each of up to eight pools a processor keeps what was freed in it: after a class had left, of 1,000 MB in use 700
    held nothing.
    """
    choose = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if choose is not None:
        choose(ARENA_MAX, ARENAS)


def tidy(looks: Iterator[None] | None = None) -> None:
    """Look for garbage now and then; less often where no page was drawn since and nobody's own rows are in memory.

    In a look, which takes tenths of a second, nothing else runs. So it waits for a moment in which nobody computes, and
    looks have a small share of the time. Python's own follow the number of objects and miss a few with large arrays.
    """
    from dashboard.cache import alive  # here: importing it takes long

    seen, rests = TURNS.drawn, 0
    for _ in looks or _seldom():
        rests = 0 if TURNS.drawn != seen else rests + 1
        if rests % RESTS == 0 or alive():
            seen = TURNS.drawn
            gc.collect()
            give_back()


def give_back() -> None:
    """Return memory that was freed to the system, where the C library can: of each thread it keeps some otherwise."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def _seldom() -> Iterator[None]:
    took = 0.0
    while True:
        time.sleep(max(TIDY, took / SHARE))
        ends = time.monotonic() + BREATH
        while not TURNS.idle and time.monotonic() < ends:
            time.sleep(0.1)
        began = time.monotonic()
        yield
        took = time.monotonic() - began
