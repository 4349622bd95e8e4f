"""What was read off the rows is one list: every surface that shows a result says the same sentence of it."""

import json
from html import unescape

import pandas as pd
import pytest
from lab import filled, open_at, press, sound

from dashboard import cache
from dashboard.compute.results import settings_text
from dashboard.export import Report, report_html
from dashboard.export.report import python_code
from dashboard.saving.store import ENVIRONMENT, Store
from dashboard.scenario import Scenario
from dashboard.text.sweep_notes import notes
from dpgep_core import load_dataset, solve
from dpgep_core.cli import main
from dpgep_core.experiments.grid import Cell, parse_sweep
from dpgep_core.experiments.papers import EXHIBITS, ReproductionRequest
from dpgep_core.experiments.papers.bundled_results import as_csv, as_json, bundled_reproduction, read_back
from dpgep_core.experiments.papers.data import PAPER_SCALING, Cut, cut
from dpgep_core.experiments.papers.exhibit import Exhibit, LabelledCell, ResultLine
from dpgep_core.experiments.papers.page import as_html
from dpgep_core.experiments.papers.reproduce import reproduce
from dpgep_core.learnt import CLASS_SET, HELD_OUT, NUMBER_OF_ROWS, learnt_facts, learnt_sentence
from dpgep_core.release import Setting

