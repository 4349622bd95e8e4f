"""The papers' numbers are theirs, the verdicts follow from numbers, and a reproduction runs to its end."""

import csv
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from dpgep_core.cli import main
from dpgep_core.experiments.grid import Cell
from dpgep_core.experiments.papers import (
    EXHIBITS,
    ReproductionRequest,
    exhibit,
    hu,
    published,
    reproduce,
    sensitivity,
    shang,
)
from dpgep_core.experiments.papers.averages import mean_lines, signed_rank_lines
from dpgep_core.experiments.papers.bundled_results import as_csv, as_json, bundled_reproduction, read_back
from dpgep_core.experiments.papers.claims import agreement, floors, significance
from dpgep_core.experiments.papers.data import SOURCES, absent
from dpgep_core.experiments.papers.exhibit import Exhibit, ExhibitPicture, LabelledCell, ResultLine, Scope
from dpgep_core.experiments.papers.leads import comparison
from dpgep_core.experiments.papers.page import as_html
from dpgep_core.experiments.papers.places import RANDOM_METHOD
from dpgep_core.experiments.papers.reproduce import Reproduction, collect_reproduction, plan_reproduction
from dpgep_core.experiments.papers.trends import count_leads, count_monotone, slope
from dpgep_core.release import Setting

WAY = ("method", "calibration", "start")
DOCUMENT = Path(__file__).parents[2] / "docs" / "reproduction.md"

# Read a second time, from the print: the sums of the rows, and those of the data sets.
ROW_SUMS = {("DPRF", "precision"): 1066, ("DPSR", "precision"): 1244, ("DPRF", "recall"): 1122,
            ("DPSR", "recall"): 1258, ("DPRF", "f1"): 1064, ("DPSR", "f1"): 1228}  # fmt: skip
DATA_SUMS = {"MNIST": 1321, "a9a": 1413, "Fashion": 1297, "CIFAR10": 379, "Dota2": 867, "IoT22": 1705}
SHANG_SUMS = {"a9a": 490.2930, "MNIST": 585.8450, "Real-sim": 515.8870}


@pytest.fixture
def no_folder(monkeypatch):
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)


def line(ours, value=None, runs=3, **labels):
    full = {"data": "a9a", "classifier": "linear_svm", "method": "DPSR", "calibration": "unit", "start": "random"}
    return ResultLine(labels={**full, **labels}, published=value, ours=ours, runs=runs)


def test_published_numbers_add_up_to_the_sums_read_from_the_print():
    for key, row in published.CHEN_TABLE_2.items():
        assert sum(map(sum, row)) == ROW_SUMS[key], key
    for i, data in enumerate(published.CHEN_DATA):
        assert sum(sum(row[i]) for row in published.CHEN_TABLE_2.values()) == DATA_SUMS[data], data
    for i, data in enumerate(published.SHANG_DATA):
        found = sum(row[i][0] for row in published.SHANG_TABLE_3.values())
        assert found == pytest.approx(SHANG_SUMS[data], abs=1e-9), data


def test_tables_are_read_in_their_orientation():
    assert published.chen_table_2("DPSR", "recall", "MNIST", "rbf_svm") == 80
    assert published.chen_table_2("DPRF", "f1", "Dota2", "linear_svm") == 37
    assert published.chen_table_2("SSP (ours)", "f1", "Dota2", "linear_svm") is None
    assert published.chen_table_3("Dota2", "rbf_svm") == 0.2069
    assert published.chen_table_3("IoT22", "random_forest") == 0.6583
    assert published.shang_table_3("Gaussian", "MNIST") == 97.0667
    assert sum(p > 0.05 for row in published.CHEN_TABLE_3.values() for p in row) == 4


def test_every_name_of_the_contract_exists():
    figures = [f"chen-figure-{i}" for i in range(1, 5)] + [f"chen-supplement-figure-{i}" for i in range(1, 15)]
    others = ["chen-table-2", "chen-table-3", "hu-figure-1", "hu-figure-2", "hu-figure-3", "shang-figure-1"]
    assert set(EXHIBITS) == {*figures, *others, "shang-table-3", "hu-extra-start", "chen-extra-ridge"}
    assert all(name in SOURCES for found in EXHIBITS.values() for name in found.data)


