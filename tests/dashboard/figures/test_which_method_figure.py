"""The dots of "Which method?": each is drawn, and what is not reached stands past the end of the grid."""

import math

from dashboard.figures.style import Style
from dashboard.figures.which_method import which_method_dots
from dpgep_core.evaluate.which_method import Reach

TITLES = {"ssp steps=2": "two", "sr_dp": "noise <once>"}


def reach(dataset, method, epsilon):
    return Reach(dataset=dataset, model="fda", method=method, share=0.95, epsilon=epsilon, setting="xi=0.1",
                 least=0.01, most=100.0, settings=1, seeds=2)  # fmt: skip


REACHES = [
    reach("wine", "ssp steps=2", 0.3), reach("wine", "sr_dp", math.inf),
    reach("adult", "ssp steps=2", 0.0), reach("adult", "sr_dp", 2.0),
]  # fmt: skip


def drawn(**look):
    return which_method_dots(REACHES, TITLES, Style(**look))


def test_a_dot_for_each_number():
    figure = drawn(dark=True)
    dots = {trace.name: list(zip(trace.x, trace.y, strict=True)) for trace in figure.data}
    assert dots["wine"][0][0] == 0.3
    assert [x for x, _ in dots["Adult"]] == [0.01, 2.0]
    assert dots["wine"][1][0] > 100
    assert all(abs(y - row) < 0.5 for points in dots.values() for (_, y), row in zip(points, (1, 0), strict=True))


def test_the_ends_are_told_in_words():
    hover = [text for trace in drawn().data for text in trace.text]
    assert hover[1].split("<br>")[1] == "not with ε ≤ 100"
    assert hover[2].split("<br>")[1] == "ε ≤ 0.01"
    assert "noise &lt;once&gt;" in hover[3]


def test_every_dot_is_inside_the_axes():
    figure = drawn()
    low, high = figure.layout.xaxis.range
    assert all(low < math.log10(x) < high for trace in figure.data for x in trace.x)
    assert list(figure.layout.yaxis.ticktext) == ["two", "noise &lt;once&gt;"]


def test_a_median_needs_three_data_sets():
    def bars(reaches):
        lines = which_method_dots(reaches, TITLES, Style()).layout.shapes
        return [shape.x0 for shape in lines if shape.type == "line" and shape.x0 == shape.x1]

    assert bars(REACHES) == []
    more = [*REACHES, reach("digits", "ssp steps=2", 5.0), reach("digits", "sr_dp", 3.0)]
    assert bars(more) == [0.3, 3.0]
