"""What is said of a paper follows from the numbers: how much was run, which claims are met, and what cannot be told."""

import csv
import json
import math
import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dpgep_core.experiments.papers import EXHIBITS, ReproductionRequest, exhibit, hu, sensitivity
from dpgep_core.experiments.papers.averages import mean_lines, median_lines
from dpgep_core.experiments.papers.bundled_results import as_csv, as_json, bundled_reproduction
from dpgep_core.experiments.papers.claims import of_printed, of_significance
from dpgep_core.experiments.papers.data import SOURCES, absent
from dpgep_core.experiments.papers.drawing import axis_ticks, svg_of, thumbnail_svg
from dpgep_core.experiments.papers.exhibit import ExhibitPicture, ResultLine, Scope
from dpgep_core.experiments.papers.hu import shape_outcomes as of_hu
from dpgep_core.experiments.papers.outcome import (
    MET,
    MET_AT_RANDOM,
    NEEDS_CONSTANTS,
    NEEDS_START,
    NOT,
    OUTCOME_WORDS,
    UNDECIDED,
    Outcome,
    Trial,
    outcome,
    outcome_summary,
)
from dpgep_core.experiments.papers.page import as_html
from dpgep_core.experiments.papers.places import RANDOM_METHOD
from dpgep_core.experiments.papers.reproduce import describe_coverage, whole_data_sets
from dpgep_core.experiments.papers.shang_claims import other_steps, paper_steps, printed_outcomes, table_verdict
from dpgep_core.experiments.papers.trends import AS_ALLOWED, NOT_ALLOWED, SlopeFit, slope, slopes

KEPT = [name for name, found in EXHIBITS.items() if bundled_reproduction(found)]
DOCUMENT = Path(__file__).parents[2] / "docs" / "reproduction.md"
RESULTS = files("dpgep_core.experiments.papers") / "results"


def reproduction(name):
    found = bundled_reproduction(exhibit(name))
    assert found is not None
    return found


def line(ours, printed=None, runs=5, **labels):
    usual = {"data": "MNIST", "classifier": "rbf_svm", "method": "DPSR", "calibration": "published", "start": "random"}
    return ResultLine(labels=usual | labels, published=printed, ours=ours, runs=runs)


# How much was run


def test_a_run_is_full_only_where_nothing_of_the_exhibit_is_missing():
    figure = exhibit("chen-figure-1")
    every = [line(50.0, data=data, classifier=name) for data in figure.data for name in figure.classifiers]

    def said(lines, *, done=9, quick=False):
        return describe_coverage(figure, lines, quick=quick, done=done, total=9)

    assert said(every) == "full"
    assert said(every[:2]) == "partial: 2 of 9 panels (MNIST; linear SVM, RBF SVM)"
    assert said(every[:-1]) == (
        "partial: 8 of 9 panels (linear SVM on MNIST, a9a, Fashion; RBF SVM on MNIST, a9a, Fashion; "
        "random forest on MNIST, a9a)"
    )
    assert said([replace(one, runs=1) for one in every]) == "partial: 1 of 5 runs behind a value"
    assert said(every, done=4) == "partial: stopped after 4 of 9 cells"
    assert said(every, quick=True).startswith("quick")
    assert said([replace(one, ours=None) for one in every]).startswith("partial: 0 of 9 panels")


def test_a_part_of_a_data_set_is_not_that_data_set():
    figure = exhibit("hu-figure-1")
    assert whole_data_sets(figure) == ("Covertype", "Dota2", "Optical", "Synthetic")
    lines = [line(0.5, data=data, runs=10) for data in ("Covertype (16 %)", "Dota2")]
    said = describe_coverage(figure, lines, quick=False, done=1, total=1)
    assert said == "partial: 1 of 4 data sets (Dota2), with Covertype (16 %) beside them"


