"""``test_size = 0`` fits on all rows, and where nothing is held out no surface shows an accuracy."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dashboard.export.report import python_code
from dashboard.scenario import Scenario, command_line, from_query
from dpgep_core import ParameterError, evaluate, load_dataset, solve
from dpgep_core.cli import main
from dpgep_core.datasets import split
from dpgep_core.evaluate.threshold import epsilon_for_target
from dpgep_core.experiments.answers import best_ridge
from dpgep_core.release import Setting

WHY = "all rows are fitted (test_size = 0) and no test split is published"


def test_all_rows_are_fitted_without_a_copy():
    wine = load_dataset("wine")
    release = solve(wine, test_size=0)
    assert release.public.n == wine.n == 178
    parts = split(wine, 3, 0)
    assert parts.X is wine.X or parts.X.base is wine.X
    assert (len(parts.X), len(parts.X_test)) == (178, 0)


@pytest.mark.parametrize(("share", "n"), [(0.0, 178), (0.001, 177), (0.2, 142), (0.5, 89), (0.999, 1)])
def test_the_share_decides_how_many_are_fitted(share, n):
    parts = split(load_dataset("wine"), 0, share)
    assert (len(parts.X), len(parts.X_test)) == (n, 178 - n)


@pytest.mark.parametrize("share", [-0.1, 1, 1.5, float("nan")])
def test_a_share_out_of_range_is_named(share):
    with pytest.raises(ParameterError, match=r"test_size must be a finite number >= 0 and < 1"):
        solve("wine", test_size=share)


def test_components_are_compared_and_no_accuracy_is_made_up():
    release = solve("wine", test_size=0)
    found = evaluate(release, "wine", classifiers=("lda", "linear_svm"))
    assert found.accuracy == {}
    assert found.majority is None
    assert found.unscored == WHY
    assert np.isfinite(found.cosine_similarity).all()


def test_a_published_test_split_is_measured_on_all_the_same():
    one, other = (evaluate(solve("adult", test_size=s), "adult", classifiers=("lda",)) for s in (0, 0.2))
    assert one.accuracy == other.accuracy
    assert one.unscored == ""


def test_a_published_split_without_labels_is_said():
    wine = load_dataset("wine")
    data = replace(wine, X_test=wine.X[:9])
    found = evaluate(solve(data), data)
    assert (found.accuracy, found.majority) == ({}, None)
    assert found.unscored == "the published test split has no labels"


def test_the_command_says_why_there_is_no_accuracy(capsys):
    assert main(["solve", "--dataset", "wine", "--test-size", "0", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["n"], report["test_size"], report["accuracy"], report["majority"]) == (178, 0, {}, None)
    assert report["accuracy_note"] == f"not measured, because {WHY}"
    assert main(["solve", "--dataset", "wine", "--test-size", "0"]) == 0
    assert f"accuracy: not measured, because {WHY}" in capsys.readouterr().out
    assert main(["solve", "--dataset", "wine", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["accuracy_note"] is None
    assert set(report["accuracy"]) == {"lda", "linear_svm"}
    assert main(["solve", "--dataset", "wine", "--test-size", "1"]) == 2


def test_a_sweep_runs_over_it(tmp_path):
    spec, out = tmp_path / "s.toml", tmp_path / "t.csv"
    spec.write_text('datasets = ["wine"]\ntest_size = [0.0, 0.2]\n')
    assert main(["sweep", str(spec), "--out", str(out), "--quiet"]) == 0
    table = pd.read_csv(out)
    assert table["test_size"].tolist() == [0.0, 0.2]
    assert table["n"].tolist() == [178, 142]
    assert table["lda_accuracy"].notna().tolist() == [False, True]
    assert table["accuracy_note"].fillna("").tolist() == [f"not measured, because {WHY}", ""]


@pytest.mark.parametrize("ask", [best_ridge, lambda data, setting: epsilon_for_target(data, setting, 0.9)])
@pytest.mark.parametrize(("name", "setting", "why"), [
    ("wine", Setting(test_size=0), WHY),
    ("synthetic_pca", Setting(model="pca"), "there are no classes to tell apart"),
])  # fmt: skip
def test_a_question_about_accuracy_is_refused_in_a_sentence(ask, name, setting, why):
    with pytest.raises(ParameterError, match=r"measure must be cosine or subspace") as refused:
        ask(load_dataset(name), setting)
    assert f"because {why}" in str(refused.value)


def test_address_command_and_program_name_it():
    scenario, problems = from_query({"dataset": "wine", "test_size": "0"})
    assert problems == ()
    assert scenario == Scenario(dataset="wine", test_size=0)
    assert "--test-size 0" in command_line(scenario, "ssp")
    assert "test_size=0.0," in python_code(scenario, "ssp")
    for untouched in (command_line(Scenario(dataset="wine"), "ssp"), python_code(Scenario(dataset="wine"), "ssp")):
        assert "test" not in untouched
    assert scenario.rows(published=False).seed == replace(scenario, seed=7).rows(published=False).seed
    assert scenario.rows(published=True) == replace(scenario, test_size=0.5).rows(published=True)
