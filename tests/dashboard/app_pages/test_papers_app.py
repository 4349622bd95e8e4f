"""The Papers page from its address to its words: every exhibit listed, one run, found again, cancelled and resumed."""

import pytest
from lab import open_at, press, query, sound, until
from page import figures, written

from dashboard import cache
from dashboard.compute import task_kinds
from dashboard.compute.task_kinds import reproduction_tasks
from dashboard.compute.task_processes import TaskProcesses
from dashboard.compute.tasks import Tasks
from dashboard.text import exhibits
from dashboard.text.gallery import Card, gallery_summary
from dashboard.text.which_method import KINDS, chosen_reaches, verdict
from dashboard.text.words import escape_markdown
from dpgep_core.errors import DpgepError
from dpgep_core.experiments.papers import EXHIBITS, ReproductionRequest, exhibit, reproduce
from dpgep_core.experiments.papers.bundled_results import bundled_reproduction
from dpgep_core.experiments.papers.cell_seconds import foretell
from dpgep_core.experiments.papers.exhibit import ResultLine, TableLayout
from dpgep_core.experiments.papers.outcome import MET

SMALL = "chen-supplement-figure-6"  # a9a, a second or two
LONG = "shang-figure-1"  # a9a, minutes
pytestmark = pytest.mark.usefixtures("store", "brief")


def opened(name, **more):
    return open_at("papers", dataset="wine", exhibit=name, **more)


def test_every_exhibit_is_listed_and_opens():
    app = open_at("papers", dataset="wine")
    said = sound(app)
    for found in EXHIBITS.values():
        assert f"**{exhibits.place(found)}**" in said, found.key
        assert found.title in said.replace("\\", ""), found.key
    assert "the command dpgep data covertype brings it" in said
    press(app, "Open supplement, figure 5")
    assert query(app)["exhibit"] == "chen-supplement-figure-5"
    assert "Change of the whitened scatter against n, a9a" in sound(app)
    press(app, "← All tables and figures")
    assert "exhibit" not in query(app)


def test_an_exhibit_says_how_long_each_run_takes_and_a_part_takes_less():
    key = "chen-figure-1"
    app = opened(key)
    quick, full = (foretell(ReproductionRequest(exhibit=exhibit(key), quick=quick)).words for quick in (True, False))
    assert f"Quickly: {quick}; in full: {full}, on one processor, with the data sets that are here." in sound(app)
    app.multiselect(key=f"paper_trained_{key}").set_value(["linear_svm"]).run()
    part = foretell(ReproductionRequest(exhibit=exhibit(key), classifiers=("linear_svm",))).words
    assert part != full
    assert f"in full: {part}, on one processor, with the data sets that are here." in sound(app)


def cards():
    return [Card(found, bundled_reproduction(found)) for found in EXHIBITS.values()]


def exhibit_claims(key):
    return bundled_reproduction(exhibit(key)).outcomes


def test_the_line_on_top_counts_every_exhibit_and_claim():
    run = [card.found for card in cards() if card.found is not None]
    claims = [one for found in run for one in found.outcomes]
    said = gallery_summary(cards())
    whole = sum(one.mode == "full" for one in run)
    assert 0 < whole < len(run) == len(EXHIBITS)
    assert said.startswith(
        f"Of {len(EXHIBITS)} exhibits, {whole} were run in full and {len(run) - whole} in part. Verdicts"
    )
    own = [one for one in claims if "(ours)" in one.subject or one in exhibit_claims("hu-extra-start")]
    assert 0 < len(own) < len(claims)
    met, own_met = (sum(one.word == MET for one in some) for some in (claims, own))
    assert f"Verdicts on {len(claims) - len(own)} claims of the papers – met: {met - own_met};" in said
    assert f" On {len(own)} that no paper makes – met: {own_met};" in said
    assert gallery_summary([Card(exhibit("hu-figure-1"), None)]) == "Of 1 exhibit, none was run."


def test_the_gallery_opens_at_a_choice_and_keeps_it_in_the_address():
    app = open_at("papers", dataset="wine", paper="shang", verdict="met")
    said = sound(app)
    assert "Open table 3" in [button.label for button in app.button]
    assert "Open figure 1" not in [button.label for button in app.button]
    assert ":green-badge[met ×2]" in said
    app.selectbox(key="verdict").set_value("not-run").run()
    assert "No exhibit fits these choices" in sound(app)
    assert (query(app)["paper"], query(app)["verdict"]) == ("shang", "not-run")
    assert "could not be used" in written(open_at("papers", dataset="wine", verdict="perhaps"))


