"""Figures are pure, carry their floors and ceilings, and owe nothing to templates that others install."""

import json
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest
import streamlit  # noqa: F401  importing it installs its own template for every figure

from dashboard.compute.axes import AXES
from dashboard.compute.results import Draw
from dashboard.figures import bars, class_legend, components, curves, dotplot, noise, projections
from dashboard.figures import style as style_module
from dashboard.figures.bars import Bar
from dashboard.figures.curves import Curve
from dashboard.figures.levels import Level
from dashboard.figures.style import ALGORITHM_COLOURS, CLASS_COLOURS, CLASS_SYMBOLS, Style, class_looks, escape_plotly
from dpgep_core.evaluate.classify import Score
from dpgep_core.evaluate.measures import CURVE_MEASURES

LIGHT, DARK = Style(), Style(dark=True)
HOSTILE = ("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "%{x} %{y}", "<b>a</b>", "x" * 500)


def drawn(n_draws, seed=0, epsilons=(0.1, 1.0, 10.0)):
    return [
        Draw(e, seed + s, 0.1 * s / 20 + e / 20, 0.5, 45.0 + s, 0.6, 0.7, 0.5 + e / 30)
        for s in range(n_draws)
        for e in epsilons
    ]


def against_epsilon(shown, metric, levels, epsilon, style):
    """Curves against ε, all standing at the same place."""
    return curves.against(
        [replace(curve, here=epsilon) for curve in shown],
        metric,
        levels,
        AXES["epsilon"],
        AXES["epsilon"].points,
        style,
    )


def a_score(accuracy=0.8):
    return Score(accuracy, accuracy - 0.05, accuracy + 0.05, accuracy, accuracy, accuracy, 100, 50)


LEVELS = [Level(0.95, "non-private: 0.950", ceiling=True), Level(0.48, "random projection: 0.480")]
BARS = [
    Bar("LDA", "Exact, no privacy", a_score(0.9), None),
    Bar("LDA", "ssp", a_score(0.8), 0),
    Bar("LDA", "ssp, all private", a_score(0.7), 0, all_private=True),
    Bar("LDA", "dpsr", a_score(0.5), 1),
]
BASIS = np.linalg.qr(np.arange(32.0).reshape(16, 2) ** 1.5 % 7)[0]
POINTS = np.column_stack([np.linspace(-1, 1, 30), np.linspace(1, -1, 30) ** 2])


def every_figure(style):
    curve = Curve("ssp", drawn(6), 0, 1.0, 0.7)
    yield "curve", against_epsilon([curve], CURVE_MEASURES["accuracy"], LEVELS, 0.7, style)
    yield "iterations", curves.by_iteration({"dprf": np.array([0.1, 0.4, 0.3]), "ssp": np.array([0.9])}, 0.1, style)
    yield "bars", bars.accuracies(BARS, [("LDA", a_score(0.48))], 0.1, style)
    yield "images", components.images([("exact", BASIS), ("ssp", -BASIS)], (4, 4), 2, [np.ones(2)] * 2, style)
    yield "loadings", components.loadings([("exact", BASIS), ("ssp", BASIS)], [f"f{i}" for i in range(16)], 1, style)
    yield "points", projections.scatter(POINTS, np.arange(30) % 3, ("a", "b", "c"), 1.0, "ssp", style)
    yield "dots", noise.dots(0.3, style)
    yield "trade-off", noise.trade_off(0.3, style)


ALL = [pytest.param(figure, style, id=f"{name}-{'dark' if style.dark else 'light'}") for style in (LIGHT, DARK)
       for name, figure in every_figure(style)]  # fmt: skip


def texts(figure: go.Figure) -> str:
    """Everything written on a figure."""
    return json.dumps(json.loads(figure.to_json()), ensure_ascii=False)


@pytest.mark.parametrize(("figure", "style"), ALL)
def test_no_foreign_template(figure, style):
    assert pio.templates.default == "streamlit"  # it is there, and would be taken
    template = json.loads(figure.to_json())["layout"].get("template", {})
    assert not template.get("data")
    assert not template.get("layout")


@pytest.mark.parametrize(("figure", "style"), ALL)
def test_ink_and_background_are_set(figure, style):
    layout = figure.layout
    assert layout.font.color == style.ink
    assert layout.paper_bgcolor == layout.plot_bgcolor == "rgba(0,0,0,0)"


@pytest.mark.parametrize(("figure", "style"), ALL)
def test_figures_are_small_enough_to_redraw(figure, style):
    points = sum(len(trace.x) for trace in figure.data if getattr(trace, "x", None) is not None)
    assert points <= 2_000


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("style", "page"), [(LIGHT, "#FFFFFF"), (DARK, "#12161D")])
def test_contrast(style, page):
    assert contrast(style.ink, page) >= 7
    assert contrast(style.quiet, page) >= 4.5
    for number in range(3):
        assert contrast(style.algorithm(number), page) >= 3
        assert contrast(style.on_colour, style.algorithm(number)) >= 3