def test_agreement_counts_what_is_near_and_names_the_calibration():
    near = [line(81.0, 80.0), line(79.0, 80.0, data="MNIST")]
    far = [line(50.0, 80.0, calibration="published"), line(79.0, 80.0, data="MNIST", calibration="published")]
    unit, proved = agreement([*near, *far, line(12.0)], by=("method", "calibration"), within=3)
    assert unit.startswith("DPSR (constants of 1): reproduced, 2 of 2 values within 3 points")
    assert proved.startswith("DPSR (published constants): reproduced in part, 1 of 2")
    assert "30.0 off" in proved
    assert "not reproduced" in agreement(far[:1], by=("method", "calibration"), within=3)[0]


def test_comparison_is_made_within_a_calibration():
    lines = [line(80.0), line(70.0, calibration="published")]
    lines += [
        line(75.0, method="DPRF", start="oracle"),
        line(75.0, method="DPRF", start="oracle", calibration="published"),
    ]
    unit, proved = comparison(lines, "DPSR", "DPRF", expected="x")
    assert "constants of 1) is ahead of DPRF (constants of 1, oracle start) in 1 of 1" in unit
    assert "published constants) is ahead of DPRF (published constants, oracle start) in 0 of 1" in proved


def test_floors_tell_results_with_a_guarantee_from_the_others():
    lines = [
        line(85.0, method="SSP (ours)", calibration="exact", start="none"),
        line(86.0),
        line(87.0, method="DPRF", calibration="published", start="oracle"),
        line(84.0, method="DPRF", calibration="published"),
        line(90.0, method="non-private", calibration="none", start="none"),
    ]
    every, guarded, lost = floors(lines, "SSP (ours)")
    assert "with or without a guarantee, in 0 of 1" in every
    assert "whose guarantee can hold, in 1 of 1" in guarded
    assert "5.0 below no privacy" in lost


def test_significance_minds_the_direction():
    ways = [
        line(0.01, 0.0, of_method="unit", ahead="DPSR"),
        line(0.01, 0.0, of_method="unit", ahead="DPRF", data="MNIST"),
        line(0.4, 0.0, of_method="unit", ahead="DPSR", data="Dota2"),
    ]
    said = significance(ways)[0]
    assert "of 3 significant advantages" in said
    assert "1 come out so, and 1 the other way, significantly" in said


def test_pairs_are_runs_with_the_same_seed():
    def record(method, seed, accuracy):
        return {"data": "a9a", "classifier": "rbf_svm", "method": method, "calibration": "unit", "start": "random",
                "seed": seed, "rbf_svm_accuracy": accuracy}  # fmt: skip

    records = [record("DPSR", seed, 0.8 + seed / 100) for seed in range(6)]
    records += [record("DPRF", seed, 0.7 + seed / 50) for seed in range(1, 9)]
    (found,) = signed_rank_lines(records, [(("DPSR", "unit", "random"), ("DPRF", "unit", "random"))])
    assert (found.runs, found.published, found.labels["ahead"]) == (5, 0.0, "DPSR")
    assert found.ours == pytest.approx(2 / 2**5)


def scored(way, hits):
    method, calibration, start = way
    return [
        {"data": "a9a", "classifier": "rbf_svm", "method": method, "calibration": calibration, "start": start,
         "seed": seed, "rbf_svm_accuracy": right / 36}
        for seed, right in enumerate(hits)
    ]  # fmt: skip


ONE, OTHER = ("DPSR", "unit", "random"), ("DPRF", "unit", "random")


def test_pairs_with_equal_differences_tie_whatever_rounding_says():
    """By hand: differences −1, 1, −1, 1, 1 of 36; all ranks are 3, and every sign pattern is as extreme or more."""
    records = [*scored(ONE, [31, 29, 31, 31, 30]), *scored(OTHER, [32, 28, 32, 30, 29])]
    (found,) = signed_rank_lines(records, [(ONE, OTHER)])
    assert (found.ours, found.labels["ahead"], found.runs) == (1.0, "DPSR", 5)