@pytest.mark.parametrize("name", KEPT)
def test_an_exhibit_says_what_no_guarantee_covers_and_its_settings(name):
    """Whatever has DPSR, or a start at the exact answer, in its results says that no ε covers it."""
    found = reproduction(name)
    here = found.asked.exhibit
    private = {
        (one.labels.get("method"), one.labels.get("start")) for one in found.lines if one.labels.get("calibration")
    }
    said = as_html(found)
    assert ("No ε covers DPSR" in said) == any(method == "DPSR" for method, _ in private)
    assert ("No ε covers a start" in said) == any(start == "oracle" for _, start in private)
    assert ("No proof covers the published noise" in said) == any(method == "DP-VRPCA" for method, _ in private)
    assert ("η = 0.5" in here.fixed, "η = 0.25" in here.fixed) == tuple(
        name == f"chen-supplement-figure-{number}" for number in (1, 2)
    )
    assert ("δ = " in here.fixed) == bool(private)  # what only measures a change has none
    assert f"Held fixed: {here.fixed}." in said
    assert "e-0" not in here.fixed  # 1e-6, as every number is written


def test_a_part_is_missed_only_where_the_whole_is_missed(monkeypatch):
    names, part = ("Covertype", "Covertype (16 %)", "Dota2"), "covertype_part"
    for here, missed in (
        ((), names), (("covertype",), names[2:]), ((part,), (names[0], names[2])), (("covertype", part), names[2:]),
    ):  # fmt: skip
        monkeypatch.setattr("dpgep_core.experiments.papers.data.dataset_names", lambda here=here: list(here))
        assert tuple(absent(names)) == missed


def test_what_comes_with_the_lab_says_that_it_is_partial():
    """Tables 2 and 3 are whole, as are exhibits of one data set: all others lack data sets, classifiers or seeds."""
    full = {name for name in KEPT if reproduction(name).mode == "full"}
    assert full == {"chen-table-2", "chen-table-3", *(f"chen-supplement-figure-{i}" for i in range(3, 15))}
    for i, count in enumerate((8, 5, 8, 5), start=1):
        assert reproduction(f"chen-figure-{i}").mode.startswith(f"partial: {count} of 9 panels")
        assert "runs behind a value" not in reproduction(f"chen-figure-{i}").mode
    assert reproduction("shang-figure-1").mode == "partial: 1 of 3 data sets (a9a)"
    assert reproduction("shang-table-3").mode == "partial: 2 of 3 data sets (a9a, MNIST)"


@pytest.mark.parametrize("name", KEPT)
def test_its_files_say_so_too(name):
    found = reproduction(name)
    facts = json.loads((RESULTS / f"{name}.json").read_text("utf-8"))
    assert facts["run"] == found.mode
    assert facts["summary"] == found.summary
    rows = list(csv.DictReader((RESULTS / f"{name}.csv").read_text("utf-8").splitlines()))
    kind = found.mode.partition(":")[0]
    assert [row["run"] for row in rows] == [kind] * len(found.lines)
    assert as_csv(found) == (RESULTS / f"{name}.csv").read_text("utf-8")
    assert json.loads(as_json(found)) | {"version": facts["version"]} == facts
    assert f"What was run: {found.mode}." in as_html(found).replace("&#x27;", "'")


def test_a_part_that_is_asked_for_is_called_one_before_it_is_run():
    figure = exhibit("chen-figure-1")
    assert ReproductionRequest(exhibit=figure, seeds=1).mode.startswith("partial")
    assert ReproductionRequest(exhibit=figure, data=("a9a",)).mode.startswith("partial; only a9a")
    assert ReproductionRequest(exhibit=exhibit("chen-supplement-figure-5")).mode == "full"


# Words for claims


