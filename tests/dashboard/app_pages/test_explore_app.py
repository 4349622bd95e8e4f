"""The Explore page from its address to its words, without a browser."""

import re
from itertools import pairwise

import numpy as np
import pytest
from lab import query as shown_address
from page import figures, header, numbers, written
from streamlit.testing.v1 import AppTest

from dashboard import cache, export
from dashboard.compute.axes import offered_axes
from dashboard.panels import live, live_payload
from dashboard.scenario import COMMON_PARAMETERS, MOST_ALGORITHMS, Scenario, from_query
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.evaluate.measures import CURVE_MEASURES
from dpgep_core.models import MODELS

FIGURES = {
    "privacy": {"epsilon_bars", "dots_ssp", "trade_ssp"}, "curves": {"against"}, "classifiers": {"classifiers"},
    "components": {"components", "projection_0", "projection_1", "spectra_ssp"}, "draws": {"draws"}, "ledger": set(),
}  # fmt: skip


def sound(page):
    """No exception, no error; returns what the page says."""
    assert [e.value for e in page.exception] == []
    assert [e.value for e in page.error] == []
    said = written(page)
    assert ": ." not in said  # a sentence without its end
    return said


def drawn(page):
    """Names of the figures of the page, without the live panel, which the browser draws."""
    return {element.proto.id.rpartition("chart_")[2] for element in page.get("plotly_chart")}


def turned(page, tab):
    """The page with another tab open."""
    page.session_state["tab"] = tab
    page.run()
    return sound(page)


def moved(page, **values):
    """The page after the panel, which the browser draws, has set values."""
    for name, value in values.items():
        page.session_state[name] = value
    page.run()
    return sound(page)


def from_url(page, name):
    value = page.query_params[name]
    return value[-1] if isinstance(value, list) else value


def angle_of(page):
    return float(next(value for label, value, _ in numbers(page) if label == "Principal angle")[:-1])


def test_the_live_curve_shows_from_the_first_look_what_the_curve_below_shows(open_page, monkeypatch):
    """The live curve once began with the cosine, and turned into accuracy by itself."""
    told = []
    monkeypatch.setattr(live, "live", lambda data, *_: told.append(data["metric_title"]))
    sound(open_page(dataset="wine"))
    sound(open_page(dataset="wine", metric="angle"))
    sound(open_page(dataset="synthetic_pca", model="pca", metric="accuracy"))
    assert list(dict.fromkeys(told)) == [CURVE_MEASURES["accuracy"].axis, CURVE_MEASURES["angle"].axis]
    assert told[0] == CURVE_MEASURES["accuracy"].axis


def test_first_look(open_page):
    page = open_page(dataset="digits")
    said = sound(page)
    assert header(page) == "Small handwritten digits · Fisher discriminant · n = 1,438 · d = 64 · k = 9 · seed 0"
    assert [label for label, _, _ in numbers(page)] == [
        "Accuracy (LDA)", "Principal angle", "Mean |cosine|", "Claimed ε → accounted", "Best guess",
    ]  # fmt: skip
    for words in (
        "What-if page.", "nothing here is a private release, screenshots included", "Use it for data you may see",
        "**Claimed** by the authors: ε = 1", "**Accounted** by us: ε ≤ 1", "**Attacked**: no attack was run",
        "**Verdict** on the claim: holds", "right at most **", "blind guessing gives 500", "if the noise were secret",
        "one row and its label", "n·δ = 0.48", "Someone with 3 rows gets 3 × μ", "μ = 0.348",
        "Settings looked at: 1, not covered by any ε.",
    ):  # fmt: skip
        assert words in said, words
    assert shown_address(page) == {
        "dataset": "digits", "model": "fda", "algorithms": "ssp", "epsilon": "1", "seed": "0", "steps": "2", "xi": "0",
    }  # fmt: skip
    assert "a random projection, so aligned," in turned(page, "components")
    assert from_url(page, "tab") == "components"
    assert "private to the end" in turned(page, "classifiers")


