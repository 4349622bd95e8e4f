"""Processes of their own for tasks: started, listened to and ended by the server, and what each does in turn.

A process tells how far it is on stdout, one JSON object a line. The end of its stdin tells it to stop after its running
cell, so it also stops when the server is killed. One that is cancelled and does not end soon is killed: every finished
cell is in a transaction of its own on disk, so that only the running cell is lost.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from platformdirs import user_data_path

from dpgep_core.errors import DpgepError, ParameterError
from dpgep_core.experiments.runner import SweepProgress

ENVIRONMENT = "DPGEP_SWEEPS"
AT_ONCE = 2  # tasks that compute; others wait to be started
GRACE = 3.0  # seconds in which a process that is cancelled may finish its cell, and then may clear up
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
Report = Callable[[SweepProgress], None]


def default_store() -> Path:
    """Where cells are kept: the file named by DPGEP_SWEEPS, or one in the platform's folder for a user's data."""
    named = os.environ.get(ENVIRONMENT)
    return Path(named).expanduser() if named else user_data_path("dpgep-lab", False) / "sweeps.sqlite"


@dataclass
class TaskProcess:
    """A process that computes, what it last said, and when, by the monotonic clock."""

    process: subprocess.Popen[str]
    progress: SweepProgress | None = None
    heard: float = field(default_factory=time.monotonic)
    failed: str | None = None
    cancelled: bool = False
    listener: Thread = field(default_factory=Thread)

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    @property
    def silent(self) -> float:
        """Seconds since it last said something: since its running cell began, once it has said how far it is."""
        return time.monotonic() - self.heard

    def signal(self, number: int) -> None:
        """Signal the process and all that it has started, unless it has ended."""
        if not self.alive:
            return
        with suppress(ProcessLookupError):  # ended meanwhile
            if os.name == "posix":
                os.killpg(self.process.pid, number)
            else:
                self.process.kill()

    def end(self) -> None:
        """End it within seconds. Processes of a pool end with it: by the signal, or since their parent is gone."""
        for number in (None, signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
            if number is not None:
                self.signal(number)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(GRACE)
                return


class TaskProcesses:
    """The processes of one server, each under the name of its task."""

    def __init__(self) -> None:
        self._running: dict[str, TaskProcess] = {}
        self._lock = Lock()

    def start(self, name: str, module: str, *arguments: str) -> None:
        """Run a module of ours that computes; one that runs already under that name is left to run.

        Raises
        ------
        ParameterError
            Where too many run already.
        """
        with self._lock:
            self.check_room(name)
            if name not in self.busy():
                self._running[name] = _start_process(module, arguments)

    def check_room(self, name: str) -> None:
        """Raise the error of `start` where it would."""
        busy = self.busy()
        if name not in busy and len(busy) >= AT_ONCE:
            raise ParameterError("run", name, f"started once one of the {AT_ONCE} that are running has ended")

    def cancel(self, name: str) -> None:
        """Stop the process within seconds, and return at once. Finished cells are kept; the running one may be lost."""
        run = self._running.get(name)
        if run is not None and run.alive and not run.cancelled:
            run.cancelled = True
            assert run.process.stdin is not None
            run.process.stdin.close()
            Thread(target=run.end, daemon=True, name="dpgep-cancel").start()

    def close(self) -> None:
        """End every process at once: a cell that is finished is kept, one that is not is computed again."""
        for run in self._running.values():
            run.signal(getattr(signal, "SIGKILL", signal.SIGTERM))
            run.listener.join(60)

    def running(self, name: str) -> TaskProcess | None:
        """The process of that name, where there was one since the server started."""
        return self._running.get(name)

    def busy(self) -> list[str]:
        """Names of the tasks that are being computed."""
        return [name for name, run in self._running.items() if run.alive]


@cache
def server_processes() -> TaskProcesses:
    """The processes of this server."""
    return TaskProcesses()


def _start_process(module: str, arguments: tuple[str, ...]) -> TaskProcess:
    run = TaskProcess(
        subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            env=os.environ | dict.fromkeys(THREADS, "1"),
            start_new_session=True,  # so that one signal ends it and the processes that it starts
        )
    )
    run.listener = Thread(target=_listen, args=(run,), daemon=True, name="dpgep-sweep")
    run.listener.start()
    return run


def _listen(run: TaskProcess) -> None:
    """Keep what the process says last; a last word that is no number is why it ended."""
    assert run.process.stdout is not None
    last = ""
    for line in run.process.stdout:
        try:
            said: Any = json.loads(line)
        except ValueError:
            last = line.strip() or last
            continue
        if isinstance(said, dict) and {"done", "total", "errors", "left"} <= said.keys():
            run.progress = SweepProgress(said["done"], said["total"], said["errors"], said["left"])
            run.heard = time.monotonic()
        elif isinstance(said, dict) and "failed" in said:
            run.failed = str(said["failed"])
    ended = run.process.wait()
    run.process.stdout.close()
    if run.process.stdin is not None:
        run.process.stdin.close()
    if ended != 0 and run.failed is None and not run.cancelled:
        run.failed = f"the process ended with {ended}. {last}"


def report_to_server(compute: Callable[[Report, Event], object]) -> int:
    """Main of a process that computes, and its exit code: reports progress on stdout and stops when stdin ends.

    What went wrong is the last line on stdout.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server, which gets it too, closes our stdin
    stop = Event()
    Thread(target=_wait_for_end, args=(stop,), daemon=True).start()
    try:
        compute(_tell, stop)
    except DpgepError as error:
        print(json.dumps({"failed": str(error)}), flush=True)
        return 1
    return 0


def _wait_for_end(stop: Event) -> None:
    while os.read(0, 1):
        pass
    stop.set()


def _tell(progress: SweepProgress) -> None:
    try:
        print(json.dumps(asdict(progress)), flush=True)
    except OSError:  # nobody listens any more: the cells are kept all the same
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
