"""Which of two methods is ahead is counted where it tells something: not where both are at chance."""

from dataclasses import replace

import pytest

from dpgep_core.experiments.papers import exhibit
from dpgep_core.experiments.papers.exhibit import ResultLine
from dpgep_core.experiments.papers.leads import TELLING, comparison, of_lead
from dpgep_core.experiments.papers.outcome import MET, NEEDS_CONSTANTS, NOT, UNDECIDED
from dpgep_core.experiments.papers.places import is_clearly_above

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
        (60.5, 58.0, 60.0, "published", UNDECIDED),  # ahead clearly, and of no more use than chance
        (80.0, 79.5, 60.0, "published", UNDECIDED),  # both are of use, and level
        (60.0, 70.0, 75.0, "published", UNDECIDED),
    ],
)
def test_a_lead_is_judged_at_equal_constants_where_it_is_clear_and_of_use(ours, theirs, chance, calibration, word):
    (found,) = of_lead(places(ours, theirs, chance, calibration=calibration), "DPSR", "DPRF")
    assert found.word == word


def test_places_at_chance_decide_nothing():
    """A lead of ten points at the three largest ε, and eight small ε at which a coin fell the other way."""
    clear, small = places(80.0, 70.0, 60.0), places(60.0, 60.4, 60.0, powers=range(3, 11))
    (found,) = of_lead([*clear, *small], "DPSR", "DPRF")
    assert (found.subject, found.word) == ("DPSR ahead of DPRF from a random start", MET)
    assert found.why == f"3 of 3 under the published constants (of the places {TELLING})"
    (said,) = comparison([*clear, *small], "DPSR", "DPRF", expected="x")
    pair = "DPSR (published constants) is ahead of DPRF (published constants, random start)"
    assert said == f"{pair} in 3 of 11 places, and in 3 of the 3 {TELLING}; x."
    (at_chance,) = of_lead(small, "DPSR", "DPRF")
    assert (at_chance.word, at_chance.why) == (UNDECIDED, f"0 of 8 places {TELLING}")
    assert comparison(small, "DPSR", "DPRF", expected="x") == [
        f"{pair} in 0 of 8 places, and none of them is one {TELLING}; x."
    ]


def test_too_few_places_decide_nothing_and_each_start_has_its_own_verdict():
    clear, small = places(80.0, 70.0, 60.0, powers=range(2)), places(60.0, 60.4, 60.0, powers=range(2, 11))
    few = [*clear, *small]
    (found,) = of_lead(few, "DPSR", "DPRF")
    assert (found.word, found.why) == (UNDECIDED, f"2 of 11 places {TELLING}")
    oracle = [line(90.0, epsilon=2.0**-power, method="DPRF", start="oracle") for power in range(11)]
    random, exact = of_lead([*few, *oracle], "DPSR", "DPRF")
    assert (random.subject, random.word) == ("DPSR ahead of DPRF from a random start", UNDECIDED)
    assert (exact.subject, exact.word) == ("DPSR ahead of DPRF from the exact answer", NOT)
    assert exact.why.startswith("0 of 11 under the published constants")


@pytest.mark.parametrize(
    ("runs", "spread", "of_other", "clear"),
    [
        (5, 0.1, 0.1, 1.0),
        (5, 1.0, 0.1, 3.355387 * 0.4**0.5),  # Student's quantile of 99 % with 8 degrees of freedom
        (5, 0.1, 1.0, 3.355387 * 0.4**0.5),
        (20, 2.0, 1.0, 2.711558 * 2 * 0.1**0.5),  # with 38
        (2, 0.5, 0.1, 9.924843 * 0.5),  # with 2
    ],
)
def test_a_mean_is_clearly_above_another_by_more_than_runs_scatter(runs, spread, of_other, clear):
    low = line(60.0, runs, of_other)
    assert not is_clearly_above(line(60.0 + clear - 0.001, runs, spread), low)
    assert is_clearly_above(line(60.0 + clear + 0.001, runs, spread), low)


def test_of_one_run_nothing_is_told():
    alone = [replace(one, runs=1, spread=None) for one in places(90.0, 70.0, 50.0)]
    assert of_lead(alone, "DPSR", "DPRF")[0].word == UNDECIDED
    assert not is_clearly_above(alone[0], alone[1])


def test_without_a_random_projection_nothing_is_told():
    lines = [one for one in places(90.0, 70.0, 50.0) if one.labels["method"] != CHANCE["method"]]
    assert of_lead(lines, "DPSR", "DPRF")[0].word == UNDECIDED
    assert of_lead(lines[:1], "DPSR", "DPRF") == []


def test_a_ridge_is_compared_where_dpsr_is_of_use():
    """DPSR at chance on one data set, and clearly above it on another: only the other one counts."""
    table = exhibit("chen-extra-ridge")
    lines = [
        line(value, data=data, xi=xi, epsilon=None, **labels)
        for data, small in (("MNIST", 70.0), ("a9a", 60.1))
        for xi, value, labels in (
            (0.001, small, {}), (0.01, small + 8 if data == "MNIST" else small, {}), (0.1, small, {}),
            *((xi, 60.0, CHANCE) for xi in (0.001, 0.01, 0.1)),
        )
    ]  # fmt: skip
    worse = {one.subject: one for one in table.outcomes(lines)}[
        "DPSR worse with ξ too close to 0 than with ξ near 0.01"
    ]
    assert (worse.word, worse.why) == (MET, "1 of 1 under the published constants")
    assert not any(said.startswith("random projection") for said in table.verdict(lines))