@pytest.mark.parametrize(
    ("ways", "chance", "word"),
    [
        ([Trial(name="a", held=3, of=4), Trial(name="b", held=4, of=4, proved=False)], None, MET),
        ([Trial(name="a", held=2, of=4), Trial(name="b", held=4, of=4, proved=False)], None, NEEDS_CONSTANTS),
        ([Trial(name="a", held=2, of=4), Trial(name="b", held=4, of=4, oracle=True)], None, NEEDS_START),
        ([Trial(name="a", held=2, of=4), Trial(name="b", held=0, of=4)], None, NOT),
        ([Trial(name="a", held=4, of=4)], Trial(name="", held=3, of=4), MET_AT_RANDOM),
        ([Trial(name="a", held=4, of=4)], Trial(name="", held=2, of=4), MET),
    ],
)
def test_the_word_follows_from_the_counts(ways, chance, word):
    [found] = outcome("x", ways, chance)
    assert found.word == word
    assert word in OUTCOME_WORDS
    assert found.under == ("a" if word == MET else "")
    assert outcome("x", [Trial(name="a", held=0, of=0)]) == []


def test_one_line_keeps_those_with_the_same_word_together():
    said = [Outcome(subject="a", word=MET, why="", under="exact accounting"), Outcome(subject="b", word=NOT, why=""),
            Outcome(subject="c", word=NOT, why="")]  # fmt: skip
    assert outcome_summary(said) == "a: met under exact accounting; b, c: not reached"


def test_values_that_a_random_projection_meets_identify_nothing():
    lines = [line(80.0, 80.0), line(79.0, 80.0, data="a9a"), line(60.0, 80.0, method="DPRF")]
    lines += [line(80.5, method="random projection", calibration="none", data=data) for data in ("MNIST", "a9a")]
    dpsr, dprf = of_printed(lines, 3.0)
    assert (dpsr.subject, dpsr.word) == ("DPSR", MET_AT_RANDOM)
    assert "2 of 2 by a random projection" in dpsr.why
    assert (dprf.subject, dprf.word) == ("DPRF", MET_AT_RANDOM)  # whose printed value chance meets, whatever ours is
    far = [replace(one, ours=20.0) if one.labels["method"] == "random projection" else one for one in lines]
    assert [one.word for one in of_printed(far, 3.0)] == [MET, NOT]


def test_a_small_p_the_other_way_is_no_advantage():
    def p(value, ahead, rule="published"):
        return line(value, 0.0, of_method=rule, calibration=rule, ahead=ahead)

    assert of_significance([p(0.001, "DPSR")], "DPSR", "DPRF")[0].word == MET
    assert of_significance([p(0.001, "DPRF")], "DPSR", "DPRF")[0].word == NOT
    assert of_significance([p(0.6, "DPSR"), p(0.001, "DPSR", "unit")], "DPSR", "DPRF")[0].word == NEEDS_CONSTANTS


def test_what_became_of_the_claims_of_table_2():
    dpsr, dprf = reproduction("chen-table-2").outcomes
    assert (dpsr.subject, dpsr.word) == ("DPSR", NEEDS_CONSTANTS)
    assert "44 of 54 under constants of 1" in dpsr.why
    assert (dprf.subject, dprf.word) == ("DPRF", MET_AT_RANDOM)
    assert "42 of 54 by a random projection" in dprf.why
    said = "DPRF as printed cannot be told from one"
    assert any(said in sentence for sentence in reproduction("chen-table-2").verdict)


def test_the_size_of_the_error_that_hu_report_for_cca_needs_no_constants_of_one():
    """At ε = 4, medians of ten draws, against the noiseless flow: on Dota2 in all cases, with exact accounting."""
    found = {one.subject: one for one in reproduction("hu-figure-2").outcomes}
    assert found["CCA error to the noiseless flow below 0.001 on Dota2"].word == MET
    assert "exact accounting" in found["CCA error to the noiseless flow below 0.001 on Dota2"].under
    assert "11 of 11 under exact accounting" in found["CCA error to the noiseless flow below 0.001 on Dota2"].why
    assert found["CCA error to the noiseless flow below 0.001 on Synthetic"].word == NOT