def test_the_small_p_that_come_with_the_lab_are_ones_that_their_pairs_can_have():
    """With twenty pairs every p is a whole number of 2^-19; an approximation is not."""
    lines = bundled_reproduction(exhibit("chen-table-3")).lines
    small = [line for line in lines if line.ours is not None and line.ours < 0.01]
    assert len(small) > 20
    for found in small:
        patterns = found.ours * 2 ** (found.runs - 1)
        assert patterns == pytest.approx(round(patterns), rel=1e-5), found


def test_nobody_is_ahead_where_sums_are_equal():
    """34 + 31 + 31 = 36 + 30 + 30 of 36, whose floating-point means differ in the last digit."""
    (found,) = signed_rank_lines([*scored(ONE, [34, 31, 31]), *scored(OTHER, [36, 30, 30])], [(ONE, OTHER)])
    assert found.labels["ahead"] == "neither"
    (same,) = signed_rank_lines([*scored(ONE, [34, 31]), *scored(OTHER, [34, 31])], [(ONE, OTHER)])
    assert (same.ours, same.labels["ahead"]) == (1.0, "neither")
    apart = [{**record, "seed": record["seed"] + 9} for record in scored(OTHER, [34, 31])]
    (none,) = signed_rank_lines([*scored(ONE, [34, 31]), *apart], [(ONE, OTHER)])
    assert (none.ours, none.runs, none.labels["ahead"]) == (None, 0, "neither")


def test_places_are_counted_ahead_by_more_than_rounding():
    low, high = 61.3, 61.3 * (1 + 2e-16)
    assert low < high
    lines = [line(low), line(high, method="DPRF"), line(low, method="SSP (ours)", calibration="exact", start="none")]
    assert "in 0 of 1 place" in comparison(lines, "DPRF", "DPSR", expected="")[0]
    assert (
        "level with or ahead of every other noisy result, with or without a guarantee, in 1 of 1"
        in (floors(lines, "SSP (ours)")[0])
    )
    assert "in 0 of 1 place" in count_leads(lines, ("DPRF", "unit"), (("DPSR", "unit"),), lower=False)[0]
    assert "in 0 of 1 place" in count_leads(lines, ("DPSR", "unit"), (("DPRF", "unit"),), lower=True)[0]


def test_trends_of_planted_curves():
    curve = [
        ResultLine(labels={"n": n, "method": "x", "calibration": "exact"}, published=None, ours=5 / n)
        for n in (10, 100, 1000)
    ]
    (said,) = slope(curve, "n", "x", allowed=(-1, -1), within=0.3)
    assert "slope −1.00 (95 % interval −1.00 to −1.00)" in said
    assert said.endswith("give or take 0.3: as the theory allows.")
    assert "not what" in slope(curve, "n", "x", allowed=(1, 1), within=0.3)[0]
    assert "in 1 of 1 curves" in count_monotone(curve, "n", "x", down=True)[0]
    assert "in 0 of 1 curves" in count_monotone(curve, "n", "x", down=False)[0]
    better = [replace(point, labels={**point.labels, "method": "y"}, ours=4 / point.labels["n"]) for point in curve]
    assert "in 3 of 3" in count_leads([*curve, *better], ("y", "exact"), (("x", "exact"),), lower=True)[0]
    assert "in 0 of 3" in count_leads([*curve, *better], ("y", "exact"), (("x", "exact"),), lower=False)[0]


def _tiny_lines(records):
    return mean_lines(records, ("data", "epsilon", "method"), lambda r: 100 * r["lda_accuracy"], lambda _: 99.0)


def _tiny(data="wine", title='a < b & "c"'):
    def tasks(scope: Scope) -> list[LabelledCell]:
        return [
            LabelledCell(labels={"data": name, "method": "SSP <ours>", "epsilon": epsilon, "seed": seed},
                 cell=Cell(dataset=ours, n=None, classifiers=("lda",),
                           setting=Setting(algorithm="ssp", epsilon=epsilon, seed=seed)))
            for name, ours in scope.data.items() for epsilon in (1.0, 100.0) for seed in scope.repeats(2, 2)
        ]  # fmt: skip

    return Exhibit(
        key="tiny", paper="P & Q", title=title, data=(data,), unit="%", fixed="k = 2", tasks=tasks,
        lines=_tiny_lines,
        verdict=lambda lines: agreement(lines, by=("method",), within=5),
        picture=ExhibitPicture(x="epsilon", panel=("data",), curve=("method",)),
    )  # fmt: skip


