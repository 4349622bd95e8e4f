"""A page for each method, made from the registry."""

import pytest
from lab import open_at, query, sound

from dashboard.text import plain
from dashboard.text.plain import WORDS
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.params import parameters


@pytest.mark.parametrize("key", ALGORITHMS)
def test_every_method(key):
    entry = ALGORITHMS[key]
    model = "fda" if "fda" in entry.models else entry.models[0]
    app = open_at("methods", dataset="wine", model="pca" if key.startswith("dp_") else model, method=key)
    said = sound(app)
    assert app.header[0].value == entry.title
    for words in (
        "**Source**",
        "**Claim**",
        f"**Verdict** in general: {entry.guarantee.verdict}",
        "**What that means**",
        "**Why**",
    ):
        assert words in said, words
    for name in parameters(entry.make):
        assert f"`{name}`" in said
    assert query(app).get("method", "ssp") == key
    assert any("dpgep solve" in code.value and f"--algorithm {key}" in code.value for code in app.code)


def test_default_and_garbage():
    app = open_at("methods", dataset="wine", method="sssp")
    said = sound(app)
    assert app.header[0].value == ALGORITHMS["ssp"].title
    assert "did you mean 'ssp'?" in said
    assert "<script>" not in sound(open_at("methods", dataset="wine", method="<script>alert(1)</script>"))


def test_choosing_another_changes_the_address():
    app = open_at("methods", dataset="wine")
    app.selectbox(key="method").select("dpsr").run()
    assert "can be read off the output exactly" in sound(app)
    assert query(app)["method"] == "dpsr"


def test_a_model_that_it_does_not_solve():
    said = sound(open_at("methods", dataset="wine", model="fda", method="ppi"))
    assert "It does not solve fda" in said


def test_readable_without_data(monkeypatch, tmp_path):
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path / "gone"))
    app = open_at("methods", method="dpsr")
    assert [e.value for e in app.exception] == []
    assert "DPGEP_DATA_DIR" in app.error[0].value
    assert app.header[0].value == ALGORITHMS["dpsr"].title


def test_words_are_about_registered_methods():
    assert WORDS.keys() <= ALGORITHMS.keys()


def test_links():
    assert plain.link("doi:10.1/x") == "https://doi.org/10.1/x"
    assert plain.link("arXiv:1.2") == "https://arxiv.org/abs/1.2"
    assert plain.link("javascript:alert(1)") == ""
    assert plain.link("") == ""