def test_a_tab_shows_its_figures_and_no_other_is_computed(open_page, monkeypatch):
    """Each figure has its settings, its table and an alternative text, and a closed tab asks for nothing."""
    asked = []
    for name in ("curve", "redraws", "trained", "exact_curve"):
        made = getattr(cache, name)
        monkeypatch.setattr(cache, name, lambda *given, name=name, made=made: asked.append(name) or made(*given))
    page = open_page(dataset="wine")
    assert asked == []
    for tab, names in FIGURES.items():
        asked.clear()
        turned(page, tab)
        assert drawn(page) == names, tab
        tables = [box for box in page.get("expander") if box.label == "The numbers"]
        assert len(tables) == len(names)
        assert all(box.dataframe for box in tables)
        assert all(element.proto.alt for element in page.get("plotly_chart"))
        assert {"curves": {"curve", "exact_curve"}, "draws": {"redraws"}, "classifiers": {"trained"}}.get(
            tab, set()
        ) == set(asked)
        settings = [c.value for c in page.caption if "wine, fda, n=142, d=13, k=2, ε=1, " in c.value]
        assert bool(settings) == (tab != "ledger")  # which has a table and no figure
        assert all("seed 0" in text and "DP-GEP Lab" in text for text in settings)
        assert all("Reads the private data; seed known: not private." in text.replace("\\", "") for text in settings)


def test_a_link_of_the_version_before_opens_the_tab_it_is_about(open_page):
    page = open_page(dataset="wine", over="xi")
    sound(page)
    assert page.session_state["tab"] == "curves"
    assert drawn(page) == FIGURES["curves"]


def test_who_comes_without_a_link_sees_ours_and_a_published_method(open_page, monkeypatch):
    told = []
    monkeypatch.setattr(live, "live", lambda data, *_: told.append(data["hints"]))
    page = open_page()
    sound(page)
    scenario = page.session_state["scenario"]
    assert (scenario.dataset, scenario.algorithms, scenario.epsilon) == ("mnist", ("ssp", "dprf"), 1.0)
    assert told[-1] == live_payload.HINTS
    sound(open_page(dataset="wine"))
    assert told[-1] is None


FULL = {
    "dataset": "wine", "model": "fda", "algorithms": "ssp,dprf,dpsr", "epsilon": "0.7", "delta": "1.2345e-06",
    "n_components": "3", "seed": "11", "relation": "add_remove", "as_if": "2.5", "noise": "true", "bounds": "true",
    "test_size": "0.25", "declared_n": "200",
    "xi": "0.123", "sparsity": "6", "floor": "false", "weight": "0.3", "step_size": "0.45", "n_iterations": "7",
    "calibration": "exact", "start": "oracle",
}  # fmt: skip


def test_an_address_with_every_parameter_is_kept(open_page):
    page = open_page(**FULL)
    said = sound(page)
    wanted, problems = from_query(FULL)
    assert problems == ()
    shown, _ = from_query(shown_address(page))
    assert shown == wanted
    assert "could not be used" not in said
    captions = turned(page, "curves")
    for words in (
        "add-remove",
        "as if ×2.5",
        "0.25 of the rows held out",
        "seed 11",
        "ε=0.7",
        "starts at the answer",
        "no bound",
    ):
        assert words in said + captions, words
    assert numbers(open_page(**FULL)) == numbers(page)
    assert set(COMMON_PARAMETERS) <= FULL.keys()


def test_an_address_of_garbage_shows_messages_and_the_defaults(open_page):
    page = open_page(dataset="wine", epsilon="zero", delta="7", seed="-3", xi="nan", algorithms="sspp", nonsense="1")
    sound(page)
    (warning,) = [w.value for w in page.warning]
    for part in ("epsilon", "'zero'", "delta", "'7'", "seed", "-3", "xi", "nan", "'sspp'", "did you mean 'ssp'?",
                 "'nonsense'", "whole number", "finite number"):  # fmt: skip
        assert part in warning, part
    assert page.session_state["scenario"].epsilon == 1.0
    page.number_input(key="n_components").set_value(1).run()
    assert "could not be used" not in sound(page)  # said once, and gone with the next change


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ({"dataset": "synthetic_pca", "model": "fda"}, ("model", "'fda'", "one of pca")),
        ({"dataset": "wine", "algorithms": "analyze_gauss"}, ("algorithms", "'analyze_gauss'", "one of ssp")),
        ({"dataset": "wine", "n_components": "14"}, ("Components k", "14", "at most 13")),
        ({"dataset": "wine", "sparsity": "500"}, ("Non-zero entries s", "500", "at most 13")),
        ({"dataset": "wine", "algorithms": "dprf", "n_iterations": "0"}, ("Iterations m", "0", "least 1")),
        ({"dataset": "wine", "algorithms": "exact", "n_iterations": "3"}, ("n_iterations", "3", "left out")),
        ({"dataset": "wine", "model": "pca", "algorithms": "analyze_gauss", "calibration": "unit"},
         ("calibration", "'unit'", "one of published, exact")),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_data_is_said(open_page, query, parts):
    page = open_page(**query)
    sound(page)
    said = [warning.value for warning in page.warning]
    assert all(part in said[0] for part in parts), said
    page.run()  # parts that fill in run the page again, and nobody has changed anything
    assert [warning.value for warning in page.warning] == said


