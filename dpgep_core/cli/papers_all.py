"""``dpgep paper all``: every exhibit planned, computed in turn, and put into one report."""

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from dpgep_core.cli.shared import COUNT, STOPPED, ProgressLine, stopped_by_ctrl_c
from dpgep_core.errors import DpgepError, ParameterError
from dpgep_core.experiments.papers import EXHIBITS, Reproduction, ReproductionRequest, reproduce
from dpgep_core.experiments.papers.bundled_results import as_csv, as_json, bundled_reproduction
from dpgep_core.experiments.papers.everything import ExhibitPlan, describe_plan, plan_everything
from dpgep_core.experiments.papers.exhibit import Exhibit
from dpgep_core.experiments.papers.page import as_html, as_report, markdown_tables
from dpgep_core.experiments.table import write_whole
from dpgep_core.wording import plural

EVERYTHING = "all"
OF_ONE = ("data", "classifiers", "join")  # what only one exhibit can be held to


def run_everything(arguments: argparse.Namespace) -> int:
    """Plan all exhibits, say how long they take, compute them, cheapest first, and write one report."""
    for name in OF_ONE:
        if getattr(arguments, name) is not None:
            raise ParameterError(f"--{name}", getattr(arguments, name), "left out: it goes with one exhibit's name")
    folder = Path(arguments.out or "papers")
    if arguments.kept:
        make_folder(folder)
        _write_report([kept for one in EXHIBITS.values() if (kept := bundled_reproduction(one))], folder)
        return 0
    seeds = None if arguments.seeds is None else int(COUNT.parse("--seeds", arguments.seeds))
    jobs = int(COUNT.parse("--jobs", arguments.jobs))
    store = Path(arguments.store) if arguments.store else folder / "papers.sqlite"
    if not arguments.plan:
        make_folder(folder)

    def ask(exhibit: Exhibit) -> ReproductionRequest:
        return ReproductionRequest(exhibit=exhibit, quick=arguments.quick, seeds=seeds)

    with TemporaryDirectory() as scratch:
        kept = store if store.exists() or not arguments.plan else Path(scratch) / "none.sqlite"  # a plan leaves no file
        plans = plan_everything(EXHIBITS, kept, ask, lambda key: print(f"planning {key}", file=sys.stderr))
    print("\n".join(describe_plan(plans, EXHIBITS)))
    return 0 if arguments.plan else _compute(plans, store, folder, jobs, arguments.dask)


def _compute(plans: Sequence[ExhibitPlan], store: Path, folder: Path, jobs: int, dask: str | None) -> int:
    found: list[Reproduction] = []
    with stopped_by_ctrl_c() as stop:
        for one in plans:
            print(one.key, file=sys.stderr)
            found.append(reproduce(one.plan.asked, store, jobs=jobs, dask=dask, report=ProgressLine().say, stop=stop))
            write_results(found[-1], folder)
            print(f"{one.key}: {found[-1].mode}. {found[-1].summary}", flush=True)
            if stop.is_set():
                break
    _write_report([one for one in found if one.lines], folder)
    whole = len(found) == len(plans) and all(one.complete for one in found)
    if not whole:
        print("stopped; the same command goes on")
    return 0 if whole else STOPPED


def _write_report(found: Sequence[Reproduction], folder: Path) -> None:
    """HTML and Markdown, and PDF where there is a Chromium."""
    page = as_report(found, EXHIBITS)
    _write(folder / "report.html", page)
    _write(folder / "tables.md", markdown_tables(found, "../dpgep_core/experiments/papers/results"))
    try:
        printed: bytes = importlib.import_module("dashboard.export.chromium").pdf(
            page
        )  # where the browser is looked for
        write_whole(folder / "report.pdf", lambda path: path.write_bytes(printed))
        files = "report.html and report.pdf"
    except (DpgepError, ImportError) as error:
        files = f"report.html (no PDF: {error})"
    print(f"{plural(len(found), 'exhibit')}: {folder}/{files}")


def write_results(found: Reproduction, folder: Path) -> None:
    """CSV, JSON and HTML of one exhibit."""
    for ending, text in ((".csv", as_csv(found)), (".json", as_json(found)), (".html", as_html(found))):
        _write(folder / f"{found.asked.exhibit.key}{ending}", text)


def _write(path: Path, text: str) -> None:
    write_whole(path, lambda part: part.write_text(text, encoding="utf-8"))


def make_folder(folder: Path) -> None:
    """Make the folder of the results.

    Raises
    ------
    ParameterError
        It cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError("--out", str(folder), f"a folder that can be made ({error.strerror})") from error
