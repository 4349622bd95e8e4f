"""Sweeps of this server."""

from pathlib import Path
from threading import Lock

import pandas as pd

from dashboard.compute.processes import Processes, default_store, processes
from dashboard.compute.sweeps.spec import checked, run_id, table_of, toml
from dashboard.compute.tasks import Kind, Tasks
from dpgep_core.experiments.grid import Sweep
from dpgep_core.experiments.runner import SweepPlan, plan_sweep
from dpgep_core.experiments.table import sweep_table

Runs = Tasks[Sweep, SweepPlan, pd.DataFrame]
SWEEP: Kind[Sweep, SweepPlan, pd.DataFrame] = Kind(
    noun="a sweep",
    ending=".toml",
    worker="dashboard.compute.sweeps.worker",
    name=run_id,
    write=toml,
    read=lambda text: checked(table_of(text))[0],
    plan=plan_sweep,
    keys=lambda plan: plan.keys,
    found=sweep_table,
)
_open: dict[Path, Runs] = {}
_opening = Lock()


def sweeps(store: Path, beside: Processes | None = None) -> Runs:
    """The sweeps kept with a store."""
    return Tasks(SWEEP, store, beside)


def runs() -> Runs:
    """Those of this server."""
    with _opening:
        return _open.setdefault(default_store(), sweeps(default_store(), processes()))