def test_a_few_more_components_than_the_slider_first_shows(open_page):
    page = open_page(
        dataset="digits", model="pca", n_components="40", n_iterations="250", algorithms="dprf", seed="5000"
    )
    said = sound(page)
    assert "could not be used" not in said
    assert "k = 40" in header(page)
    assert page.slider(key="n_iterations").max == 250
    page.slider(key="n_iterations").set_value(3).run()
    sound(page)
    assert dict(page.session_state["scenario"].params)["n_iterations"] == 3
    assert page.slider(key="n_iterations").max == 250


# Each algorithm under one of its models in turn, and each model under ssp: all pairs are the battery's affair.
PAIRS = [(entry.models[i % len(entry.models)], key) for i, (key, entry) in enumerate(ALGORITHMS.items())]
PAIRS += [(model, "ssp") for model in MODELS if (model, "ssp") not in PAIRS]


BY_MODEL = {model: [algorithm for of, algorithm in PAIRS if of == model] for model in MODELS}
OVERLAID = [
    (model, tuple(algorithms[first : first + MOST_ALGORITHMS]))
    for model, algorithms in BY_MODEL.items()
    for first in range(0, len(algorithms), MOST_ALGORITHMS)
]


@pytest.mark.parametrize(("model", "together"), OVERLAID)
def test_every_model_and_algorithm(open_page, model, together):
    """Draw as many algorithms on one page as it takes, each with its box unfolded."""
    unfolded = {f"privacy_{algorithm}": True for algorithm in together}
    page = open_page(state=unfolded, dataset="wine", model=model, algorithms=",".join(together), n_iterations="3")
    said = sound(page)
    for words in ("**Claimed** by the authors", "**Accounted** by us", "**Attacked**", "**Verdict** on the "):
        assert said.count(words) == len(together), words
    for words in ("Settings looked at: 1", *(ALGORITHMS[algorithm].title for algorithm in together)):
        assert words in said, words
    assert said.count("right at most **") + said.count("There is no guarantee") >= len(together)
    claimless = [algorithm for algorithm in together if not ALGORITHMS[algorithm].private]
    assert said.count("nothing: this method makes no privacy claim") == len(claimless)
    for algorithm in claimless:
        assert (
            offered_axes(Scenario(model=model, algorithms=(algorithm,)))[0] != "epsilon"
        )  # no budget, no curve over it


def test_every_pair_is_on_a_page():
    assert sorted((model, algorithm) for model, together in OVERLAID for algorithm in together) == sorted(PAIRS)


def test_three_overlaid(open_page):
    page = open_page(dataset="wine", algorithms="ssp,dpsr,exact")
    sound(page)
    assert [label for label, _, _ in numbers(page)].count("Principal angle") == 3
    privacy = [box for box in page.get("expander") if box.label.startswith("Why: ")]
    assert len(privacy) == 3
    turned(page, "components")
    assert sum("on two components" in element.proto.alt for element in page.get("plotly_chart")) == 4
    turned(page, "curves")
    assert {"against", "by_iteration"} <= drawn(page)  # one of the methods takes steps
    curve = next(f for f in figures(page) if f["layout"]["xaxis"].get("type") == "log")
    colours = {t["marker"]["color"] for t in curve["data"] if t.get("mode") == "markers"}
    assert len(colours) == 2  # exact has no curve


