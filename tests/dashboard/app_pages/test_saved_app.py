"""The Saved page from its address to its words, and the control that keeps or shares, without a browser."""

import json

import pytest
from lab import open_at, query, sound
from page import ENTRY, figures, header, written
from streamlit.testing.v1 import AppTest

from dashboard import cache
from dashboard.panels import report, shared
from dashboard.saving.store import ENVIRONMENT, Store
from dpgep_core.datasets import load_dataset
from dpgep_core.datasets.digests import dataset_digest
from dpgep_core.errors import DpgepError

TAG = "<script>alert(1)</script> ![p](http://evil.example/p.png) $x$ :red[y]"
FULL = {
    "dataset": "wine", "model": "fda", "algorithms": "ssp,dprf,dpsr", "epsilon": "0.7", "delta": "1.2345e-06",
    "n_components": "3", "seed": "11", "relation": "add_remove", "as_if": "2.5", "noise": "true", "bounds": "true",
    "xi": "0.123", "sparsity": "6", "floor": "false", "weight": "0.3", "step_size": "0.45", "n_iterations": "7",
    "calibration": "exact", "start": "oracle",
}  # fmt: skip


pytestmark = pytest.mark.usefixtures("brief")


@pytest.fixture(autouse=True)
def path(monkeypatch, tmp_path):
    """A list of its own for each test."""
    where = tmp_path / "saved.sqlite"
    monkeypatch.setenv(ENVIRONMENT, str(where))
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)
    return where


def press(page, label, number=0):
    [each for each in page.button if each.label == label][number].click().run()
    return page


def save(page, name, note=""):
    next(each for each in page.text_input if each.label == "Name" and not each.value).set_value(name)
    next(each for each in page.text_input if each.label == "Note").set_value(note)
    return press(page, "Save this scenario")


def test_nothing_saved_yet(path):
    page = open_at("saved", dataset="wine")
    said = sound(page)
    assert page.title[0].value == "What did I keep?"
    for words in ("Nothing is saved yet", "saved.sqlite", "never the data", "everyone who can reach this page sees",
                  "Save the present setting: Wine cultivars, Fisher discriminant"):  # fmt: skip
        assert words in said, words


def test_save_and_open_gives_every_setting_back(path):
    page = save(open_at("saved", **FULL), "Everything", "for the class")
    said = sound(page)
    assert "Saved as “Everything”" in said
    assert "for the class" in said
    (kept,) = Store(path).all()
    told = {name: text for name, text in FULL.items() if name not in ("noise", "bounds")}
    assert dict(kept.query) == told | {"steps": "1"}  # what an address without steps has meant since there were two
    assert kept.fingerprint == Store(path).mark(dataset_digest(load_dataset("wine")))
    other = open_at("saved", dataset="digits", algorithms="dprf", xi="0.5", delta="1e-05", as_if="3", n_iterations="2")
    press(other, "Open")
    assert [e.value for e in other.exception] == []
    assert header(other).startswith("Wine ")
    assert query(other) == dict(kept.query)
    assert "could not be used" not in written(other)


def test_opening_puts_the_usual_where_the_saved_one_says_nothing(path):
    Store(path).add("plain", {"dataset": "wine", "model": "pca", "algorithms": "ssp", "epsilon": "2", "seed": "1"})
    page = open_at("saved", **FULL)
    press(page, "Open")
    saved = {"dataset": "wine", "model": "pca", "algorithms": "ssp", "epsilon": "2", "seed": "1"}
    assert query(page) == saved | {"steps": "1", "xi": "0.01"}  # the usual of the time when nothing was said of it


def test_rename_duplicate_delete_undo(path):
    page = save(open_at("saved", dataset="wine"), "One")
    [each for each in page.text_input if each.value == "One"][-1].set_value("Other")
    press(page, "Rename")
    assert "Other" in sound(page)
    press(page, "Duplicate")
    assert "2 saved" in sound(page)
    assert "Other, copy" in written(page)
    press(page, "Delete")
    said = sound(page)
    assert "1 saved" in said
    assert "Deleted “Other, copy”" in said
    press(page, "Undo")
    said = sound(page)
    assert "2 saved" in said
    assert "Deleted" not in said
    next(each for each in page.text_input if each.value == "Other").set_value("Other, copy")
    press(page, "Rename", 1)
    (error,) = [e.value for e in page.error]
    assert "one that no other saved scenario has" in error


