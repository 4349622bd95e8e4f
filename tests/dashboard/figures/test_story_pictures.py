"""Pictures of the cards of the stories: drawn from the product's numbers, within their frame."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from dashboard.figures.story_pictures import HEIGHT, WIDTH, arrows_svg, bars_svg, dots_svg, line_svg, tiles_svg
from dashboard.figures.style import ALGORITHM_COLOURS
from dashboard.panels.story_pictures import PICTURES, story_picture
from dashboard.stories import STORIES

SVG = "{http://www.w3.org/2000/svg}"


def shapes(svg, kind):
    return [shape for shape in ElementTree.fromstring(svg) if shape.tag == SVG + kind]


@pytest.mark.parametrize("key", STORIES)
def test_each_story_has_its_picture(key):
    svg, alt = story_picture(key)
    assert alt
    assert len(list(ElementTree.fromstring(svg))) > 2
    assert len(svg) < 300_000
    assert story_picture(key)[0] is svg  # drawn once


def test_there_is_no_picture_without_a_story():
    assert set(PICTURES) == set(STORIES)


def test_the_forgotten_number_is_the_odd_one():
    """DPSR's ledger has one answer without noise among three, and the picture shows as many arrows."""
    colours = [arrow.get("stroke") for arrow in shapes(story_picture("leak")[0], "path") if arrow.get("stroke-width")]
    assert sorted(colours) == sorted([ALGORITHM_COLOURS[0], ALGORITHM_COLOURS[1], ALGORITHM_COLOURS[0]])
    assert arrows_svg([True, False]).count(ALGORITHM_COLOURS[1]) == 2  # a line and its head


def test_bars_are_as_high_as_their_values():
    highs = [float(bar.get("height")) for bar in shapes(bars_svg([4.0, 2.0, 1.0]), "rect")]
    assert highs[0] == pytest.approx(2 * highs[1]) == pytest.approx(4 * highs[2])


def test_a_line_rises_with_its_values():
    *_, line = shapes(line_svg([0.1, 0.5, 0.9]), "path")
    ups = [float(y) for _, y in re.findall(r"([\d.]+) ([\d.]+)", line.get("d"))]
    assert ups == sorted(ups, reverse=True)


def test_tiles_have_the_sign_and_the_size_of_their_entries():
    (below, above) = shapes(tiles_svg([np.array([[-0.5, 0.0], [0.0, 1.0]])], 1), "rect")
    assert (below.get("fill"), below.get("fill-opacity")) == (ALGORITHM_COLOURS[0], "0.50")
    assert (above.get("fill"), above.get("fill-opacity")) == (ALGORITHM_COLOURS[1], "1.00")


def test_a_budget_is_as_wide_as_what_is_spent_and_left():
    *spent, frame = shapes(story_picture("leave")[0], "rect")
    first, second = (float(part.get("width")) for part in spent)
    assert first == pytest.approx(2 * second)
    assert first + second == pytest.approx(0.75 * float(frame.get("width")), rel=1e-3)


def test_dots_stay_in_the_picture():
    points = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.5], [1e6, -1e6]])
    dots = shapes(dots_svg(points, np.array([0, 1, 1, 0])), "circle")
    assert len(dots) == 4
    assert all(0 <= float(dot.get("cx")) <= WIDTH and 0 <= float(dot.get("cy")) <= HEIGHT for dot in dots)
    assert len({dot.get("fill") for dot in dots}) == 2
