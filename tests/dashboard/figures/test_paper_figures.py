"""The papers' figures: every line in its panel, in order, with bars that a logarithm can draw."""

from dataclasses import replace

import numpy as np
import pytest

from dashboard.figures.paper import DASHES, curves, legend_rows, printed_against_ours
from dashboard.figures.style import CLASS_COLOURS, Style
from dashboard.panels.papers_picks import MOST_PANELS, usual_picks
from dashboard.panels.papers_results import _bars_sentence
from dashboard.text.exhibits import label_texts
from dpgep_core.experiments.papers import drawing
from dpgep_core.experiments.papers.exhibit import ExhibitPicture, Guide, ResultLine

PICTURE = ExhibitPicture(x="epsilon", panel=("data", "case"), curve=("method", "calibration"), log_y=True)


def line(ours, spread=None, **labels):
    usual = {"epsilon": 1.0, "data": "MNIST", "case": "all", "method": "DPRF", "calibration": "unit"}
    return ResultLine(labels=usual | labels, published=None, ours=ours, spread=spread, runs=3)


def test_a_curve_runs_along_the_axis_whatever_the_order():
    lines = [line(ours, epsilon=epsilon) for epsilon, ours in ((4.0, 0.1), (0.25, 0.9), (1.0, 0.5))]
    (trace,) = curves(lines, PICTURE, "1 − cos", Style()).data
    assert list(trace.x) == [0.25, 1.0, 4.0]
    assert list(trace.y) == [0.9, 0.5, 0.1]
    assert trace.name == "DPRF, constants of 1"


def test_panels_are_named_by_what_tells_them_apart():
    lines = [line(0.1 * (i + 1), data=data, method=method)
             for i, data in enumerate(("MNIST", "a9a")) for method in ("DPRF", "SSP (ours)")]  # fmt: skip
    drawn = curves(lines, PICTURE, "1 − cos", Style())
    assert [note.text for note in drawn.layout.annotations] == ["MNIST", "a9a"]
    assert [(trace.name, trace.xaxis) for trace in drawn.data] == [
        ("DPRF, constants of 1", "x"), ("SSP (ours), constants of 1", "x"),
        ("DPRF, constants of 1", "x2"), ("SSP (ours), constants of 1", "x2"),
    ]  # fmt: skip
    assert [trace.showlegend for trace in drawn.data] == [True, True, False, False]
    assert drawn.data[0].line.color == drawn.data[2].line.color != drawn.data[1].line.color


def test_panels_share_a_logarithmic_scale_and_have_their_own_where_it_is_linear():
    lines = [line(ours, data=data) for data, ours in (("MNIST", 50.0), ("a9a", 80.0))]
    plain = ExhibitPicture(x="epsilon", panel=("data",), curve=("method",))
    for picture, shared in ((PICTURE, True), (plain, False)):
        drawn = curves(lines, picture, "%", Style()).layout
        assert (drawn.yaxis2.matches == "y") is shared
        assert drawn.yaxis2.showticklabels is not shared


def test_panels_stand_under_each_other_where_the_page_or_the_column_is_narrow():
    """Four panels side by side were an inch wide each on a phone, with their numbers on top of each other."""
    lines = [line(0.5, data=data, method=f"method {i}") for data in ("a", "b", "c", "d") for i in range(4)]
    wide, narrow = (curves(lines, PICTURE, "%", Style(narrow=narrow)).layout for narrow in (False, True))
    assert (wide.xaxis.domain[1] < 1, wide.yaxis.domain == wide.yaxis2.domain) == (True, True)
    axes = [(narrow[f"xaxis{i}"], narrow[f"yaxis{i}"]) for i in ("", 2, 3, 4)]
    assert all(across.domain == (0, 1) and across.showticklabels for across, _ in axes)
    assert all(up.title.text == "%" for _, up in axes)
    assert [across.title.text for across, _ in axes] == [None, None, None, "ε"]
    ends = [end for _, up in reversed(axes) for end in up.domain]
    assert ends == sorted(ends)
    assert narrow.height > 1.7 * wide.height
    assert narrow.margin.b > wide.margin.b  # each curve has its own row of the legend


