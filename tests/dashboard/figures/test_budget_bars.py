"""The bars of a kept budget are as long as what was spent, and as what it is worth together."""

import pytest

from dashboard.figures.budget import ADDED, TOGETHER, budget_alt, budget_bars
from dashboard.figures.style import Style
from dpgep_core.privacy.accountant import mu_of
from dpgep_core.publishing.budget import Amount, Budget, Charge


def budget(*epsilons: str) -> Budget:
    whole = Budget("census", Amount.of("1", "1e-6"), "replace_one")
    for epsilon in epsilons:
        asked = Amount.of(epsilon, "1e-6")
        whole = whole.charged(Charge(asked, mu_of(float(epsilon), 1e-6 * (1 - 1e-9)), 2.0**-90))
    return whole


def lengths(kept: Budget, row: str) -> list[float]:
    return [bar.x[0] for bar in budget_bars(kept, Style()).data if bar.y[0] == row]


def test_releases_and_the_rest_fill_the_budget():
    kept = budget("0.5", "0.25")
    assert lengths(kept, ADDED) == [0.5, 0.25, 0.25]
    assert lengths(kept, TOGETHER) == [pytest.approx(kept.accounted_epsilon)]
    assert kept.accounted_epsilon < 0.75
    assert "ε = 0.75 of 1 is spent by 2 releases" in budget_alt(kept)


def test_a_narrow_part_has_no_name():
    texts = [bar.text[0] for bar in budget_bars(budget("0.5", "0.05"), Style()).data]
    assert texts[:2] == ["release 1<br>ε = 0.5", ""]
