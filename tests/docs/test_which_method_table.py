"""The tables of docs/algorithms/which-method.md say what the kept results say."""

import csv

import pytest

from benchmarks.which_method import KEPT, PAGE, table
from dpgep_core.evaluate.which_method import reach_table


def levels():
    with (KEPT / "levels.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("model", sorted({reach.model for reach in reach_table()}))
def test_the_page_shows_the_kept_results(model):
    said = PAGE.read_text("utf-8").split(f"<!-- {model} -->\n")[1].split(f"\n<!-- end of {model} -->")[0]
    assert said.split("\n") == table(reach_table(), levels(), model)
