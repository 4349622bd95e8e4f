"""A curve that was drawn by hand: what a browser sends is checked, and the true curve stands beside it."""

import math

import pytest

from dashboard.components.sketch import MOST, points_of
from dashboard.compute.axes import AXES
from dashboard.compute.results import Draw
from dashboard.figures.curves import Sketch
from dashboard.panels.curves import curve_figures
from dashboard.panels.story_before import scene_before
from dashboard.panels.story_file import DRAWN, scene_of
from dashboard.panels.story_sketch import _payload, medians
from dashboard.stories import STORIES
from dpgep_core.evaluate.measures import CURVE_MEASURES

BY_HAND = [
    (story.key, number, step)
    for story in STORIES.values()
    for number, step in enumerate(story.steps, start=1)
    if step.before.by_hand is not None
]
ACCURACY, XI = CURVE_MEASURES["accuracy"], AXES["xi"]


def test_what_a_browser_sends_is_checked():
    good = [[0.1, 0.9], [1, 0.85]]
    bad = [[0, 0.9], [-1, 0.9], [math.inf, 0.9], [1, math.nan], [1, 2.0], [1], ["1", 0.9], [True, 0.9], None, 7]
    assert points_of([*good, *bad], (0.8, 1.0)) == ((0.1, 0.9), (1.0, 0.85))
    assert points_of({"a": 1}, (0.8, 1.0)) == points_of(None, (0.8, 1.0)) == ()
    assert len(points_of([[1.0, 0.9]] * 1000, (0.8, 1.0))) == MOST


def test_the_median_is_of_each_place():
    draws = [Draw(at, seed, *[value] * 6) for at, seed, value in ((2, 0, 0.5), (1, 0, 0.1), (1, 1, 0.2), (1, 2, 0.9))]
    assert medians(draws, ACCURACY) == [(1, 0.2), (2, 0.5)]


@pytest.mark.parametrize(("key", "number", "step"), BY_HAND, ids=[f"{key}-{number}" for key, number, _ in BY_HAND])
def test_the_axes_stand_when_the_curve_of_the_question_is_there(key, number, step):
    """ξ has a place "by the noise", 0, and its logarithm ended the story of ξ in a red box once the curve came."""
    scene = scene_of(scene_before(step))
    axis, metric = AXES[dict(step.before.options)["over"]], CURVE_MEASURES[dict(step.before.options)["metric"]]
    item = next(one for one in scene.answers if one.private)
    places = axis.places(scene.scenario, item.algorithm, scene.data.d)
    draws = [Draw(at, seed, *[0.9] * 6) for at in places for seed in range(3)]
    told = _payload(step, scene, axis, metric, [("a curve", "#000000", medians(draws, metric))])
    assert told["grid"] == sorted(set(told["grid"]))
    assert told["grid"][0] > 0
    assert told["axis"]["ticks"]
    assert len(told["tracks"][-1]["frames"]) == len([at for at in places if at > 0])


def test_the_drawing_is_in_the_figure_and_on_its_axis():
    scene = scene_of({"dataset": "wine", "algorithms": "ssp"})
    draws = tuple(Draw(at, 0, *[0.9 + at] * 6) for at in (0.01, 0.02))
    drawing = Sketch(((0.01, 0.61), (0.02, 0.7)), (0.6, 1.0))
    (spec,) = curve_figures(scene, [], [], draws, XI, ACCURACY, sketch=drawing)
    figure = spec.draw(spec.style)
    (dotted,) = [trace for trace in figure.data if trace.name == "Drawn by hand"]
    assert (dotted.x, dotted.y) == ((0.01, 0.02), (0.61, 0.7))
    assert figure.layout.yaxis.range[0] <= 0.6
    assert figure.layout.yaxis.range[1] >= 1.0
    assert "drawn by hand" in spec.caption
    (bare,) = curve_figures(scene, [], [], draws, XI, ACCURACY)
    assert "Drawn by hand" not in [trace.name for trace in bare.draw(bare.style).data]
    assert "by hand" not in bare.caption


@pytest.mark.parametrize(("key", "number", "step"), BY_HAND, ids=[f"{key}-{number}" for key, number, _ in BY_HAND])
def test_a_question_that_is_drawn_shows_that_curve_after(key, number, step):
    """The true curve has the axes of the drawing, on the page, and the offline copy keeps the picture without it."""
    assert {"over", "metric"} <= dict(step.before.options).keys()
    assert [look for look in step.look if look.options == step.before.options and "curve" in look.panel]
    low, high = step.before.by_hand
    assert low < high
    limits = CURVE_MEASURES[dict(step.before.options)["metric"]].limits
    assert limits is None or (low, high) == limits
    assert step.before.panel in ("axes", "point") or step.before.panel in DRAWN


def test_most_stories_about_a_curve_are_drawn():
    assert {key for key, _, _ in BY_HAND} >= {"ridge", "rows", "once", "sparse"}
