"""Sweeps of this server: each in a process of its own, found again by its name, whoever looks."""

import os
import re
from pathlib import Path
from threading import Lock

import pandas as pd

from dashboard.processes import Processes, Running, default_store, processes
from dashboard.sweeps.spec import RUN, checked, run_id, table_of, toml
from dpgep_core.errors import DpgepError, ParameterError
from dpgep_core.experiments import runner
from dpgep_core.experiments.grid import Sweep
from dpgep_core.experiments.runner import Plan, planned
from dpgep_core.experiments.store import cell_store
from dpgep_core.experiments.table import sweep_table
from dpgep_core.sqlitefile import StoreError

MOST_KEPT = 8  # plans, and tables, in memory
WORKER = "dashboard.sweeps.worker"


class Runs:
    """The sweeps that are kept with one store: their cells in it, what each was asked for in a folder beside it."""

    def __init__(self, store: Path, beside: Processes | None = None) -> None:
        self.store = store
        self.folder = store.with_name(f"{store.stem}-runs")
        self._processes = beside or Processes()
        self._plans: dict[str, Plan] = {}
        self._tables: dict[str, tuple[int, pd.DataFrame]] = {}
        self._lock = Lock()

    def start(self, sweep: Sweep, *, retry: bool = False) -> str:
        """Compute a sweep, or what is missing of it; its name. One that runs already is left to run.

        ``retry`` computes cells again that ended in an error.
        """
        name = run_id(sweep)
        with self._lock:
            if name in self._processes.busy():
                return name
            self._processes.check_room(name)  # before anything is written
            spec = self._write(name, toml(sweep))
            self._plans.pop(name, None)
            self._tables.pop(name, None)
            plan = self._plan(name, sweep)
            with cell_store(self.store) as store:
                if retry:
                    found = store.results(plan.keys)
                    store.forget([key for key, result in found.items() if "error" in result])
            self._processes.start(name, WORKER, str(spec), str(self.store.absolute()))
        return name

    def cancel(self, name: str) -> None:
        """Stop a sweep after the cell that is running; what is finished is kept."""
        self._processes.cancel(name)

    def close(self) -> None:
        """End every sweep at once."""
        self._processes.close()

    def running(self, name: str) -> Running | None:
        """Its process, where there was one since the server started."""
        return self._processes.running(name)

    def busy(self) -> list[str]:
        """Names of those that compute."""
        return [name for name in self._processes.busy() if re.fullmatch(RUN, name)]

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


_open: dict[Path, Runs] = {}
_opening = Lock()


def runs() -> Runs:
    """Those of this server."""
    with _opening:
        return _open.setdefault(default_store(), Runs(default_store(), processes()))


def problem(name: str) -> str | None:
    """Why a run cannot be shown; None where it can."""
    try:
        runs().sweep(name)
    except DpgepError as error:
        return str(error)
    return None
