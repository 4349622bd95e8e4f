"""The table of ε by method is what the kept curves say, at the best setting of each method."""

import csv
import math
from importlib.resources import files
from pathlib import Path

import pytest

from dpgep_core import ALGORITHMS
from dpgep_core.evaluate.which_method import SHARES, reach_table, read_curve, read_reaches
from dpgep_core.kept_table import kept_rows

FOLDER = Path(__file__).parents[2] / "docs" / "algorithms" / "which-method"
LEVELS = [{"dataset": "wine", "model": "fda", "seed": "0", "random": "0.5", "exact": "0.9"},
          {"dataset": "wine", "model": "fda", "seed": "1", "random": "0.5", "exact": "0.91"}]  # fmt: skip


def kept(name):
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def curve(text, setting="xi=0.1", **more):
    own = {"dataset": "wine", "model": "fda", "method": "sr_dp", "setting": setting, "seeds": "2", "curve": text}
    return own | more


def test_the_best_setting_is_read_between_two_epsilons():
    slow, fast = curve("0.1:0 1:0.2 10:0.99", "xi=1"), curve("0.1:0 1:0.99 10:0.98")
    most, half = read_reaches(LEVELS, [slow, fast])
    assert (most.share, half.share) == SHARES
    assert most.setting == half.setting == "xi=0.1"
    assert half.epsilon == pytest.approx(10 ** (-1 + 0.5 / 0.99))
    assert (most.least, most.most, most.settings, most.seeds) == (0.1, 10, 2, 2)


def test_what_no_setting_reaches_has_none():
    most, half = read_reaches(LEVELS, [curve("0.1:0.8 1:0.8")])
    assert (most.epsilon, most.setting) == (math.inf, "")
    assert half.epsilon == 0


def test_a_gain_of_chance_has_no_threshold():
    lucky = [LEVELS[0], LEVELS[1] | {"exact": "0.4"}]
    assert list(read_reaches(lucky, [curve("0.1:0.8 1:0.8")])) == []


def test_the_points_of_a_curve_are_put_in_order():
    assert read_curve("3:0.7 0.5:0.6") == ((0.5, 3.0), (0.6, 0.7))


def test_the_table_is_what_the_kept_results_say():
    text = files("dpgep_core.evaluate").joinpath("which_method.csv").read_text(encoding="utf-8")
    told = list(csv.DictReader(text.splitlines()))
    levels, curves = kept("levels.csv"), kept("curves.csv")
    assert told
    assert told == list(kept_rows(read_reaches(levels, curves)))
    lower = [row | {"curve": row["curve"].replace(":0.9", ":0.8")} for row in curves]
    assert told != list(kept_rows(read_reaches(levels, lower)))


def test_every_entry_fits():
    for reach in reach_table():
        entry = ALGORITHMS[reach.method.split()[0]]
        assert entry.private
        assert reach.model in entry.models
        assert reach.epsilon == 0 or reach.least < reach.epsilon <= reach.most or math.isinf(reach.epsilon)
        assert not (reach.setting and math.isinf(reach.epsilon))
        assert reach.setting or math.isinf(reach.epsilon) or reach.settings == 1
