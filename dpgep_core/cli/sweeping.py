"""``dpgep sweep``: a grid of settings, kept cell by cell, and its table."""

import argparse
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from dpgep_core.errors import ParameterError
from dpgep_core.experiments.grid import read_sweep
from dpgep_core.experiments.runner import SweepPlan, SweepProgress, plan_sweep, run_sweep
from dpgep_core.experiments.store import cell_store
from dpgep_core.experiments.table import FORMATS, write_table
from dpgep_core.params import whole_number
from dpgep_core.wording import plural

SWEEP_STOPPED = 130  # what a shell expects after Ctrl-C
JOBS = whole_number(1, 1024)
REPORT_EVERY = 1.0  # seconds between lines of progress


def add_command(commands: Any) -> None:
    """Put ``sweep`` under the subcommands."""
    parser = commands.add_parser("sweep", help="a grid of settings; stopped and started again it goes on where it was")
    parser.add_argument("spec", metavar="SPEC.toml", help="lists of settings: datasets, models, algorithms, epsilon, …")
    parser.add_argument("--out", required=True, metavar="RESULTS.parquet", help=f"the table: {', '.join(FORMATS)}")
    parser.add_argument("--store", metavar="FILE", help="where finished cells are kept; RESULTS.sqlite by default")
    parser.add_argument("--jobs", default="1", metavar="N", help="processes on this machine")
    parser.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler whose workers compute")
    parser.add_argument("--retry", action="store_true", help="compute cells again that ended in an error")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    out = Path(arguments.out)
    if out.suffix not in FORMATS:
        raise ParameterError("--out", arguments.out, f"a file that ends in {' or '.join(FORMATS)}")
    jobs = int(JOBS.parse("--jobs", arguments.jobs))
    store = Path(arguments.store) if arguments.store else out.with_suffix(".sqlite")
    plan = plan_sweep(read_sweep(Path(arguments.spec)))
    if arguments.retry:
        _forget_errors(plan, store)
    stop = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: _ask_to_stop(stop))
    try:
        ended = run_sweep(
            plan, store, jobs=jobs, dask=arguments.dask, report=_Line(quiet=arguments.quiet).say, stop=stop
        )
    finally:
        signal.signal(signal.SIGINT, before)
    write_table(plan, store, out)
    if ended.done < ended.total:
        print(
            f"stopped after {ended.done} of {ended.total} cells; the same command goes on from there", file=sys.stderr
        )
        return SWEEP_STOPPED
    print(f"{plural(ended.total, 'cell')}, {_errors(plan, store)} with an error: {out}")
    return 0


def _ask_to_stop(stop: threading.Event) -> None:
    if stop.is_set():  # asked twice: at once, as the cells that are finished are kept
        raise KeyboardInterrupt
    stop.set()
    print("\nstopping after the cells that are running; once more stops at once", file=sys.stderr)


def _forget_errors(plan: SweepPlan, path: Path) -> None:
    with cell_store(path) as store:
        store.forget(key for key, result in store.results(plan.keys).items() if "error" in result)


def _errors(plan: SweepPlan, path: Path) -> int:
    with cell_store(path) as store:
        return sum("error" in result for result in store.results(plan.keys).values())


class _Line:
    """Progress on stderr: in place on a terminal, now and then elsewhere."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet, self._next, self._terminal = quiet, 0.0, sys.stderr.isatty()

    def say(self, progress: SweepProgress) -> None:
        ended = progress.done == progress.total
        if self._quiet or (time.monotonic() < self._next and not ended):
            return
        self._next = time.monotonic() + (REPORT_EVERY if self._terminal else 20 * REPORT_EVERY)
        left = "" if progress.left is None or ended else f", about {_time(progress.left)} left"
        failed = f", {progress.errors} with an error" if progress.errors else ""
        text = f"{progress.done} of {progress.total} cells{failed}{left}"
        print(
            f"\r{text:<70}" if self._terminal else text,
            end="\n" if ended or not self._terminal else "",
            file=sys.stderr,
        )
        sys.stderr.flush()


def _time(seconds: float) -> str:
    minutes = seconds / 60
    if minutes < 1:
        return f"{seconds:.0f} s"
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
