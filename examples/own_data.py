"""Put a table of your own into a folder, declare beside it what is public, and solve."""

import os
import tempfile
from pathlib import Path

import pandas as pd
from sklearn.datasets import load_iris

from dpgep_core import load_dataset, solve

SIDECAR = """
title = "Irises"
label = "species"
classes = ["setosa", "versicolor", "virginica"]

[columns]  # bounds that are known without looking at the rows, in cm
lower = 0
upper = [10, 6, 8, 4]
"""

with tempfile.TemporaryDirectory() as folder:
    bunch = load_iris(as_frame=True)
    table = pd.DataFrame(bunch.data).assign(species=bunch.target_names[bunch.target])
    table.to_csv(Path(folder) / "irises.csv", index=False)
    for declared in (False, True):
        if declared:
            (Path(folder) / "irises.toml").write_text(SIDECAR, "utf-8")
        os.environ["DPGEP_DATA_DIR"] = folder  # or in the shell, for every command and the pages
        irises = load_dataset("irises")
        release = solve(irises, model="fda", algorithm="ssp", epsilon=2.0)
        found = ", ".join(release.learnt) or "nothing"
        print(f"{'with' if declared else 'without'} a sidecar, read off the rows: {found}")
    print(f"{irises.title}: {irises.n} rows, {irises.d} columns, {len(irises.classes)} classes")
