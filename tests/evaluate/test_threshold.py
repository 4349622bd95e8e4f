"""The smallest ε for a target: found where it is known, the same on the page and on the command line."""

import json
import math
import time
from dataclasses import replace

import numpy as np
import pytest

from dashboard.cache import search_for, share_scores
from dashboard.compute import results
from dashboard.compute.axes import AXES
from dashboard.compute.results import answer_in
from dashboard.scenario import Scenario, command_line
from dashboard.text.sentences import keeps_sentence
from dpgep_core import load_dataset
from dpgep_core.cli import main
from dpgep_core.evaluate import Reference, threshold
from dpgep_core.evaluate.threshold import LUCKY_TO_UNLUCKY, SEARCH_DRAWS, Threshold, epsilon_for_target
from dpgep_core.release import Setting
from dpgep_core.reuse import keeping_one

WINE = Scenario(dataset="wine", seed=3)


def known_curve(monkeypatch, accuracy):
    """Let the score of every release be a function of its ε and the number of its draw."""
    monkeypatch.setattr(threshold, "score_of", lambda _measure, _room, release: accuracy(release.setting))


@pytest.mark.parametrize("target", [0.55, 0.6, 0.655, 0.73])
def test_a_known_crossing_is_found_to_five_percent(monkeypatch, target):
    known_curve(monkeypatch, lambda setting: 0.5 + 0.1 * math.log10(100 * setting.epsilon))
    found = epsilon_for_target(load_dataset("wine"), Setting(), target, draws=2)
    true = 10 ** ((target - 0.5) / 0.1) / 100
    assert true <= found.value <= true * math.exp(threshold.LOG_TOLERANCE)
    assert found.low == pytest.approx(true, rel=1e-9)  # between two places of the search
    assert found.high == pytest.approx(true, rel=1e-9)


def test_luck_reaches_it_earlier_and_bad_luck_later(monkeypatch):
    """Draw i of 20 is shifted by .01 i: the second of them reaches .7 a factor 10^-1.7 apart from the eighteenth."""
    known_curve(monkeypatch, lambda setting: 0.7 + 0.1 * math.log10(setting.epsilon) + 0.01 * (setting.seed - 9.5))
    found = epsilon_for_target(load_dataset("wine"), Setting(), 0.7)
    assert (found.draws, LUCKY_TO_UNLUCKY) == (20, (0.1, 0.9))
    assert found.value == pytest.approx(1, rel=0.051)
    assert found.low == pytest.approx(10**-0.85, rel=1e-6)
    assert found.high == pytest.approx(10**0.75, rel=1e-6)


def answered(job):
    """The answer of a job, once it is there."""
    until = time.monotonic() + 120
    while (found := answer_in(job)) is None:
        assert job.error is None
        assert time.monotonic() < until
        time.sleep(0.02)
    return found


@pytest.fixture
def few(monkeypatch):
    """Six draws on the page: 20 are the default there and on the command line alike."""
    assert results.SEARCH_DRAWS == SEARCH_DRAWS == 20
    monkeypatch.setattr(results, "SEARCH_DRAWS", 6)


def test_the_page_and_the_command_give_one_answer(capsys, few):
    """On wine the page once read 1.34 off its curve where the command searched 1.68."""
    data = load_dataset("wine")
    reference = Reference.of(data, WINE.setting("exact"))
    ceiling = (
        results.answer(WINE, "ssp", data, reference, keeping_one()).diagnostic.accuracy["lda"].non_private.accuracy
    )
    target = 0.95 * ceiling
    share_scores(WINE, "ssp", data, results.draws(WINE, "ssp", data, reference, AXES["epsilon"]))  # as Explore does
    for scenario in (WINE, replace(WINE, epsilon=5.0, algorithms=("dprf", "ssp"))):  # from wherever one looks
        ours = answered(search_for(scenario, "ssp", data, "epsilon", target, "accuracy"))
        words = command_line(WINE, "ssp").split()[2:]
        assert main(["ask", "epsilon", *words, "--target", repr(target), "--draws", "6", "--json"]) == 0
        theirs = json.loads(capsys.readouterr().out)
        assert {name: theirs[name] for name in Threshold.__dataclass_fields__} == {
            name: getattr(ours, name) for name in Threshold.__dataclass_fields__
        }
    assert target < ours.ceiling <= 1  # at the ridge of the ε that was found, where the page has another
    assert f"ε = **{ours.value:.3g}** on (median of 6 noise draws)" in keeps_sentence("ssp", ours, 95)
    assert f"**{ours.low:.3g}**" in keeps_sentence("ssp", ours, 95)


def test_a_curve_that_is_there_saves_releases_and_changes_none(monkeypatch, few):
    """Every place of the search that lies on Explore's curve is taken from it."""
    data = load_dataset("wine")
    reference = Reference.of(data, WINE.setting("exact"))
    fresh, runs = epsilon_for_target(data, WINE.setting("ssp"), 0.9, draws=6), []
    share_scores(WINE, "ssp", data, results.draws(WINE, "ssp", data, reference, AXES["epsilon"]))
    run = threshold.run
    monkeypatch.setattr(threshold, "run", lambda bound: runs.append(bound) or run(bound))
    assert answered(search_for(WINE, "ssp", data, "epsilon", 0.9, "accuracy")) == fresh
    assert {bound.setting.epsilon for bound in runs}.isdisjoint(2.0**power for power in range(-10, 4))
    assert len(runs) < 0.7 * fresh.evaluations


def test_the_sentence_says_which_of_the_three_it_is():
    def found(value, low=0.2, high=None):
        return Threshold(
            value=value, low=low, high=high, target=0.9, reached=0.9, ceiling=0.95, draws=20, evaluations=9
        )

    some = keeps_sentence("ssp", found(0.316), 95)
    assert "keeps 95 % from ε = **0.316** on (median of 20 noise draws)" in some
    assert "**0.2**, all but the unluckiest tenth at **above the range**" in some
    assert "does not keep 95 % by ε = 64" in keeps_sentence("dpsr", found(None), 95)
    assert "already at ε = 0.00098" in keeps_sentence("ssp", found(2**-10 * 1.04, None, None), 95)


def test_what_does_not_stay_above_is_not_reached_yet():
    places, scores = np.geomspace(0.01, 10, 7), [0.5, 0.55, 0.62, 0.58, 0.62, 0.64, 0.7]
    assert places[3] < threshold.crossing(places, scores, 0.6) < places[4]
    assert threshold.crossing(places, scores, 0.9) == math.inf
    assert threshold.crossing(places, scores, 0.4) == 0
