"""``dpgep paper``: the tables and figures of the papers, listed or reproduced."""

import argparse
from pathlib import Path
from typing import Any

from dpgep_core.cli.papers_all import EVERYTHING, make_folder, run_everything, write_results
from dpgep_core.cli.shared import COUNT, STOPPED, ProgressLine, stopped_by_ctrl_c
from dpgep_core.errors import ParameterError
from dpgep_core.experiments.papers import EXHIBITS, Reproduction, ReproductionRequest, exhibit, reproduce
from dpgep_core.experiments.papers.bundled_results import join_results, read_back
from dpgep_core.experiments.papers.data import SOURCES, absent, available


def add_command(commands: Any) -> None:
    """Put ``paper`` under the subcommands."""
    parser = commands.add_parser("paper", help="the papers' tables and figures: listed, or reproduced")
    parser.add_argument("name", nargs="?", metavar="NAME", help="such as chen-table-2, or all; none lists them")
    parser.add_argument("--quick", action="store_true", help="minutes: fewer seeds, budgets and data sets")
    parser.add_argument("--data", metavar="SET,…", help="only these of its data sets, by the paper's names")
    parser.add_argument("--classifiers", metavar="NAME,…", help="only these of its classifiers")
    parser.add_argument("--seeds", metavar="N", help="repetitions, instead of the exhibit's own number")
    parser.add_argument("--out", metavar="DIR", help="folder of the results; ./NAME by default")
    parser.add_argument("--store", metavar="FILE", help="where finished cells are kept; DIR/NAME.sqlite by default")
    parser.add_argument("--jobs", default="1", metavar="N", help="processes on this machine")
    parser.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler whose workers compute")
    parser.add_argument("--join", metavar="DIR", help="a folder with results of the exhibit, to which these are joined")
    parser.add_argument("--plan", action="store_true", help="of all: say how many cells and how long, and end")
    parser.add_argument("--kept", action="store_true", help="of all: the report of the results that come with the lab")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    if arguments.name is None:
        print(listing())
        return 0
    if arguments.name == EVERYTHING:
        return run_everything(arguments)
    for flag in ("plan", "kept"):
        if getattr(arguments, flag):
            raise ParameterError(f"--{flag}", "given", f"left out; it goes with: dpgep paper {EVERYTHING}")
    asked = ReproductionRequest(
        exhibit=exhibit(arguments.name),
        quick=arguments.quick,
        data=_names(arguments.data),
        classifiers=_names(arguments.classifiers),
        seeds=None if arguments.seeds is None else int(COUNT.parse("--seeds", arguments.seeds)),
    )
    key, jobs = asked.exhibit.key, int(COUNT.parse("--jobs", arguments.jobs))
    earlier = None if arguments.join is None else _earlier(asked, Path(arguments.join))
    folder = Path(arguments.out or key)
    make_folder(folder)
    store = Path(arguments.store) if arguments.store else folder / f"{key}.sqlite"
    with stopped_by_ctrl_c() as stop:
        found = reproduce(asked, store, jobs=jobs, dask=arguments.dask, report=ProgressLine().say, stop=stop)
    write_results(found if earlier is None else join_results(earlier, found), folder)
    print(_summary(found, folder))
    return 0 if found.complete else STOPPED


def _earlier(asked: ReproductionRequest, folder: Path) -> Reproduction:
    try:
        return read_back(asked.exhibit, folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        allowed = f"a folder with {asked.exhibit.key}.csv and .json as this command writes them"
        raise ParameterError("--join", str(folder), allowed) from error


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
    said = [f"{found.asked.exhibit.key} ({found.mode})", f"In one line: {found.summary}."]
    said += [f"{one.subject}: {one.said} ({one.why})." for one in found.outcomes]
    said += found.verdict
    said += [f"{name} left out: {why}." for name, why in found.missing]
    said += [f"could not be computed: {error}" for error in found.errors]
    if not found.complete:
        said.append("the same command goes on")
    said.append(f"{found.seconds:.0f} s now, {found.computed:.0f} s of computation in all: {folder}/")
    return "\n".join(said)