@pytest.fixture
def wine(monkeypatch):
    found = SOURCES | {
        "wine": replace(SOURCES["a9a"], names=("wine",)),
        "gone": replace(SOURCES["Real-sim"], names=("no such",)),
    }
    monkeypatch.setattr("dpgep_core.experiments.papers.data.SOURCES", found)


def test_a_reproduction_computes_compares_and_goes_on(tmp_path, wine):
    first = reproduce(ReproductionRequest(exhibit=_tiny()), tmp_path / "cells.sqlite")
    assert first.complete
    assert [found.runs for found in first.lines] == [2, 2]
    assert len(first.verdict) == 1
    again = reproduce(ReproductionRequest(exhibit=_tiny()), tmp_path / "cells.sqlite")
    assert again.lines == first.lines
    assert again.computed == first.computed  # nothing was computed twice
    rows = list(csv.DictReader(as_csv(first).splitlines()))
    assert [row["published"] for row in rows] == ["99", "99"]
    assert float(rows[1]["ours"]) == pytest.approx(first.lines[1].ours, abs=1e-3)


def test_what_is_in_the_store_can_be_looked_at_while_the_rest_is_missing(tmp_path, wine):
    store, seen = tmp_path / "cells.sqlite", []
    asked = ReproductionRequest(exhibit=_tiny())
    assert collect_reproduction(plan_reproduction(asked), store).lines == ()

    class AfterOne:
        def is_set(self):
            return bool(seen)

    part = reproduce(asked, store, stop=AfterOne(), report=lambda progress: progress.done and seen.append(progress))
    assert (part.done, part.total, part.complete) == (1, 4, False)
    assert collect_reproduction(plan_reproduction(asked), store).lines == part.lines
    assert part.mode == "partial: stopped after 1 of 4 cells"
    assert "What was run: partial: stopped after 1 of 4 cells." in as_html(part)


def test_its_files_are_read_back_as_they_were(tmp_path, wine):
    first = reproduce(ReproductionRequest(exhibit=_tiny(), seeds=3), tmp_path / "cells.sqlite")
    (tmp_path / "tiny.csv").write_text(as_csv(first))
    (tmp_path / "tiny.json").write_text(as_json(first))
    again = read_back(_tiny(), tmp_path)
    assert again.asked.command == first.asked.command == "dpgep paper tiny --seeds 3"
    assert again.verdict == first.verdict
    assert (again.done, again.total, again.missing, again.errors) == (6, 6, (), ())
    for one, other in zip(first.lines, again.lines, strict=True):
        assert other.labels == one.labels
        assert (other.published, other.runs) == (one.published, one.runs)
        assert other.ours == pytest.approx(one.ours, rel=1e-5)
        assert other.spread == pytest.approx(one.spread, rel=1e-4, abs=1e-9)


def test_what_was_run_is_read_back_too(tmp_path):
    first = Reproduction(
        asked=ReproductionRequest(
            exhibit=exhibit("chen-table-2"), quick=True, data=("a9a",), classifiers=("rbf_svm",), seeds=3
        ),
        lines=(line(0.5, 0.75, runs=2, metric="recall"),),
        missing=(("CIFAR10", "why"),),
        errors=("k must be at most 3; got 9.",),
        seconds=1.0,
        computed=12.5,
        done=3,
        total=9,
    )
    (tmp_path / "chen-table-2.csv").write_text(as_csv(first))
    (tmp_path / "chen-table-2.json").write_text(as_json(first))
    again = read_back(exhibit("chen-table-2"), tmp_path)
    assert replace(again, seconds=0.0) == replace(first, seconds=0.0)
    assert again.verdict[0].startswith("DPSR (constants of 1, random start): ")
    assert not again.complete


