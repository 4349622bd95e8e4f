"""A page for each method, made from the registry."""

import json

import pytest
from lab import open_at, press, query, sound
from page import figures, written

from dashboard.compute.noise_plans import stated_noise
from dashboard.text import plain
from dashboard.text.gains import HEAD, gain_cell
from dashboard.text.plain import WORDS
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.evaluate.gain import gain_table
from dpgep_core.params import parameters
from dpgep_core.wording import plural


@pytest.mark.parametrize("key", ALGORITHMS)
def test_every_method(key):
    entry = ALGORITHMS[key]
    model = "fda" if "fda" in entry.models else entry.models[0]
    app = open_at("methods", dataset="wine", model="pca" if key.startswith("dp_") else model, method=key)
    said = sound(app)
    assert app.title[0].value == entry.title
    for words in (
        "**Source**",
        "**Claim**",
        f"-badge[{entry.guarantee.verdict}]",
        f"**{entry.guarantee.verdict.capitalize()}**",
        "**Why**",
    ):
        assert words in said, words
    stated = stated_noise(app.session_state["scenario"], key, app.session_state["data"])
    assert stated.answers
    drawn = json.dumps(figures(app)[0], ensure_ascii=False)
    assert all(f"{one.count:,} times" in drawn or one.count == 1 for one in stated.answers)
    assert ("no noise" in drawn) == any(one.sigma == 0 for one in stated.answers)
    for name in parameters(entry.make):
        assert f"`{name}`" in said
    assert query(app)["method"] == key
    assert any("dpgep solve" in code.value and f"--algorithm {key}" in code.value for code in app.code)


def test_a_page_without_a_method_lists_them_all():
    app = open_at("methods", dataset="wine", algorithms="ssp")
    said = sound(app)
    assert app.title[0].value == "What does each method ask of the data?"
    assert f"{len(ALGORITHMS)} methods" in said
    labels = [button.label for button in app.button]
    for key, entry in ALGORITHMS.items():
        assert entry.title in labels
        stated = stated_noise(app.session_state["scenario"], key, app.session_state["data"])
        assert plural(stated.count, "answer") in said
    press(app, ALGORITHMS["dpsr"].title)
    assert "can be read off the output exactly" in sound(app)
    assert query(app)["method"] == "dpsr"
    press(app, "← All methods")
    assert "method" not in query(app)


@pytest.mark.parametrize(("dataset", "model"), [("wine", "fda"), ("digits", "pca")])
def test_the_table_says_the_epsilon_for_most_of_the_gain(dataset, model):
    """For the data and the model of the sidebar; a dash stands for a method that was not measured."""
    app = open_at("methods", dataset=dataset, model=model)
    said = [element.value for element in app.markdown]
    assert "95 % of the accuracy gain" in head_of(app).help
    assert f"docs/algorithms/gain/{model}.toml" in head_of(app).help
    cells = [gain_cell(dataset, model, key) for key in ALGORITHMS]
    assert all(said.count(cell) == cells.count(cell) for cell in cells)
    measured = {key for (data, kind, key) in gain_table() if (data, kind) == (dataset, model)}
    assert cells.count("–") == len(ALGORITHMS) - len(measured)
    assert {"dataset", "model"} <= {box.key for box in app.sidebar.selectbox}


def test_a_data_set_that_was_not_measured_has_no_column():
    app = open_at("methods", dataset="synthetic_sir", model="sir")
    said = sound(app)
    assert "–" not in [element.value for element in app.markdown]
    assert HEAD not in [element.value for element in app.markdown]
    assert "was not measured for Synthetic" in said


def head_of(app):
    """The heading of the column."""
    (head,) = [element.proto for element in app.markdown if element.value == f":small[{HEAD}]"]
    return head


def test_the_second_view_draws_all_claims_and_stays_in_the_address():
    app = open_at("methods", dataset="wine", view="epsilon")
    sound(app)
    assert query(app)["view"] == "epsilon"
    drawn = json.dumps(figures(app)[0], ensure_ascii=False)
    assert all((entry.title in drawn) == entry.private for entry in ALGORITHMS.values())


def test_a_verdict_in_general_is_told_from_one_at_the_setting():
    """The table and the view of ε said one word each about a claim, and not that they were about different things."""
    assert "of the published claims in general" in sound(open_at("methods", dataset="wine"))
    app = open_at("methods", dataset="wine", view="epsilon")
    assert "Each verdict is that of a run at this setting" in sound(app)
    assert "Of these claims, judged in general, " in sound(app)
    assert "-badge[false] in general. **Claim**" in sound(open_at("methods", dataset="wine", method="dpsr"))


def test_garbage():
    said = sound(open_at("methods", dataset="wine", method="sssp"))
    assert "did you mean 'ssp'?" in said
    assert "<script>" not in sound(open_at("methods", dataset="wine", method="<script>alert(1)</script>"))


def test_a_model_that_it_does_not_solve():
    said = sound(open_at("methods", dataset="wine", model="fda", method="ppi"))
    assert "It does not solve Fisher discriminant: choose Principal components" in said


def test_readable_without_data(monkeypatch, tmp_path):
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path / "gone"))
    app = open_at("methods", method="dpsr")
    assert [e.value for e in app.exception] == []
    assert "DPGEP_DATA_DIR" in app.error[0].value
    assert app.title[0].value == ALGORITHMS["dpsr"].title
    listed = open_at("methods")
    assert [e.value for e in listed.exception] == []
    assert f"{len(ALGORITHMS)} methods" in written(listed)


def test_words_are_about_registered_methods():
    assert WORDS.keys() <= ALGORITHMS.keys()


def test_links():
    assert plain.link("doi:10.1/x") == "https://doi.org/10.1/x"
    assert plain.link("arXiv:1.2") == "https://arxiv.org/abs/1.2"
    assert plain.link("javascript:alert(1)") == ""
    assert plain.link("") == ""