def test_overlaid_methods_that_offer_different_values(open_page):
    page = open_page(
        dataset="wine", model="pca", algorithms="analyze_gauss,dprf", calibration="unit", n_iterations="3", tab="draws"
    )
    said = sound(page)
    assert "analyze_gauss; dprf (calibration=unit, n_iterations=3)" in said


def test_what_a_shared_slider_shows_holds_for_all_and_unset_each_keeps_its_own(open_page):
    page = open_page(dataset="breast_cancer", algorithms="ssp,dptrf", tab="draws")
    assert "ssp; dptrf" in sound(page)  # 0 is usual of the first, 30 of the second
    page = open_page(dataset="breast_cancer", algorithms="dptrf,ssp", tab="draws", sparsity="30")
    assert "dptrf (sparsity=30); ssp (sparsity=30)" in sound(page)


def test_noise_off(open_page):
    said = sound(open_page(dataset="wine", noise="false"))
    assert "none → no bound" in said
    assert "no guarantee" in said
    assert "There is no guarantee" in said


def test_floor_off(open_page):
    said = sound(open_page(dataset="wine", floor="false", xi="0.001"))
    assert "0.001 asked and used; floor off" in said


def test_singular_without_ridge_is_a_message(open_page):
    page = open_page(dataset="adult", algorithms="exact", xi="0")
    assert [e.value for e in page.exception] == []
    (error,) = [e.value for e in page.error]
    assert error.startswith("xi must be ")
    assert "singular" in error
    page.session_state["xi"] = 0.01
    page.run()
    sound(page)


def test_with_the_floor_off_by_the_noise_is_still_a_ridge(open_page):
    assert "by the noise" in sound(open_page(dataset="wine", floor="false", xi="0"))


EXTREMES = [{"epsilon": "1e-300"}, {"as_if": "1e300"}, {"xi": "1e300"}, {"delta": "0.9999999"},
            {"seed": str(2**53 - 1)}, {"n_components": "13"},
            {"algorithms": "dprf", "step_size": "1e300"}]  # fmt: skip
MORE_EXTREMES = [{"epsilon": "1e300"}, {"as_if": "1e-300"}, {"delta": "1e-300"}, {"weight": "1e300"},
                 {"n_components": "1"}, {"algorithms": "dpsr", "xi": "1e-300"}]  # fmt: skip


@pytest.mark.parametrize(
    "extreme", [*EXTREMES, *(pytest.param(extreme, marks=pytest.mark.slow) for extreme in MORE_EXTREMES)]
)
def test_extremes_do_not_break_the_page(open_page, extreme):
    page = open_page(dataset="wine", **extreme)
    assert [e.value for e in page.exception] == []
    assert all(" must be " in e.value for e in page.error)
    assert "nan" not in " ".join(value for _, value, _ in numbers(page))
    name, text = list(extreme.items())[-1]
    assert float(from_url(page, name)) == float(text)


def test_redraw_changes_the_noise_and_keeps_the_setting(open_page):
    page = open_page(dataset="digits", seed="3")
    before = numbers(page)
    next(b for b in page.button if b.label == "Redraw the noise").click().run()
    sound(page)
    assert from_url(page, "seed") == "4"
    assert numbers(page) != before
    assert "Settings looked at: 2" in written(page)
    last = open_page(dataset="wine", seed=str(2**53 - 1))
    next(b for b in last.button if b.label == "Redraw the noise").click().run()
    sound(last)


def test_forget_composition_shows_what_it_costs(open_page):
    page = open_page(dataset="wine", algorithms="dprf", calibration="exact")
    assert "1 → 1" in written(page)
    page.toggle(key="forget").set_value(True).run()
    said = sound(page)
    assert from_url(page, "calibration") == "forgetful"
    spent = re.search(r"This setting may spend up to ε = ([\d.]+), and", said)
    assert spent is not None
    assert float(spent.group(1)) > 4
    page.toggle(key="forget").set_value(False).run()
    assert "1 → 1" in sound(page)


