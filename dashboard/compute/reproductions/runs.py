"""Reproductions of this server."""

from pathlib import Path
from threading import Lock

from dashboard.compute.processes import Processes, default_store, processes
from dashboard.compute.reproductions import spec
from dashboard.compute.tasks import Kind, Tasks
from dpgep_core.experiments.papers import Reproduction, ReproductionRequest
from dpgep_core.experiments.papers.reproduce import ReproductionPlan, collect_reproduction, plan_reproduction

Reproductions = Tasks[ReproductionRequest, ReproductionPlan, Reproduction]
REPRODUCTION: Kind[ReproductionRequest, ReproductionPlan, Reproduction] = Kind(
    noun="a reproduction",
    ending=".json",
    worker="dashboard.compute.reproductions.worker",
    name=spec.name,
    write=spec.text_of,
    read=spec.read,
    plan=plan_reproduction,
    keys=lambda tasks: tasks.plan.keys,
    found=collect_reproduction,
)
_open: dict[Path, Reproductions] = {}
_opening = Lock()


def reproductions(store: Path, beside: Processes | None = None) -> Reproductions:
    """The reproductions kept with a store."""
    return Tasks(REPRODUCTION, store, beside)


def runs() -> Reproductions:
    """Those of this server. Sweeps and reproductions share its store, and what it computes at once."""
    with _opening:
        return _open.setdefault(default_store(), reproductions(default_store(), processes()))
