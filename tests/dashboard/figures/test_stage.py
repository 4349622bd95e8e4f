"""The live panel leaves the page as one figure, whole."""

import itertools

import numpy as np
import pytest

from dashboard.compute.axes import AXES
from dashboard.compute.results import Draw
from dashboard.figures.class_legend import LETTER, LINE, MARK, add_legend, columns_within, legend_height
from dashboard.figures.curves import Curve
from dashboard.figures.levels import Level
from dashboard.figures.projections import Projections, stage
from dashboard.figures.style import CLASS_COLOURS, CLASS_SYMBOLS, Style
from dpgep_core.evaluate.measures import CURVE_MEASURES


@pytest.mark.parametrize("names", [[str(i) for i in range(10)], ["T-shirt/top"] * 10, ["one of two dozen letters"] * 9])
@pytest.mark.parametrize("wide", [150.0, 350.0])
def test_a_legend_of_classes_has_room_for_every_name(names, wide):
    """Ten colours and symbols in three squares of a file, and nothing named them."""
    columns = columns_within(names, wide)
    assert columns * (LETTER * len(names[0]) + MARK) <= wide or columns == 1
    lines = legend_height(names, wide) / LINE
    figure = Style().figure()
    add_legend(figure, names, "A dot is a held-out row.", ((0, 1), (0, 1)), (wide, lines * LINE), 2, Style())
    *entries, sentence = [(note.x, note.y, note.text) for note in figure.layout.annotations]
    assert len({(x, y) for x, y, _ in entries}) == len(names)
    low, high = figure.layout.yaxis2.range
    assert all(low < y < high for _, y, _ in [*entries, sentence])
    assert sentence[1] < min(y for _, y, _ in entries)


def draws(seed, values):
    nan = float("nan")
    return tuple(Draw(0.1 * 2**i, seed, value, nan, 10.0, nan, nan, value) for i, value in enumerate(values))


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("methods", [1, 2, 3])
@pytest.mark.parametrize("labels", [None, np.arange(30) % 3])
def test_it_holds_the_curve_of_every_method_and_every_projection(methods, labels, narrow):
    curves = [Curve(f"method {i}", draws(0, (0.5, 0.6 + i / 10, 0.8)), 0, 0.2, 0.6) for i in range(methods)]
    pictures = [(name, np.random.default_rng(0).normal(size=(30, 2))) for name in ("Exact", *"abc"[:methods])]
    figure = stage(
        curves,
        CURVE_MEASURES["accuracy"],
        [Level(0.9, "non-private: 0.900", ceiling=True)],
        AXES["epsilon"],
        (0.1, 0.2, 0.4),
        Projections(pictures, labels, ("red", "green", "<b>blue"), 3.0, "A dot is a held-out row."),
        Style(dark=True, narrow=narrow),
    )
    *squares, legend = [trace for trace in figure.data if trace.xaxis not in (None, "x")]
    assert [trace.xaxis for trace in squares] == [f"x{i + 2}" for i in range(methods + 1)]
    for trace, (_, points) in zip(squares, pictures, strict=True):
        np.testing.assert_array_equal(trace.y, points[:, 1])
        assert len(trace.marker.color) == 30
    names = " ".join(str(trace.name) for trace in figure.data)
    assert all(f"method {i}" in names for i in range(methods))
    shown = [note.text for note in figure.layout.annotations]
    assert {"Exact", "non-private: 0.900", "A dot is a held-out row."} <= set(shown)
    names = [] if labels is None else ["red", "green", "&lt;b&gt;blue"]
    assert [text for text in shown if text in ("red", "green", "&lt;b&gt;blue")] == names
    assert list(legend.marker.color or ()) == list(CLASS_COLOURS[: len(names)])
    assert list(legend.marker.symbol or ()) == list(CLASS_SYMBOLS[: len(names)])
    boxes = [(figure.layout[f"xaxis{i}"].domain, figure.layout[f"yaxis{i}"].domain) for i in range(2, methods + 4)]
    boxes.append((figure.layout.xaxis.domain, figure.layout.yaxis.domain))
    for one, other in itertools.combinations(boxes, 2):  # none lies on another
        assert any(a[1] < b[0] or b[1] < a[0] for a, b in zip(one, other, strict=True))
    below = all(up[1] < figure.layout.yaxis.domain[0] for _, up in boxes[:-1])
    assert below == narrow
    assert {shape.yref for shape in figure.layout.shapes} <= {"y domain", None, "y"}  # none crosses the projections