def test_hidden_answers_stay_hidden_until_asked_for(open_page):
    page = open_page(dataset="wine")
    page.toggle(key="hidden").set_value(True).run()
    said = sound(page)
    assert "What will Sufficient statistics (ours) leave of this at ε = 1?" in said
    assert numbers(page) == []
    assert drawn(page) == {"covered"}  # the exact picture, which the question is about
    assert len(page.dataframe) == 0
    next(b for b in page.button if b.label == "Show the answer").click().run()
    assert len(numbers(page)) == 5
    moved(page, epsilon=2.0)
    assert len(numbers(page)) == 5  # a class drags and sees: this is no new question
    page.selectbox(key="dataset").select("digits").run()
    assert numbers(page) == []


def test_as_if_holds_mu(open_page):
    one, ten = (open_page(dataset="wine", as_if=times) for times in ("1", "10"))
    sound(ten)
    mu = [[note for label, _, note in numbers(page) if label == "Best guess"] for page in (one, ten)]
    assert mu[0] == mu[1] != []
    assert "as if ×10, μ held" in turned(ten, "draws")
    angle = [angle_of(page) for page in (one, ten)]
    assert angle[1] < angle[0]


def test_add_remove(open_page):
    page = open_page(dataset="wine", relation="add_remove")
    assert "added or removed" in sound(page)
    assert "add-remove" in turned(page, "draws")


def test_more_components_than_mean_anything(open_page):
    page = open_page(dataset="wine", n_components="5")
    sound(page)
    assert any("only 2 of k = 5 components carry anything" in w.value for w in page.warning)


def test_fewer_components_after_looking_at_high_ones(open_page):
    page = open_page(dataset="digits", tab="components")
    page.selectbox(key="across").set_value(8)
    page.selectbox(key="up").set_value(9).run()
    page.number_input(key="n_components").set_value(2).run()
    sound(page)
    assert {page.selectbox(key="across").value, page.selectbox(key="up").value} <= {1, 2}


def test_data_without_labels(open_page):
    page = open_page(dataset="synthetic_pca", model="pca")
    said = sound(page)
    assert "Accuracy (LDA)" not in said
    assert "Not measured, because" in turned(page, "classifiers")
    assert page.selectbox(key="model").value == "pca"
    assert [f for f in figures(page) if "nan" in str(f["layout"].get("title"))] == []


@pytest.mark.parametrize("dataset", ["breast_cancer", "synthetic_fda", "synthetic_cca", "synthetic_sir", "diabetes"])
def test_other_data_sets(open_page, dataset):
    said = sound(open_page(dataset=dataset))
    assert "Settings looked at: 1" in said


def test_switching_data_sets_keeps_what_fits(open_page):
    page = open_page(dataset="digits", algorithms="ssp,dprf", sparsity="30", epsilon="0.3", n_components="4")
    page.selectbox(key="dataset").select("wine").run()
    sound(page)
    assert "Non-zero entries s must be at most 13" in page.warning[0].value
    assert from_url(page, "epsilon") == "0.3"
    assert from_url(page, "algorithms") == "ssp,dprf"
    assert "k = 2" in header(page)
    page.selectbox(key="dataset").select("synthetic_pca").run()
    sound(page)
    assert from_url(page, "model") == "pca"


def test_no_algorithm_picked_is_the_first_one(open_page):
    page = open_page(dataset="wine", algorithms="dprf")
    page.multiselect(key="algorithms").set_value([]).run()
    sound(page)
    assert from_url(page, "algorithms") == "ssp"


def test_metrics_of_the_curve(open_page):
    page = open_page(dataset="wine", tab="curves")
    for metric, words in (
        ("angle", "nothing shared: 90°"),
        ("cosine", "exact: 1"),
        ("first_cosine", "a random direction"),
    ):
        page.session_state["metric"] = metric
        page.run()
        sound(page)
        assert words in str(figures(page))


def test_alignment_off(open_page):
    page = open_page(dataset="wine", epsilon="0.1", tab="components")

    def private():
        alts = [element.proto.alt for element in page.get("plotly_chart")]
        place = next(i for i, alt in enumerate(alts) if alt.endswith("components: Sufficient statistics (ours)"))
        return figures(page)[place]["data"]

    aligned = private()
    page.toggle(key="aligned").set_value(False).run()
    assert "Aligned to the exact picture" not in sound(page)
    assert private() != aligned


def test_the_noise_moves_smoothly_with_epsilon(open_page):
    page = open_page(dataset="digits", epsilon="5")
    angles = []
    for epsilon in (5.0, 7.0, 10.0):
        moved(page, epsilon=epsilon)
        angles.append(angle_of(page))
    assert all(later < earlier for earlier, later in pairwise(angles))
    assert np.isfinite(angles).all()