def test_what_ssp_noises_is_expected_to_move_with_the_rows_and_not_with_the_ridge():
    for name, along, power in (("chen-supplement-figure-5", "n", -1), ("chen-supplement-figure-6", "xi", 0)):
        places = [{"n": 1000, "xi": 0.01} | {along: value} for value in (100, 1000, 10_000)]
        lines = [
            ResultLine(labels={"data": "a9a", **at, "measure": measure}, published=None, runs=1,
                 ours=float(at[along]) ** (power if measure == sensitivity.OURS else -1))
            for at in places for measure in sensitivity.SENSITIVITY_MEASURES
        ]  # fmt: skip
        said = [sentence for sentence in exhibit(name).verdict(lines) if "interval" in sentence]
        assert len(said) == 4
        assert all(sentence.endswith("as the theory allows.") for sentence in said)


@pytest.mark.parametrize("name", [name for name, found in EXHIBITS.items() if bundled_reproduction(found)])
def test_results_that_come_with_the_project_are_those_of_their_command(name):
    """Each result is of its exhibit, each number has runs behind it, and the sentences follow from the numbers."""
    found = bundled_reproduction(exhibit(name))
    assert found is not None
    known = Scope(
        quick=found.asked.quick,
        data=dict.fromkeys(found.asked.names, "adult"),
        seeds=found.asked.seeds,
        chosen=bool(found.asked.data),
        classifiers=found.asked.classifiers,
    )
    computed = {data for task in found.asked.exhibit.tasks(known) if (data := task.labels.get("data")) is not None}
    computed |= {data for asked in found.also for data in asked.data}
    assert {line.labels.get("data") for line in found.lines} - {None} <= computed
    assert all((line.ours is None) == (line.runs == 0) for line in found.lines)
    assert 0 < found.done <= found.total
    assert found.verdict
    assert found.asked.command.startswith(f"dpgep paper {name}")


@pytest.mark.parametrize("name", [name for name, found in EXHIBITS.items() if bundled_reproduction(found)])
def test_the_document_says_what_was_run(name):
    found = bundled_reproduction(exhibit(name))
    (row,) = [line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith(f"| [{name}](")]
    assert f"/{name}.csv)" in row
    assert f"| {found.mode} |" in row
    assert all(f"`{command}`" in row for command in found.commands)
    assert f"{found.computed:,.0f} s" in row
    assert f"| {max(line.runs for line in found.lines)} |" in row
    assert f"| `{name}` | {found.summary} |" in DOCUMENT.read_text("utf-8")
    for data in {line.labels["data"] for line in found.lines}:
        assert str(data) in row


def test_the_table_in_the_document_is_that_of_the_results():
    """Recall at ε = 1, three classifiers a cell, of every method and data set."""
    found = bundled_reproduction(exhibit("chen-table-2"))
    assert found is not None
    text = DOCUMENT.read_text("utf-8")
    table = text[text.index("| method (constants, start)") :].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    sets, named = rows[0][1:], {row[0].strip("*") for row in rows[2:]}
    assert set(sets) == {line.labels["data"] for line in found.lines}
    assert {"DPSR as printed", "DPRF as printed", "SSP (ours)", "non-private", "random projection"} < named
    assert len(named) == 2 + len({tuple(line.labels[label] for label in WAY) for line in found.lines})
    for row in rows[2:]:
        for data, cell in zip(sets, row[1:], strict=True):
            for classifier, shown in zip(published.PAPER_CLASSIFIERS, cell.split(), strict=True):
                some = [line for line in found.lines if (line.labels["metric"], line.labels["data"],
                        line.labels["classifier"]) == ("recall", data, classifier)]  # fmt: skip
                (value,) = shown_as(row[0].strip("*"), some)
                assert shown == f"{value:.0f}", (row[0], data, classifier)


def shown_as(name, lines):
    """The numbers that a row of the document stands for."""
    if name.endswith("as printed"):
        return {line.published for line in lines if line.labels["method"] == name.split()[0]}
    method, _, way = name.partition(" (") if ", " in name else (name, "", "")
    wanted = (method, *way.rstrip(")").split(", ")) if way else (method,)
    return {
        line.ours for line in lines
        if tuple(line.labels[label] for label in WAY)[: len(wanted)] == wanted
    }  # fmt: skip


