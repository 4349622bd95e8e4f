"""All exhibits in one command: planned from measured times, joined, and reported with what was not run."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dpgep_core.cli import main, papers_all
from dpgep_core.experiments.papers import EXHIBITS, ReproductionRequest, exhibit
from dpgep_core.experiments.papers.bundled_results import as_csv, as_json, bundled_reproduction, join_results, read_back
from dpgep_core.experiments.papers.cell_seconds import Foretold
from dpgep_core.experiments.papers.cell_verdicts import cell_verdicts, count_verdicts
from dpgep_core.experiments.papers.claims import of_no_difference
from dpgep_core.experiments.papers.drawing import guides_of, svg_of
from dpgep_core.experiments.papers.everything import describe_plan, plan_everything
from dpgep_core.experiments.papers.exhibit import ExhibitPicture, Guide, ResultLine
from dpgep_core.experiments.papers.outcome import MET, NOT
from dpgep_core.experiments.papers.page import as_report, markdown_tables, not_run, why_partial

QUICK = ("chen-supplement-figure-5", "chen-supplement-figure-6")


@pytest.fixture
def two(monkeypatch):
    """Two small exhibits on a bundled set, which share no cell, and one whose data set is not here."""
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)
    some = {key: EXHIBITS[key] for key in (*QUICK, "chen-supplement-figure-13")}
    monkeypatch.setattr(papers_all, "EXHIBITS", some)
    monkeypatch.setattr("dpgep_core.experiments.papers.data.dataset_names", lambda: ["adult"])
    return some


def test_all_is_planned_computed_once_and_reported(two, tmp_path, capsys):
    words = ["paper", "all", "--quick", "--seeds", "1", "--out", str(tmp_path / "out")]
    assert main([*words, "--plan"]) == 0
    assert not any(tmp_path.iterdir())  # a plan leaves nothing behind
    said = capsys.readouterr().out
    assert "chen-supplement-figure-5: 3 cells, 0 done, left: " in said
    assert "in all 6 cells, 0 of them done; left for one process: " in said
    assert "chen-supplement-figure-13: none of its data sets is here" in said
    assert "CIFAR10 is left out: " in said
    assert main(words) == 0
    report = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert all(f'id="{key}"' in report for key in QUICK)
    assert "chen-supplement-figure-13 (CIFAR10): not run" in report
    assert {f"{key}.csv" for key in QUICK} < {path.name for path in (tmp_path / "out").iterdir()}
    capsys.readouterr()
    assert main([*words, "--plan"]) == 0
    assert "in all 6 cells, all of them done" in capsys.readouterr().out


def test_a_cell_that_two_exhibits_share_is_planned_once(tmp_path, monkeypatch):
    monkeypatch.setattr("dpgep_core.experiments.papers.data.dataset_names", lambda: ["adult"])
    one = EXHIBITS["chen-supplement-figure-5"]
    both = {"chen-supplement-figure-5": one, "chen-supplement-figure-6": replace(one, key="chen-supplement-figure-6")}
    plans = plan_everything(both, tmp_path / "s.sqlite", lambda found: ReproductionRequest(exhibit=found, quick=True))
    assert [plan.cells for plan in plans] == [6, 0]
    assert plans[0].left.seconds > 0
    assert plans[1].left == Foretold(0, 0)
    assert "in all 6 cells" in "\n".join(describe_plan(plans, both))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["paper", "all", "--data", "a9a"], "--data"),
        (["paper", "chen-table-2", "--plan"], "--plan"),
        (["paper", "chen-table-2", "--quick", "--join", "/no/such"], "--join"),
    ],
)
def test_options_of_the_other_kind_are_refused(words, said, capsys):
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_the_report_of_kept_results_has_every_exhibit_its_verdicts_and_what_is_missing():
    found = [kept for one in EXHIBITS.values() if (kept := bundled_reproduction(one))]
    page = as_report(found, EXHIBITS)
    assert page.count("<h1 id=") == len(found)
    assert not any(word in page for word in ("http:", "https:", "<script", "<link"))
    missing = not_run(found, EXHIBITS)
    for key in EXHIBITS.keys() - {one.asked.exhibit.key for one in found}:
        assert any(said.startswith(f"{key} (") for said in missing)
    assert any(said.startswith("Real-sim: ") for said in missing)


def test_the_document_has_the_tables_and_the_reasons_that_the_command_writes():
    found = [kept for one in EXHIBITS.values() if (kept := bundled_reproduction(one))]
    text = (Path(__file__).parents[2] / "docs" / "reproduction.md").read_text("utf-8")
    for table in markdown_tables(found, "../dpgep_core/experiments/papers/results").split("\n\n"):
        assert table.strip() in text
    here = dict.fromkeys(name for one in EXHIBITS.values() for name in one.data)
    for said in not_run(found, EXHIBITS):
        assert said.partition(": ")[0] in here or f"- {said}.\n" in text


def test_what_is_partial_says_why():
    for one in EXHIBITS.values():
        kept = bundled_reproduction(one)
        if kept is None or kept.mode != "full":
            assert one.left, one.key
            assert kept is None or why_partial(kept)[0].endswith(f"{one.left[1:]}.")


def line(p, printed, **labels):
    usual = {"data": "Dota2", "classifier": "linear_svm", "method": "DPSR", "of_method": "exact", "against": "DPRF",
             "calibration": "exact", "start": "random", "ahead": "neither"}  # fmt: skip
    return ResultLine(labels=usual | labels, published=printed, ours=p, runs=20)


def test_where_the_paper_finds_no_difference_none_is_to_be_found():
    assert of_no_difference([line(0.3, 0.64)], "DPSR", "DPRF")[0].word == MET
    assert of_no_difference([line(0.01, 0.64)], "DPSR", "DPRF")[0].word == NOT
    oracle = [line(0.01, 0.64), line(0.3, 0.64, start="oracle")]
    random, exact = of_no_difference(oracle, "DPSR", "DPRF")
    assert (random.subject, random.word) == ("no difference of DPSR and DPRF from a random start", NOT)
    assert (exact.subject, exact.word) == ("no difference of DPSR and DPRF from the exact answer", MET)
    assert of_no_difference([line(0.3, 0.0)], "DPSR", "DPRF") == []


def test_each_cell_has_the_verdict_of_its_own_lines():
    table = exhibit("chen-table-3")
    lines = [line(0.3, 0.64), line(0.01, 0.64, classifier="rbf_svm")]
    found = cell_verdicts(table, lines)
    assert [(one.cell["classifier"], one.outcome.word) for one in found] == [("linear_svm", MET), ("rbf_svm", NOT)]
    assert count_verdicts(found) == ["no difference of DPSR and DPRF from a random start: 1 met, 1 not reached (of 2)"]
    assert cell_verdicts(exhibit("chen-supplement-figure-5"), lines) == []


def test_joined_results_keep_both_commands_and_say_how_few_runs_are_behind_some(tmp_path):
    kept = bundled_reproduction(exhibit("chen-table-3"))
    assert kept is not None
    known = tuple(one for one in kept.lines if one.labels["data"] != "CIFAR10")
    kept = replace(kept, lines=known, missing=(("CIFAR10", "not here"),))
    new = replace(
        kept,
        asked=ReproductionRequest(exhibit=kept.asked.exhibit, data=("CIFAR10",), classifiers=("rbf_svm",), seeds=6),
        lines=(replace(line(0.3, 0.0, data="CIFAR10", classifier="rbf_svm"), runs=6),),
        also=(), computed=10.0, done=54, total=54,
    )  # fmt: skip
    both = join_results(kept, new)
    assert both.commands[-1] == "dpgep paper chen-table-3 --data CIFAR10 --classifiers rbf_svm --seeds 6"
    assert both.computed == kept.computed + 10
    assert "CIFAR10" not in dict(both.missing)
    for ending, text in ((".csv", as_csv(both)), (".json", as_json(both))):
        (tmp_path / f"chen-table-3{ending}").write_text(text)
    again = read_back(kept.asked.exhibit, tmp_path)
    assert again.commands == both.commands
    assert len(again.lines) == len(both.lines)
    assert "6 to 20 of 20 runs" in again.mode
    changed = replace(new, lines=(replace(new.lines[0], ours=0.9),))
    assert len(join_results(both, changed).lines) == len(both.lines)
    assert join_results(both, changed).lines[-1].ours == 0.9
    assert json.loads(as_json(both))["also"][-1]["seeds"] == 6


def test_a_guide_goes_through_the_value_that_it_is_anchored_at():
    guide = Guide(name="slope", power=-2.0, through=(("method", "x"),), at=1.0)
    picture = ExhibitPicture(x="epsilon", panel=("data",), curve=("method",), log_y=True, guides=(guide,))
    lines = [ResultLine(labels={"data": "d", "method": "x", "epsilon": e}, published=None, ours=v)
             for e, v in ((0.5, 0.2), (1.0, 0.1), (2.0, 0.001))]  # fmt: skip
    ((_, ends),) = guides_of(lines, picture)
    assert ends[1] == pytest.approx((2.0, 0.025))
    assert ends[0] == pytest.approx((2**-0.5, 0.2))  # cut at the largest value
    assert "slope</title>" in svg_of(lines, picture, "error")
    assert not list(guides_of([replace(one, ours=None) for one in lines], picture))
