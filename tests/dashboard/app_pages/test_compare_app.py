"""The Compare page from its address to its words: a sweep built, started, found again, stopped, resumed, and asked."""

import io
import re
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
from lab import filled, open_at, press, query, sound, until
from page import figures, header, written

from dashboard.compute import task_processes
from dashboard.compute.sweeps import spec
from dashboard.compute.task_kinds import SWEEP, sweep_tasks
from dashboard.compute.task_processes import TaskProcesses
from dashboard.compute.tasks import Tasks
from dashboard.panels import compare_run
from dashboard.scenario import Scenario
from dpgep_core.cli import dashboard as command
from dpgep_core.cli import main
from dpgep_core.datasets import load_dataset
from dpgep_core.errors import ParameterError
from dpgep_core.evaluate.threshold import epsilon_for_target
from dpgep_core.experiments.grid import parse_sweep
from dpgep_core.experiments.table import sweep_table

SMALL = {"datasets": ["wine"], "algorithms": ["ssp", "dprf"], "epsilon": [0.1, 10.0], "seeds": 2}
LONG = {"datasets": ["digits"], "algorithms": ["dprf"], "epsilon": [0.1 * i for i in range(1, 40)], "seeds": 40}
pytestmark = pytest.mark.usefixtures("store")


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A store with one finished sweep, of which two cells of three sizes cannot be computed."""
    kept = Tasks(SWEEP, tmp_path_factory.mktemp("sweeps") / "cells.sqlite", TaskProcesses())
    table = {"datasets": ["wine"], "algorithms": ["ssp"], "epsilon": [0.1, 1.0], "n": [60, 9000], "seeds": 2}
    name = kept.start(parse_sweep({**table, "xi": [0.01, 0.1]}))
    until(lambda: not kept.busy())
    return kept.store, name


def test_the_form_starts_from_the_sidebar_and_says_how_much_it_is():
    app = open_at("compare", dataset="wine", algorithms="ssp,dprf", xi="0.05")
    said = sound(app)
    assert app.title[0].value == "Which method, which setting?"
    for words in ("What-if page", "**50 cells**", "by the sizes of the data", "never the rows"):
        assert words in said, words
    (text,) = [code.value for code in app.code if "datasets" in code.value]
    assert 'algorithms = ["ssp", "dprf"]' in text
    assert "xi = [0.05]" in text
    assert any("dpgep sweep" in code.value for code in app.code)


def test_a_sweep_of_eight_cells_is_started_ends_and_shows_its_curve(store):
    app = open_at("compare", dataset="wine", algorithms="ssp,dprf")
    app.text_input(key="grid_epsilon").set_value("0.1, 10")
    app.number_input(key="grid_seeds").set_value(2).run()
    assert "**8 cells**" in written(app)
    press(app, "Start the sweep")
    name = query(app)["run"]
    assert name == spec.run_id(parse_sweep({**SMALL, "models": ["fda"], "classifiers": ["lda"]}))
    until(lambda: not sweep_tasks().busy())
    again = open_at("compare", dataset="wine", run=name)  # another browser, or a reload
    assert "**8 cells**, all computed" in sound(again)
    table = sweep_table(sweep_tasks().plan(name), store)
    own = table[table["algorithm"] == "ssp"].groupby("epsilon")["lda_accuracy"].median()
    line = next(trace for trace in figures(again)[0]["data"] if trace["name"].startswith("Sufficient statistics"))
    assert line["y"] == pytest.approx(list(own))
    assert "With 2 seeds the smallest possible p is 0.5" in written(again)
    assert "Reads the private data" in written(again)


def test_before_a_sweep_was_started_an_example_is_drawn_and_can_be_taken():
    app = open_at("compare", dataset="wine", algorithms="ssp")
    assert "An example, computed beforehand" in [header.value for header in app.subheader]
    names = [trace["name"] for trace in figures(app)[0]["data"] if trace["showlegend"]]
    assert [name.partition(" (")[0] for name in names] == [
        "Sufficient statistics", "DPSR, corrected", "DP-Rayleigh-Flow", "SR + noise"
    ]  # fmt: skip
    press(app, "Put it into the form")
    assert "**140 cells**" in sound(app)
    assert app.multiselect(key="grid_datasets").value == ["mnist"]


def test_a_started_sweep_takes_the_place_of_the_example(done, monkeypatch):
    path, name = done
    monkeypatch.setenv(task_processes.ENVIRONMENT, str(path))
    app = open_at("compare", dataset="wine", run=name)
    assert "**16 cells**" in sound(app)
    assert "An example, computed beforehand" not in [header.value for header in app.subheader]


def test_data_sets_have_a_panel_each_until_somebody_chooses(monkeypatch):
    """In one panel their lines have no levels, and names that no legend has room for."""
    sweep, table = compare_run.example_sweep()
    two = replace(sweep, datasets=("mnist", "digits")), pd.concat([table, table.assign(dataset="digits")])
    app = open_at("compare", dataset="wine", algorithms="ssp")
    assert app.selectbox(key="facet").value == "none"
    monkeypatch.setattr(compare_run, "example_sweep", lambda: (two[0], two[1].reset_index(drop=True)))
    said = sound(app.run())
    assert app.selectbox(key="facet").value == "dataset"
    assert "The line without privacy is the best of the settings drawn." in said
    assert "Every file says" in said  # which is what the page says below the chart
    app.selectbox(key="facet").set_value("none").run()
    assert query(app.run())["facet"] == "none"
    assert "The line without privacy" not in written(app)  # there is none


@pytest.mark.slow
def test_a_running_sweep_is_found_after_a_reload_cancelled_and_resumed(store):
    name = sweep_tasks().start(parse_sweep(LONG))
    until(lambda: store.exists() and sweep_tasks().done(name) > 0)
    app = open_at("compare", dataset="wine", run=name)
    sound(app)
    (bar,) = app.get("progress")
    assert "of 1,560 cells" in bar.proto.text
    assert "It goes on when this page is closed" in written(app)
    press(app, "Cancel")
    until(lambda: not sweep_tasks().busy())
    kept = sweep_tasks().done(name)
    assert 0 < kept < 1560
    app = open_at("compare", dataset="wine", run=name)
    assert f"**{kept:,} of 1,560 cells** are computed and kept. It was cancelled; *Go on* starts it again" in sound(app)
    press(app, "Go on")
    until(lambda: sweep_tasks().done(name) > kept)


def test_a_server_that_starts_again_knows_its_sweeps(done):
    path, name = done
    fresh = Tasks(SWEEP, path, TaskProcesses())
    assert fresh.known() == [name]
    assert fresh.done(name) == 16
    assert fresh.running(name) is None


def test_every_parameter_in_the_address(done, monkeypatch):
    path, name = done
    monkeypatch.setenv(task_processes.ENVIRONMENT, str(path))
    asked = {"side": "sweep", "run": name, "shown": "angle", "along": "xi", "facet": "epsilon", "band": "mean",
             "question": "n", "reach": "cosine"}  # fmt: skip
    app = open_at("compare", dataset="wine", algorithms="ssp", **asked)
    said = sound(app)
    assert "could not be used" not in said
    (figure,) = figures(app)
    assert "Ridge" in figure["layout"]["xaxis"]["title"]["text"]
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["ε = 0.1", "ε = 1"]
    assert "Mean over seeds with Student's 95 % interval" in said
    assert {n: t for n, t in query(app).items() if n in asked} == {n: t for n, t in asked.items() if n != "side"}


@pytest.mark.parametrize("name", ["side", "run", "shown", "along", "facet", "band", "question", "reach"])
def test_garbage_in_the_address_is_said_and_left_out(name):
    app = open_at("compare", dataset="wine", **{name: "<script>alert(1)</script>"})
    assert [e.value for e in app.exception] == []
    (warning,) = [w.value for w in app.warning]
    assert name in warning
    assert "<script>" not in warning
    assert "cells**" in written(app)


def test_a_run_that_is_not_here_is_one_line():
    app = open_at("compare", dataset="wine", run="0123456789ab")
    assert [e.value for e in app.exception] == []
    (error,) = [e.value for e in app.error]
    assert "a sweep that was started on this server" in error


def test_cells_that_failed_are_listed_and_the_others_shown(done, monkeypatch):
    path, name = done
    monkeypatch.setenv(task_processes.ENVIRONMENT, str(path))
    app = open_at("compare", dataset="wine", run=name)
    assert "8 cells ended in an error" in sound(app)
    failed = next(frame.value for frame in app.dataframe if "error" in frame.value)
    assert set(failed["rows"]) == {9000}
    assert failed["error"].str.contains("at most the 178 rows").all()
    assert "Compute them again" in [button.label for button in app.button]


def test_a_cell_opens_in_explore(done, monkeypatch):
    path, name = done
    monkeypatch.setenv(task_processes.ENVIRONMENT, str(path))
    app = open_at("compare", dataset="digits", algorithms="dprf", run=name)
    app.selectbox(key="sweep_cell").select_index(3).run()
    content = sweep_tasks().plan(name).cells[3][1].content()
    press(app, "Open in Explore")
    assert [e.value for e in app.exception] == []
    assert header(app).startswith("Wine ")
    shown = query(app)
    assert (shown["dataset"], shown["algorithms"], float(shown["epsilon"])) == ("wine", "ssp", content["epsilon"])
    assert float(shown.get("xi", 0.01)) == content["xi"]


def test_downloads_hold_every_cell(done):
    path, name = done
    table = sweep_table(Tasks(SWEEP, path, TaskProcesses()).plan(name), path)
    back = pd.read_parquet(io.BytesIO(compare_run.parquet(table)))
    pd.testing.assert_frame_equal(back, table)
    assert len(back) == 16


@pytest.mark.parametrize(
    ("key", "text", "words"),
    [("grid_epsilon", "0.1; 3", "epsilon must be"), ("grid_xi", "-1", "xi must be"), ("grid_n", "2.5", "n must be"),
     ("grid_epsilon", "0.1 .. 10 x 500, 11 .. 500 x 400", "at most 10,000 cells")],
)  # fmt: skip
def test_a_list_that_cannot_be_used_is_one_line(key, text, words):
    app = open_at("compare", dataset="wine")
    app.number_input(key="grid_seeds").set_value(1000)
    app.text_input(key=key).set_value(text).run()
    assert [e.value for e in app.exception] == []
    (error,) = [e.value for e in app.error]
    assert words in error
    assert "Start the sweep" not in [button.label for button in app.button]
    assert app.number_input(key="grid_seeds").value == 1000  # the fields after the wrong one stay
    assert app.text_input(key="grid_n").label == "Rows"
    app.text_input(key=key).set_value("100").run()
    assert not app.error


def test_a_sweep_as_toml():
    app = open_at("compare", dataset="wine")
    app.segmented_control(key="grid_way").set_value("toml").run()
    assert 'datasets = ["wine"]' in app.text_area(key="grid_toml").value  # what the lists said
    app.text_area(key="grid_toml").set_value('datasets = ["digits"]\nseeds = 3\nepsilon = [1, 2]').run()
    assert "**6 cells**" in sound(app)
    app.text_area(key="grid_toml").set_value("datasets = [").run()
    (error,) = [e.value for e in app.error]
    assert "TOML" in error


def test_the_form_is_as_it_was_left_on_another_page():
    app = open_at("compare", dataset="wine")
    app.text_input(key="grid_epsilon").set_value("0.7").run()
    app.switch_page("app_pages/methods.py").run()
    app.switch_page("app_pages/compare.py").run()
    assert app.text_input(key="grid_epsilon").value == "0.7"


def test_uploads_are_left_out_and_can_be_asked_about():
    app = open_at("data", rows="upload", dataset="wine")
    rows = "".join(f"{i % 7},{i % 5},{i % 3},{'ab'[i % 7 > 3]}\n" for i in range(80))
    app.file_uploader[0].set_value(("mine.csv", f"x,y,z,label\n{rows}".encode(), "text/csv")).run()
    app.button(key="up_use").click().run()
    app.switch_page("app_pages/compare.py").run()
    assert [e.value for e in app.exception] == []
    assert "a sweep outlives it" in written(app)
    assert app.multiselect(key="grid_datasets").value == []
    assert [e.value for e in app.error] == []  # who did nothing wrong saw a red box about an empty list
    assert "Choose one or more: Data sets." in [info.value for info in app.info]
    app.segmented_control(key="side").set_value("ask").run()
    app.number_input(key="ask_target").set_value(0.6).run()
    press(app, "Ask")
    filled(app, lambda said: "reached" in said or "reaches 0.6" in said)


def test_methods_come_back_with_a_model():
    """Without a model there are no methods to choose from, and those that were chosen were gone for good."""
    app = open_at("compare", dataset="wine", algorithms="ssp,dprf")
    app.multiselect(key="grid_models").set_value([]).run()
    assert "Choose one or more: Models, Methods." in [info.value for info in app.info]
    assert [e.value for e in app.error] == []
    app.multiselect(key="grid_models").set_value(["fda"]).run()
    assert app.multiselect(key="grid_algorithms").value == ["ssp", "dprf"]
    assert "**50 cells**" in written(app)


def test_an_answer_is_that_of_the_core():
    app = open_at("compare", dataset="wine", algorithms="ssp,exact", side="ask", reach="subspace")
    assert "no ε covers choosing by it" in sound(app)
    app.number_input(key="ask_target").set_value(0.8).run()
    press(app, "Ask")
    said = filled(app, lambda said: "reaches 0.8" in said)
    found = epsilon_for_target(load_dataset("wine"), Scenario(dataset="wine").setting("ssp"), 0.8, measure="subspace")
    assert f"ε = {found.value:.3g} (μ = " in said
    assert f"**{found.low:.3g}**" in said
    assert "has no noise to search over" in said


def test_the_best_ridge_on_the_page():
    app = open_at("compare", dataset="wine", algorithms="ssp,dprf", side="ask", question="xi")
    press(app, "Ask")
    assert "pays anew for every ξ" in filled(app, lambda said: "has the best median" in said)


def test_how_a_plan_would_grow_is_predicted_and_follows_what_is_entered():
    app = open_at("compare", dataset="wine", algorithms="ssp,exact", side="grow")
    said = sound(app)
    assert "On one core about **" in said
    assert [app.number_input(key=f"grow_{size}").value for size in ("n", "d", "classes", "k")] == [178, 13, 3, 2]
    digits = open_at("compare", dataset="digits", algorithms="ssp", side="grow")
    assert digits.number_input(key="grow_k").value == 9  # as on Explore, where nothing else is asked for
    assert app.multiselect(key="grow_algorithms").value == ["ssp", "exact"]
    assert figures(app)
    app.number_input(key="grow_n").set_value(10_000_000).run()
    app.number_input(key="grow_d").set_value(400).run()
    assert re.search(r"about \*\*[\d.,]+ (min|h)\*\*", sound(app))
    app.segmented_control(key="side").set_value("ask").run()
    app.segmented_control(key="side").set_value("grow").run()
    assert app.number_input(key="grow_d").value == 400  # kept while another part is shown
    app.multiselect(key="grow_algorithms").set_value([]).run()
    assert "Choose a method" in app.info[0].value


def test_why_a_process_ended_is_said(monkeypatch, store):
    monkeypatch.setattr(task_processes.sys, "executable", "/bin/false")
    name = sweep_tasks().start(parse_sweep(SMALL))
    until(lambda: sweep_tasks().running(name).failed is not None)
    app = open_at("compare", dataset="wine", run=name)
    assert [e.value for e in app.exception] == []
    assert "the process ended with 1" in app.error[0].value


def test_a_damaged_store_is_said_and_left(store):
    store.write_bytes(b"SQLite format 3\x00" + b"x" * 200)
    app = open_at("compare", dataset="wine")
    assert [e.value for e in app.exception] == []
    assert "left as it is" in app.error[0].value
    assert store.read_bytes()[16:20] == b"xxxx"


def test_only_so_many_at_once(monkeypatch):
    monkeypatch.setattr(task_processes, "AT_ONCE", 1)
    first = sweep_tasks().start(parse_sweep(LONG))
    assert sweep_tasks().start(parse_sweep(LONG)) == first  # the same sweep is the same run
    with pytest.raises(ParameterError, match="has ended"):
        sweep_tasks().start(parse_sweep(SMALL))


def test_the_flag_names_the_file(monkeypatch, tmp_path, capsys):
    seen = []
    server = SimpleNamespace(serve=lambda *_given, **_named: seen.append(task_processes.default_store()))
    monkeypatch.setattr(command.importlib, "import_module", lambda _name: server)
    monkeypatch.setattr(command, "threadpool_limits", lambda _number: None)
    assert main(["--headless", "--sweeps", str(tmp_path / "cells.sqlite")]) == 0
    assert seen == [tmp_path / "cells.sqlite"]
    assert main(["--headless", "--sweeps", str(tmp_path / "gone" / "x")]) == 2
    assert "--sweeps must be a file, there or not, in a folder that exists" in capsys.readouterr().err
