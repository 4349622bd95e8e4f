"""The guessing game: outputs follow the law of the accounted μ, scores are counted, no simple rule beats the best."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest, kstest

from dashboard.compute.guessing import (
    ROUNDS,
    GuessRound,
    SumPair,
    best_choices,
    best_law,
    count_right,
    draw_rounds,
    score_law,
    sum_pair,
)
from dashboard.figures.guessing import one_output, ten_guesses
from dashboard.figures.style import Style
from dpgep_core.privacy.accountant import best_guess

MANY = 20_000


@pytest.mark.parametrize("relation", ["replace_one", "add_remove"])
@pytest.mark.parametrize("mu", [0.25, 1.0, 3.0])
def test_outputs_follow_the_accounted_mu(mu, relation):
    """(output - middle) μ/Δ is N(-μ/2, 1) under D and N(μ/2, 1) under D′, and the coin is fair: two-sided tests."""
    pair = sum_pair(relation)
    rounds = draw_rounds(mu, pair, seed=1, game=0, count=MANY)
    for second, mean in ((False, -mu / 2), (True, mu / 2)):
        scaled = [(one.output - pair.middle) * mu / pair.sensitivity for one in rounds if one.from_second == second]
        assert kstest(scaled, "norm", args=(mean, 1.0)).pvalue > 1e-4
    assert binomtest(sum(one.from_second for one in rounds), MANY, 0.5).pvalue > 1e-4
    right = count_right(best_choices(rounds, pair), rounds)
    assert binomtest(right, MANY, best_guess(mu)).pvalue > 1e-4
    assert binomtest(right, MANY, best_guess(1.2 * mu)).pvalue < 1e-4 or mu < 0.5  # the test can fail


@pytest.mark.parametrize("place", [-1.0, 1.0])
def test_another_threshold_is_no_better(place):
    pair = sum_pair("replace_one")
    rounds = draw_rounds(1.0, pair, seed=2, game=0, count=MANY)
    shifted = [one.output > pair.middle + place for one in rounds]
    assert count_right(shifted, rounds) < count_right(best_choices(rounds, pair), rounds)


def test_sensitivity_is_what_one_row_can_change():
    assert sum_pair("replace_one").sensitivity == pytest.approx(2)
    assert sum_pair("add_remove").sensitivity == pytest.approx(1)


def test_games_differ_and_come_again():
    pair = sum_pair("replace_one")
    first = draw_rounds(1.0, pair, 0, 0)
    assert first == draw_rounds(1.0, pair, 0, 0)
    assert len(first) == ROUNDS
    others = [draw_rounds(1.0, pair, 0, 1), draw_rounds(1.0, pair, 1, 0), draw_rounds(1.5, pair, 0, 0)]
    noise = [[(one.output - (pair.second if one.from_second else pair.first)) for one in game] for game in others]
    base = [(one.output - (pair.second if one.from_second else pair.first)) for one in first]
    assert all(not np.allclose(drawn, base) for drawn in noise)
    assert not np.allclose(np.array(noise[2]) * 1.5, base)  # another μ is not the same noise, scaled


def test_scoring_counts_what_was_played():
    rounds = (GuessRound(3.0, True), GuessRound(-3.0, True), GuessRound(-1.0, False))
    pair = SumPair(-1.0, 1.0)
    assert best_choices(rounds, pair) == (True, False, False)
    assert count_right((True, True), rounds) == 2
    assert count_right(best_choices(rounds, pair), rounds) == 2
    assert count_right((), rounds) == 0


def test_laws_are_those_of_ten_guesses():
    law = best_law(2.0)
    assert sum(law) == pytest.approx(1)
    assert sum(k * p for k, p in enumerate(law)) == pytest.approx(ROUNDS * best_guess(2.0))
    assert score_law(0.5)[5] == pytest.approx(math.comb(10, 5) / 2**10)


def test_pictures_hold_the_numbers():
    pair, style = sum_pair("replace_one"), Style()
    figure = one_output(pair, 0.5, 30.0, style)
    low, high = figure.layout.xaxis.range
    assert low < 30.0 < high
    assert figure.layout.shapes[0].x0 == 30.0
    first, second = (trace.x[int(np.argmax(trace.y))] for trace in figure.data)
    step = figure.data[0].x[1] - figure.data[0].x[0]
    assert first == pytest.approx(pair.first, abs=step)
    assert second == pytest.approx(pair.second, abs=step)
    scores = ten_guesses(1.0, 7, 6, style)
    assert tuple(scores.data[0].y) == best_law(1.0)
    assert [trace.x[0] for trace in scores.data[2:]] == [7, 6]