def test_a_bar_never_reaches_zero_where_zero_is_nowhere():
    lines = [line(0.5, 0.2, epsilon=1.0), line(0.1, 0.4, epsilon=4.0)]
    (trace,) = curves(lines, PICTURE, "1 − cos", Style()).data
    assert list(trace.error_y.array) == [0.2, 0.4]
    assert list(trace.error_y.arrayminus) == pytest.approx([0.2, 0.09])
    plain = ExhibitPicture(x="epsilon", panel=("data",), curve=("method",))
    (trace,) = curves(lines, plain, "%", Style()).data
    assert list(trace.error_y.arrayminus) == [0.2, 0.4]


def test_what_was_not_computed_is_not_drawn():
    assert len(curves([line(None)], PICTURE, "1 − cos", Style()).data) == 0
    (trace,) = curves([line(None, epsilon=1.0), line(0.5, epsilon=2.0)], PICTURE, "1 − cos", Style()).data
    assert list(trace.x) == [2.0]


def test_no_more_panels_at_first_than_can_be_told_apart():
    lines = [line(0.5, data=f"set {i}", case=f"case {j}") for i in range(4) for j in range(3)]
    assert usual_picks(lines, PICTURE.panel) == {"case": "case 0"}
    few = [one for one in lines if one.labels["data"] in ("set 0", "set 1")]
    assert usual_picks(few, PICTURE.panel) == {}
    assert len({label_texts(one, PICTURE.panel) for one in few}) == MOST_PANELS
    many = [line(0.5, data=f"set {i}") for i in range(MOST_PANELS + 1)]
    assert usual_picks(many, PICTURE.panel) == {"data": "set 0", "case": "all"}


def test_the_value_that_most_panels_have_is_picked_at_first():
    """Covertype comes first and has numbers of rows of its own: it stood alone, and the others were not to be seen."""
    rows = {"Covertype": range(1, 8), "Dota2": range(6, 12), "Synthetic": range(7, 14)}
    lines = [line(0.5, data=name, n=n) for name, own in rows.items() for n in own]
    assert usual_picks(lines, ("data", "n")) == {"n": 7}
    assert usual_picks([one for one in lines if one.labels["n"] != 7], ("data", "n")) == {"n": 6}


@pytest.mark.parametrize("narrow", [False, True])
def test_a_panel_that_is_alone_says_what_it_shows(narrow):
    (note,) = curves([line(0.5)], PICTURE, "%", Style(narrow=narrow)).layout.annotations
    assert note.text == "MNIST, all"


def test_there_is_room_for_each_row_of_a_legend_and_for_guides():
    """A caption in a file stood on the last row: rows were counted as three entries each, and guides not at all."""
    assert [legend_rows(["a" * 30] * count, 760) for count in (1, 2, 3, 11)] == [1, 1, 2, 6]
    assert legend_rows(["a" * 60], 300) == 1
    guide = Guide(name="slope −2: a theorem, constant open", power=-2.0, through=(("method", "DPRF"),), at=1.0)
    plain, guided = (
        curves([line(0.5)], replace(PICTURE, guides=guides), "%", Style(narrow=True)).layout
        for guides in ((), (guide,))
    )
    assert guided.margin.b > plain.margin.b


def test_a_method_has_one_colour_in_all_figures():
    """`ssp` was green in one figure and red, yellow or purple in others."""
    many = [("flow",), ("SSP (ours)",), ("DPSR", "unit"), ("DPSR", "exact"), ("Gaussian",), ("non-private",)]
    looks = drawing.curve_looks(many)
    assert looks == {
        ("flow",): (1, 0), ("SSP (ours)",): (2, 0), ("DPSR", "unit"): (0, 0), ("DPSR", "exact"): (0, 1),
        ("Gaussian",): (4, 0), ("non-private",): (3, 0),
    }  # fmt: skip
    assert drawing.curve_looks(many[1:2])["SSP (ours)",] == (2, 0)