FACTS = (
    CLASS_SET,
    "the number of columns d, the largest index in the file (declared_d declares it)",
    "the column bounds",
    NUMBER_OF_ROWS,
    HELD_OUT,
)
SAID = "Read off the rows, and so not covered by any ε here: " + "; ".join(FACTS) + "."
ADD = {"dataset": "odd", "relation": "add_remove"}
OPTIONS = ("--dataset", "odd", "--set", "relation=add_remove")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A LIBSVM file whose sidecar declares next to nothing."""
    lines = [f"{i % 3} 1:{i % 7} 2:{(i * i) % 11} 4:{i % 5}" for i in range(60)]
    (tmp_path / "odd.libsvm").write_text("\n".join(lines))
    (tmp_path / "odd.toml").write_text("[columns]\nlower = 0\nupper = 11\nlearnt = true\n")
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    return tmp_path


def plain(text: str) -> str:
    """Without the marks that markdown needs to show a name as it is."""
    return unescape(text).replace("\\", "")


def test_the_list():
    setting = Setting(relation="add_remove")
    assert learnt_facts(load_dataset("odd"), setting) == FACTS
    assert learnt_sentence(FACTS) == SAID
    assert learnt_facts(load_dataset("odd"), Setting(algorithm="exact")) == ()  # no ε is claimed
    assert CLASS_SET not in learnt_facts(load_dataset("odd"), Setting(model="pca"))  # which the model never uses
    assert "the column bounds" not in learnt_facts(load_dataset("odd"), Setting(bounds=False))
    assert learnt_facts(load_dataset("wine"), Setting()) == ()
    assert learnt_sentence(()) == ""


def test_releases_and_commands(capsys, folder):
    release = solve("odd", relation="add_remove")
    assert release.learnt == FACTS
    assert SAID in release.warnings
    for command, more in (("solve", ()), ("ask", ("n", "--measure", "subspace", "--target", "0.5", "--draws", "1"))):
        words = [command, *more[:1], *OPTIONS, *more[1:]]
        assert main([*words, "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["learnt"] == list(FACTS)
        assert main(words) == 0
        assert SAID in capsys.readouterr().out
    assert main(["audit", "--algorithm", "ssp", "--trials", "20", "--json"]) == 0
    assert (
        json.loads(capsys.readouterr().out)["learnt"] == []
    )  # its pairs are made up, and everything about them public


def test_sweeps_and_their_page(folder):
    table = {"datasets": ["odd"], "relation": ["add_remove"], "as_if": [1.0, 2.0]}
    (folder / "s.toml").write_text('datasets = ["odd"]\nrelation = ["add_remove"]\nas_if = [1.0, 2.0]\n')
    assert main(["sweep", str(folder / "s.toml"), "--out", str(folder / "t.parquet"), "--quiet"]) == 0
    found = pd.read_parquet(folder / "t.parquet")
    assert found["learnt"].tolist() == [SAID, SAID]
    assert all(SAID in said for said in found["warnings"])
    assert ["pretended rows" in said for said in found["warnings"]] == [
        False,
        True,
    ]  # of an ε that is not of these rows
    assert set(found["label"]) == {"reads the private data; seed known: not private"}
    said = notes(found, parse_sweep(table))
    assert said.count(SAID) == 1
    assert not any(SAID in one for one in said if one != SAID)
    assert any("pretended rows" in one for one in said)


@pytest.mark.parametrize(("page", "query"), [
    ("explore", {}), ("methods", {"method": "ssp"}), ("privacy_lab", {"part": "noise"}),
    ("privacy_lab", {"part": "budget"}), ("privacy_lab", {"part": "verdicts"}),
])  # fmt: skip
def test_pages(page, query, open_page, folder):
    opened = open_page(folder=folder, **ADD)
    app = opened if page == "explore" else open_at(page, **ADD, **query)
    said = plain(sound(app))
    assert SAID in said
    if page == "explore":
        assert "Preprocessing, public" not in said
        assert "added or removed. n =" in said.replace("**", "")
        captions = plain(sound(open_page(folder=folder, **ADD, tab="curves")))
        assert captions.count(SAID) >= 2  # the captions of the figures, which leave with their files, say it too


def test_a_question_on_compare():
    app = open_at("compare", **ADD, algorithms="ssp", side="ask", reach="subspace", question="n")
    press(app, "Ask")
    filled(app, lambda said: SAID in plain(said))


def test_scenarios_that_are_compared(tmp_path, monkeypatch):
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "saved.sqlite"))
    store = Store(tmp_path / "saved.sqlite")
    for seed in ("0", "1"):
        store.add(seed, {**ADD, "model": "fda", "algorithms": "ssp", "epsilon": "1", "seed": seed})
    app = open_at("saved", dataset="wine")
    for place in (0, 1):
        app.selectbox(key=f"compare_{place}").select(store.all()[place].id)
    app.toggle(key="compare_on").set_value(True).run()
    assert plain(sound(app)).count(SAID) >= 4  # a warning on each side, and the caption of each picture


def test_reports_captions_and_programs():
    data, scenario = load_dataset("odd"), Scenario(dataset="odd", relation="add_remove")
    item = cache.answer(scenario, "ssp", data)
    assert SAID[:-1] in settings_text(scenario, [item])
    report = Report(scenario=scenario, title="odd", answers=[item], preprocessing="clipped", learnt=data.learnt)
    html = plain(report_html(report))
    assert SAID in html
    assert "Preprocessing, public" not in html
    assert "with bounds learnt from the rows" in html
    assert f"# {SAID}" in python_code(scenario, "ssp", item.release.learnt)
    assert "release.warnings" in python_code(scenario, "ssp")


def test_reproductions(tmp_path):
    cell = Cell(dataset="odd", setting=Setting(relation="add_remove"), n=None, classifiers=())
    tiny = Exhibit(
        key="tiny", paper="A paper", title="A table", data=(), unit="explained", fixed="k = 2",
        tasks=lambda _: [LabelledCell(labels={}, cell=cell)],
        lines=lambda records: [ResultLine(labels={}, published=None, ours=r["explained"], runs=1) for r in records],
        verdict=lambda _: ["It runs."],
    )  # fmt: skip
    found = reproduce(ReproductionRequest(exhibit=tiny), tmp_path / "cells.sqlite")
    assert found.learnt == (SAID,)
    assert SAID in plain(as_html(found))
    for name, text in (("tiny.csv", as_csv(found)), ("tiny.json", as_json(found))):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_back(tiny, tmp_path).learnt == (SAID,)
    assert {CLASS_SET, PAPER_SCALING} <= set(learnt_facts(cut(Cut(dataset="odd", n=50)), Setting()))


@pytest.mark.parametrize("key", ["hu-figure-1", "hu-figure-2", "hu-figure-3"])
def test_results_that_come_with_the_lab(key):
    found = bundled_reproduction(EXHIBITS[key])
    assert found is not None
    assert any(PAPER_SCALING in said for said in found.learnt)
