"""The sweep that Compare shows before one was started is what its command computes."""

import math
from dataclasses import replace
from random import Random

import pandas as pd
import pytest

from dashboard.compute.sweeps.example import example_sweep
from dpgep_core.experiments.grid import cells_of
from dpgep_core.experiments.runner import compute_cell, plan_sweep, run_sweep
from dpgep_core.experiments.table import sweep_table


def test_the_example_has_every_cell_of_its_sweep_once_and_in_order():
    sweep, table = example_sweep()
    cells = cells_of(sweep)
    settings = [name for name in cells[0].content() if name in table]
    assert settings == ["dataset", "model", "algorithm", "epsilon", "seed"]
    expected = [tuple(cell.content()[name] for name in settings) for cell in cells]
    assert list(table[settings].itertuples(index=False, name=None)) == expected
    assert (table["error"] == "").all()


def test_the_example_has_the_columns_and_kinds_of_a_table_just_computed(tmp_path):
    sweep, table = example_sweep()
    small = plan_sweep(replace(sweep, datasets=("wine",), algorithms=("ssp", "dprf"), seeds=1))
    run_sweep(small, tmp_path / "cells.sqlite")
    computed = sweep_table(small, tmp_path / "cells.sqlite")
    assert list(table.columns) == list(computed.columns)
    for name in table:
        assert pd.api.types.is_numeric_dtype(table[name]) == pd.api.types.is_numeric_dtype(computed[name]), name


@pytest.mark.slow
def test_cells_of_the_example_come_out_again_to_the_last_digit():
    sweep, table = example_sweep()
    rows = dict(enumerate(table.to_dict("records")))
    for number in Random(20261130).sample(range(len(rows)), 6):
        _, _, again, _ = compute_cell("", cells_of(sweep)[number])
        for name, value in again.items():
            kept = rows[number][name]
            same = kept == value or (value is None and (kept == "" or math.isnan(kept)))
            assert same, (number, name, kept, value)
