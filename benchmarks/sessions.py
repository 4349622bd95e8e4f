"""A classroom: many people at once, as the server sees them, without browsers.

    python benchmarks/sessions.py --address 127.0.0.1:8501 --sessions 50 --seconds 600 [--pid SERVER] [--json FILE]

Each visitor opens the page and lets the slider go at eight places, thinking in between, and asks once for each part of
the page that fills by itself, as a browser would. Every third place it has a file made, every fourth it turns to
another page and back, and every visit ends with an upload in a page of its own. Then it leaves and comes back with
another method or data set. Printed: errors, the time of each kind of action from the message to the end of the run
that answers it, the processor's time, and the memory of the server while it goes on and after everybody has left.
"""

import argparse
import asyncio
import json
import statistics
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import websockets
from visitor import Page

QUERIES = (
    "dataset=mnist&model=fda&algorithms=ssp",
    "dataset=mnist&model=fda&algorithms=ssp,dprf",
    "dataset=adult&model=fda&algorithms=ssp",
    "dataset=digits&model=fda&algorithms=ssp,dprf",
    "dataset=wine&model=fda&algorithms=ssp,dpsr_corrected&tab=classifiers",
    "dataset=mnist&model=pca&algorithms=ssp&tab=components",
)
VISIT = 8  # moves before somebody leaves and comes back
THINK = 2.0  # seconds between actions
LOOK = 2.0  # seconds between looks at the server's memory
LEFT = 20.0  # seconds after everybody has left at which memory is looked at once more


@dataclass
class Visitor:
    """One person."""

    number: int
    host: str
    ends: float
    took: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    visits: int = 0

    @property
    def query(self) -> str:
        """The address it opens: each scenario is looked at by several, at seeds of their own."""
        return f"{QUERIES[(self.number + self.visits) % len(QUERIES)]}&seed={self.number // len(QUERIES)}"

    async def live(self) -> None:
        """Visit until the time is up. One error ends a visit, not a visitor."""
        while time.monotonic() < self.ends:
            try:
                await self._visit()
            except Exception as error:  # whatever it is, it is what a user would have met
                self.errors.append(f"{type(error).__name__}: {error}")
                await asyncio.sleep(THINK)
            self.visits += 1

    async def _visit(self) -> None:
        async with self._page(self.query) as page:
            await self._act("open", page.open)
            for step in range(self.number, self.number + VISIT):
                if time.monotonic() > self.ends:
                    return
                await self._act("move", lambda step=step: page.move(step))
                await page.poll()
                ready = time.monotonic() + THINK
                while (left := ready - time.monotonic()) > 0:
                    await page.read(left)
                if step % 3 == 0:
                    await self._act("export", page.export)
                if step % 4 == 0:
                    await self._act("page", lambda: page.turn_to("privacy_lab"))
                    await self._act("page", lambda: page.turn_to(""))
        async with self._page("rows=upload") as page:
            await page.open("data")
            await self._act("upload", page.upload)

    @asynccontextmanager
    async def _page(self, query: str) -> AsyncGenerator[Page]:
        """A page that is open; browsers send no pings of their own."""
        url = f"ws://{self.host}/_stcore/stream"
        async with websockets.connect(url, max_size=None, ping_interval=None, open_timeout=120) as socket:
            page = Page(socket, self.host, query)
            try:
                yield page
            finally:
                page.leave()
                self.errors += page.errors

    async def _act(self, name: str, action: Callable[[], Awaitable[object]]) -> None:
        began = time.monotonic()
        await action()
        self.took[name].append(time.monotonic() - began)


def resident(pid: int) -> float:
    """Resident megabytes of the server."""
    return _status(pid, "VmRSS")


def _status(pid: int, name: str) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(name)), 0.0)


def processor_seconds(pid: int) -> float:
    """Seconds of processor that the server has used: who else works on the machine does not change them."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / 100


async def crowd(host: str, sessions: int, seconds: float, pid: int | None) -> dict[str, Any]:
    """All visitors at once, and what came of it."""
    # Each fetches what it likes: with the usual six threads, a file would wait for the frames of others.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(4 * sessions))
    ends = time.monotonic() + seconds
    people = [Visitor(number, host, ends) for number in range(sessions)]
    used = 0.0 if pid is None else processor_seconds(pid)
    memory: list[tuple[float, float]] = []
    watch = asyncio.create_task(_watch(pid, memory))
    await asyncio.gather(*(one.live() for one in people))
    watch.cancel()
    found: dict[str, Any] = {
        "sessions": sessions, "seconds": seconds, "errors": [error for one in people for error in one.errors],
        "actions": {name: _times([t for one in people for t in one.took[name]])
                    for name in ("open", "move", "export", "page", "upload")},
    }  # fmt: skip
    if pid is None:
        return found
    found["processor_seconds"] = round(processor_seconds(pid) - used)
    found["memory_mb"] = _memory(memory, pid)
    left = processor_seconds(pid)
    await asyncio.sleep(LEFT)
    found["memory_mb"]["after everybody left"] = round(resident(pid))
    still = processor_seconds(pid)
    await asyncio.sleep(LEFT)
    found["processor_seconds_after_everybody_left"] = [round(still - left, 1), round(processor_seconds(pid) - still, 1)]
    return found


async def _watch(pid: int | None, memory: list[tuple[float, float]]) -> None:
    while pid is not None:
        memory.append((time.monotonic(), resident(pid)))
        await asyncio.sleep(LOOK)


def _memory(found: list[tuple[float, float]], pid: int) -> dict[str, float]:
    half = found[len(found) // 2 :]
    slope = statistics.linear_regression([t / 60 for t, _ in half], [m for _, m in half]).slope if len(half) > 2 else 0
    return {
        "before": round(found[0][1]),
        "highest": round(_status(pid, "VmHWM")),
        "a minute, second half": round(slope, 1),
    }


def _times(took: list[float]) -> dict[str, float | None]:
    took = sorted(took)
    return {
        "count": len(took),
        "median": round(statistics.median(took), 2) if took else None,
        "p95": round(took[int(0.95 * len(took))], 2) if took else None,
    }


def main() -> None:
    """Read the command line, run, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--address", default="127.0.0.1:8501")
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--pid", type=int, help="the server's process, on this machine")
    parser.add_argument("--json", type=Path, help="a file for the numbers")
    asked = parser.parse_args()
    found = json.dumps(asyncio.run(crowd(asked.address, asked.sessions, asked.seconds, asked.pid)), indent=2)
    print(found)
    if asked.json:
        asked.json.write_text(found + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
