"""Twenty draws as dots: counted rightly, told apart from the floor, and played one by one."""

import json

import numpy as np
import pytest
from page import figures, written

from dashboard.figures.dotplot import dotplot
from dashboard.figures.levels import Level
from dashboard.figures.style import Style
from dashboard.panels.draws import count_sentence
from dpgep_core.evaluate.measures import CURVE_MEASURES

FLOORS = [Level(0.9, "non-private: 0.900", ceiling=True), Level(0.5, "random projection: 0.500")]
VALUES = [0.45, 0.55, 0.551, 0.7, 0.8]


def drawn(dark=False):
    return dotplot([VALUES, VALUES], ["one", "two"], [0.55, 0.7], CURVE_MEASURES["accuracy"], FLOORS, Style(dark=dark))


@pytest.mark.parametrize("dark", [False, True])
def test_a_dot_for_each_draw_at_its_value(dark):
    spec = json.loads(drawn(dark).to_json())
    one, two, ring = spec["data"]
    np.testing.assert_allclose(_numbers(one["x"]), VALUES)
    assert min(_numbers(one["y"])) > max(_numbers(two["y"]))  # the rows of piles lie apart, the first on top
    assert ring["x"] == [0.55, 0.7]
    assert len({*zip(_numbers(one["x"]), _numbers(one["y"]), strict=True)}) == len(VALUES)  # none hides another


def test_played_draws_are_the_draws():
    figure = drawn()
    assert [frame.data[0].x[0] for frame in figure.frames] == VALUES
    assert all(frame.traces == (2,) for frame in figure.frames)
    assert figure.layout.updatemenus[0].buttons[0].method == "animate"


def test_counts():
    said = count_sentence("ours", VALUES, FLOORS, CURVE_MEASURES["accuracy"])
    assert said == "ours: 4 of 5 beat random projection (0.500)."
    levels = [Level(0.0, "exact: 0°"), Level(90.0, "nothing shared: 90°")]
    assert (
        count_sentence("ours", [10.0, 90.0], levels, CURVE_MEASURES["angle"])
        == "ours: 1 of 2 beat nothing shared (90°)."
    )
    assert count_sentence("ours", [10.0], [], CURVE_MEASURES["angle"]) == "ours: 1 draw."


@pytest.mark.parametrize("dark", [False, True])
def test_the_button_can_be_read_and_lies_below_the_name_of_the_axis(dark):
    """The button was white on white in dark pages, where Plotly paints a button under the pointer in `BUTTON`."""

    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    layout = drawn(dark).layout
    menu = layout.updatemenus[0]
    assert (luminance(menu.bgcolor) + 0.05) / (luminance(menu.font.color) + 0.05) > 7
    assert menu.pad.t >= 70  # ticks and the name of the axis are above it
    assert layout.margin.b >= menu.pad.t + 35


def test_on_the_page(open_page):
    page = open_page(dataset="wine", algorithms="ssp,dprf", tab="draws")
    assert "beat" in written(page)
    assert sum("frames" in figure and bool(figure["frames"]) for figure in figures(page)) == 1
    before = page.session_state["seed"]
    page.button(key="redraw_here").click().run()
    assert page.session_state["seed"] == before + 1
    assert "Without noise every draw is the same" in written(open_page(dataset="wine", algorithms="exact", tab="draws"))


def _numbers(part):
    """Plotly writes long lists packed."""
    if isinstance(part, dict):
        import base64

        return np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"])
    return part
