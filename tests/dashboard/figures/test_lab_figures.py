"""The figures of the Privacy lab are pure and say what they show."""

import json

import plotly.io as pio
import pytest
import streamlit  # noqa: F401  importing it installs its own template for every figure

from dashboard.compute import evidence, exchanges
from dashboard.figures import neighbours, noise
from dashboard.figures.neighbours import Meter
from dashboard.figures.style import Style
from dpgep_core.audit import Attack
from dpgep_core.models.neighbours import STATISTICS, worst
from dpgep_core.privacy import Grant
from dpgep_core.wording import number_text

LIGHT, DARK = Style(), Style(dark=True)


@pytest.fixture(scope="module")
def results():
    return list(evidence.growing_attack(Attack(algorithm="dpsr", trials=80, rows=40)))


def every_figure(style, results):
    rows = evidence.rule_rows(Grant(epsilon=1.0, delta=1e-5), 15)
    yield noise.by_rule(rows, "exact", style)
    yield noise.waterfall([evidence.Share("A", 1, 0.1), evidence.Share("B·V", 15, 0.3)], 0.5, style)
    yield noise.histograms(results[-1], style)
    yield noise.roc(results[-1], style)
    yield noise.growth(results, 80, style)
    for relation in ("replace_one", "add_remove"):
        yield neighbours.plane(worst("within", relation, 30, starts=1).pair, style)
    yield neighbours.meters([Meter("W", 5.0, 5.6, (6.0, 4.0), chosen=True), Meter("M", 1.0, 1.4, ())], style)
    yield neighbours.against_n((2, 5), (2.0,), (2.8, 4.5), [("Hu", 7.0)], style)
    yield neighbours.whitened(exchanges.lines_by_ridge((), 100, real=False), "ξ", style)


@pytest.mark.parametrize("style", [LIGHT, DARK])
def test_every_figure_is_drawn_in_its_own_style(style, results):
    for figure in every_figure(style, results):
        spec = json.loads(pio.to_json(figure))
        assert "template" not in spec["layout"] or spec["layout"]["template"].get("layout", {}) == {}
        assert spec["layout"]["font"]["color"] == style.ink
        assert sum(len(t.get("x", ())) if isinstance(t.get("x"), list) else 0 for t in spec["data"]) <= 2000


def test_meters_tell_passed_constants_apart():
    figure = neighbours.meters([Meter("W", 5.0, 5.6, (6.0, 4.0))], LIGHT)
    names = {trace.name: list(trace.x) for trace in figure.data}
    assert names["published, passed by this pair"] == [4.0]
    assert names["published, not passed here"] == [6.0]


def test_the_first_runs_are_among_the_later_ones(results):
    early, late = results[0], results[-1]
    assert late.scores[: early.trials].tolist() == early.scores.tolist()
    assert [r.trials for r in results] == sorted(r.trials for r in results)


def test_every_pair_is_few_points():
    for key in STATISTICS:
        pair = worst(key, "replace_one", 9, starts=1).pair
        assert len(pair.one.y) <= 5


def test_reconstruction_works_on_the_published_and_not_on_the_corrected():
    leaky, sound = (evidence.reconstruction(key, 1.0, 0.01, 0) for key in ("dpsr", "dpsr_corrected"))
    assert leaky.needed == 4
    assert leaky.ranks[-1][2] < 1e-8
    assert leaky.ranks[-2][2] is None
    assert leaky.row_error < 1e-6
    assert sound.row_error > 1e-2
    assert sound.ranks[-1][2] > 1e-3


def test_large_noise_is_written_with_commas_on_the_bar_and_under_the_pointer():
    rows = evidence.rule_rows(Grant(epsilon=1e-3, delta=1e-5), 15)
    (bars,) = noise.by_rule(rows, "exact", Style()).data
    assert any("," in text for text in bars.text)
    assert not any("e+" in text for text in bars.text)
    assert bars.customdata[0][0] == number_text(rows[-1].sigma, 4)


def test_the_names_of_the_curves_lie_under_the_plot(results):
    """Inside it they lay on the curves and on a tick."""
    figure = noise.roc(results[-1], Style())
    legend, layout = figure.layout.legend, figure.layout
    plot = layout.height - layout.margin.t - layout.margin.b
    assert legend.yanchor == "top"
    assert layout.xaxis.title.standoff == 6  # without, Plotly centres the title in the margin: on the names
    assert -legend.y * plot >= 50  # below the ticks and the title of the axis
    assert layout.margin.b + legend.y * plot >= 3 * 20  # and all three names are inside the figure


def test_what_was_granted_is_named_over_the_plot_and_not_on_the_numbers_of_the_bars():
    (note,) = noise.waterfall([evidence.Share("A", 1, 0.217)], 0.217, LIGHT).layout.annotations
    assert (note.yref, note.y, note.yanchor) == ("paper", 1, "bottom")


def test_the_claim_is_named_where_the_bound_of_few_runs_does_not_rise(results):
    notes = {note.text.split(":")[0]: note for note in noise.growth(results, 80, LIGHT).layout.annotations}
    assert (notes["claimed"].x, notes["claimed"].xanchor) == (0.5, "center")


def test_names_of_answers_are_broken_into_lines_that_a_narrow_bar_has_room_for():
    """Beside the words of a story the names of three bars ran into each other."""
    shares = [evidence.Share("∇J₁ = 2BV", 15, 0.1), evidence.Share("class sums and counts", 1, 0.1)]
    figure = noise.waterfall(shares, 0.3, LIGHT)
    named = figure.layout.xaxis.ticktext
    assert named == ("∇J₁ =<br>2BV<br>×15", "class<br>sums and<br>counts", "all<br>answers")
    alone = noise.waterfall([evidence.Share("A", 1, 0.1)], 0.3, LIGHT).layout
    assert figure.layout.margin.b > alone.margin.b
    assert figure.layout.height - figure.layout.margin.b == alone.height - alone.margin.b
