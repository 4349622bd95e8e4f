"""The letter to the authors shows each point with a command: each does what the letter says beside it."""

import json
import re
import shlex
from decimal import Decimal
from pathlib import Path

import pytest

from dpgep_core.cli import main
from dpgep_core.experiments.papers import EXHIBITS
from dpgep_core.experiments.papers.bundled_results import bundled_reproduction

LETTER = Path(__file__).parents[2] / "docs" / "notes-on-the-papers.md"
SHOWN = [
    (shlex.split(command)[1:], said)
    for command, said in re.findall(r"^    (dpgep .*?) +# (.+)$", LETTER.read_text("utf-8"), re.MULTILINE)
]
SOLVED = [(words, said) for words, said in SHOWN if words[0] == "solve"]
AUDITED = [(words, said) for words, said in SHOWN if words[0] == "audit"]


def test_every_command_of_the_letter_says_what_comes_of_it():
    assert len(SHOWN) == len(re.findall("^    dpgep ", LETTER.read_text("utf-8"), re.MULTILINE)) > 8
    assert {words[0] for words, _ in SHOWN} == {"solve", "audit", "paper"}
    assert all(words[1] in EXHIBITS for words, _ in SHOWN if words[0] == "paper")


def test_the_letter_counts_the_places_of_figure_1_as_the_kept_results_do():
    found = bundled_reproduction(EXHIBITS["chen-figure-1"])
    assert found is not None
    lead = next(one for one in found.outcomes if one.subject == "DPSR ahead of DPRF from a random start")
    counted = re.match(r"(\d+ of \d+) under constants of 1", lead.why)
    assert counted
    assert f"in {counted[1]} of Figure 1." in " ".join(LETTER.read_text("utf-8").split())


@pytest.mark.slow
@pytest.mark.parametrize(("words", "said"), SOLVED, ids=[" ".join(words[1:]) for words, _ in SOLVED])
def test_the_accounted_epsilon_of_the_letter_is_what_the_command_accounts_rounded_up(words, said, capsys):
    told = re.fullmatch(r"accounted: ε = ([\d.]+)", said)
    assert told
    main([*words, "--json"])
    accounted = Decimal(repr(json.loads(capsys.readouterr().out)["accounted"]["epsilon"]))
    printed = Decimal(told[1])
    unit = Decimal(1).scaleb(printed.as_tuple().exponent)
    assert -unit / 1000 <= printed - accounted < unit


@pytest.mark.slow
@pytest.mark.parametrize(("words", "said"), AUDITED, ids=[" ".join(words[1:]) for words, _ in AUDITED])
def test_the_attacks_of_the_letter_guess_as_often_as_it_says(words, said, capsys):
    main(words)
    out = capsys.readouterr().out
    guesses = re.match(r"right in \d+ of \d+ guesses", said)
    assert guesses
    assert guesses[0] in out
    if bound := re.search(r"ε ≥ [\d.]+", said):
        assert f"the most so many runs can show is {bound[0][4:]}" in out