def test_algorithms_and_classes_are_told_apart():
    for style in (LIGHT, DARK):
        assert len({style.algorithm(number) for number in range(3)}) == 3
    for one, other in combinations(ALGORITHM_COLOURS, 2):
        assert one != other
    assert len(set(zip(CLASS_COLOURS, CLASS_SYMBOLS, strict=True))) == 10


def test_a_hundred_classes_look_different():
    """From the eleventh class on they looked as the first ten do, and no legend named them."""
    looks = class_looks(range(100))
    assert (looks["color"][:10], looks["symbol"][:10]) == (list(CLASS_COLOURS), list(CLASS_SYMBOLS))
    assert len(set(zip(looks["color"], looks["symbol"], strict=True))) == 100
    letters = [chr(ord("A") + number) for number in range(26)]
    assert class_legend.shown_classes(letters) == letters
    figure = projections.scatter(np.zeros((26, 2)), np.arange(26), letters, 1.0, "rows", LIGHT)
    assert len({(trace.marker.color, trace.marker.symbol) for trace in figure.data}) == 26


def lines_at(figure):
    """Heights of the horizontal reference lines."""
    return [shape.y0 for shape in figure.layout.shapes if shape.y0 == shape.y1 and shape.type == "line"]


def test_the_curve_has_floors_ceilings_and_the_marker():
    shown = [Curve("ssp", drawn(6), 0, 1.0, 0.71), Curve("dprf", drawn(6), 0, 1.0, 0.42, starts_at_answer=True)]
    figure = against_epsilon(shown, CURVE_MEASURES["accuracy"], LEVELS, 0.7, LIGHT)
    assert lines_at(figure) == [0.95, 0.48]
    for level in LEVELS:
        assert level.label in texts(figure)
    verticals = [shape.x0 for shape in figure.layout.shapes if shape.x0 == shape.x1]
    assert verticals == [0.7]
    markers = [trace for trace in figure.data if trace.mode == "markers"]
    assert [(t.x[0], t.y[0]) for t in markers] == [(0.7, 0.71), (0.7, 0.42)]
    assert len({t.marker.color for t in markers}) == 2
    assert figure.layout.xaxis.type == "log"
    legend = {t.name: t.line.dash for t in figure.data if t.showlegend is not False}
    assert legend == {"ssp: 6 draws": "solid", "dprf: 6 draws, starts at the answer": "dash"}


def test_the_part_of_an_axis_where_moving_does_nothing_is_hatched_and_named():
    """Under the noise edge a ridge is raised to it: without a word the slider would look broken."""
    shown, axis = [Curve("ssp", [], 0, 0.01, 0.8)], AXES["xi"]
    hatched = [
        [
            t
            for t in curves.against(
                shown, CURVE_MEASURES["accuracy"], [], axis, axis.points, LIGHT, dead_below=edge
            ).data
            if t.fillpattern.shape
        ]
        for edge in (None, 0.05, 1e-5)
    ]
    assert [len(found) for found in hatched] == [0, 1, 0]
    (dead,) = hatched[1]
    assert (min(dead.x), max(dead.x)) == (1e-4, 0.05)
    assert "moves nothing" in dead.name


@pytest.mark.parametrize(("n_draws", "bands"), [(0, 0), (1, 0), (4, 0), (5, 2), (20, 2)])
def test_bands_need_five_draws(n_draws, bands):
    figure = against_epsilon([Curve("ssp", drawn(n_draws), 0, 1.0, 0.7)], CURVE_MEASURES["cosine"], [], 1.0, LIGHT)
    assert sum(trace.fill == "toself" for trace in figure.data) == bands
    faint = [t for t in figure.data if t.mode == "lines" and t.fill is None]
    assert sum(y is None for trace in faint for y in trace.y) == max(n_draws - 1, 0)  # the current seed is not faint
    said = f"ssp: {n_draws} draw{'s' * (n_draws != 1)}" if n_draws else "ssp"  # a curve without a draw counts none
    assert any(trace.name == said for trace in figure.data)