def test_rounding_is_not_drawn_where_it_would_press_all_else_together():
    lines = [line(0.5, epsilon=1.0), line(1e-16, epsilon=2.0), line(0.0, epsilon=4.0)]
    (trace,) = curves(lines, PICTURE, "1 − cos", Style()).data
    assert list(trace.y) == [0.5, None, None]
    assert "Values below 1e-12 are rounding and are not drawn." in _bars_sentence(lines, log=True)
    assert "rounding" not in _bars_sentence(lines[:1], log=True) + _bars_sentence(lines, log=False)


def test_a_legend_names_no_curve_that_is_rounding_everywhere():
    lines = [line(y, epsilon=x, method=name) for name, y in (("plain", 1e-16), ("flow", 0.5)) for x in (1.0, 2.0)]
    assert [trace.name.split(",")[0] for trace in curves(lines, PICTURE, "1 − cos", Style()).data] == ["flow"]


def test_a_panel_has_its_data_set_in_its_name():
    lines = [line(0.5, n=n) for n in (10, 20)]
    shown = curves(lines, ExhibitPicture(x="epsilon", panel=("data", "n"), curve=("method",)), "%", Style())
    assert [note.text for note in shown.layout.annotations] == ["MNIST, 10 rows", "MNIST, 20 rows"]


def test_printed_values_stand_against_ours():
    lines = [ResultLine(labels={"method": name, "data": data}, published=80.0 + i, ours=70.0 + i, spread=None, runs=1)
             for i, (name, data) in enumerate((("DPSR", "a<b>"), ("DPSR", "a9a"), ("DPRF", "a9a")))]  # fmt: skip
    lines.append(
        ResultLine(labels={"method": "SSP (ours)", "data": "a9a"}, published=None, ours=90.0, spread=None, runs=1)
    )
    agreement, dpsr, dprf = printed_against_ours(lines, ("method",), "%", Style()).data
    assert list(agreement.x) == list(agreement.y)
    assert (list(dpsr.x), list(dpsr.y)) == ([80.0, 81.0], [70.0, 71.0])
    assert (dprf.name, list(dprf.x)) == ("DPRF", [82.0])
    assert np.min(agreement.x) < 70
    assert np.max(agreement.x) > 82
    assert "<b>" not in dpsr.text[0]


def test_a_legend_of_many_entries_names_methods_alone():
    """Twenty-four entries left a third of the height to the picture; the mouse says what the legend leaves out."""
    lines = [
        ResultLine(labels={"method": name, "step": step, "epochs": epochs}, published=80.0, ours=70.0 + step,
                   spread=None, runs=1)
        for name in ("DP-SPCA", "DP-VRPCA") for step in range(1, 6) for epochs in (1, 2)
    ]  # fmt: skip
    by = ("method", "step", "epochs")
    _, spca, vrpca = printed_against_ours(lines, by, "%", Style()).data
    assert (spca.name, vrpca.name) == ("DP-SPCA", "DP-VRPCA")
    assert len(spca.x) == len(vrpca.x) == 10
    assert spca.text[:2] == ("step 1/n, 1 epoch", "step 1/n, 2 epochs")
    assert len(printed_against_ours(lines[:4], by, "%", Style()).data) == 1 + 4


def test_bars_of_a_median_are_its_quantiles():
    some = [ResultLine(labels={"epsilon": 1.0, "data": "MNIST", "case": "all", "method": "DPRF", "calibration": "unit"},
                 published=None, ours=0.2, low=0.1, high=0.9, failed=2, runs=10)]  # fmt: skip
    (trace,) = curves(some, PICTURE, "1 − cos", Style()).data
    assert list(trace.error_y.array) == pytest.approx([0.7])
    assert list(trace.error_y.arrayminus) == pytest.approx([0.1])


def test_the_file_is_drawn_in_the_colours_of_the_page():
    assert drawing.COLOURS == CLASS_COLOURS
    assert len(set(drawing.SVG_DASHES)) == len(DASHES)  # so that as many curves of one colour are told apart


def test_the_name_of_the_axis_keeps_off_its_tick_labels():
    lines = [line(ours, epsilon=epsilon) for epsilon, ours in ((1.0, 1e-4), (4.0, 1e-10))]
    drawn = curves(lines, PICTURE, "1 − cos", Style())
    assert drawn.layout.yaxis.title.standoff >= 8  # without it the name stands at a fixed place, labels or not
    assert drawn.layout.margin.l >= 80
