"""The live panel leaves the page as one figure, whole."""

import itertools

import numpy as np
import pytest

from dashboard.compute.axes import AXES
from dashboard.compute.results import Draw
from dashboard.figures.curves import Curve, Level
from dashboard.figures.projections import stage
from dashboard.figures.style import Style
from dpgep_core.evaluate.measures import CURVE_MEASURES


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
        pictures,
        labels,
        3.0,
        Style(dark=True, narrow=narrow),
    )
    squares = [trace for trace in figure.data if trace.xaxis not in (None, "x")]
    assert [trace.xaxis for trace in squares] == [f"x{i + 2}" for i in range(methods + 1)]
    for trace, (_, points) in zip(squares, pictures, strict=True):
        np.testing.assert_array_equal(trace.y, points[:, 1])
        assert len(trace.marker.color) == 30
    names = " ".join(str(trace.name) for trace in figure.data)
    assert all(f"method {i}" in names for i in range(methods))
    shown = [note.text for note in figure.layout.annotations]
    assert {"Exact", "non-private: 0.900"} <= set(shown)
    boxes = [(figure.layout[f"xaxis{i}"].domain, figure.layout[f"yaxis{i}"].domain) for i in range(2, methods + 3)]
    boxes.append((figure.layout.xaxis.domain, figure.layout.yaxis.domain))
    for one, other in itertools.combinations(boxes, 2):  # none lies on another
        assert any(a[1] < b[0] or b[1] < a[0] for a, b in zip(one, other, strict=True))
    below = all(up[1] < figure.layout.yaxis.domain[0] for _, up in boxes[:-1])
    assert below == narrow
    assert {shape.yref for shape in figure.layout.shapes} <= {"y domain", None, "y"}  # none crosses the projections
