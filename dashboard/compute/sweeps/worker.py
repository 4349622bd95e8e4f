"""The process that computes a sweep beside the server."""

import sys
from pathlib import Path

from dashboard.compute.beside import work
from dpgep_core.experiments.grid import read_sweep
from dpgep_core.experiments.runner import plan_sweep, run_sweep


def main(spec: str, store: str) -> int:
    """Compute what is missing of a sweep."""
    return work(
        lambda report, stop: run_sweep(plan_sweep(read_sweep(Path(spec))), Path(store), report=report, stop=stop)
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