def test_only_some_classifiers_are_trained_where_one_says_so():
    table = exhibit("chen-table-2")
    scope = Scope(quick=False, data={"a9a": "adult"}, classifiers=("rbf_svm",))
    cells = [getattr(task.cell, "cell", task.cell) for task in table.tasks(scope)]  # a random projection has one inside
    assert {cell.classifiers for cell in cells} == {("rbf_svm",)}
    with pytest.raises(ValueError, match=r"--classifiers must be one of linear_svm, rbf_svm, random_forest"):
        ReproductionRequest(exhibit=table, classifiers=("forest",))
    with pytest.raises(ValueError, match="--classifiers"):
        ReproductionRequest(exhibit=exhibit("hu-figure-1"), classifiers=("rbf_svm",))


def test_the_page_escapes_and_needs_nothing_else(tmp_path, wine):
    page = as_html(reproduce(ReproductionRequest(exhibit=_tiny(), quick=True), tmp_path / "cells.sqlite"))
    assert "SSP &lt;ours&gt;" in page
    assert "a &lt; b &amp; &quot;c&quot;" in page
    assert "<ours>" not in page
    assert "<svg" in page
    assert "What was run: quick" in page
    assert not any(word in page for word in ("http:", "https:", "<script", "<link"))


def test_data_that_are_not_here_are_said_and_not_replaced(tmp_path, wine, no_folder):
    found = reproduce(ReproductionRequest(exhibit=_tiny("gone")), tmp_path / "cells.sqlite")
    assert found.lines == ()
    assert found.missing[0][0] == "gone"
    assert "Nothing could be computed" in found.verdict[0]
    assert "gone" in as_html(found)
    assert {"CIFAR10", "Real-sim", "Optical"} <= absent(tuple(SOURCES)).keys()


def test_a_cell_that_fails_is_said(tmp_path, wine):
    def tasks(scope):
        bad = Cell(dataset="wine", n=None, classifiers=("lda",), setting=Setting(algorithm="ssp", n_components=99))
        return [LabelledCell(labels={"data": "wine", "method": "x", "epsilon": 1.0}, cell=bad)]

    found = reproduce(ReproductionRequest(exhibit=replace(_tiny(), tasks=tasks)), tmp_path / "cells.sqlite")
    assert len(found.errors) == 1
    assert found.lines[0].ours is None
    assert found.errors[0] in as_html(found).replace("&#x27;", "'")


def test_special_work_computes_itself_repeatably():
    exchange = sensitivity.Exchange(dataset="digits", n=400, xi=0.01, seed=0)
    found = exchange.compute()
    assert found == exchange.compute()
    assert 0 < found["B fixed"] <= found["8/(nξ)"]
    quiet = sensitivity.Exchange(dataset="digits", n=400, xi=10.0, seed=0).compute()
    assert quiet["symmetric root"] < found["symmetric root"]
    assert quiet[sensitivity.OURS] == found[sensitivity.OURS] < found["8/(nξ)"]  # ξ is no part of what SSP noises


def test_directions_grow_better_with_epsilon():
    how = hu.Cut(dataset="digits", n=1_700, columns=20)
    errors = [
        hu.Direction(cut=how, model="pca", algorithm="ssp", epsilon=epsilon, seed=0, params=()).compute()
        for epsilon in (0.01, 1000.0)
    ]
    assert errors[1]["to the exact direction"] < 1e-3 < errors[0]["to the exact direction"]


def test_the_flow_is_compared_with_itself_from_the_same_start():
    how = hu.Cut(dataset="digits", n=1_700, columns=20)
    (params,) = [params for _, rule, _, params in hu.methods("pca", 0) if rule == "exact" and "start" in dict(params)]
    found = hu.Direction(cut=how, model="pca", algorithm="dprf", epsilon=1e6, seed=0, params=params).compute()
    assert found["to the flow without noise"] < 1e-6
    assert found["to the flow without noise"] < found["to the exact direction"]


def test_no_projection_is_scored_on_all_columns():
    whole, ten = (
        shang.Arrangement(dataset="digits", algorithm=key, calibration="none", arrangement=0).compute()
        for key in (shang.ALL_COLUMNS, "exact")
    )
    assert whole["accuracy"] > ten["accuracy"] > 0.5


