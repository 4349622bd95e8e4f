"""Levels are named where the name lies on no curve, no dot and no other name."""

import pytest

from dashboard.compute.axes import AXES
from dashboard.compute.results import Draw
from dashboard.figures.curves import Curve, against
from dashboard.figures.levels import Level
from dashboard.figures.style import Style
from dpgep_core.evaluate.measures import CURVE_MEASURES

GRID = (0.001, 0.01, 0.1, 1.0, 10.0)
FLOOR = "random projection: 0.791"


def named(values, levels, *, here=0.001, now=0.2):
    """Places of the names beside one curve with its dot."""
    nan = float("nan")
    draws = [Draw(at, 0, nan, nan, nan, nan, nan, value) for at, value in zip(GRID, values, strict=True)]
    curve = Curve("ours", draws, 0, here, now)
    figure = against([curve], CURVE_MEASURES["accuracy"], levels, AXES["epsilon"], GRID, Style())
    return {note.text: (note.xanchor, note.yanchor) for note in figure.layout.annotations}


def test_a_name_stands_at_its_usual_end_where_that_is_free():
    levels = [Level(0.95, "non-private: 0.950", ceiling=True), Level(0.5, FLOOR)]
    assert named([0.2] * 5, levels) == {"non-private: 0.950": ("left", "bottom"), FLOOR: ("right", "bottom")}


def test_a_name_leaves_the_end_where_a_dot_stands():
    """The name of the floor covered the dot of a method where the page stood, on the curve's file."""
    assert named([0.2] * 5, [Level(0.791, FLOOR)], here=3.0, now=0.8)[FLOOR] == ("left", "bottom")


@pytest.mark.parametrize("seen", [0.8, 0.82])
def test_a_name_goes_under_its_level_where_a_curve_runs_over_it(seen):
    assert named([0.2, seen, seen, seen, seen], [Level(0.791, FLOOR)])[FLOOR] == ("right", "top")


def test_names_of_near_levels_do_not_lie_on_each_other():
    other = "majority class: 0.780"
    found = named([0.2] * 5, [Level(0.791, FLOOR), Level(0.78, other)])
    assert found[FLOOR] != found[other]


def test_a_level_at_the_foot_is_named_over_it_even_where_a_curve_runs():
    assert named([0.1] * 5, [Level(0.09, "majority class: 0.090")])["majority class: 0.090"][1] == "bottom"
