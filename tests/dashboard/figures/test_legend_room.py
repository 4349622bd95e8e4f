"""Room for a legend: whole names over the plots, and plots as high as without them."""

from functools import partial

import pytest

from dashboard.compute.sweeps.views import Line, Panel
from dashboard.export import FigureSpec
from dashboard.export.figure_spec import FORMATS, dressed
from dashboard.figures.legend import fit_legend
from dashboard.figures.style import Style
from dashboard.figures.sweep import Look, sweep
from dashboard.figures.wrapping import text_width

NAMES = [
    f"{method}, MNIST handwritten digits" for method in ("Analyze Gauss (Dwork et al.)", "DPSR", "DP-SPCA", "a < b")
]
LOOK = Look("Accuracy", "Privacy loss ε")


def drawn(names, panels=1):
    lines = [Line(name, {0.1: [0.5], 1.0: [0.7]}) for name in names]
    return partial(sweep, [Panel(f"panel {number}", lines) for number in range(panels)], LOOK)


def plot_height(figure):
    return figure.layout.height - figure.layout.margin.t - figure.layout.margin.b


@pytest.mark.parametrize("panels", [1, 2])
@pytest.mark.parametrize("size", ["page", "column", "columns"])
def test_a_plot_in_a_file_keeps_its_height_under_a_long_legend(size, panels):
    """In one column of a paper eight entries left a sixth of the figure to the plot, and were cut."""
    short, long = (
        dressed(FigureSpec("x", "T", "", "C.", drawn(names, panels)), size=FORMATS[size])
        for names in (["a"], 2 * NAMES)
    )
    assert plot_height(long) == pytest.approx(plot_height(short))
    entries = [trace.name for trace in long.data if trace.showlegend]
    rows = sum(name.count("<br>") + 1 for name in entries) if size == "column" else 2
    assert long.layout.margin.t > 18 * rows
    layout = long.layout
    room = layout.width - layout.margin.l - layout.margin.r
    for line in (line for name in entries for line in name.split("<br>")):
        assert text_width(line.replace("&lt;", "<")) * layout.font.size < room, line
    assert any("a &lt; b" in name for name in entries)


def test_a_short_legend_changes_nothing():
    figure = drawn(["a", "b"])(Style())
    before = figure.layout.height, figure.layout.margin.t, [trace.name for trace in figure.data]
    fit_legend(figure, 900)
    assert (figure.layout.height, figure.layout.margin.t, [trace.name for trace in figure.data]) == before