def test_bands_hold_the_draws_they_say():
    figure = against_epsilon([Curve("ssp", drawn(20), 0, 1.0, 0.7)], CURVE_MEASURES["angle"], [], 1.0, LIGHT)
    wide, narrow = (t for t in figure.data if t.fill == "toself")
    values = 45.0 + np.arange(20)
    for trace, low, high in ((wide, 5, 95), (narrow, 25, 75)):
        half = len(trace.y) // 2
        assert trace.y[0] == pytest.approx(np.percentile(values, high))
        assert trace.y[half] == pytest.approx(np.percentile(values, low))


def test_a_curve_that_is_still_filling():
    partly = drawn(6)[:-2]
    figure = against_epsilon([Curve("ssp", partly, 0, 1.0, 0.7)], CURVE_MEASURES["accuracy"], LEVELS, 1.0, LIGHT)
    median = next(t for t in figure.data if t.mode == "lines+markers")
    assert list(median.x) == [0.1, 1.0, 10.0]


def test_iterations_have_their_floor_and_one_shot_methods_a_level_line():
    figure = curves.by_iteration({"dprf": np.array([0.1, 0.4, 0.3]), "ssp": np.array([0.9])}, 0.1, LIGHT)
    assert lines_at(figure) == [0.1]
    assert "a random direction: 0.10" in texts(figure)
    level = figure.data[1]
    assert list(level.x) == [1, 3]
    assert list(level.y) == [0.9, 0.9]
    assert "answers once" in level.name
    alone = curves.by_iteration({"ssp": np.array([0.9])}, 0.1, LIGHT)
    assert "answers once" in alone.data[0].name
    assert alone.layout.showlegend is True


def test_bars_have_floor_ceiling_and_two_private_kinds():
    figure = bars.accuracies(BARS, [("LDA", a_score(0.48))], 0.1, LIGHT)
    assert lines_at(figure) == [0.48, 0.1]  # over the bars of one group, and over all
    assert "majority class: 0.100" in texts(figure)
    by_name = {trace.name: trace for trace in figure.data}
    assert by_name["random projection"].y == (0.48,)
    assert by_name["Exact, no privacy"].y == (0.9,)
    assert by_name["ssp, all private"].marker.pattern.shape == "/"
    assert by_name["ssp"].marker.pattern.shape == ""
    assert by_name["ssp"].error_y.array == pytest.approx((0.05,))
    assert by_name["ssp"].marker.line.color != by_name["dpsr"].marker.line.color


def test_images_are_rotated_to_one_sign_and_bounded():
    figure = components.images([("exact", BASIS), ("ssp", -3 * BASIS)], (4, 4), 5, [np.ones(2), np.ones(2)], LIGHT)
    exact, private = figure.data[0], figure.data[2]
    np.testing.assert_allclose(exact.z, private.z)
    assert np.abs(exact.z).max() == pytest.approx(1)
    assert (exact.zmin, exact.zmax) == (-1, 1)
    assert "cos 1.00" in texts(figure)


@pytest.mark.parametrize("shape", [(4, 4), (1, 4, 4), (4, 2, 2)])
def test_images_of_several_channels_and_of_nothing(shape):
    figure = components.images([("exact", BASIS), ("ssp", 0 * BASIS)], shape, 1, [np.ones(2), np.zeros(2)], DARK)
    assert np.isfinite(np.asarray(figure.data[1].z, dtype=float)).all()


def test_loadings_with_repeated_and_numeric_names_stay_apart():
    names = [*["same"] * 8, *map(str, range(8))]
    figure = components.loadings([("exact", BASIS), ("ssp", BASIS)], names, 0, LIGHT)
    axis = figure.layout.yaxis
    assert len(set(axis.tickvals)) == len(axis.tickvals) == 16
    assert sorted(axis.ticktext) == sorted(names)
    assert all(isinstance(place, int) for place in figure.data[0].y)


