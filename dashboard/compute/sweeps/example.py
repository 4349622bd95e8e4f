"""A sweep that comes with the lab: Compare shows it where none was started yet.

Its table is what ``dpgep sweep`` writes for its TOML.
"""

from functools import cache
from importlib.resources import files

import pandas as pd

from dashboard.compute.sweeps import spec
from dpgep_core.experiments.grid import Sweep
from dpgep_core.experiments.table import with_texts


@cache
def example_sweep() -> tuple[Sweep, pd.DataFrame]:
    """The sweep and its table, as `dpgep_core.experiments.table.sweep_table` makes one."""
    folder = files("dashboard.compute.sweeps")
    sweep, _ = spec.check_sweep(spec.table_of(folder.joinpath("example.toml").read_text("utf-8")))
    with folder.joinpath("example.csv").open(encoding="utf-8") as file:
        return sweep, with_texts(pd.read_csv(file))