def test_a_printed_value_counts_once_and_by_the_measure_that_comes_nearest():
    """The paper does not name its measure on MNIST: two are shown, and either may meet the printed value."""

    def shown(measure, ours, method="PPI", printed=96.1):
        labels = {"measure": measure, "data": "MNIST", "method": method, "calibration": "published"}
        return ResultLine(labels=labels, published=printed, ours=ours, runs=10)

    chance = [shown(measure, 49.0, RANDOM_METHOD, None) for measure in ("accuracy", "one against rest")]
    (found,) = printed_outcomes([shown("accuracy", 50.0), shown("one against rest", 95.9), *chance])
    assert (found.subject, found.word) == ("PPI on MNIST", MET)
    (found,) = printed_outcomes([shown("accuracy", 50.0), shown("one against rest", 91.0), *chance])
    assert (found.subject, found.word) == ("PPI on MNIST", NOT)


def panels_of(lines):
    return {(one.labels["data"], one.labels["classifier"]) for one in lines}


def test_table_3_tests_the_constants_that_come_nearest_from_both_starts_of_dprf():
    """DPRF starts at the exact answer in the paper, and comes nearest to the printed accuracies from a random start."""
    found = reproduction("chen-table-3")
    for start in ("random", "oracle"):
        pair = {"method": "DPSR", "of_method": "unit", "against": "DPRF", "calibration": "published", "start": start}
        assert panels_of(one for one in found.lines if pair.items() <= one.labels.items()) == panels_of(found.lines)
    scores = {("DPRF", "published", "oracle"): 50, ("DPRF", "published", "random"): 60, ("DPSR", "unit", "random"): 70}
    records = []
    for (method, rule, start), value in scores.items():
        labels = {"data": "MNIST", "classifier": "linear_svm", "method": method, "calibration": rule, "start": start}
        records += [{**labels, "seed": seed, "linear_svm_accuracy": (value + seed) / 100} for seed in range(6)]
    made = {one.labels["start"]: one.labels["ahead"] for one in exhibit("chen-table-3").lines(records)}
    assert made == {"random": "DPSR", "oracle": "DPSR"}


def test_the_classifier_without_projection_is_trained_on_few_columns_alone():
    """On the 784 columns of MNIST its solver does not converge, and takes hours."""
    tasks = exhibit("shang-table-3").tasks(Scope(quick=True, data={"a9a": "adult", "MNIST": "mnist"}, chosen=True))
    assert {task.labels["data"] for task in tasks} == {"a9a", "MNIST"}
    assert {task.labels["data"] for task in tasks if task.labels["method"] == "no projection"} == {"a9a"}


# Medians


def test_one_failed_draw_does_not_make_the_value():
    records = [{"place": 1, "value": value} for value in [1e-4] * 9 + [0.9]]
    (by_median,) = median_lines(records, ("place",), lambda record: record["value"], failed=0.5)
    (by_mean,) = mean_lines(records, ("place",), lambda record: record["value"])
    assert (by_median.ours, by_median.failed, by_median.runs) == (1e-4, 1, 10)
    assert by_median.low == 1e-4
    assert by_median.high == pytest.approx(0.1 * 0.9 + 0.9 * 1e-4)
    assert by_mean.ours == pytest.approx(0.09, abs=1e-3)


def test_hu_takes_medians_and_counts_failed_draws():
    records = [
        {"case": "c", "data": "Dota2", "n": 1, "sparsity": 0, "epsilon": 4.0, "method": "DPRF", "seed": seed,
         "calibration": "exact", **dict.fromkeys(hu.REFERENCES, value)}
        for seed, value in enumerate([1e-4] * 9 + [0.9])
    ]  # fmt: skip
    lines = exhibit("hu-figure-2").lines(records)
    said = [sentence for sentence in exhibit("hu-figure-2").verdict(lines) if "median" in sentence]
    assert said
    assert all("in 1 of 1 cases, and 1 of 10 draws fail" in sentence for sentence in said)
    assert [(one.subject, one.word) for one in of_hu("cca", lines)] == [
        ("CCA error to the noiseless flow below 0.001 on Dota2", MET)
    ]
    assert of_hu("pca", lines) == []  # the paper names a size for CCA alone


