"""The caption of the live panel is true in a file, which nobody can drag and where no page stands."""

import re

import pytest

from dashboard.compute.axes import AXES, DRAGGED
from dashboard.panels import live
from dashboard.panels.live_reel import reel_of
from dashboard.panels.story_file import scene_of
from dashboard.text.live_caption import dot_sentence, live_caption, progress_sentence

SENTENCE = re.compile(r"[A-Z][^.]* (is|are|has|have|costs|comes) [^.]*\.")


@pytest.mark.parametrize("axis", DRAGGED)
@pytest.mark.parametrize("stands", [[], [("Sufficient statistics (ours)", 2)]])
def test_every_sentence_has_a_verb_and_speaks_of_nothing_that_a_file_lacks(axis, stands):
    said = live_caption(AXES[axis], stands)
    assert not re.search(r"drag|moves|the page|story", said)
    for sentence in [*re.split(r"(?<=\.) ", said), dot_sentence("held-out"), progress_sentence(3, 23)]:
        assert SENTENCE.fullmatch(sentence), sentence


def test_steps_are_told_of_the_methods_that_have_them():
    """It once said of all methods that their dots were of two steps, where one of two methods has no steps."""
    said = live_caption(AXES["epsilon"], [("Ours", 2), ("Other", 3)])
    assert "The curve of Ours is of one step; its large dot and its picture are of two steps." in said
    assert "The curve of Other is of one step; its large dot and its picture are of three steps." in said
    assert "step" not in live_caption(AXES["epsilon"], [])


@pytest.mark.parametrize("axis", ["epsilon", "xi"])
def test_the_figure_has_the_caption_and_names_the_classes(axis):
    scene = scene_of({"dataset": "digits", "algorithms": "ssp,dprf"})
    spec = live._spec(scene, reel_of(scene, AXES[axis]))
    assert ("Sufficient statistics (ours) is of one step" in spec.caption) == (axis == "epsilon")
    assert "DP-Rayleigh-Flow (Hu et al.) is of" not in spec.caption
    assert spec.caption.endswith("not private.")
    texts = [note.text for note in spec.draw(spec.style).layout.annotations]
    assert {*scene.data.classes, "A dot is a held-out row."} <= set(texts)
