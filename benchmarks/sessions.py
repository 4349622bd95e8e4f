"""Many people at once: sessions that move ε for a while, as the server sees them, without browsers.

    python benchmarks/sessions.py --address 127.0.0.1:8501 --sessions 20 --seconds 120 [--pid SERVER]

Each session opens the page, then moves ε as the live panel does, waits for the page, thinks, and asks once for each
part of the page that fills by itself, as a browser would. After some moves it leaves and comes back with another
method, and every third visit looks at another tab. Printed: errors, the time from a move to the page that answers it,
and the memory of the server before, halfway and after.
"""

import argparse
import asyncio
import json
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

QUERIES = (
    "dataset=mnist&model=fda&algorithms=ssp",
    "dataset=mnist&model=fda&algorithms=ssp,dprf",
    "dataset=adult&model=fda&algorithms=ssp",
    "dataset=digits&model=fda&algorithms=ssp,dprf",
    "dataset=wine&model=fda&algorithms=ssp,dpsr_corrected&tab=classifiers",
    "dataset=mnist&model=pca&algorithms=ssp&tab=components",
)
VISIT = 8  # moves before somebody leaves and comes back
THINK = 2.0  # seconds between moves


@dataclass
class Session:
    """One person."""

    number: int
    moves: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    panel: tuple[str, list[float], str] | None = None  # its name, its places and the part of the page it is in
    visits: int = 0
    address: str = ""
    fragments: set[str] = field(default_factory=set)

    @property
    def query(self) -> str:
        """The address it opened: each scenario is looked at by several, at seeds of their own."""
        return f"{QUERIES[(self.number + self.visits) % len(QUERIES)]}&seed={self.number // len(QUERIES)}"

    async def live(self, address: str, seconds: float) -> None:
        """Open the page and move ε until the time is up, leaving and coming back now and then."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            self.panel = None
            await self._visit(address, ends)
            self.visits += 1

    async def _visit(self, address: str, ends: float) -> None:
        async with websockets.connect(f"ws://{address}/_stcore/stream", max_size=None) as socket:
            await self._ask(socket, None, None)
            for step in range(self.number, self.number + VISIT):
                if time.monotonic() > ends:
                    return
                if self.panel is None:
                    raise LookupError("no panel with a slider on the page")
                began = time.monotonic()
                epsilon = self.panel[1][step * 5 % len(self.panel[1])]
                await self._ask(socket, epsilon, self.panel[2])
                self.moves.append(time.monotonic() - began)
                for fragment in tuple(self.fragments):
                    await self._ask(socket, None, fragment)
                await asyncio.sleep(THINK)

    async def _ask(self, socket: websockets.ClientConnection, epsilon: float | None, fragment: str | None) -> None:
        message = BackMsg()
        message.rerun_script.query_string = self.query
        if epsilon is not None and self.panel is not None:
            state = message.rerun_script.widget_states.widgets.add()
            state.id = self.panel[0]
            state.json_value = json.dumps({"value": [epsilon, str(time.monotonic())]})
        if fragment:
            message.rerun_script.fragment_id = fragment
        else:
            self.fragments.clear()
        await socket.send(message.SerializeToString())
        while True:
            answer = ForwardMsg.FromString(await asyncio.wait_for(socket.recv(decode=False), 120))
            self._read(answer)
            # A move runs the panel alone, which then has the whole page run: the address says when that has come.
            if answer.WhichOneof("type") == "script_finished" and epsilon in (None, self._epsilon()):
                return

    def _epsilon(self) -> float:
        return float(parse_qs(self.address).get("epsilon", ["nan"])[0])

    def _read(self, answer: ForwardMsg) -> None:
        kind = answer.WhichOneof("type")
        if kind == "auto_rerun":
            self.fragments.add(answer.auto_rerun.fragment_id)
        if kind == "page_info_changed":
            self.address = answer.page_info_changed.query_string
        if kind != "delta" or answer.delta.WhichOneof("type") != "new_element":
            return
        element = answer.delta.new_element
        if element.WhichOneof("type") == "bidi_component" and element.bidi_component.component_name == "dpgep_live":
            self.panel = (element.bidi_component.id, json.loads(element.bidi_component.json)["grid"],
                          answer.delta.fragment_id)  # fmt: skip
        if element.WhichOneof("type") == "exception":
            self.errors.append(element.exception.message)


def memory(pid: int | None) -> float:
    """Resident megabytes of the server; 0 where it is not known."""
    if pid is None:
        return 0.0
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


async def crowd(address: str, sessions: int, seconds: float, pid: int | None) -> dict[str, object]:
    """All sessions at once, and what came of it."""
    people = [Session(number) for number in range(sessions)]
    before = memory(pid)
    halfway = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_later(seconds / 2, lambda: halfway.set_result(memory(pid)))
    ended = await asyncio.gather(*(one.live(address, seconds) for one in people), return_exceptions=True)
    errors = [error for one in people for error in one.errors] + [repr(e) for e in ended if e is not None]
    moves = sorted(move for one in people for move in one.moves)
    return {
        "sessions": sessions,
        "seconds": seconds,
        "moves": len(moves),
        "errors": errors,
        "median_seconds": round(statistics.median(moves), 3) if moves else None,
        "p95_seconds": round(moves[int(0.95 * len(moves))], 3) if moves else None,
        "memory_mb": {
            "before": round(before), "halfway": round(await halfway) if halfway.done() else None,
            "after": round(memory(pid)),
        },
    }  # fmt: skip


def main() -> None:
    """Read the command line, run, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--address", default="127.0.0.1:8501")
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--pid", type=int)
    asked = parser.parse_args()
    print(json.dumps(asyncio.run(crowd(asked.address, asked.sessions, asked.seconds, asked.pid)), indent=2))


if __name__ == "__main__":
    main()