@pytest.mark.parametrize(("down", "word"), [(True, MET), (False, NOT)])
def test_hu_is_held_to_what_the_paper_says_of_its_figures(down, word):
    """The error falls with ε and n, and with a smaller s at a small ε; the same curves upside down say the contrary."""
    lines = [
        ResultLine(
            labels={"measure": hu.REFERENCES[1], "case": f"sparse, s = {s}", "data": "Dota2", "n": n, "sparsity": s,
                    "epsilon": epsilon, "method": "DPTRF", "calibration": "exact"},
            published=None, ours=(s / (n * epsilon)) ** (1 if down else -1), low=0.0, high=1.0, failed=0, runs=10,
        )
        for n in (100, 200) for s in (10, 40) for epsilon in (0.125, 0.5, 4.0)
    ]  # fmt: skip
    found = {one.subject: (one.word, one.why) for one in of_hu("fda", lines)}
    assert {subject: one[0] for subject, one in found.items()} == {
        f"FDA error to the noiseless flow falls as {how}": word for how in ("ε grows", "n grows", "s shrinks")
    }
    assert found["FDA error to the noiseless flow falls as s shrinks"][1].startswith(
        "4 of 4" if down else "0 of 4"
    )  # two n, ε < 1 alone


def test_the_document_counts_small_medians_and_failed_draws_as_the_results_do():
    text = DOCUMENT.read_text("utf-8")
    columns = ("published", "valid", "unit", "exact")
    for number, model in enumerate(("PCA", "CCA", "FDA"), start=1):
        lines = [one for one in reproduction(f"hu-figure-{number}").lines if one.labels["epsilon"] == 4
                 and one.labels["method"] in ("DPRF", "DPTRF")]  # fmt: skip
        for measure, name in zip(hu.REFERENCES, ("to the exact direction", "to the noiseless flow"), strict=True):
            (row,) = [row for row in text.splitlines() if row.startswith(f"| {model}, {name} |")]
            for rule, cell in zip(columns, row.strip("|").split("|")[1:], strict=True):
                some = [one for one in lines if (one.labels["measure"], one.labels["calibration"]) == (measure, rule)]
                small, draws = sum(one.ours < 1e-3 for one in some), sum(one.runs for one in some)
                said = f"{small} of {len(some)} ({sum(one.failed for one in some)} of {draws})" if some else ""
                assert cell.strip() == said, (model, name, rule)


def test_medians_are_kept_with_their_quantiles():
    found = reproduction("hu-figure-1")
    assert all(one.low is not None and one.high is not None for one in found.lines)
    assert all(one.low <= one.ours <= one.high for one in found.lines)
    assert sum(one.failed for one in found.lines) > 0
    assert ">failed</th>" in as_html(found)


# What a paper prints


def test_published_is_what_the_paper_prints():
    """Hu et al.: 1/n for PCA, 12 and 12 for CCA, 4 and 7 for FDA; what is valid for other matrices is named so."""
    rules = {model: dict(rules) for model, rules in hu.HU_RULES.items()}
    assert (rules["pca"]["published"], rules["cca"]["published"], rules["fda"]["published"]) == (
        "printed", "published", "printed",
    )  # fmt: skip
    assert rules["pca"]["valid"] == rules["fda"]["valid"] == "published"


def test_the_paper_names_its_optical_data():
    assert "optdigits" not in SOURCES
    assert "UCI 525" in SOURCES["Optical"].missing
    assert not any("optdigits" in found.data for found in EXHIBITS.values())