def test_a_card_fits_what_it_shows():
    for card in cards():
        assert card.fits(paper="", data="", verdict="")
        assert card.fits(paper="", data=card.exhibit.data[0], verdict="")
        assert card.fits(paper="", data="", verdict="not-run") == (card.found is None)


@pytest.mark.parametrize("name", EXHIBITS)
def test_each_has_its_page_with_what_comes_with_the_lab(name):
    app = opened(name)
    said = sound(app).replace("\\", "")
    assert "could not be used" not in said
    assert "What-if page" in said
    for missing in exhibit(name).data:
        assert missing in said
    if bundled_reproduction(exhibit(name)) is not None:
        assert "These results come with the lab" in said
        assert figures(app) or app.table
        if figures(app):  # what is taken along says what it was made from
            assert any("Reads the private data; seed known" in caption.value for caption in app.caption)
    else:
        assert "No results of this one come with the lab" in said


@pytest.mark.parametrize("name", ["chen-figure-1", "chen-table-2", "hu-figure-1", "shang-figure-1"])
def test_a_figure_names_what_is_drawn_its_settings_and_what_no_guarantee_covers(name):
    """A curve against ε cannot be reported without its δ, nor one of DPSR without the word that no ε holds for it."""
    app, found = opened(name), exhibit(name)
    said = [one.value.replace("\\", "") for one in app.caption]
    (shown,) = [one for one in said if f"Held fixed: {found.fixed}." in one]
    (in_files,) = [one for one in said if "seed known" in one]
    assert "δ = " in found.fixed
    warned = " ".join(one.value.replace("\\", "") for one in app.warning)
    for sentence, where in (("No ε covers DPSR", "chen"), ("No proof covers the published noise", "shang")):
        assert (sentence in in_files, sentence in warned) == (name.startswith(where),) * 2
    assert any(shown.startswith(data) for data in found.data)
    assert any("counts as met from 75 % of them on" in one for one in said)
    assert f'"filename": "dpgep-{name}"' in app.get("plotly_chart")[0].proto.config


def test_a_pick_leaves_the_others_what_it_has_and_no_figure_is_empty():
    """Covertype has numbers of rows of its own: at 90,000 it was an empty box with ticks that mean nothing."""
    app = opened("hu-figure-3")
    rows, data = app.selectbox(key="paper_n"), app.selectbox(key="paper_data")
    values = [int(one.replace(",", "")) for one in rows.options[1:]]
    assert values == sorted(values)
    assert app.selectbox(key="paper_measure").value == "to the flow without noise"  # of which the verdict speaks
    data.set_value("Covertype").run()
    sound(app)
    assert app.selectbox(key="paper_n").options == ["all", "150,000", "290,000", "430,000", "570,000"]
    assert any(trace["y"] for trace in figures(app)[0]["data"])
    caption = next(one.value for one in app.caption if "Held fixed" in one.value)
    assert caption.startswith("Covertype; 150,000 rows; first 10 columns; to the flow without noise. Median")
    aim = "SSP (ours) aims at the exact direction and not at the flow"
    assert aim in caption
    app.selectbox(key="paper_measure").set_value("to the exact direction").run()
    assert not any(aim in one.value for one in app.caption)


def test_the_panels_that_are_picked_are_in_the_address():
    """A link shows what its sender looks at; another exhibit begins with its own panels."""
    app = opened("hu-figure-3", panel="data:Dota2;n:90000;measure:all")
    assert "could not be used" not in sound(app)
    picked = {name: app.selectbox(key=f"paper_{name}").value for name in ("data", "n", "case", "measure")}
    assert picked == {"data": "Dota2", "n": 90000, "case": "first 10 columns", "measure": "all"}
    app.selectbox(key="paper_n").set_value("all").run()
    app.selectbox(key="paper_measure").set_value("to the flow without noise").run()  # as it is by itself
    assert query(app)["panel"] == "data:Dota2;n:all"
    again = opened("hu-figure-3", panel=query(app)["panel"])
    assert figures(again)[0]["data"] == figures(app)[0]["data"]
    press(app, "← All tables and figures")
    assert not {"panel", "exhibit", "task"} & query(app).keys()
    press(app, "Open figure 3")
    assert "panel" not in query(app)