def test_a_name_is_needed(path):
    page = save(open_at("saved", dataset="wine"), "")
    (error,) = [e.value for e in page.error]
    assert "name must be a text of 1 to 80" in error
    assert Store(path).all() == ()


def test_two_side_by_side(path):
    store = Store(path)
    store.add("small", {"dataset": "wine", "model": "fda", "algorithms": "ssp", "epsilon": "0.1", "seed": "0"})
    store.add("large", {"dataset": "wine", "model": "fda", "algorithms": "ssp,dpsr", "epsilon": "10", "seed": "0"})
    page = open_at("saved", dataset="wine")
    page.selectbox(key="compare_0").select(store.all()[1].id)
    page.selectbox(key="compare_1").select(store.all()[0].id)
    page.toggle(key="compare_on").set_value(True).run()
    sound(page)
    settings = page.table[0].value
    differs = settings[settings.iloc[:, 0] == "**differs**"]
    assert set(differs["setting"]) == {"Algorithms", "Privacy loss ε"}
    assert ":orange-background[**0.1**]" in differs.to_string()
    numbers = page.dataframe[0].value
    assert list(numbers.columns)[1:] == [
        "Left: Sufficient statistics (ours)", "Right: Sufficient statistics (ours)", "Right: DPSR (Chen et al.)",
    ]  # fmt: skip
    angles = numbers.set_index("number").loc["Mean principal angle"]
    assert float(angles.iloc[1][:-1]) < float(angles.iloc[0][:-1])
    assert len(figures(page)) == 2
    page.selectbox(key="compare_1").select("now").run()
    sound(page)
    page.selectbox(key="compare_0").select("now").run()
    assert "Both are the same" in sound(page)


@pytest.fixture
def no_mnist(monkeypatch):
    """The usual data set, which stands in for one that is not here, is not solved: it takes seconds."""
    every = cache.answer

    def answer(scenario, *given):
        if scenario.dataset == "mnist":
            raise DpgepError("MNIST is solved elsewhere.")
        return every(scenario, *given)

    monkeypatch.setattr(cache, "answer", answer)


@pytest.mark.usefixtures("no_mnist")
def test_a_data_set_that_is_not_here_is_said(path):
    store = Store(path)
    store.add("uploaded", {"dataset": "upload_mine", "epsilon": "1"})
    store.add("gone", {"dataset": "no such", "epsilon": "1"})
    page = open_at("saved", dataset="wine")
    said = sound(page)
    assert any("upload_mine" in w.value for w in page.warning)
    assert any("no such" in w.value for w in page.warning)
    page.toggle(key="compare_on").set_value(True).run()
    assert [e.value for e in page.exception] == []
    press(page, "Open", 1)
    assert [e.value for e in page.exception] == []
    assert "upload_mine" in " ".join(w.value for w in page.warning)
    assert [e.value for e in page.error] == ["MNIST is solved elsewhere."]  # Explore, with the usual data
    assert said


def test_data_that_changed_since_is_said(path):
    Store(path).add("old", {"dataset": "wine"}, digest=b"as the rows were")
    Store(path).add("older", {"dataset": "digits"}, digest=b"as the rows were")
    page = open_at("saved", dataset="wine")
    assert [w.value for w in page.warning] == [
        "The data set is not the one it was saved with: its rows, classes or preprocessing changed since."
    ]


@pytest.mark.usefixtures("no_mnist")
def test_names_are_harmless(path):
    Store(path).add(TAG, {"dataset": TAG, "model": TAG, TAG: TAG}, note=TAG)
    page = open_at("saved", dataset="wine")
    page.toggle(key="compare_on").set_value(True).run()
    said = written(page) + "".join(str(t.value.to_dict()) for t in page.table)
    assert [e.value for e in page.exception] == []
    assert "![p](" not in said.replace("\\!", "")
    assert not [m for m in page.markdown if m.allow_html and "<script>" in m.value]