def test_shang_baselines_have_the_sensitivity_of_their_papers():
    tasks = exhibit("shang-figure-1").tasks(Scope(quick=True, data={"a9a": "adult"}))
    relations = {(task.labels["method"], task.labels["calibration"]): task.cell.setting.relation for task in tasks}
    for method in ("PPI", "Gaussian"):
        assert relations[method, "published"] == "add_remove"
        assert relations[method, "replaced"] == relations[method, "exact"] == "replace_one"
    assert relations["DP-SPCA", "published"] == "replace_one"


def test_steps_of_shang_follow_the_norm_of_the_papers_rows():
    """A row of a9a is 14 ones: 1/(2n) and 1/n there are 7/n and 14/n on unit rows."""
    assert dict(paper_steps("a9a", "dp_spca")) == {"step_size": 7.0}
    assert dict(paper_steps("a9a", "dp_vrpca")) == {"step_size": 14.0, "n_epochs": 2}
    assert dict(paper_steps("MNIST", "dp_spca")) == {"step_size": 50.0}
    assert dict(paper_steps("MNIST", "dp_vrpca"))["step_size"] == 100.0
    assert paper_steps("a9a", "ppi") == ()
    others = [dict(params) for _, _, key, params in other_steps("a9a") if key == "dp_vrpca"]
    assert {(way["step_size"], way["n_epochs"]) for way in others} == {
        (step, m) for step in (1.0, 14.0, 100.0) for m in (1, 2, 5)
    } - {(14.0, 2)}


def test_the_open_steps_are_a_range_and_no_verdict():
    def at(ours, step, epochs, printed=82.55):
        return ResultLine(
            labels={
                "measure": "accuracy",
                "data": "a9a",
                "method": "DP-VRPCA",
                "calibration": "published",
                "step": step,
                "epochs": epochs,
            },
            published=printed,
            ours=ours,
            runs=3,
        )

    said = table_verdict([at(82.0, 14.0, 2), at(70.0, 1.0, 1), at(81.0, 100.0, 2)])
    assert said[0].startswith("accuracy, a9a, DP-VRPCA (published constants): reproduced, −0.5 points")
    assert said[-1].startswith("DP-VRPCA on a9a, accuracy, published noise: 70.0 (η = 1/n, m = 1) to 82.0 (η = 14/n, m")


# Slopes


def curve(values, spreads=None, runs=1):
    return [
        ResultLine(labels={"n": 1000 * 4**i, "measure": "x"}, published=None, ours=value, runs=runs,
             spread=None if spreads is None else spreads[i])
        for i, value in enumerate(values)
    ]  # fmt: skip


def test_two_noisy_runs_do_not_flip_a_verdict():
    """Means of two runs that lie as far apart as they are large: nothing can be said of the slope."""
    (fit,) = slopes(curve([0.048, 0.005, 0.018], [0.036, 0.001, 0.024], runs=2), "n")
    assert fit.low < -1.0 < 0.3 < fit.high
    assert fit.verdict((-math.inf, -1.0), 0.3) == UNDECIDED
    said = slope(curve([0.048, 0.005, 0.018], [0.036, 0.001, 0.024], runs=2), "n", "x", allowed=(-1, -1), within=0.3)
    assert said[0].endswith("cannot tell.")
    assert "95 % interval" in said[0]


def test_runs_that_scatter_widen_an_interval_that_the_places_make_narrow():
    (narrow,) = slopes(curve([1.0, 0.25, 0.0625, 0.0156]), "n")
    (wide,) = slopes(curve([1.0, 0.25, 0.0625, 0.0156], [0.5, 0.1, 0.03, 0.01], runs=2), "n")
    assert narrow.slope == pytest.approx(wide.slope)
    assert narrow.high - narrow.low < 0.01 < 0.2 < wide.high - wide.low


