"""Budgets in exact decimals, composed by the accountant."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpgep_core import ParameterError
from dpgep_core.privacy.accountant import delta_of, mu_of
from dpgep_core.publishing.budget import EXACT_DECIMALS, Amount, Budget, BudgetSpentError, Charge
from dpgep_core.wording import decimal_text, number_text


def charge(epsilon: object, delta: object = "1e-6") -> Charge:
    asked = Amount.of(epsilon, delta)
    return Charge(asked, mu_of(float(asked.epsilon), float(asked.delta) * (1 - 1e-9)), 2.0**-90)


def budget(epsilon: object, delta: object = "1e-6") -> Budget:
    return Budget("census", Amount.of(epsilon, delta), "replace_one")


@pytest.mark.parametrize("kind", [str, float])
def test_a_tenth_and_two_tenths_fit_in_three_tenths(kind: type) -> None:
    after = budget(kind("0.3")).charged(charge(kind("0.1"))).charged(charge(kind("0.2")))
    assert after.left.epsilon == 0
    assert kind("0.1") + kind("0.2") != 0.3 or kind is str


def test_ten_tenths_fit_in_one_and_not_a_billionth_more() -> None:
    whole = budget("1")
    for _ in range(10):
        whole = whole.charged(charge("0.1"))
    assert decimal_text(whole.left.epsilon) == "0"
    with pytest.raises(
        BudgetSpentError, match=r"epsilon = 1e-9 is asked for and 0 of 1 is left .*Nothing was"
    ) as caught:
        whole.charged(charge("1e-9"))
    assert caught.value.left.epsilon == 0


def test_one_release_may_take_all_of_both() -> None:
    assert budget("1", "1e-6").charged(charge("1", "1e-6")).spent_delta == pytest.approx(1e-6, rel=1e-6)


def test_the_accountant_composes_what_was_released() -> None:
    whole = budget("1", "1e-6")
    for _ in range(4):
        whole = whole.charged(charge("0.25"))
    assert whole.mu == pytest.approx(2 * mu_of(0.25, 1e-6), rel=1e-6)
    assert whole.spent_delta == pytest.approx(delta_of(whole.mu, 1.0), rel=1e-6)
    assert whole.accounted_epsilon < 1
    assert delta_of(whole.mu, whole.accounted_epsilon) == pytest.approx(1e-6, rel=1e-6)


def test_noise_that_says_less_than_it_costs_is_refused_by_the_accountant() -> None:
    loud = Charge(Amount.of("0.1", "1e-6"), 3.0, 0.0)
    with pytest.raises(BudgetSpentError, match=r"delta = 1e-6 is asked for"):
        budget("1").charged(loud)


def test_more_delta_than_the_budget_has_is_refused() -> None:
    with pytest.raises(BudgetSpentError, match=r"allows 1e-6"):
        budget("1", "1e-6").charged(charge("0.1", "2e-6"))


def test_the_distance_of_discrete_noise_is_counted() -> None:
    far = Charge(Amount.of("0.1", "1e-7"), 0.01, 1e-6)
    with pytest.raises(BudgetSpentError, match="delta"):
        budget("1", "1e-6").charged(far)
    after = budget("1", "1e-5").charged(far)
    assert 2e-6 < after.spent_delta <= (1 + math.e) * 1e-6 + delta_of(0.01, 1.0)
    assert after.spent_delta == pytest.approx((1 + math.exp(0.1)) * 1e-6 + delta_of(0.01, 0.1), rel=0.05)


def test_a_large_budget_does_not_blow_up_the_distance_of_discrete_noise() -> None:
    large = budget("100", "1e-6")
    for _ in range(10):
        large = large.charged(Charge(Amount.of("5", "1e-7"), mu_of(5.0, 1e-7), 2.0**-60))
    assert large.left.epsilon == 50
    assert large.accounted_epsilon < 30
    assert large.spent_delta <= 1e-6


@pytest.mark.parametrize("bad", ["0", "-1", "nan", "inf", "", "x", "1e-50", "101", "0." + "1" * 50, None, True])
def test_amounts_are_positive_decimals(bad: object) -> None:
    with pytest.raises(ParameterError, match="epsilon must be a number > 0 and <= 100"):
        Amount.of(bad, "1e-6")


def test_amounts_keep_every_digit() -> None:
    third = "0.3333333333333333333333333333333333333333"
    assert Amount.of(third, 1e-6).epsilon == Decimal(third)
    assert decimal_text(Decimal("0.10")) == "0.1"
    assert decimal_text(Decimal("1e2")) == "100"


@pytest.mark.parametrize("text", ["1e-6", "0.000001", "0.0001", "0.00012", "5.5E-6", "1e-40", "0.5", "100"])
def test_amounts_are_written_as_all_numbers_are(text: str) -> None:
    """A page said δ = 0.000001 beside 1e-6 of another."""
    assert decimal_text(Decimal(text)) == number_text(float(text))


@given(st.integers(1, 10**40 - 1), st.integers(-80, 0))
def test_the_text_of_an_amount_says_the_amount(digits: int, exponent: int) -> None:
    amount = Decimal(digits).scaleb(exponent, EXACT_DECIMALS)
    assert Decimal(decimal_text(amount)) == amount
