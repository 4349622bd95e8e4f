"""Which of two methods is ahead is counted where it tells something: not where both are at chance."""

import pytest

from dpgep_core.experiments.papers.exhibit import MET, MET_AT_RANDOM, NEEDS_CONSTANTS, NOT, UNDECIDED, ResultLine
from dpgep_core.experiments.papers.leads import CLEAR_WORDS, comparison, of_lead

CHANCE = {"method": "random projection", "calibration": "none", "start": "none"}


def line(ours, runs=5, spread=0.1, **labels):
    usual = {"data": "MNIST", "classifier": "linear_svm", "epsilon": 1.0, "method": "DPSR", "calibration": "published",
             "start": "random"}  # fmt: skip
    return ResultLine(labels=usual | labels, published=None, ours=ours, spread=spread, runs=runs)


def places(ours, theirs, chance, *, powers=range(3), **labels):
    """DPSR, DPRF and a random projection at some ε."""
    return [
        one
        for power in powers
        for one in (line(ours, epsilon=2.0**-power, **labels),
                    line(theirs, epsilon=2.0**-power, **labels, method="DPRF"),
                    line(chance, epsilon=2.0**-power, **labels | CHANCE))
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ours", "theirs", "chance", "calibration", "word"),
    [
        (80.0, 70.0, 60.0, "published", MET),
        (80.0, 70.0, 60.0, "unit", NEEDS_CONSTANTS),
        (60.0, 70.0, 60.0, "published", NOT),
        (80.0, 70.0, 75.0, "published", MET),  # the other one may be worse than chance
        (60.5, 59.0, 60.0, "published", MET_AT_RANDOM),
        (60.0, 70.0, 75.0, "published", MET_AT_RANDOM),
    ],
)
def test_a_lead_is_judged_at_equal_constants_where_one_is_clear_of_chance(ours, theirs, chance, calibration, word):
    (found,) = of_lead(places(ours, theirs, chance, calibration=calibration), "DPSR", "DPRF")
    assert found.word == word


def test_places_at_chance_decide_nothing():
    """A lead of ten points at the three largest ε, and eight small ε at which a coin fell the other way."""
    clear, small = places(80.0, 70.0, 60.0), places(60.0, 60.4, 60.0, powers=range(3, 11))
    (found,) = of_lead([*clear, *small], "DPSR", "DPRF")
    assert (found.word, found.why) == (
        MET, f"3 of 3 under the published constants against random start of DPRF (of the places {CLEAR_WORDS})"
    )  # fmt: skip
    (said,) = comparison([*clear, *small], "DPSR", "DPRF", expected="x")
    pair = "DPSR (published constants) is ahead of DPRF (published constants, random start)"
    assert said == f"{pair} in 3 of 11 places, and in 3 of the 3 {CLEAR_WORDS}; x."
    (at_chance,) = of_lead(small, "DPSR", "DPRF")
    assert (at_chance.word, at_chance.why) == (MET_AT_RANDOM, f"0 of 8 places {CLEAR_WORDS}")
    assert comparison(small, "DPSR", "DPRF", expected="x") == [
        f"{pair} in 0 of 8 places, none of them a place {CLEAR_WORDS}; x."
    ]


def test_too_few_clear_places_decide_nothing():
    clear, small = places(80.0, 70.0, 60.0, powers=range(2)), places(60.0, 60.4, 60.0, powers=range(2, 11))
    (found,) = of_lead([*clear, *small], "DPSR", "DPRF")
    assert (found.word, found.why) == (UNDECIDED, f"2 of 11 places {CLEAR_WORDS}")
    stronger = places(50.0, 90.0, 60.0, calibration="unit")
    (found,) = of_lead([*clear, *small, *stronger], "DPSR", "DPRF")
    assert found.why.startswith("0 of 3 under constants of 1")


@pytest.mark.parametrize(
    ("runs", "spread", "of_chance", "clear"),
    [
        (5, 0.1, 0.1, 1.0),
        (5, 1.0, 0.1, 3 * 0.4**0.5),
        (5, 0.1, 1.0, 3 * 0.4**0.5),
        (20, 1.0, 1.0, 3 * 0.25**0.5),
        (1, None, None, 3.0),
    ],
)
def test_a_value_is_clear_of_chance_by_more_than_runs_scatter(runs, spread, of_chance, clear):
    def word(gap):
        lines = [
            one
            for epsilon in (1.0, 0.5, 0.25)
            for one in (line(60.0 + gap, runs, spread, epsilon=epsilon),
                        line(50.0, runs, spread, epsilon=epsilon, method="DPRF"),
                        line(60.0, 5 if of_chance else 1, of_chance, epsilon=epsilon, **CHANCE))
        ]  # fmt: skip
        return of_lead(lines, "DPSR", "DPRF")[0].word

    assert word(clear - 0.01) == MET_AT_RANDOM
    assert word(clear + 0.01) == MET


def test_without_a_random_projection_every_place_counts():
    lines = [line(60.2), line(60.0, method="DPRF")]
    (found,) = of_lead(lines, "DPSR", "DPRF")
    assert (found.word, found.why) == (MET, "1 of 1 under the published constants against random start of DPRF")
    assert of_lead(lines[:1], "DPSR", "DPRF") == []
