"""The picture of "How would this grow?": a line for each part, with the planned size marked."""

from dataclasses import replace

from dashboard.compute.growth import FIELDS, growth_lines, line_rows
from dashboard.figures.growth import growth_figure
from dashboard.figures.style import Style
from dpgep_core.evaluate.forecast import PlannedRun, Speed, forecast

PLAN = PlannedRun(n=5000, d=50, k=40, m=15, classes=3, algorithms=("ssp", "dprf"), seeds=2, values=3)
SPEED = Speed(1.0, 0.8, 1.5)


def test_a_line_for_each_method_and_one_for_what_they_share():
    lines = growth_lines(PLAN, "n", SPEED)
    assert [line.number for line in lines] == [None, 0, 1]
    assert (lines[0].sizes[0], lines[0].sizes[-1]) == (500, 50_000)
    figure = growth_figure(lines, PLAN.n, "Rows n", Style(dark=True))
    assert len(figure.data) == 3
    assert figure.layout.shapes[0].x0 == PLAN.n
    middle = lines[1].sizes.index(5000)
    assert lines[1].seconds[middle] == dict(forecast(PLAN, SPEED).shares)["ssp"]
    assert len(line_rows(lines, "n")) == 3 * len(lines[0].sizes)


def test_sizes_stay_within_what_a_plan_may_have():
    for size, (_, least, most) in FIELDS.items():
        for value in (least, most):
            plan = replace(PLAN, **{size: value, "k": min(PLAN.k, value) if size == "d" else PLAN.k})
            sizes = growth_lines(plan, size, SPEED)[0].sizes
            assert least <= min(sizes)
            assert max(sizes) <= most