def test_loadings_show_the_largest_and_the_support():
    basis = np.zeros((40, 1))
    basis[[3, 17, 29], 0] = [3.0, -2.0, 1.0]
    dense = np.full((40, 1), 0.1)
    figure = components.loadings([("exact", dense), ("ssp", basis)], [f"f{i}" for i in range(40)], 0, LIGHT)
    assert len(figure.data[0].y) == components.MOST_LOADINGS
    assert list(figure.layout.yaxis.ticktext)[::-1][:3] == ["f3", "f17", "f29"]
    assert figure.data[1].name == "ssp (3 of 40 kept)"


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_names_from_files_are_no_tags_and_no_templates(style):
    labels = np.arange(30) % 5
    written = texts(projections.scatter(POINTS, labels, HOSTILE, 1.0, "ssp", style))
    names = [HOSTILE[i % 5] for i in range(16)]
    written += texts(components.loadings([("exact", BASIS), ("ssp", BASIS)], names, 0, style))
    assert not re.search(r"<(?!/?extra>)", written.replace("<br>", ""))
    assert "%{x} %{y}" in written  # shown as a name …
    figure = projections.scatter(POINTS, labels, HOSTILE, 1.0, "ssp", style)
    assert all(trace.hovertemplate is None for trace in figure.data)  # … and never as a template
    assert max(len(trace.name) for trace in figure.data) < 80


def test_literal_names():
    assert escape_plotly("a\n <b>") == "a &lt;b&gt;"
    assert escape_plotly("Jack & Jill") == "Jack &amp; Jill"
    assert escape_plotly("x" * 41) == "x" * 39 + "…"
    assert escape_plotly("plain") == "plain"


def test_points_without_labels_have_one_colour_and_no_legend():
    figure = projections.scatter(POINTS, None, (), 1.0, "ssp", LIGHT)
    assert len(figure.data) == 1
    assert figure.data[0].showlegend is False


def test_panels_share_their_square():
    span = projections.span_of(POINTS, 3 * POINTS)
    one, other = (projections.scatter(p, None, (), span, "t", LIGHT) for p in (POINTS, 3 * POINTS))
    assert one.layout.xaxis.range == other.layout.xaxis.range
    assert one.layout.yaxis.scaleanchor == "x"


@pytest.mark.parametrize(("mu", "right"), [(1e-6, 500), (0.26805, 553), (2.0005, 841), (40.0, 1000)])
def test_a_thousand_dots(mu, right):
    luck, excess, rest = noise.dots(mu, LIGHT).data
    assert [len(t.x) for t in (luck, excess, rest)] == [500, right - 500, 1000 - right]


def test_the_trade_off_names_the_two_points():
    figure = noise.trade_off(0.26805, LIGHT)
    written = " ".join(annotation.text for annotation in figure.layout.annotations)
    assert "2.0 %" in written  # at 1 % false alarms
    assert "8.4 %" in written  # at 5 %
    assert all(hit >= alarm - 1e-12 for hit, alarm in zip(figure.data[-3].y, figure.data[-3].x, strict=True))


def test_levels_at_one_height_share_a_line():
    levels = [
        Level(0.764, "random projection: 0.764"),
        Level(0.7638, "majority class: 0.764"),
        Level(0.9, "exact: 0.9"),
    ]
    figure = against_epsilon([Curve("ssp", drawn(2), 0, 1.0, 0.8)], CURVE_MEASURES["accuracy"], levels, 1.0, LIGHT)
    assert lines_at(figure) == [0.764, 0.9]
    assert "random projection: 0.764, majority class: 0.764" in texts(figure)


def test_the_axis_of_epsilon_stays_while_draws_come_in():
    ranges = {
        against_epsilon(
            [Curve("ssp", drawn(n), 0, 1.0, 0.8)], CURVE_MEASURES["accuracy"], [], 1.0, LIGHT
        ).layout.xaxis.range
        for n in (0, 1, 7)
    }
    assert len(ranges) == 1
    far = [Curve("ssp", drawn(1), 0, 1.0, 0.8)]
    low, high = against_epsilon(far, CURVE_MEASURES["accuracy"], [], 1e-6, LIGHT).layout.xaxis.range
    assert low < -6
    assert high > 1