EVIL = "![p](http://evil.example/p.png)"
TAG = "<script>alert(1)</script>"
NAMES = (TAG, EVIL, "<b>bold</b> <img src=x onerror=alert(1)>", "$\\frac{1}{2}$ :red[x] %{y}")


def put_hostile_data(folder):
    """A file whose every name is an attempt at something."""
    (folder / "a [b](c) $x$ *y*; z.csv").write_text(
        "w,x,y,z,label\n" + "\n".join(f"{i % 7},{i % 5},{i % 3},{i},{i % 4}" for i in range(60))
    )
    quoted = ", ".join(f"'{name}'" for name in NAMES)
    (folder / "a [b](c) $x$ *y*; z.toml").write_text(
        f"title = '{TAG}{EVIL}'\nsource = '{TAG}'\nlicence = '{TAG}'\nlabel = 'label'\n"
        f"classes = ['0', '1', '2', '3']\nclass_names = [{quoted}]\nfeature_names = [{quoted}]\n"
        "[columns]\nlower = 0\nupper = [6, 4, 2, 60]\n"
    )


def strings(value):
    if isinstance(value, dict):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)
    elif isinstance(value, str):
        yield value


def test_names_from_files_are_harmless(open_page, monkeypatch, tmp_path):
    put_hostile_data(tmp_path)
    page = open_page(dataset="wine")
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    page.run()
    name = "a [b](c) $x$ *y*; z"
    page.selectbox(key="dataset").select(name).run()
    said = sound(page)
    assert not re.search(r"(?<!\\)!(?<!\\)\[", said)
    assert not re.search(r"(?<!\\)\]\(", said)
    for tab in FIGURES:
        said = turned(page, tab)
        assert not re.search(r"(?<!\\)!(?<!\\)\[", said)
        for text in (each for figure in figures(page) for each in strings(figure)):
            for entry in ALGORITHMS.values():
                text = text.replace(f"<b>{entry.title}</b>", "")  # of ours, in bold: no name from a file is one
            assert not re.search(r"<(?!/?extra>|br>)", text), text
    assert f"--dataset '{name}'" in "".join(code.value for code in page.code)
    html = [m.value for m in page.markdown if m.allow_html]
    assert all(TAG not in text and EVIL not in text for text in html)


def test_messages_about_files_are_harmless(open_page, tmp_path):
    (tmp_path / "broken.csv").write_text("a,b,label\n" + "\n".join(f"{i},{i},{EVIL}" for i in range(9)))
    (tmp_path / "broken.toml").write_text("classes = ['yes', 'no']\n")
    page = open_page(folder=tmp_path, dataset="broken")
    assert [e.value for e in page.exception] == []
    (error,) = [e.value for e in page.error]
    assert "not declared" in error
    assert "![" not in error.replace("\\!", "")
    page.selectbox(key="dataset").select("wine").run()
    sound(page)


def test_an_address_cannot_make_the_page_fetch_anything(open_page):
    page = open_page(dataset="wine", model=EVIL, **{EVIL: EVIL, TAG: TAG})
    sound(page)
    (warning,) = [w.value for w in page.warning]
    assert "![" not in warning.replace("\\!", "")
    assert "](http" not in warning.replace("\\]", "")


def test_a_folder_that_is_not_there_is_a_message(open_page, tmp_path):
    for query in ({}, {"dataset": "wine"}):
        page = open_page(folder=tmp_path / "gone", **query)
        assert [e.value for e in page.exception] == []
        (error,) = [e.value for e in page.error]
        assert error.startswith("DPGEP_DATA_DIR must be an existing folder that can be read")
        assert "gone" in error


def test_one_column_one_class_and_constant_columns(open_page, tmp_path):
    (tmp_path / "line.csv").write_text("x,label\n" + "\n".join(f"{i / 50},{i % 2}" for i in range(50)))
    (tmp_path / "one.csv").write_text("x,y,label\n" + "\n".join(f"{i % 5},{i % 3},1" for i in range(50)))
    (tmp_path / "flat.csv").write_text("x,y,label\n" + "\n".join(f"{i % 5},0,{i % 2}" for i in range(50)))
    for name in ("line", "one", "flat"):
        page = open_page(folder=tmp_path, dataset=name)
        sound(page)


