"""Sweep over ε with several noise draws, keep every result in a file, and print a table."""

import tempfile
from pathlib import Path

from dpgep_core.experiments.grid import parse_sweep
from dpgep_core.experiments.runner import plan_sweep, run_sweep
from dpgep_core.experiments.table import sweep_table

SWEEP = {
    "datasets": ["wine"],
    "algorithms": ["ssp", "dprf"],
    "epsilon": [1.0, 10.0, 100.0],
    "classifiers": ["lda"],
    "seeds": 5,
}

with tempfile.TemporaryDirectory() as folder:
    store = Path(folder) / "cells.sqlite"  # give it a place of its own: a second run then computes nothing again
    plan = plan_sweep(parse_sweep(SWEEP))
    ended = run_sweep(plan, store)
    print(f"{ended.done} of {ended.total} cells, {ended.errors} with an error")
    table = sweep_table(plan, store)

print("median accuracy of LDA over 5 noise draws; the projection is private, the classifier is not")
print(table.pivot_table(index="epsilon", columns="algorithm", values="lda_accuracy", aggfunc="median").round(3))