def test_the_support_of_sparse_components_is_marked():
    """A loading cut to zero and one that is small look alike: the kept pixels carry a ring, cut loadings a word."""
    sparse = np.where(np.abs(BASIS) >= np.sort(np.abs(BASIS), axis=0)[-4], BASIS, 0.0)
    for basis, rings in ((BASIS, 0), (sparse, 2)):
        figure = components.images([("exact", BASIS), ("ssp", basis)], (4, 4), 2, [np.ones(2)] * 2, LIGHT)
        marked = [trace for trace in figure.data if trace.type == "scatter"]
        assert len(marked) == rings
        for column, trace in enumerate(marked):
            kept = {(int(x), int(y)) for x, y in zip(trace.x, trace.y, strict=True)}
            assert kept == {(int(i % 4), int(i // 4)) for i in np.flatnonzero(sparse[:, column])}
    bars_of = components.loadings([("exact", BASIS), ("ssp", sparse)], [f"f{i}" for i in range(16)], 1, LIGHT).data
    assert [sum(text == "cut" for text in trace.text) for trace in bars_of] == [0, 12]


def test_numbers_are_in_the_words_of_the_page_and_not_in_a_format_of_plotly():
    """Plotly's ``.3g`` writes 4,140 as 4.14e+3, and its powers are larger than the other ticks."""
    source = Path(style_module.__file__).parent
    for path in (*source.glob("*.py"), source.parent / "components" / "live.js"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"%\{+[^{}]+:[^{}]*[ge]\}", text), path.name
        assert '"power"' not in text, path.name


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.01, "0.01"), (1, "1"), (1000.0, "1,000"), (60_000, "60,000"), (1e6, "1,000,000"), (1e-5, "1e-5")],
)
def test_texts_of_ticks(value, text):
    assert curves.tick_text(value) == text


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_an_axis_makes_room_for_its_ticks_and_writes_them_like_the_page(style):
    figure = style.figure()
    assert figure.layout.yaxis.automargin
    assert figure.layout.yaxis.title.standoff == 10
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert (axis.separatethousands, axis.exponentformat, axis.minexponent) == (True, "e", 6)


@pytest.mark.parametrize("values", [(0.97, 0.5, 0.5), (0.97, 0.72, 0.7), (0.6, 0.4, 0.5), (0.972, 0.75, 0.5)])
def test_names_of_levels_over_the_dots_never_lie_on_each_other(values):
    """Not even on a phone, where the plot is 336 pixels wide."""
    names = ("non-private: 0.972", "random projection: 0.750", "majority class: 0.500")
    levels = [Level(value, name) for value, name in zip(values, names, strict=True)]
    figure = dotplot.dotplot(
        [[0.45, 0.8], [0.6, 0.9]], ["ssp", "dprf"], [0.8, 0.6], CURVE_MEASURES["accuracy"], levels, LIGHT
    )
    low, high = figure.layout.xaxis.range
    boxes = []
    for note in figure.layout.annotations:
        wide = dotplot.LETTER * len(note.text)
        at = dotplot.PHONE * (note.x - low) / (high - low)
        left = at - {"left": 0, "center": wide / 2, "right": wide}[note.xanchor]
        boxes.append((note.yshift, left, left + wide))
    for (one, left, right), (other, left2, right2) in combinations(boxes, 2):
        assert one != other or right < left2 or right2 < left
    plot = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    assert (figure.layout.legend.y - 1) * plot >= max(shift for shift, _, _ in boxes) + dotplot.LINE
    assert (
        figure.layout.margin.t >= (figure.layout.legend.y - 1) * plot + 2 * 20
    )  # two names of methods, one above the other


@pytest.mark.parametrize("methods", [1, 2, 3])
@pytest.mark.parametrize("columns", [1, 3, 5])
def test_the_title_of_a_row_of_images_stands_above_it_on_a_phone(columns, methods):
    """It stood beside the row, at the middle of twice the height of its pictures: below their lower edge."""
    bases = [(f"method {i}", np.eye(16)[:, :columns]) for i in range(methods)]
    figure = components.images(bases, (4, 4), columns, [np.ones(columns)] * methods, Style(narrow=True))
    notes = {note.text: note for note in figure.layout.annotations}
    field = figure.layout.height - 16
    for row, (name, _) in enumerate(bases):
        low, high = figure.layout[f"yaxis{row * columns + 1 if row * columns else ''}"].domain
        assert not notes[name].textangle
        assert (notes[name].x, notes[name].yanchor) == (0, "top")
        assert notes[name].y * field - 20 > high * field  # there is a line for it, over the titles of the pictures
        assert (high - low) * field <= 342 / columns + 1  # no higher than pictures can be on 390 pixels
    assert sum(note.y < notes[bases[0][0]].y for note in notes.values()) >= columns
