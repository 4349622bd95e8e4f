"""Task of cells that end at once and of cells that sleep, computed beside the server in the tests of its cancelling."""

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from dashboard.compute.task_processes import report_to_server
from dpgep_core.experiments.grid import parse_sweep
from dpgep_core.experiments.runner import SweepPlan, run_sweep

SWEEP = parse_sweep({"datasets": ["wine"], "algorithms": ["ssp"], "epsilon": [1.0], "seeds": 1})


@dataclass(frozen=True)
class SleepingCell:
    """A cell that says in a folder which process computes it, and then sleeps."""

    number: int
    seconds: float
    folder: str

    def content(self):
        return {"number": self.number}

    def compute(self):
        if self.seconds:
            Path(self.folder, str(self.number)).write_text(str(os.getpid()))
        time.sleep(self.seconds)
        return {"result": self.number}


def sleeping_plan(at_once, asleep, seconds, folder):
    """The plan of some cells that end at once, then some that sleep."""
    times = [0.0] * at_once + [seconds] * asleep
    return SweepPlan(SWEEP, tuple((str(i), SleepingCell(i, time, folder)) for i, time in enumerate(times)))


def main(store, folder, at_once, asleep, seconds, jobs):
    """Compute the plan."""
    plan = sleeping_plan(int(at_once), int(asleep), float(seconds), folder)
    return report_to_server(lambda report, stop: run_sweep(plan, Path(store), jobs=int(jobs), report=report, stop=stop))


if __name__ == "__main__":
    from sleeping_cells import main as importable  # a pool's processes find its cells under the name of the module

    sys.exit(importable(*sys.argv[1:]))
