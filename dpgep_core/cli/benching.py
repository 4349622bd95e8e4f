"""``dpgep bench``: how fast this is, each figure as a ratio against something else in the same run."""

import argparse
import importlib
import sys
from typing import Any

from dpgep_core.cli.terminal import print_json
from dpgep_core.errors import DataError


def add_command(commands: Any) -> None:
    """Put ``bench`` under the subcommands."""
    parser = commands.add_parser(
        "bench", help="the benchmark: each figure is a ratio against a literal transcription or a peer, in one run"
    )
    parser.add_argument("--quick", action="store_true", help="the algorithms alone, in few pairs and without quality")
    parser.add_argument("--before", metavar="PATH", help="another checkout, measured beside this one, figure by figure")
    parser.add_argument("--check", action="store_true", help="exit code 1 where a ratio is half of the committed one")
    parser.add_argument("--write", action="store_true", help="write table and figure of docs/performance.md")
    parser.add_argument("--json", action="store_true", help="print one JSON list")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    bench, report = _part("bench"), _part("report")
    show = None if arguments.json else lambda one: print(in_words(one), flush=True)
    before: Any = None
    if arguments.before is None:
        found = bench.run(quick=arguments.quick, progress=show)
    else:
        before, found = bench.run_beside(arguments.before, quick=arguments.quick, progress=show)
    slower: list[str] = bench.halved(found, bench.committed()) if arguments.check else []
    if arguments.json:
        print_json(bench.as_json(found))
    if arguments.write:
        report.write(bench.COMMITTED, bench.as_json(found), before and bench.as_json(before))
    for line in slower:
        print("dpgep: " + line, file=sys.stderr)
    return 1 if slower else 0


def _part(name: str) -> Any:
    """A module of the benchmark, which lies beside the package and is read only here."""
    try:
        return importlib.import_module(f"benchmarks.{name}")
    except ModuleNotFoundError as error:
        problem = f"{error.name} is not there"
        raise DataError("bench", problem, "run it where the package and its folder benchmarks are installed") from error


def in_words(one: Any) -> str:
    """One line for a terminal."""
    if one.ratio is None:
        return f"{one.name:18} {one.note}"
    times = f"{one.ours:,.4g} against {one.other:,.4g} {one.unit}, noise {one.noise:.0%}"
    cosines = "" if one.cosine_ours is None else f", cosine {one.cosine_ours:.3f} against {one.cosine_other:.3f}"
    return f"{one.name:18} {one.ratio:8.3g} times faster: {times}{cosines} ({one.note})"
