"""What an accuracy is of, and what a number reads, is said in words beside it."""

import json

from dashboard import cache
from dashboard.scenario import Scenario
from dashboard.text.headline import cells
from dpgep_core import load_dataset
from dpgep_core.cli import main

OPTIONS = ("--dataset", "wine", "--classifiers", "lda")


def test_the_keys_stay_and_words_say_what_is_private(capsys):
    assert main(["solve", *OPTIONS, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert set(report["accuracy"]["lda"]) == {"private", "non_private", "random", "all_private", "details"}
    assert report["accuracy_label"].keys() == {"private", "non_private", "random", "all_private"}
    assert "the classifier is not" in report["accuracy_label"]["private"]
    assert "private to the end" in report["accuracy_label"]["all_private"]


def test_no_line_calls_a_classifier_private_that_is_trained_on_private_rows(capsys):
    assert main(["solve", *OPTIONS]) == 0
    said = capsys.readouterr().out
    (line,) = [line for line in said.splitlines() if line.startswith("accuracy, lda:")]
    for part in ("projection private 0.", "exact projection 0.", "random projection 0.", "from the release alone 0."):
        assert part in line
    assert ": private 0." not in line
    assert "projection private: the projection is private; the classifier is not" in said


def test_a_question_says_what_its_answer_reads(capsys):
    asked = ["ask", "epsilon", "--dataset", "wine", "--target", "0.5", "--draws", "1"]
    assert main([*asked, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["label"] == "reads the private data; seed known: not private"
    assert "the classifier is not" in report["measure_label"]
    assert main(asked) == 0
    said = capsys.readouterr().out
    assert "reads the private rows under known seeds: no ε covers choosing by it" in said
    assert "accuracy (the projection is private; the classifier is not" in said
    assert main([*asked, "--measure", "subspace", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["measure_label"] is None


def test_the_headline_says_it_too():
    item = cache.answer(Scenario(dataset="wine"), "ssp", load_dataset("wine"))
    assert "The projection is private, the classifier trained on it is not." in cells(item)[0].help
