"""Tasks: named computations, each in a process of its own, found again by name, whoever looks."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import Any, Generic, TypeVar

from dashboard.compute.task_processes import Report, TaskProcess, TaskProcesses
from dpgep_core.errors import ParameterError
from dpgep_core.experiments import runner
from dpgep_core.experiments.store import cell_store
from dpgep_core.experiments.table import write_whole
from dpgep_core.sqlitefile import StoreError

NAME = r"[0-9a-f]{12}"
WORKER = "dashboard.compute.task_kinds"  # the module that computes a task
MOST_KEPT = 8  # plans, and results, in memory

Asked = TypeVar("Asked")
Planned = TypeVar("Planned")
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskKind(Generic[Asked, Planned, Found]):
    """One kind of task.

    Parameters
    ----------
    key, noun : str
        For the process that computes; "a sweep", in errors.
    ending : str
        Of the file that says what was asked.
    name, write, read : callable
        The name of a task: the same is asked under the same name. What was asked as text, and back.
    plan, keys, found : callable
        The cells it consists of, their keys, and what the store holds of them.
    compute : callable
        Compute what the store lacks, given whom to report to and what says stop.
    """

    key: str
    noun: str
    ending: str
    name: Callable[[Asked], str]
    write: Callable[[Asked], str]
    read: Callable[[str], Asked]
    plan: Callable[[Asked], Planned]
    keys: Callable[[Planned], Sequence[str]]
    found: Callable[[Planned, Path], Found]
    compute: Callable[[Asked, Path, Report, Event], object]


class Tasks(Generic[Asked, Planned, Found]):
    """The tasks kept with one store: their cells in it, what each was asked for in a folder beside it."""

    def __init__(self, kind: TaskKind[Asked, Planned, Found], store: Path, processes: TaskProcesses) -> None:
        self.store = store
        self.folder = store.with_name(f"{store.stem}-runs")
        self._kind = kind
        self._processes = processes
        self._plans: dict[str, Planned] = {}
        self._found: dict[str, tuple[int, Found]] = {}
        self._lock = Lock()

    def start(self, asked: Asked, *, retry: bool = False) -> str:
        """Compute it, or what is missing of it; its name. One that runs already is left to run.

        ``retry`` computes cells again that ended in an error.
        """
        name = self._kind.name(asked)
        with self._lock:
            if name in self._processes.busy():
                return name
            self._processes.check_room(name)  # before anything is written
            path = self._write(name, self._kind.write(asked))
            self._plans.pop(name, None)
            self._found.pop(name, None)
            keys = self._kind.keys(self._plan(name, asked))
            with cell_store(self.store) as store:
                if retry:
                    found = store.results(keys)
                    store.forget([key for key, result in found.items() if "error" in result])
            self._processes.start(name, WORKER, self._kind.key, str(path), str(self.store.absolute()))
        return name

    def cancel(self, name: str) -> None:
        """Stop the task within seconds. Finished cells are kept; the one that is running may be computed again."""
        self._processes.cancel(name)

    def running(self, name: str) -> TaskProcess | None:
        """Process of the task, where there was one since the server started."""
        return self._processes.running(name)

    def busy(self) -> list[str]:
        """Names of those that compute."""
        return [name for name in self._processes.busy() if self._path(name).is_file()]

    def asked(self, name: str) -> Asked:
        """The question that a task answers.

        Raises
        ------
        ParameterError
            If there is none of that name, or its file cannot be used any more.
        """
        path = self._path(name)
        if not re.fullmatch(NAME, name) or not path.is_file():
            raise ParameterError("run", name, f"{self._kind.noun} that was started on this server")
        return read_request(self._kind, path)

    def known(self) -> list[str]:
        """Names of all, the latest first."""
        found = [path for path in self.folder.glob(f"*{self._kind.ending}") if re.fullmatch(NAME, path.stem)]
        return [path.stem for path in sorted(found, key=_age, reverse=True)]

    def plan(self, name: str) -> Planned:
        """Cells of the task under their keys."""
        with self._lock:
            return self._plan(name, self.asked(name))

    def done(self, name: str) -> int:
        """How many of its cells are in the store."""
        keys = self._kind.keys(self.plan(name))
        with cell_store(self.store) as store:
            return len(store.finished_keys(keys))

    def found(self, name: str) -> Found:
        """Results so far, shared by all who look: not to be changed. Made anew only when there is more."""
        done = self.done(name)
        kept = self._found.get(name)
        if kept is None or kept[0] != done:
            while len(self._found) >= MOST_KEPT:
                self._found.pop(next(iter(self._found)), None)
            self._found[name] = kept = (done, self._kind.found(self.plan(name), self.store))
        return kept[1]

    def _plan(self, name: str, asked: Asked) -> Planned:
        if name not in self._plans:
            while len(self._plans) >= MOST_KEPT:
                self._plans.pop(next(iter(self._plans)))
            runner.shared_cell_runner.cache_clear()  # a key depends on the rows, and a folder's file may have changed
            self._plans[name] = self._kind.plan(asked)
            runner.shared_cell_runner.cache_clear()
        return self._plans[name]

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{self._kind.ending}"

    def _write(self, name: str, text: str) -> Path:
        path = self._path(name)
        write_whole(path, lambda fresh: fresh.write_text(text, "utf-8"))
        return path


def read_request(kind: TaskKind[Asked, Any, Any], path: Path) -> Asked:
    """Read what a task was asked for from its file."""
    try:
        return kind.read(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path} cannot be read: {error}.") from error


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # gone meanwhile
        return 0.0
