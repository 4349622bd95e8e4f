"""How long a cell of the papers takes that trains a classifier, which ``dpgep paper all --plan`` adds up.

    python benchmarks/cell_seconds.py [DATA …]

One cell of each data set, classifier and method is computed, for all data sets that are here or for those that are
named (by the paper's names), and replaces its row of dpgep_core/experiments/papers/cell_seconds.csv. What cells share,
the rows and the exact answer, is made before the first is timed. ``dpgep data`` fetches the data sets.
"""

import sys
from collections.abc import Iterator
from dataclasses import astuple, fields
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from benchmarks.tables import write_table  # noqa: E402
from dpgep_core.experiments.papers import EXHIBITS  # noqa: E402
from dpgep_core.experiments.papers.cell_seconds import TABLE, CellSeconds, kind_of  # noqa: E402
from dpgep_core.experiments.papers.data import available  # noqa: E402
from dpgep_core.experiments.papers.exhibit import LabelledCell, Scope  # noqa: E402
from dpgep_core.experiments.runner import compute_cell  # noqa: E402
from dpgep_core.kept_table import kept_records, kept_rows  # noqa: E402


def kinds() -> dict[tuple[str, str], dict[str, LabelledCell]]:
    """The first cell of each kind: by data set and classifier, and then by method."""
    found: dict[tuple[str, str], dict[str, LabelledCell]] = {}
    for exhibit in EXHIBITS.values():
        for task in exhibit.tasks(Scope(quick=False, data=available(exhibit.data))):
            if kind := kind_of(task):
                data, classifier, method = kind
                found.setdefault((data, classifier), {}).setdefault(method, task)
    return found


def measure(panel: tuple[str, str], tasks: dict[str, LabelledCell]) -> Iterator[CellSeconds]:
    """Seconds of each method of a panel."""
    compute_cell("", list(tasks.values())[-1].cell)  # its release is forgotten when its turn comes
    for method, task in tasks.items():
        _, _, row, seconds = compute_cell("", task.cell)
        if "error" in row:
            raise SystemExit(f"{panel}, {method}: {row['error']}")
        print(*panel, method, f"{seconds:.2f} s", flush=True)
        yield CellSeconds(*panel, method, seconds)


def main() -> None:
    wanted = sys.argv[1:]
    new = [one for panel, tasks in kinds().items() if not wanted or panel[0] in wanted for one in measure(panel, tasks)]
    measured = {one.data for one in new}
    every = sorted((*(one for one in kept_records(CellSeconds, TABLE) if one.data not in measured), *new), key=astuple)
    write_table(HERE / "dpgep_core" / TABLE, (field.name for field in fields(CellSeconds)), kept_rows(every))


if __name__ == "__main__":
    main()
