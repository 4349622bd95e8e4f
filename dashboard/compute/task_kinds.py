"""The two kinds of task, sweeps and reproductions, and the main function of the process that computes one."""

import hashlib
import json
import sys
from pathlib import Path
from threading import Lock
from typing import Any

import pandas as pd

from dashboard.compute.sweeps.spec import kept_sweep, kept_text, run_id
from dashboard.compute.task_processes import default_store, report_to_server, server_processes
from dashboard.compute.tasks import TaskKind, Tasks, read_request
from dpgep_core.errors import DpgepError, ParameterError
from dpgep_core.experiments.grid import Sweep
from dpgep_core.experiments.papers import Reproduction, ReproductionRequest, exhibit, reproduce
from dpgep_core.experiments.papers.bundled_results import request_facts, request_of
from dpgep_core.experiments.papers.reproduce import ReproductionPlan, collect_reproduction, plan_reproduction
from dpgep_core.experiments.runner import SweepPlan, plan_sweep, run_sweep
from dpgep_core.experiments.table import sweep_table

MOST_SEEDS = 100


def reproduction_text(asked: ReproductionRequest) -> str:
    """Request as JSON."""
    return json.dumps({"exhibit": asked.exhibit.key, **request_facts(asked)})


def reproduction_from_text(text: str) -> ReproductionRequest:
    """Read the request that `reproduction_text` wrote.

    Raises
    ------
    DpgepError
        For what it cannot have written, as a file that somebody changed.
    """
    try:
        found: dict[str, Any] = json.loads(text)
        return request_of(exhibit(found["exhibit"]), found)
    except DpgepError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ParameterError("run", text, "what a reproduction was asked for, as JSON") from error


def reproduction_name(asked: ReproductionRequest) -> str:
    """The name of its task: the same is asked under the same name."""
    return hashlib.blake2b(reproduction_text(asked).encode(), digest_size=6).hexdigest()


SweepTasks = Tasks[Sweep, SweepPlan, pd.DataFrame]
ReproductionTasks = Tasks[ReproductionRequest, ReproductionPlan, Reproduction]
SWEEP: TaskKind[Sweep, SweepPlan, pd.DataFrame] = TaskKind(
    key="sweep",
    noun="a sweep",
    ending=".toml",
    name=run_id,
    write=kept_text,
    read=kept_sweep,
    plan=plan_sweep,
    keys=lambda plan: plan.keys,
    found=sweep_table,
    compute=lambda asked, store, report, stop: run_sweep(plan_sweep(asked), store, report=report, stop=stop),
)
REPRODUCTION: TaskKind[ReproductionRequest, ReproductionPlan, Reproduction] = TaskKind(
    key="reproduction",
    noun="a reproduction",
    ending=".json",
    name=reproduction_name,
    write=reproduction_text,
    read=reproduction_from_text,
    plan=plan_reproduction,
    keys=lambda tasks: tasks.plan.keys,
    found=collect_reproduction,
    compute=lambda asked, store, report, stop: reproduce(asked, store, report=report, stop=stop),
)
KINDS: dict[str, TaskKind[Any, Any, Any]] = {kind.key: kind for kind in (SWEEP, REPRODUCTION)}
_open: dict[tuple[str, Path], Tasks[Any, Any, Any]] = {}
_opening = Lock()


def sweep_tasks() -> SweepTasks:
    """Sweeps of this server."""
    return _of_server(SWEEP)


def reproduction_tasks() -> ReproductionTasks:
    """Reproductions of this server, which share its processes with its sweeps."""
    return _of_server(REPRODUCTION)


def _of_server(kind: TaskKind[Any, Any, Any]) -> Tasks[Any, Any, Any]:
    store = default_store()
    with _opening:
        return _open.setdefault((kind.key, store), Tasks(kind, store, server_processes()))


def main(key: str, request: str, store: str) -> int:
    """Compute what a task lacks: its kind, the file that says what was asked, and the store of its cells."""
    kind = KINDS[key]
    return report_to_server(
        lambda report, stop: kind.compute(read_request(kind, Path(request)), Path(store), report, stop)
    )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
