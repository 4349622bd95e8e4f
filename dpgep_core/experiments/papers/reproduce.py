"""From an exhibit to its table: computed through the store, so that a stopped reproduction goes on."""

import csv
import hashlib
import io
import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dpgep_core.errors import DpgepError, UnknownNameError
from dpgep_core.experiments.grid import Cell, Sweep
from dpgep_core.experiments.papers.data import absent, available
from dpgep_core.experiments.papers.exhibit import Exhibit, Line, Record, Scope, Task
from dpgep_core.experiments.runner import Plan, Progress, Stop, Work, run_sweep, workshop
from dpgep_core.experiments.store import cell_store
from dpgep_core.release import VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """What came out. ``seconds`` is this run, ``computed`` the sum over all its cells, whenever they were computed."""

    exhibit: Exhibit
    quick: bool
    seeds: int | None
    lines: tuple[Line, ...]
    verdict: tuple[str, ...]
    missing: tuple[tuple[str, str], ...]
    errors: tuple[str, ...]
    seconds: float
    computed: float
    progress: Progress

    @property
    def mode(self) -> str:
        """How much of the full run this is, in words."""
        kind = "quick: fewer seeds, budgets and data sets than the full run" if self.quick else "full"
        return kind if self.seeds is None else f"{kind}; {self.seeds} seeds, as asked for"

    @property
    def complete(self) -> bool:
        """Whether no cell is left to compute."""
        return self.progress.done == self.progress.total


def reproduce(
    exhibit: Exhibit,
    store: Path,
    *,
    quick: bool = False,
    data: Sequence[str] | None = None,
    seeds: int | None = None,
    jobs: int = 1,
    report: Callable[[Progress], None] = lambda _: None,
    stop: Stop | None = None,
) -> Reproduction:
    """Compute what an exhibit needs and is not in the store yet, and compare.

    Parameters
    ----------
    exhibit : Exhibit
    store : Path
        Where finished cells are kept; exhibits that share cells may share it.
    quick : bool
        Fewer seeds, budgets and data sets.
    data : sequence of str, optional
        Some of the exhibit's data sets, by the paper's names; all by default.
    seeds : int, optional
        How many, instead of the exhibit's own number.
    jobs, report, stop
        As in `dpgep_core.experiments.runner.run_sweep`.
    """
    began = time.perf_counter()
    names = wanted(exhibit, data)
    tasks = exhibit.tasks(Scope(quick=quick, data=available(names), seeds=seeds, chosen=data is not None))
    keyed = [(_key(task.work), task) for task in tasks]
    plan = Plan(Sweep(datasets=()), tuple({key: task.work for key, task in keyed}.items()))
    progress = run_sweep(plan, store, jobs=jobs, report=report, stop=stop)
    with cell_store(store) as kept:
        results, seconds = kept.results(plan.keys), kept.seconds(plan.keys)
    records = [_record(task, results[key]) for key, task in keyed if key in results]
    lines = exhibit.lines(records)
    return Reproduction(
        exhibit=exhibit,
        quick=quick,
        seeds=seeds,
        lines=tuple(lines),
        verdict=tuple(exhibit.verdict(lines)) or ("Nothing could be computed, so nothing can be said.",),
        missing=tuple(absent(names).items()),
        errors=tuple(dict.fromkeys(str(record["error"]) for record in records if "error" in record)),
        seconds=time.perf_counter() - began,
        computed=sum(seconds.values()),
        progress=progress,
    )


def wanted(exhibit: Exhibit, data: Sequence[str] | None) -> tuple[str, ...]:
    """The data sets asked for, which must be among the exhibit's."""
    for name in data or ():
        if name not in exhibit.data:
            raise UnknownNameError("--data", name, exhibit.data)
    return tuple(data) if data else exhibit.data


def _record(task: Task, result: Record) -> Record:
    return {**result, **task.labels}


def _key(work: Work) -> str:
    if isinstance(work, Cell):
        found = ""
        with suppress(DpgepError):  # the cell says so when it is computed
            found = workshop().fingerprint(work.dataset, work.n)
        return work.key(found)
    text = json.dumps([type(work).__name__, work.content(), VERSION], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def as_csv(found: Reproduction) -> str:
    """The table: labels, published, ours, standard deviation, runs."""
    names = label_names(found.lines)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*names, "published", "ours", "standard_deviation", "runs"])
    for line in found.lines:
        numbers = [_plain(value) for value in (line.published, line.ours, line.spread)]
        writer.writerow([*(_plain(line.labels.get(name)) for name in names), *numbers, line.runs])
    return out.getvalue()


def label_names(lines: Sequence[Line]) -> list[str]:
    """The labels that any line carries, in order."""
    return list(dict.fromkeys(name for line in lines for name in line.labels))


def _plain(value: object) -> object:
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else value
