"""The smallest ε that keeps a share of the accuracy: found where it is known, and not promised where it is not."""

import numpy as np
import pytest

from dashboard.keeps import Keeps, sentence, smallest_epsilon
from dashboard.services import Draw

PLACES = np.geomspace(0.01, 10, 13)


def rising(noise=0.0, seeds=9, dip=None):
    """Accuracy .5 + .1 · log10(100 ε), known at every ε; seeds differ by up to ``noise``."""
    found = []
    for seed, shift in enumerate(np.linspace(-noise, noise, seeds)):
        for place in PLACES:
            accuracy = 0.5 + 0.1 * np.log10(100 * place) + shift - (0.2 if place == dip else 0)
            found.append(Draw(float(place), seed, 0, 0, 0, 0, 0, float(accuracy)))
    return found


@pytest.mark.parametrize("target", [0.51, 0.6, 0.655, 0.73, 0.799])
def test_a_known_crossing_is_found_between_the_points(target):
    found = smallest_epsilon(rising(), target)
    assert found.epsilon == pytest.approx(10 ** ((target - 0.5) / 0.1) / 100, rel=1e-9)
    assert found.lucky == found.unlucky == found.epsilon


def test_luck_reaches_it_earlier_and_bad_luck_later():
    found = smallest_epsilon(rising(noise=0.05), 0.65)
    assert found.epsilon == pytest.approx(10**-0.5)
    assert found.lucky == pytest.approx(10 ** (-0.5 - 0.45), rel=1e-6)  # 95 % of ±.05 is ±.045
    assert found.unlucky == pytest.approx(10 ** (-0.5 + 0.45), rel=1e-6)


def test_what_does_not_stay_above_is_not_reached_yet():
    dip = float(PLACES[9])
    assert smallest_epsilon(rising(dip=dip), 0.6).epsilon > dip


def test_never_and_always():
    assert smallest_epsilon(rising(), 0.9).epsilon is None
    assert smallest_epsilon(rising(), 0.4).epsilon == PLACES[0]
    assert smallest_epsilon([], 0.5) == Keeps(None, None, None, 0)


def test_the_sentence_says_which_of_the_four_it_is():
    ends = (0.01, 10.0)
    assert "keeps 95 % from ε ≈ **0.32** on (90 % of draws: 0.2 to more than 10; 20 draws" in sentence(
        "ssp", Keeps(0.316, 0.2, None, 20), 95, ends
    )
    assert "does not keep 95 % by ε = 10" in sentence("dpsr", Keeps(None, None, None, 20), 95, ends)
    assert "already at ε = 0.01 (1 draw at" in sentence("ssp", Keeps(0.01, 0.01, 0.01, 1), 95, ends)
    assert "no draws yet" in sentence("ssp", Keeps(None, None, None, 0), 95, ends)
