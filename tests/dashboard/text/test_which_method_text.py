"""The sentences of "Which method?" follow from the numbers, losses and missing cells included."""

import math

import pytest

from dashboard.text.which_method import losses, matches, method_title, missing, ordered_titles, verdict
from dpgep_core.evaluate.which_method import Reach

TWO, ONE = "ssp steps=2", "ssp steps=1"


def reach(dataset, method, epsilon):
    return Reach(dataset=dataset, model="fda", method=method, share=0.95, epsilon=epsilon, setting="xi=0.1",
                 least=0.01, most=100.0, settings=1, seeds=2)  # fmt: skip


WON = [reach("adult", TWO, 0.1), reach("adult", ONE, 0.2), reach("adult", "sr_dp", 2.0), reach("adult", "dprf", 5.0)]
LOST = [reach("wine", TWO, 4.0), reach("wine", ONE, 3.0), reach("wine", "sr_dp", 2.0)]


def test_the_verdict_counts_what_is_won():
    assert verdict(WON) == "Ours in two steps needs the least ε on 1 of 1 data set; on the median one the best other " \
                           "needs 20 times as much."  # fmt: skip
    assert "least ε on 1 of 2 data sets" in verdict(WON + LOST)


@pytest.mark.parametrize(
    ("ours", "other", "said"),
    [
        (0.1, math.inf, "reaches it nowhere near"),
        (0.1, 0.0, "0 of 1 data set; on the median one the best other needs 0.1 times as much"),
        (0.005, 0.0, "Nothing was measured."),  # the other may need still less
    ],
)
def test_an_epsilon_beyond_an_end_of_the_grid(ours, other, said):
    assert said in verdict([reach("adult", TWO, ours), reach("adult", "sr_dp", other)])


def test_what_neither_reaches_is_not_counted():
    neither = [reach("digits", TWO, math.inf), reach("digits", "sr_dp", math.inf)]
    assert [match.won for match in matches(neither)] == [None]
    assert "1 of 1 data set" in verdict(WON + neither)
    assert verdict(neither) == verdict([]) == "Nothing was measured."


def test_losses_name_the_winner_and_both_numbers():
    assert losses(WON) == []
    assert losses(LOST) == ["wine: SR + noise needs ε = 2, two steps ε = 4.", "wine: one step needs ε = 3, two ε = 4."]
    assert losses([reach("wine", TWO, math.inf), reach("wine", "sr_dp", 2.0)]) == [
        "wine: SR + noise needs ε = 2, two steps more than was tried."
    ]


def test_missing_cells_are_said():
    assert missing(WON) == []
    assert missing(WON + LOST) == ["DP-RF: not run on wine."]


def test_rows_stand_by_how_many_sets_are_reached():
    more = [reach("wine", "dprf", math.inf), *WON, *LOST]
    assert list(ordered_titles(more)) == [TWO, ONE, "sr_dp", "dprf"]
    assert method_title(TWO) == "Ours, two steps"
