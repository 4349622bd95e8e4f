"""``dpgep paper``: the tables and figures of the papers, listed or reproduced."""

import argparse
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from dpgep_core.errors import ParameterError
from dpgep_core.experiments.papers import EXHIBITS, Reproduction, ReproductionRequest, exhibit, reproduce
from dpgep_core.experiments.papers.bundled_results import as_csv, as_json
from dpgep_core.experiments.papers.data import SOURCES, absent, available
from dpgep_core.experiments.papers.page import as_html
from dpgep_core.experiments.runner import SweepProgress
from dpgep_core.params import whole_number
from dpgep_core.sqlitefile import StoreError

STOPPED = 130  # what a shell expects after Ctrl-C
COUNT = whole_number(1, 1024)
SECONDS_BETWEEN_LINES = 20.0  # seconds between lines of progress


def add_command(commands: Any) -> None:
    """Put ``paper`` under the subcommands."""
    parser = commands.add_parser("paper", help="the papers' tables and figures: listed, or reproduced")
    parser.add_argument("name", nargs="?", metavar="NAME", help="such as chen-table-2; none lists them")
    parser.add_argument("--quick", action="store_true", help="minutes: fewer seeds, budgets and data sets")
    parser.add_argument("--data", metavar="SET,…", help="only these of its data sets, by the paper's names")
    parser.add_argument("--classifiers", metavar="NAME,…", help="only these of its classifiers")
    parser.add_argument("--seeds", metavar="N", help="repetitions, instead of the exhibit's own number")
    parser.add_argument("--out", metavar="DIR", help="folder of the results; ./NAME by default")
    parser.add_argument("--store", metavar="FILE", help="where finished cells are kept; DIR/NAME.sqlite by default")
    parser.add_argument("--jobs", default="1", metavar="N", help="processes on this machine")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.name is None:
        print(listing())
        return 0
    asked = ReproductionRequest(
        exhibit=exhibit(arguments.name),
        quick=arguments.quick,
        data=_names(arguments.data),
        classifiers=_names(arguments.classifiers),
        seeds=None if arguments.seeds is None else int(COUNT.parse("--seeds", arguments.seeds)),
    )
    key, jobs = asked.exhibit.key, int(COUNT.parse("--jobs", arguments.jobs))
    folder = Path(arguments.out or key)
    _make(folder)
    store = Path(arguments.store) if arguments.store else folder / f"{key}.sqlite"
    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: stop.set())
    try:
        found = reproduce(asked, store, jobs=jobs, report=_Said().say, stop=stop)
    finally:
        signal.signal(signal.SIGINT, before)
    for ending, text in ((".csv", as_csv(found)), (".json", as_json(found)), (".html", as_html(found))):
        _write(folder / f"{key}{ending}", text)
    print(_summary(found, folder))
    return 0 if found.complete else STOPPED


def _names(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(name.strip() for name in text.split(","))


def listing() -> str:
    """Key, title, and which data sets are here, one exhibit a line; then what is not here and why."""
    wide = max(len(key) for key in EXHIBITS)
    lines: list[str] = []
    for key, found in EXHIBITS.items():
        here = available(found.data)
        data = ", ".join(name if name in here else f"{name} (not here)" for name in found.data)
        lines.append(f"{key:<{wide}}  {found.paper.split(',')[0]}: {found.title}. Data: {data}")
    return "\n".join([*lines, "", *(f"{name}: {why}" for name, why in absent(tuple(SOURCES)).items())])


def _summary(found: Reproduction, folder: Path) -> str:
    said = [f"{found.asked.exhibit.key} ({found.mode})", *_on_top(found), *found.verdict]
    said += [f"{name} left out: {why}." for name, why in found.missing]
    said += [f"could not be computed: {error}" for error in found.errors]
    if not found.complete:
        said.append("the same command goes on")
    said.append(f"{found.seconds:.0f} s now, {found.computed:.0f} s of computation in all: {folder}/")
    return "\n".join(said)


def _on_top(found: Reproduction) -> list[str]:
    return [f"In one line: {found.summary}.", *(f"{one.subject}: {one.said} ({one.why})." for one in found.outcomes)]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError("--out", str(folder), f"a folder that can be made ({error.strerror})") from error


def _write(path: Path, text: str) -> None:
    try:
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as fresh:
            fresh.write(text)
        Path(fresh.name).chmod(0o644)
        Path(fresh.name).replace(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}.") from error


class _Said:
    """Progress on stderr, now and then."""

    def __init__(self) -> None:
        self._next = 0.0

    def say(self, progress: SweepProgress) -> None:
        if time.monotonic() < self._next and progress.done < progress.total:
            return
        self._next = time.monotonic() + SECONDS_BETWEEN_LINES
        left = "" if progress.left is None else f", about {progress.left / 60:.0f} min left"
        print(f"{progress.done} of {progress.total} cells{left}", file=sys.stderr, flush=True)