@pytest.mark.parametrize(
    ("panel", "said"),
    [
        ("data:Dota", "panel data must be one of MNIST, a9a, Fashion"),
        ("set:MNIST", "panel must be one of data, classifier"),
        ("MNIST", "panel must be label:value, several with a semicolon between them; got 'MNIST'"),
    ],
)
def test_panels_that_an_exhibit_has_not_are_told(panel, said):
    app = opened("chen-figure-1", panel=panel)
    assert said in sound(app).replace("\\", "")
    assert app.selectbox(key="paper_data").value == "all"


def test_a_pick_in_a_table_is_kept_beside_the_others():
    app = opened("chen-table-2")
    app.selectbox(key="paper_metric").set_value("f1").run()
    app.selectbox(key="paper_classifier").set_value("random_forest").run()
    assert query(app)["panel"] == "metric:f1;classifier:random_forest"
    sound(app)
    assert app.selectbox(key="paper_metric").value == "f1"


def test_values_of_two_measures_are_not_drawn_in_one_scatter():
    app = opened("shang-table-3")
    measures = app.selectbox(key="paper_measure").options
    assert len(measures) > 1
    drawn = []
    for measure in measures:
        app.selectbox(key="paper_measure").set_value(measure).run()
        sound(app)
        drawn.append([trace["y"] for trace in figures(app)[0]["data"]])
    assert drawn[0] != drawn[1]


def test_a_quick_run_is_one_click_and_found_again(store):
    app = opened(SMALL)
    press(app, "Run it quickly")
    name = query(app)["task"]
    asked = ReproductionRequest(exhibit=exhibit(SMALL), quick=True)
    assert name == task_kinds.reproduction_name(asked)
    until(lambda: not reproduction_tasks().busy())
    again = opened(SMALL, task=name)  # another browser, or a reload
    said = sound(again)
    assert "all computed" in said
    assert "computed here, quick" in str(again.selectbox(key="task").options)
    whole = reproduce(asked, store)  # from what the page has kept
    assert whole.done == whole.total
    for sentence in whole.verdict:
        assert sentence in said.replace("\\", "")
    curve = next(trace for trace in figures(again)[0]["data"] if trace["name"] == "B fixed")
    ours = [line.ours for line in whole.lines if line.labels["measure"] == "B fixed"]
    assert curve["y"] == pytest.approx(ours)


@pytest.mark.slow
def test_a_running_one_is_found_after_a_reload_cancelled_and_resumed(store):
    name = reproduction_tasks().start(ReproductionRequest(exhibit=exhibit(LONG), data=("a9a",), seeds=2))
    until(lambda: store.exists() and reproduction_tasks().done(name) > 0)
    total = len(reproduction_tasks().plan(name).plan.cells)
    app = opened(LONG, task=name)
    assert "so far" in sound(app)
    (bar,) = app.get("progress")
    assert f"of {total} cells" in bar.proto.text
    press(app, "Cancel")
    until(lambda: not reproduction_tasks().busy())
    kept = reproduction_tasks().done(name)
    assert 0 < kept < total
    app = opened(LONG, task=name)
    assert f"**{kept:,} of {total} cells** are computed" in sound(app)
    press(app, "Go on")
    sound(app)
    until(lambda: reproduction_tasks().done(name) > kept)


def test_a_part_is_asked_for():
    app = opened("chen-table-2")
    app.multiselect(key="paper_data_chen-table-2").set_value(["a9a"])
    app.multiselect(key="paper_trained_chen-table-2").set_value(["linear_svm"])
    app.number_input(key="paper_seeds_chen-table-2").set_value(2).run()
    shown = [code.value for code in app.code]
    part = "dpgep paper chen-table-2 --quick --data a9a --classifiers linear_svm --seeds 2 --store "
    assert any(text.startswith(part) for text in shown)
    press(app, "Run it in full")
    assert reproduction_tasks().asked(query(app)["task"]) == ReproductionRequest(
        exhibit=exhibit("chen-table-2"), data=("a9a",), classifiers=("linear_svm",), seeds=2
    )


