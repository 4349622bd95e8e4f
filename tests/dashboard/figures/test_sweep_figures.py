"""The figure of a sweep and the tables beside it: what is drawn is what was computed."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from dashboard.compute.sweeps import spec, tables, views
from dashboard.compute.sweeps.views import RATES, Line, Panel, View, _levels, place_on, power
from dashboard.figures.style import Style
from dashboard.figures.sweep import UNKNOWN, Look, Slope, interval, sweep
from dashboard.text.sweep_notes import notes
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.errors import DpgepError, ParameterError
from dpgep_core.evaluate.measures import SWEEP_MEASURES
from dpgep_core.experiments.grid import Sweep
from dpgep_core.privacy.accountant import mu_of

LOOK = Look("Accuracy", "Privacy loss ε", ("more private", "less private"))
TITLES = [ALGORITHMS[key].title for key in ("ssp", "dprf", "exact")]
ONE = Line("ssp", {0.1: [0.5, 0.6, 0.7, 0.8, 0.9], 1.0: [0.8] * 5})
LEVEL = Line("exact", {float("nan"): [0.9, 0.91, 0.92, 0.93, 0.95]})


def made(**more):
    """A table as a sweep of two methods and one without noise gives, with known numbers."""
    rng = np.random.default_rng(0)
    rows = [
        {"dataset": "wine", "model": "fda", "algorithm": a, "epsilon": e, "seed": s, "error": "",
         "lda_accuracy": {"ssp": 0.8, "dprf": 0.6, "exact": 0.9}[a] + 0.01 * rng.normal(),
         "lda_accuracy_non_private": 0.9, "lda_accuracy_random": 0.5, "majority": 0.4,
         "first_cosine_similarity": 0.6, "mean_principal_angle": 30.0}
        for a in ("ssp", "dprf", "exact") for e in ((None,) if a == "exact" else (0.1, 1.0)) for s in range(6)
    ]  # fmt: skip
    sweep_, _ = spec.check_sweep(
        {"datasets": ["wine"], "algorithms": ["ssp", "dprf", "exact"], "epsilon": [0.1, 1.0], "seeds": 6, **more}
    )
    return pd.DataFrame(rows), sweep_


def test_the_line_is_the_median_and_the_bands_are_its_quantiles():
    figure = sweep([Panel("", [ONE], {"no privacy": 0.95})], LOOK, Style())
    wide, narrow, line = figure.data
    assert line.y == (0.7, 0.8)
    assert narrow.y == pytest.approx((0.8, 0.8, 0.8, 0.6))
    assert wide.y == pytest.approx((0.88, 0.8, 0.8, 0.52))
    assert "5 seeds" in line.name
    assert "more private" in figure.layout.xaxis.title.text
    assert any("no privacy: 0.95" in note.text for note in figure.layout.annotations)


def test_the_mean_has_a_t_interval_as_scipy_has_it():
    values = [0.5, 0.6, 0.7, 0.8, 0.9]
    expected = stats.t.interval(0.95, 4, loc=np.mean(values), scale=stats.sem(values))
    assert interval(values) == pytest.approx(expected)
    band, line = sweep([Panel("", [ONE])], Look("A", "ε", mean=True), Style()).data
    assert line.y == pytest.approx((0.7, 0.8))
    assert (band.y[-1], band.y[0]) == pytest.approx(expected)


def test_few_seeds_get_no_band():
    few = Line("ssp", {0.1: [0.5, 0.6], 1.0: [0.7, 0.8]})
    assert len(sweep([Panel("", [few])], LOOK, Style()).data) == 1


def test_a_method_that_the_axis_does_not_concern_is_level():
    figure = sweep([Panel("", [ONE, LEVEL])], LOOK, Style())
    level = next(trace for trace in figure.data if trace.name and trace.name.startswith("exact"))
    assert level.x == (0.1, 1.0)
    assert level.y == (0.92, 0.92)


def test_a_slope_goes_through_its_point_and_says_that_it_is_no_bound():
    slope = Slope("d/(n²ρ): ε⁻²", -2.0, 1.0, 0.25)
    figure = sweep([Panel("", [ONE])], Look("1 − cos²", "ε", log_y=True), Style(), slopes=[slope])
    line = figure.data[-1]
    assert UNKNOWN in line.name
    x, y = np.array(line.x), np.array(line.y)
    assert np.interp(1.0, x, y) == pytest.approx(0.25)
    assert np.polyfit(np.log(x), np.log(y), 1)[0] == pytest.approx(-2.0)
    assert figure.layout.yaxis.type == "log"


def test_a_slope_against_epsilon_follows_mu():
    """ρ is μ²/2: at a fixed δ a bound 1/ρ falls less than ε⁻² does, by about ε^-1.7 between 1/8 and 4."""
    scale = place_on("epsilon", 1e-5)
    slope = Slope("d/(n²ρ)", -2.0, 1.0, 0.25, scale)
    line = sweep([Panel("", [ONE])], Look("1 − cos²", "ε", log_y=True), Style(), slopes=[slope]).data[-1]
    for x, y in zip(line.x, line.y, strict=True):
        assert y == pytest.approx(0.25 * (mu_of(1.0, 1e-5) / mu_of(x, 1e-5)) ** 2)
    mean = 2 * np.log(mu_of(0.125, 1e-5) / mu_of(4.0, 1e-5)) / np.log(32)
    assert -1.9 < mean < -1.6


def test_the_theory_has_both_sides_and_no_sampling_error():
    """What a sweep shows is a distance to the exact answer of the same rows, in which no d/n is."""
    assert not any("d/n" in name.replace("d/(n", "") for name in RATES)
    assert {power(name, "rows") for name in RATES} == {-2.0}
    assert [name for name in RATES if power(name, "xi") == -2.0] == ["at most d/(n²ε²ξ²), Chen Thm 16"]
    assert sum(name.startswith("at least") for name in RATES) == 2
    assert all(power(name, "sparsity") == ("s·log d" in name) for name in RATES)
    assert "another iteration" in RATES["at most d/(n²ε²ξ²), Chen Thm 16"].said
    assert place_on("rows", 1e-5)(3.0) == 3.0


def test_panels_share_axes_and_one_legend_and_names_are_text():
    panels = [Panel(title, [ONE], {"majority": 0.4}) for title in ("wine", "<script>x</script>", "c", "d")]
    figure = sweep(panels, LOOK, Style(dark=True))
    assert sum(bool(trace.showlegend) for trace in figure.data) == 1
    assert "<script>" not in figure.to_json().replace("&lt;script", "")
    assert len(figure.layout.shapes) == 4  # a level in each
    assert {figure.layout[f"xaxis{n}"].type for n in ("", 2, 3, 4)} == {"log"}


def test_names_on_the_axis_are_dots():
    (trace,) = sweep([Panel("", [Line("", {"ssp": [0.5, 0.6], "dprf": [0.4]})])], Look("A", "M", numeric=False),
                     Style()).data  # fmt: skip
    assert trace.mode == "markers"
    assert trace.x == ("ssp", "ssp", "dprf")


def test_views_of_a_table():
    table, sweep_ = made()
    rows = views.long_table(table, sweep_, SWEEP_MEASURES["accuracy"])
    assert views.axes(rows, sweep_) == ["epsilon", "algorithm"]
    (panel,) = views.panels(rows, sweep_, SWEEP_MEASURES["accuracy"], View("epsilon"))
    assert [line.title for line in panel.lines] == TITLES  # as menus name them, and not by their keys
    assert panel.lines[2].level
    assert panel.levels == pytest.approx({"random projection": 0.5, "majority": 0.4, "no privacy": 0.9})
    two = pd.concat([rows, rows.assign(dataset="digits", majority=0.1)])
    assert views.panels(two, sweep_, SWEEP_MEASURES["accuracy"], View("epsilon"))[0].levels == {}
    parts = views.panels(two, sweep_, SWEEP_MEASURES["accuracy"], View("epsilon", "dataset"))
    assert [panel.levels["majority"] for panel in parts] == pytest.approx([0.4, 0.1])
    by_method = views.panels(rows, sweep_, SWEEP_MEASURES["accuracy"], View("epsilon", "algorithm"))
    assert [panel.title for panel in by_method] == TITLES
    sine = views.long_table(table, sweep_, SWEEP_MEASURES["sine"])
    assert set(sine["value"]) == {1 - 0.6**2}


def test_the_level_without_privacy_is_that_of_the_best_ridge():
    """Methods have ridges of their own: a mean of their levels lay below a private curve, as if that were possible."""
    table, sweep_ = made()
    ridge = table["algorithm"].map({"ssp": 0.95, "dprf": 0.85, "exact": 0.85}) - 0.1 * (table["epsilon"] == 0.1)
    rows = views.long_table(table.assign(lda_accuracy_non_private=ridge), sweep_, SWEEP_MEASURES["accuracy"])
    (panel,) = views.panels(rows, sweep_, SWEEP_MEASURES["accuracy"], View("epsilon"))
    assert panel.levels["no privacy"] == pytest.approx(0.95)
    alone = views.panels(rows, sweep_, SWEEP_MEASURES["accuracy"], View("epsilon", "algorithm"))
    assert [one.levels["no privacy"] for one in alone] == pytest.approx([0.95, 0.85, 0.85])
    assert panel.levels["random projection"] == pytest.approx(0.5)


def test_methods_that_spend_less_than_the_axis_says_are_named():
    table, sweep_ = made()
    spent = table["epsilon"].astype(float) * table["algorithm"].map({"ssp": 1.0, "dprf": 0.64, "exact": 1.0})
    (said,) = [one for one in notes(table.assign(accounted_epsilon=spent), sweep_) if "spend less" in one]
    assert said == f"Some methods spend less than the ε that is asked for: {TITLES[1]} down to 64 % of ε = 0.1."
    assert not [one for one in notes(table.assign(accounted_epsilon=table["epsilon"]), sweep_) if "spend less" in one]


def test_the_best_private_one_is_bold_and_numbers_are_those_of_numpy():
    table, sweep_ = made()
    rows = views.long_table(table, sweep_, SWEEP_MEASURES["accuracy"])
    found = tables.summary(rows, sweep_, SWEEP_MEASURES["accuracy"], mean=True)
    assert len(found) == 2
    own = table[(table["algorithm"] == "ssp") & (table["epsilon"] == 0.1)]["lda_accuracy"]
    assert found.loc[0, TITLES[0]] == f"**{own.mean():.4g}** ± {own.std():.2g}"
    assert "**" not in found.loc[0, TITLES[1]] + found.loc[0, TITLES[2]]
    angle = tables.summary(
        views.long_table(table, sweep_, SWEEP_MEASURES["angle"]), sweep_, SWEEP_MEASURES["angle"], mean=False
    )
    assert angle.loc[0, TITLES[1]] == "**30** [30, 30]"  # a tie: both are bold


def test_means_that_rounding_parts_are_both_bold():
    """.1 + .2 + .3 and .2 × 3 have one mean, and two in floating point."""
    table, sweep_ = made()
    planned = {"ssp": [0.1, 0.2, 0.3] * 2, "dprf": [0.2] * 6, "exact": [0.5] * 6}
    table["lda_accuracy"] = [planned[a][s] for a, s in zip(table["algorithm"], table["seed"], strict=True)]
    assert np.mean(planned["ssp"]) != np.mean(planned["dprf"])
    rows = views.long_table(table, sweep_, SWEEP_MEASURES["accuracy"])
    found = tables.summary(rows, sweep_, SWEEP_MEASURES["accuracy"], mean=True)
    assert found.loc[0, TITLES[0]].startswith("**")
    assert found.loc[0, TITLES[1]].startswith("**")


def test_comparisons_pair_seeds_and_reach_methods_without_epsilon():
    table, sweep_ = made()
    found = tables.comparisons(views.long_table(table, sweep_, SWEEP_MEASURES["accuracy"]), sweep_)
    assert [(group, one, other) for group, one, other, _ in found][:3] == [
        (("ε = 0.1",), *pair) for pair in (("ssp", "dprf"), ("ssp", "exact"), ("dprf", "exact"))
    ]
    first = found[0][3]
    assert (first.pairs, first.r, first.p) == (6, 1.0, 2 / 64)
    assert first.p_holm == pytest.approx(6 / 32)


@pytest.mark.parametrize(
    ("text", "values"),
    [("0.1, 1,10", [0.1, 1, 10]),
     ("0.01 .. 1 x 3", [0.01, 0.1, 1]), ("1,1", [1]), ("", []), ("0.1..10×2, 5", [0.1, 10, 5])],
)  # fmt: skip
def test_lists_of_text(text, values):
    assert spec.parsed_list("epsilon", text) == values


@pytest.mark.parametrize("text", ["x", "-1", "0", "1 .. 0 x 3", "1 .. 2 x 1", "1 .. 2 x 99999", "nan", "1;2"])
def test_lists_that_cannot_be_used(text):
    with pytest.raises(ParameterError, match="epsilon"):
        spec.parsed_list("epsilon", text)


def test_a_name_of_any_letters_is_read_back_from_the_toml():
    """TOML has no surrogate pairs: a letter beyond the first plane stands as it is."""
    sweep = Sweep(datasets=("büro 🎲\x7f",), axes=(("epsilon", (0.1, 1.0)), ("centred", (True,))))
    table = spec.table_of(spec.toml(sweep))
    assert table["datasets"] == ["büro 🎲\x7f"]
    assert (table["epsilon"], table["centred"], table["seeds"]) == ([0.1, 1], [True], 1)


def test_a_sweep_is_its_toml():
    table = {"datasets": ["wine", "digits"], "algorithms": ["ssp", "dpsr"], "epsilon": [1e-05, 2], "xi": [0.1, 1e3],
             "calibration": ["exact", "published"], "floor": [True, False], "n": [50, 100], "seeds": 3,
             "classifiers": ["lda", "linear_svm"]}  # fmt: skip
    one, _ = spec.check_sweep(table)
    again, _ = spec.check_sweep(spec.table_of(spec.toml(one)))
    assert again == one
    assert spec.run_id(again) == spec.run_id(one)


@pytest.mark.parametrize(
    "text", ["datasets = ", "datasets = 3", "x = [1]\ndatasets=['wine']", "a = " + "[" * 9000, "a" * 30000]
)
def test_toml_that_cannot_be_used_is_one_line(text):
    with pytest.raises(DpgepError) as error:
        spec.check_sweep(spec.table_of(text))
    assert "\n" not in str(error.value)


def test_too_many_cells_for_a_page():
    with pytest.raises(ParameterError, match=r"dpgep sweep"):
        spec.check_sweep({"datasets": ["wine"], "epsilon": [1.0 + i for i in range(500)], "seeds": 100})


def test_a_slope_does_not_press_the_values_together():
    steep = Slope("d/(n²ρ)", -2.0, 0.1, 0.9)
    look = Look("1 − cos²", "ε", log_y=True)
    figure = sweep([Panel("", [ONE])], look, Style(), slopes=[steep])
    low, high = figure.layout.yaxis.range
    assert 0.4 < 10**low < 0.5 < 0.9 < 10**high < 1
    assert min(figure.data[-1].y) < 10**low


def test_what_a_reader_must_know_is_said():
    one = spec.check_sweep({"datasets": ["wine"], "algorithms": ["dpsr", "exact"], "start": ["oracle"]})[0]
    two = spec.check_sweep({"datasets": ["wine", "digits"], "algorithms": ["ssp"]})[0]
    table = pd.DataFrame({"algorithm": ["dpsr", "dpsr", "exact"], "unprotected": ["Λ_B", "Λ_B", "everything"]})
    said = notes(table, one)
    assert "DPSR (Chen et al.) has no guarantee: it leaves Λ_B without noise." in said
    assert not any("Exact" in sentence for sentence in said)
    assert any("begins at the answer" in sentence for sentence in said)
    assert not any("equal μ" in sentence for sentence in said)
    assert any("equal μ" in sentence for sentence in notes(table[:0], two))
    assert not any(
        "equal μ" in sentence for sentence in notes(table[:0], replace(two, axes=(*two.axes, ("delta", (1e-5,)))))
    )


def test_a_level_that_every_cell_has_is_that_number():
    """The mean of 100 times .1135 is a little less, and was shown as 0.113 where other pages say 0.114."""
    measure = SWEEP_MEASURES["accuracy"]
    (floor, *_) = [words for _, words in measure.floor]
    part = pd.DataFrame({"dataset": "mnist", "model": "fda", "seed": range(100), "value": 0.5, floor: 0.1135})
    assert part[floor].mean() != 0.1135
    assert _levels(part, measure)[floor] == 0.1135
