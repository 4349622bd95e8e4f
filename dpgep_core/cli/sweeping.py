"""``dpgep sweep``: a grid of settings, kept cell by cell, and its table."""

import argparse
import sys
from pathlib import Path
from typing import Any

from dpgep_core.cli.passing import reported_passes
from dpgep_core.cli.shared import COUNT, STOPPED, ProgressLine, stopped_by_ctrl_c
from dpgep_core.errors import ParameterError
from dpgep_core.experiments.grid import read_sweep
from dpgep_core.experiments.runner import plan_sweep, run_sweep
from dpgep_core.experiments.store import cell_store
from dpgep_core.experiments.table import FORMATS, write_table
from dpgep_core.wording import plural


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
    jobs = int(COUNT.parse("--jobs", arguments.jobs))
    store = Path(arguments.store) if arguments.store else out.with_suffix(".sqlite")
    with reported_passes(quiet=arguments.quiet):
        return _swept(arguments, out, store, jobs)


def _swept(arguments: argparse.Namespace, out: Path, store: Path, jobs: int) -> int:
    plan = plan_sweep(read_sweep(Path(arguments.spec)))
    if arguments.retry:
        with cell_store(store) as cells:
            cells.forget(key for key, result in cells.results(plan.keys).items() if "error" in result)
    line = ProgressLine(quiet=arguments.quiet)
    with stopped_by_ctrl_c() as stop:
        ended = run_sweep(plan, store, jobs=jobs, dask=arguments.dask, report=line.say, stop=stop)
    write_table(plan, store, out)
    if ended.done < ended.total:
        print(
            f"stopped after {ended.done} of {ended.total} cells; the same command goes on from there", file=sys.stderr
        )
        return STOPPED
    with cell_store(store) as cells:
        errors = sum("error" in result for result in cells.results(plan.keys).values())
    print(f"{plural(ended.total, 'cell')}, {errors} with an error: {out}")
    return 0
