"""What a menu shows leads back to what it means: the browser answers with the text of an option alone."""

import re
from collections.abc import Mapping

import pytest
from lab import open_at, query
from page import written

from dashboard import display, pages
from dashboard.compute.axes import AXES
from dashboard.controls import distinct
from dashboard.panels import data_form
from dashboard.scenario import Scenario, from_query
from dashboard.stories import STORIES
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import load_dataset
from dpgep_core.evaluate.measures import CURVE_MEASURES
from dpgep_core.models import MODELS
from dpgep_core.models.neighbours import STATISTICS
from dpgep_core.privacy.rules import RULES

ODD = ("a b", "a&b=c", "é ü", "100%", "x#y", "q?r", "a+b", "comma,name", "semi;colon", "'quote'", "*bold*", "[l](u)")


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        ({"a": "Clinic", "b": "Other"}, ["Clinic", "Other"]),
        ({"a": "Clinic", "b": "Clinic"}, ["Clinic (a)", "Clinic (b)"]),
        ({"a": "Clinic", "b": " clinic "}, ["Clinic (a)", "clinic (b)"]),  # alike to a reader
        ({"a": "X", "b": "X", "c": "X (a)"}, ["X (a) (a)", "X (b)", "X (a) (c)"]),
        ({"a": "", "b": "  "}, ["a", "b"]),
        ({0: "same", 1: "same"}, ["same (0)", "same (1)"]),
        ({}, []),
    ],
)
def test_texts_of_a_menu_are_all_different(texts: Mapping[object, str], shown: list[str]):
    assert list(distinct(texts).values()) == shown
    assert list(distinct(texts)) == list(texts)


def test_the_fixed_menus_have_no_two_options_of_one_text():
    menus = {
        "models": [e.title for e in MODELS.values()],
        "algorithms": [e.title for e in ALGORITHMS.values()],
        "statistics": [e.title for e in STATISTICS.values()],
        "rules": [e.title for e in RULES.values()],
        "axes": [axis.knob.label for axis in AXES.values()],
        "metrics": [metric.label for metric in CURVE_MEASURES.values()],
        "displays": [each.title for each in display.DISPLAYS.values()],
        "parts": list(pages.PARTS.values()),
        "parts of the data page": list(pages.DATA_PARTS.values()),
        "questions": [*pages.SIDES.values(), *pages.BANDS.values(), *pages.QUESTIONS.values()],
        "delimiters": list(data_form.SAID.values()),
        **{f"{key}, step {i}": step.options for key, story in STORIES.items() for i, step in enumerate(story.steps)},
    }
    for menu, texts in menus.items():
        assert len({text.casefold() for text in texts}) == len(texts), menu


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Ten sets of one title whose answers differ, and names that need escaping."""
    names = [f"clinic_{i:02d}" for i in range(10)] + list(ODD)
    for number, name in enumerate(names):
        rows = "".join(f"{(7 * i + number) % 11},{i % (5 + number)},{i % 2}\n" for i in range(40))
        (tmp_path / f"{name}.csv").write_text(f"a,b,risk\n{rows}")
        (tmp_path / f"{name}.toml").write_text('title = "Clinic"\nlabel = "risk"\n')
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    return names


def test_every_set_of_a_folder_survives_menu_and_address(folder):
    """Where sets shared one title, the page used to open the last one, whichever was meant."""
    for name in folder:
        address = Scenario(dataset=name).to_query()
        assert from_query(address) == (Scenario(dataset=name), ())
    app = open_at("methods", dataset=folder[3])
    app.run()  # the browser says again what it was told
    assert app.session_state["scenario"].dataset == folder[3]
    for name in folder:
        app.selectbox(key="dataset").set_value(name).run()
        assert [e.value for e in app.exception] == []
        assert app.session_state["scenario"].dataset == app.session_state["data"].name == name
        assert query(app)["dataset"] == name
        assert app.session_state["data"].X[0, 0] == load_dataset(name).X[0, 0]
    options = app.selectbox(key="dataset").options
    assert len(set(options)) == len(options)
    assert "Clinic (clinic_03)" in options
    assert not re.search("could not be used", written(app))


def test_settings_come_back_when_the_data_allow_them_again(monkeypatch):
    """What a small data set does not allow is held back there, and neither lost nor carried on."""
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)
    app = open_at("methods", dataset="digits", model="pca", algorithms="ssp", sparsity="19", n_components="30")
    seen = []
    for name in ("digits", "wine", "synthetic_pca", "digits"):
        app.selectbox(key="dataset").set_value(name).run()
        scenario = app.session_state["scenario"]
        seen.append((dict(scenario.params)["sparsity"], scenario.n_components))
        assert [e.value for e in app.exception] == []
    most = load_dataset("synthetic_pca").d
    assert seen == [(19, 30), (13, 13), (min(19, most), min(30, most)), (19, 30)]


def test_a_usual_value_that_does_not_fit_becomes_no_setting(monkeypatch):
    """Thirty entries are usual for `dptrf`; wine has thirteen columns, and digits get thirty again."""
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)
    app = open_at("methods", dataset="wine", algorithms="dptrf")
    assert dict(app.session_state["scenario"].params)["sparsity"] == 13
    assert "could not be used" not in written(app)
    app.selectbox(key="dataset").set_value("digits").run()
    assert "sparsity" not in dict(app.session_state["scenario"].params)
    slider = app.select_slider(key="sparsity")
    assert (slider.value, slider.options[-1]) == (30, "all")  # 0 keeps all entries, and says so