def test_its_setting_opens_in_explore(monkeypatch):
    def not_here(*_given):
        raise DpgepError("MNIST takes long, and is solved elsewhere.")

    monkeypatch.setattr(cache, "answer", not_here)
    app = opened("chen-table-2")
    button = app.button(key="paper_explore")
    button.click().run()
    assert [e.value for e in app.error] == ["MNIST takes long, and is solved elsewhere."]
    scenario = app.session_state["scenario"]
    assert (scenario.dataset, scenario.model, scenario.algorithms) == ("mnist", "fda", ("dpsr",))
    assert (scenario.n_components, scenario.bounds, scenario.epsilon) == (10, False, 1.0)


def test_garbage_in_the_address_is_said():
    garbage = open_at("papers", dataset="wine", exhibit="<script>", task="../../etc")
    said = written(garbage)
    assert [e.value for e in garbage.exception] == []
    assert "could not be used" in said
    assert "12 digits" in said
    gone = opened(SMALL, task="0123456789ab")
    assert [e.value for e in gone.exception] == []
    assert "started on this server" in gone.error[0].value


def test_a_reproduction_of_another_exhibit_is_not_shown_as_this_one():
    name = reproduction_tasks().start(ReproductionRequest(exhibit=exhibit(SMALL), quick=True))
    app = opened("chen-supplement-figure-5", task=name)
    assert [e.value for e in app.exception] == []
    assert "must be a reproduction of chen-supplement-figure-5" in app.error[0].value.replace("\\", "")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"exhibit": "no such"}', '{"exhibit": 3, "quick": 1}',
                                  '{"exhibit": "chen-table-2", "quick": true, "data": ["x"], "classifiers": [], '
                                  '"seeds": null}'])  # fmt: skip
def test_a_changed_file_is_a_clear_error(text, tmp_path):
    with pytest.raises(DpgepError):
        task_kinds.reproduction_from_text(text)
    kept = Tasks(task_kinds.REPRODUCTION, tmp_path / "cells.sqlite", TaskProcesses())
    kept.folder.mkdir()
    (kept.folder / "0123456789ab.json").write_text(text)
    with pytest.raises(DpgepError):
        kept.asked("0123456789ab")


def test_what_is_asked_is_read_as_it_was_written():
    asked = ReproductionRequest(exhibit=exhibit("hu-figure-1"), quick=True, data=("Covertype (16 %)", "Dota2"), seeds=3)
    assert task_kinds.reproduction_from_text(task_kinds.reproduction_text(asked)) == asked
    assert task_kinds.reproduction_name(asked) != task_kinds.reproduction_name(
        ReproductionRequest(exhibit=exhibit("hu-figure-1"), quick=True, seeds=3)
    )


def line(ours, printed=None, spread=None, **labels):
    return ResultLine(labels=labels, published=printed, ours=ours, spread=spread, runs=1)


def test_the_table_is_the_papers_with_ours_in_front():
    lines = [
        line(81.24, 82.0, 0.5, method="DPSR", data="MNIST", start="random"),
        line(60.0, 82.0, method="DPSR", data="a<b>", start="random"),
        line(None, 50.0, method="DPRF", data="MNIST", start="none"),
    ]
    table = exhibits.grid(lines, TableLayout(pick=(), rows=("method", "start"), columns=("data",), within=1.0))
    assert table["MNIST"].tolist() == ["**81.2 ± 0.5** (printed 82)", "–"]
    assert table.iloc[0, 3] == "60.0 (printed 82)"
    assert table["start"].tolist() == ["random", ""]
    assert not any("<b>" in name for name in table.columns)


def test_every_value_keeps_its_labels_and_the_gap():
    table = exhibits.table_of([line(0.5, 0.75, data="a9a", n=1000), line(None, None, data="a9a", n=2000)])
    assert table["rows"].tolist() == [1000, 2000]
    assert table["ours − printed"].tolist()[0] == -0.25
    assert table["ours − printed"].isna().tolist() == [False, True]


def test_which_method_opens_from_the_gallery_and_at_its_address():
    app = press(open_at("papers", dataset="wine"), "Which method?")
    assert query(app)["exhibit"] == "which-method"
    said = sound(app)
    assert escape_markdown(verdict(chosen_reaches("fda", "95"))) in said
    assert len(figures(app)) == 1
    kind = list(KINDS)[-1]
    app = opened("which-method", kind=kind, share="50")
    assert escape_markdown(verdict(chosen_reaches(kind, "50"))) in sound(app)
    press(app, "← All tables and figures")
    assert "exhibit" not in query(app)
