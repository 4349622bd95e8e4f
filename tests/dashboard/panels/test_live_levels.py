"""The accuracy without privacy is drawn place by place where its ridge moves.

A level, that of the ε on screen, once lay below the curve at larger ε.
"""

import pytest

from dashboard.compute.axes import AXES
from dashboard.compute.results import answer
from dashboard.figures import live_frames
from dashboard.panels.live_levels import ceilings_of, told_levels
from dashboard.panels.story_file import scene_of
from dpgep_core.evaluate.measures import CURVE_MEASURES
from dpgep_core.reuse import keeping_one

ACCURACY, PLACES = CURVE_MEASURES["accuracy"], (0.01, 0.3, 10.0)


def test_the_ceiling_is_that_of_each_place():
    scene, axis = scene_of({"dataset": "digits", "algorithms": "ssp"}), AXES["epsilon"]
    scenes = [axis.at(scene.scenario, place) for place in PLACES]
    answers = [answer(one, "ssp", scene.data, scene.reference, keeping_one()) for one in scenes]
    frames = [
        live_frames.frame(one, scene.reference, axis, place, (0, 1)) for one, place in zip(answers, PLACES, strict=True)
    ]
    ceilings = [draw.accuracy for draw in ceilings_of(frames[::-1], 0)]
    assert ceilings == [one.diagnostic.accuracy["lda"].non_private.accuracy for one in answers]
    assert len(set(ceilings)) > 1


@pytest.mark.parametrize(
    ("more", "axis", "metric", "along", "numbered"),
    [
        ({}, "epsilon", "accuracy", True, False),
        ({}, "xi", "accuracy", True, False),
        ({"xi": "0.5"}, "epsilon", "accuracy", True, True),  # which only a louder noise would raise
        ({"xi": "0.5"}, "xi", "accuracy", True, False),
        ({}, "epsilon", "cosine", False, True),
    ],
)
def test_it_has_a_number_where_it_stays(more, axis, metric, along, numbered):
    scene = scene_of({"dataset": "wine", "algorithms": "ssp,dprf", **more})
    told = told_levels(scene, AXES[axis], CURVE_MEASURES[metric])
    (ceiling,) = [level for level in told if level["label"].startswith(("non-private", "exact"))]
    assert (ceiling["along"], any(map(str.isdigit, ceiling["label"]))) == (along, numbered)
    assert not any(level["along"] for level in told if level is not ceiling)
