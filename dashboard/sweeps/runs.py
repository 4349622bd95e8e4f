"""Sweeps of this server: each in a process of its own, found again by its name, whoever looks."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, Thread
from typing import Any, TypeGuard

import pandas as pd
from platformdirs import user_data_path

from dashboard.sweeps.spec import RUN, checked, run_id, table_of, toml
from dpgep_core.errors import DpgepError, ParameterError
from dpgep_core.experiments import runner
from dpgep_core.experiments.grid import Sweep
from dpgep_core.experiments.runner import Plan, Progress, planned
from dpgep_core.experiments.store import cell_store
from dpgep_core.experiments.table import sweep_table
from dpgep_core.sqlitefile import StoreError

ENVIRONMENT = "DPGEP_SWEEPS"
MOST_KEPT = 8  # plans, and tables, in memory
AT_ONCE = 2  # sweeps that compute; others wait to be started
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def default_path() -> Path:
    """The file named by DPGEP_SWEEPS, or one in the platform's folder for a user's data."""
    named = os.environ.get(ENVIRONMENT)
    return Path(named).expanduser() if named else user_data_path("dpgep-lab", False) / "sweeps.sqlite"


@dataclass
class Running:
    """A process that computes, and what it last said."""

    process: subprocess.Popen[str]
    progress: Progress | None = None
    failed: str | None = None
    cancelled: bool = False
    listener: Thread = field(default_factory=Thread)

    @property
    def alive(self) -> bool:
        return self.process.poll() is None


class Runs:
    """The sweeps that are kept with one store: their cells in it, what each was asked for in a folder beside it."""

    def __init__(self, store: Path) -> None:
        self.store = store
        self.folder = store.with_name(f"{store.stem}-runs")
        self._running: dict[str, Running] = {}
        self._plans: dict[str, Plan] = {}
        self._tables: dict[str, tuple[int, pd.DataFrame]] = {}
        self._lock = Lock()

    def start(self, sweep: Sweep, *, retry: bool = False) -> str:
        """Compute a sweep, or what is missing of it; its name. One that runs already is left to run.

        ``retry`` computes cells again that ended in an error.
        """
        name = run_id(sweep)
        with self._lock:
            busy = [key for key, run in self._running.items() if run.alive]
            if name in busy:
                return name
            if len(busy) >= AT_ONCE:
                raise ParameterError("sweep", name, f"started once one of the {AT_ONCE} that are running has ended")
            spec = self._write(name, toml(sweep))
            self._plans.pop(name, None)
            self._tables.pop(name, None)
            plan = self._plan(name, sweep)
            with cell_store(self.store) as store:
                if retry:
                    found = store.results(plan.keys)
                    store.forget([key for key, result in found.items() if "error" in result])
            self._running[name] = _started(spec, self.store)
        return name

    def cancel(self, name: str) -> None:
        """Stop a sweep after the cell that is running; what is finished is kept."""
        run = self._running.get(name)
        if run is not None and run.alive:
            run.cancelled = True
            assert run.process.stdin is not None
            run.process.stdin.close()

    def close(self) -> None:
        """End every sweep at once: a cell that is finished is kept, one that is not is computed again."""
        for run in self._running.values():
            run.process.kill()
            run.listener.join(60)

    def running(self, name: str) -> Running | None:
        """Its process, where there was one since the server started."""
        return self._running.get(name)

    def busy(self) -> list[str]:
        """Names of those that compute."""
        return [name for name, run in self._running.items() if run.alive]

    def sweep(self, name: str) -> Sweep:
        """What a run was asked for.

        Raises
        ------
        ParameterError
            If there is none of that name, or its file cannot be used any more.
        """
        path = self.folder / f"{name}.toml"
        if not re.fullmatch(RUN, name) or not path.is_file():
            raise ParameterError("run", name, "a sweep that was started on this server")
        try:
            return checked(table_of(path.read_text("utf-8")))[0]
        except (OSError, UnicodeDecodeError) as error:
            raise StoreError(f"{path} cannot be read: {error}.") from error

    def known(self) -> list[str]:
        """Names of all sweeps, the latest first."""
        found = [path for path in self.folder.glob("*.toml") if re.fullmatch(RUN, path.stem)]
        return [path.stem for path in sorted(found, key=_age, reverse=True)]

    def plan(self, name: str) -> Plan:
        """Its cells under their keys."""
        with self._lock:
            return self._plan(name, self.sweep(name))

    def done(self, name: str) -> int:
        """How many of its cells are in the store."""
        plan = self.plan(name)
        with cell_store(self.store) as store:
            return len(store.known(plan.keys))

    def table(self, name: str) -> pd.DataFrame:
        """Its finished cells, shared by all who look: not to be changed. Made anew only when there are more."""
        done = self.done(name)
        kept = self._tables.get(name)
        if kept is None or kept[0] != done:
            while len(self._tables) >= MOST_KEPT:
                self._tables.pop(next(iter(self._tables)), None)
            self._tables[name] = kept = (done, sweep_table(self.plan(name), self.store))
        return kept[1]

    def _plan(self, name: str, sweep: Sweep) -> Plan:
        if name not in self._plans:
            while len(self._plans) >= MOST_KEPT:
                self._plans.pop(next(iter(self._plans)))
            runner.workshop.cache_clear()  # a key depends on the rows, and a folder's file may have changed
            self._plans[name] = planned(sweep)
            runner.workshop.cache_clear()
        return self._plans[name]

    def _write(self, name: str, text: str) -> Path:
        path = self.folder / f"{name}.toml"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            fresh = path.with_suffix(f".{os.getpid()}")
            fresh.write_text(text, "utf-8")
            os.replace(fresh, path)
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror or error}.") from error
        return path


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # gone meanwhile
        return 0.0


def _started(spec: Path, store: Path) -> Running:
    run = Running(
        subprocess.Popen(
            [sys.executable, "-m", "dashboard.sweeps.worker", str(spec), str(store.absolute())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            env=os.environ | dict.fromkeys(THREADS, "1"),
        )
    )
    run.listener = Thread(target=_listen, args=(run,), daemon=True, name="dpgep-sweep")
    run.listener.start()
    return run


def _listen(run: Running) -> None:
    """Keep what the process says last; a last word that is no number is why it ended."""
    assert run.process.stdout is not None
    last = ""
    for line in run.process.stdout:
        try:
            said: Any = json.loads(line)
        except ValueError:
            last = line.strip() or last
            continue
        if _is_progress(said):
            run.progress = Progress(said["done"], said["total"], said["errors"], said["left"])
        elif isinstance(said, dict) and "failed" in said:
            run.failed = str(said["failed"])
    ended = run.process.wait()
    run.process.stdout.close()
    if run.process.stdin is not None:
        run.process.stdin.close()
    if ended != 0 and run.failed is None:
        run.failed = f"the process ended with {ended}. {last}"


def _is_progress(said: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(said, dict) and {"done", "total", "errors", "left"} <= said.keys()


_open: dict[Path, Runs] = {}
_opening = Lock()


def runs() -> Runs:
    """Those of this server."""
    with _opening:
        return _open.setdefault(default_path(), Runs(default_path()))


def problem(name: str) -> str | None:
    """Why a run cannot be shown; None where it can."""
    try:
        runs().sweep(name)
    except DpgepError as error:
        return str(error)
    return None