def test_the_command_on_the_page_is_the_scenario(open_page):
    page = open_page(**FULL, tab="ledger")
    codes = [code.value for code in page.code if code.language == "bash"]
    assert len(codes) == 3
    assert all(code.startswith("dpgep solve --dataset wine --model fda --algorithm ") for code in codes)
    assert "--set xi=0.123" in codes[0]


def test_with_all_rows_fitted_the_page_shows_no_accuracy_and_says_why(open_page):
    page = open_page(dataset="wine", test_size="0")
    sound(page)
    assert next((value, note) for label, value, note in numbers(page) if label == "Accuracy (LDA)") == (
        "–", "not measured",
    )  # fmt: skip
    assert "Not measured, because all rows are fitted (test_size = 0)" in turned(page, "classifiers")
    assert "n = 178" in header(page)
    page = open_page(dataset="adult", test_size="0")
    assert "left out for adult, which publishes its test split" in sound(page)


def test_results_that_look_too_good_are_said_to(open_page, tmp_path):
    """k = d, rows that do not vary and an ε at either end: warnings of the core, on the page."""
    page = open_page(dataset="diabetes", model="pca", epsilon="50")
    sound(page)
    warnings = " ".join(w.value for w in page.warning)
    assert "k = 10 keeps all 10 columns" in warnings
    assert "protects next to nothing" in warnings
    np.savez(tmp_path / "still.npz", X=np.ones((40, 3)))
    page = open_page(tmp_path, dataset="still", model="pca", n_components="2")
    sound(page)
    assert any("no direction that is better than another" in w.value for w in page.warning)


def test_a_report_that_was_printed_is_there_until_the_setting_changes(open_page, monkeypatch):
    """The page runs again by itself, when a curve is complete; the file that was just made must not go with that."""
    monkeypatch.setattr(export, "found_browser", lambda: "chromium")
    monkeypatch.setattr(export, "report_pdf", lambda report: b"%PDF-" + report.link.encode())
    page = open_page(dataset="wine")

    def pdf_buttons():
        return [one for one in page.get("download_button") if one.proto.label == "Report as PDF"]

    assert pdf_buttons() == []
    page.button(key="make_pdf").click().run()
    sound(page)
    assert len(pdf_buttons()) == 1
    page.run()
    assert len(pdf_buttons()) == 1
    page.number_input(key="n_components").set_value(1).run()
    assert pdf_buttons() == []


def test_why_a_report_could_not_be_printed_stays_until_the_setting_changes(open_page, monkeypatch):
    def fails(report):
        raise export.NoBrowserError("Chromium ended early.")

    monkeypatch.setattr(export, "found_browser", lambda: "chromium")
    monkeypatch.setattr(export, "report_pdf", fails)
    page = open_page(dataset="wine")
    page.button(key="make_pdf").click().run()
    assert "Chromium ended early." in [error.value for error in page.error]
    page.run()  # a curve is complete
    assert "Chromium ended early." in [error.value for error in page.error]
    page.number_input(key="n_components").set_value(1).run()
    assert "Chromium ended early." not in [error.value for error in page.error]


def test_a_seed_is_typed(open_page):
    page = open_page(dataset="wine")
    page.number_input(key="seed").set_value(123_456).run()
    sound(page)
    assert page.session_state["scenario"].seed == 123_456


TYPED = [("1/5000", "0.0002", 0), ("1e-4", "0.0001", 0), ("2", "papers", 1)]


@pytest.mark.parametrize(("typed", "shown", "said"), TYPED)
def test_a_delta_is_typed_and_one_that_is_none_is_said(typed, shown, said):
    """A menu of δ takes what is typed; `AppTest` cannot type into one."""

    def script(typed):
        import streamlit as st

        from dashboard.sidebar.draw import _fitting_delta

        st.text(_fitting_delta(typed, ["papers"]))
        st.json(st.session_state.get("adjusted", []))

    page = AppTest.from_function(script, args=(typed,)).run()
    assert not page.exception
    assert shown in page.text[0].value
    assert page.json[0].value.count("delta must be ") == said