def test_two_places_with_one_run_each_say_nothing():
    (fit,) = slopes(curve([1.0, 0.25]), "n")
    assert (fit.low, fit.high) == (-math.inf, math.inf)
    assert fit.verdict((-1.0, -1.0), 0.3) == UNDECIDED
    assert "unknown" in slope(curve([1.0, 0.25]), "n", "x", allowed=(-1, -1), within=0.3)[0]


@pytest.mark.parametrize(
    ("fit", "allowed", "word"),
    [
        (SlopeFit(-0.6, -0.7, -0.5), (-1.0, 0.0), AS_ALLOWED),  # flatter than -1 against ξ
        (SlopeFit(-1.6, -1.8, -1.4), (-math.inf, -1.0), AS_ALLOWED),  # steeper than an upper bound against n
        (SlopeFit(-0.2, -0.3, -0.1), (-math.inf, -1.0), NOT_ALLOWED),
        (SlopeFit(-0.9, -1.5, -0.3), (-math.inf, -1.0), UNDECIDED),
    ],
)
def test_an_upper_bound_allows_more_than_one_slope(fit, allowed, word):
    assert fit.verdict(allowed, sensitivity.TOLERANCE) == word


def test_the_supplement_states_its_tolerance_and_cannot_always_tell():
    found = reproduction("chen-supplement-figure-5")
    words = {one.subject: one.word for one in found.outcomes}
    assert words["eigenbasis"] == UNDECIDED
    assert words[sensitivity.OURS] == MET
    assert all("give or take 0.3" in sentence for sentence in found.verdict if "interval" in sentence)
    assert any("an upper bound and says no rate" in sentence for sentence in found.verdict)


def test_the_bound_minds_the_least_eigenvalue():
    found = sensitivity.Exchange(dataset="wine", n=100, xi=1e-6, seed=0).compute()
    assert found["B fixed"] <= found[sensitivity.BOUND] < found["8/(nξ)"]


# The sketch in the file


def test_a_drawing_has_named_axes_with_ticks_at_round_numbers():
    lines = [
        ResultLine(
            labels={"epsilon": epsilon, "data": "MNIST", "method": "x"}, published=None, ours=1 / epsilon, runs=1
        )
        for epsilon in (0.125, 1.0, 4.0)
    ]
    drawn = svg_of(lines, ExhibitPicture(x="epsilon", panel=("data",), curve=("method",), log_y=True), "1 − cos")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", drawn)
    assert "ε" in texts
    assert "1 − cos" in texts
    assert {"0.2", "0.5", "1", "2", "5"} <= set(texts)
    width = int(re.search(r'width="(\d+)"', drawn).group(1))
    assert width >= 420


@pytest.mark.parametrize(
    ("low", "high", "log", "expected"),
    [
        (0.125, 4.0, True, [0.2, 0.5, 1.0, 2.0]),
        (1e-6, 1.0, True, [10.0**power for power in range(-6, 1)]),
        (51.0, 92.0, False, [60.0, 70.0, 80.0, 90.0]),
        (3.0, 3.0, False, [3.0]),
        (3.0, 4.0, True, [3.0, 4.0]),
    ],
)
def test_ticks(low, high, log, expected):
    assert axis_ticks(low, high, log=log) == pytest.approx(expected)


# Pictures of the gallery


@pytest.mark.parametrize("name", KEPT)
def test_a_card_draws_the_kept_values(name):
    found = reproduction(name)
    root = ElementTree.fromstring(thumbnail_svg(found.lines, exhibit(name).picture))
    marks = [mark.tag.rpartition("}")[2] for mark in root if mark.get("stroke") != "#888"]
    assert marks
    if exhibit(name).picture is None:
        both = [one for one in found.lines if one.published is not None and one.ours is not None]
        assert marks == ["circle"] * len(both)


def test_a_card_without_values_has_no_picture():
    assert thumbnail_svg([], None) == ""
    assert thumbnail_svg([line(None, 3.0)], None) == ""
    assert thumbnail_svg([], ExhibitPicture(x="n", panel=(), curve=("method",))) == ""