def test_long_lists_can_be_searched(path):
    Store(path).add_all([(f"scenario {i}", {"dataset": "wine", "epsilon": str(i)}, "") for i in range(1, 31)])
    page = open_at("saved", dataset="wine")
    assert "The newest 25" in sound(page)
    assert [b.label for b in page.button].count("Open") == 25
    page.text_input(key="saved_find").set_value("ε = 7").run()
    assert "1 found" in sound(page)
    assert "scenario 7" in written(page)


@pytest.mark.parametrize("content", [b"", b"notes" * 100])
def test_a_file_that_is_not_right_is_one_message(path, content):
    path.write_bytes(content)
    page = open_at("saved", dataset="wine")
    assert [e.value for e in page.exception] == []
    (error,) = [e.value for e in page.error]
    assert "left as it is" in error
    assert path.read_bytes() == content


def test_an_address_of_garbage(path):
    page = open_at("saved", dataset="wine", epsilon="zero", nonsense="1", part="x")
    assert "'zero'" in page.warning[0].value
    assert "What did I keep?" in sound(page)


def test_without_data_the_list_is_there(monkeypatch, tmp_path):
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path / "gone"))
    page = open_at("saved")
    assert [e.value for e in page.exception] == []
    assert page.title[0].value == "What did I keep?"


def imported(page, content, name="list.json"):
    page.file_uploader[0].upload(name, content, "application/json").run()
    return page


def test_import(path):
    page = open_at("saved", dataset="wine")
    item = {"name": f"from afar {TAG}", "note": "", "query": {"dataset": "wine", "epsilon": "-1"}}
    imported(page, json.dumps({"format": "dpgep-scenarios", "version": 1, "scenarios": [item]}).encode())
    said = sound(page)
    assert "1 found" in said
    assert "epsilon" in page.warning[0].value
    press(page, "Import 1")
    assert "1 imported." in sound(page)
    assert Store(path).all()[0].name == f"from afar {TAG}"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": "dpgep-scenarios", "version": 9}'])
def test_garbage_to_import_is_a_message(path, content):
    page = imported(open_at("saved", dataset="wine"), content, f"{TAG}.json")
    assert [e.value for e in page.exception] == []
    (error,) = [e.value for e in page.error]
    assert "![p](" not in error.replace("\\!", "")
    assert Store(path).all() == ()


def opened(**asked):
    page = AppTest.from_file(ENTRY, default_timeout=120)
    for name, text in asked.items():
        page.query_params[name] = text
    return page.run()


def test_keep_or_share_on_explore(path, monkeypatch):
    monkeypatch.setattr(report.export, "found_browser", lambda: None)
    page = opened(dataset="wine", epsilon="0.3")
    assert [e.value for e in page.exception] == []
    links = [code.value for code in page.code if "dataset=wine&" in code.value]
    assert any(link.endswith("dataset=wine&model=fda&algorithms=ssp&epsilon=0.3&seed=0&steps=2&xi=0") for link in links)
    assert "PDF needs Chromium" in written(page)
    assert "PNG, SVG and PDF need Chromium" in written(page)
    save(page, "From Explore")
    assert "Saved as “From Explore”" in written(page)
    page.run()  # a part that fills in runs the page again, and nobody has changed anything
    assert "Saved as “From Explore”" in written(page)
    assert Store(path).all()[0].query["epsilon"] == "0.3"


def test_a_large_table_is_sent_when_it_is_unfolded(path, monkeypatch):
    monkeypatch.setattr(shared, "LARGE", 20)
    page = opened(dataset="wine", tab="components")
    tables = [box for box in page.get("expander") if box.label == "The numbers"]
    assert tables
    assert not [box for box in tables if len(box.dataframe) and box.dataframe[0].value.size > 20]
    page.session_state["numbers_components"] = True
    page.run()
    assert [e.value for e in page.exception] == []
    (shown,) = [frame.value for frame in page.dataframe if "feature" in frame.value.columns]
    assert len(shown) == 13