@pytest.mark.slow
def test_two_processes_give_the_numbers_of_one(tmp_path, no_folder):
    asked = ReproductionRequest(exhibit=exhibit("chen-supplement-figure-6"), quick=True)
    serial = reproduce(asked, tmp_path / "one.sqlite")
    both = reproduce(asked, tmp_path / "two.sqlite", jobs=2)
    assert both.complete
    assert both.lines == serial.lines


def test_arrangements_score_better_without_privacy():
    exact, private = (
        shang.Arrangement(dataset="digits", algorithm=key, calibration="published", arrangement=0).compute()
        for key in ("exact", "mod_sulq")
    )
    assert exact["accuracy"] > private["accuracy"]
    assert exact["one_against_rest"] > exact["accuracy"]


def test_no_cell_is_counted_twice(no_folder):
    for found in EXHIBITS.values():
        name = next((name for name in ("a9a", "Dota2") if name in found.data), None)
        tasks = found.tasks(Scope(quick=False, data={name: "adult"} if name else {}))
        work = [task.cell for task in tasks if task.labels.get("method") != RANDOM_METHOD]  # one all along a curve
        assert len(set(work)) == len(work), found.key


def test_quick_runs_less_than_full(no_folder):
    for found in EXHIBITS.values():
        data = {name: "adult" for name in found.data if name == "a9a"}
        quick, full = (len(found.tasks(Scope(quick=quick, data=data))) for quick in (True, False))
        assert quick < full or not data, found.key


def test_work_travels_to_other_processes(no_folder):
    for found in EXHIBITS.values():
        data = {name: "adult" for name in found.data if name in ("a9a", "Dota2")}
        for task in found.tasks(Scope(quick=True, data=data, chosen=True))[:2]:
            assert pickle.loads(pickle.dumps(task.cell)) == task.cell, found.key


def test_the_command_lists(capsys, no_folder):
    assert main(["paper"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in EXHIBITS)
    assert "Real-sim is not to be had" in out


def test_seeds_and_data_can_be_chosen(monkeypatch):
    monkeypatch.setattr("dpgep_core.experiments.papers.data.dataset_names", lambda: ["mnist", "adult"])
    chosen = exhibit("chen-table-2").tasks(Scope(quick=True, data={"a9a": "adult"}, seeds=3, chosen=True))
    assert {task.labels["seed"] for task in chosen} == {0, 1, 2}
    assert {task.labels["data"] for task in chosen} == {"a9a"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["paper", "chen-table-2", "--data", "MNIST,Iris"], "--data"),
        (["paper", "chen-table-2", "--seeds", "0"], "--seeds"),
        (["paper", "chen-table-9"], "chen-table-2"),
        (["paper", "chen-table-2", "--jobs", "none"], "--jobs"),
        (["paper", "chen-table-2", "--quick", "--out", "/dev/null/x"], "--out"),
    ],
)
def test_bad_input_is_one_line_and_code_2(words, said, capsys):
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert said in captured.err


def test_the_command_writes_both_files(tmp_path, wine, monkeypatch, capsys):
    monkeypatch.setattr("dpgep_core.experiments.papers.EXHIBITS", {"tiny": _tiny()})
    assert main(["paper", "tiny", "--quick", "--out", str(tmp_path / "tiny")]) == 0
    assert {path.suffix for path in (tmp_path / "tiny").iterdir()} >= {".csv", ".html", ".sqlite"}
    out = capsys.readouterr().out
    assert "quick: fewer seeds" in out
    assert " s now" in out


def test_an_unknown_name_is_told_by_its_nearest():
    with pytest.raises(ValueError, match="did you mean 'shang-table-3'"):
        exhibit("shang-table-33")


@pytest.mark.slow
def test_chen_table_2_quick_is_done_in_ten_minutes(tmp_path, no_folder):
    """One of its three classifiers, which takes a tenth of the 205 s that all three were measured to take."""
    request = ReproductionRequest(exhibit=exhibit("chen-table-2"), quick=True, classifiers=("linear_svm",))
    found = reproduce(request, tmp_path / "cells.sqlite")
    assert found.seconds < 600 / 3
    assert not found.errors
