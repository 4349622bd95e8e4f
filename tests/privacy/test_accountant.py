"""The accountant against published rules, 60-digit reference values, another accountant, and itself backwards."""

import math
import tomllib
from functools import reduce
from pathlib import Path
from typing import Any

import dp_accounting
import mpmath
import pytest
from dp_accounting.pld import privacy_loss_distribution as pld
from hypothesis import given
from hypothesis import strategies as st

from dpgep_core.params import Delta, Epsilon, Knob, definition
from dpgep_core.privacy import Entry, Grant, Ledger, calibration
from dpgep_core.privacy.accountant import (
    best_guess,
    delta_of,
    epsilon_of,
    epsilon_zcdp_tight,
    largest_hit_share,
    log_delta_of,
    loss_beyond,
    mu_classical,
    mu_of,
    rho_zcdp_tight,
    root_rho_zcdp,
)

REFERENCE = tomllib.loads((Path(__file__).parent / "reference.toml").read_text(encoding="utf-8"))
M = 15  # iterations in the published tables


def rows(table: str) -> list[Any]:
    return [pytest.param(*row, id=f"n={row[0]}-eps={row[1]}") for row in REFERENCE[table]["rows"]]


def within_soft_bounds(annotated: Any) -> st.SearchStrategy[float]:
    """Numbers spread over the decades that a slider shows."""
    knob = definition(annotated)
    assert isinstance(knob, Knob)
    low, high = knob.soft
    return st.floats(math.log(low), math.log(high)).map(math.exp)


def half_unit(printed: str) -> float:
    return 0.5000001 * 10.0 ** -len(printed.partition(".")[2])


class TestReferenceTables:
    """Every printed reference number, to the digits printed."""

    @pytest.mark.parametrize("row", REFERENCE["largest_mu"]["rows"], ids=lambda row: f"eps={row[0]}")
    def test_largest_mu(self, row: list[float]) -> None:
        for n, mu in zip(REFERENCE["largest_mu"]["n"], row[1:], strict=True):
            assert mu_of(row[0], n**-1.1) == pytest.approx(mu, rel=1e-9, abs=0.51e-10)

    def test_default_delta(self) -> None:
        for n, delta in zip(REFERENCE["largest_mu"]["n"], REFERENCE["largest_mu"]["delta"], strict=True):
            assert n**-1.1 == pytest.approx(delta, rel=1e-8)

    @pytest.mark.parametrize(("mu", "epsilon", "delta"), REFERENCE["delta"]["rows"])
    def test_delta(self, mu: float, epsilon: float, delta: float) -> None:
        assert delta_of(mu, epsilon) == pytest.approx(delta, rel=1e-9)
        assert math.exp(log_delta_of(mu, epsilon)) == pytest.approx(delta, rel=1e-9)

    @pytest.mark.parametrize("n", [1797, 60000])
    def test_epsilon(self, n: int) -> None:
        for mu, epsilon in zip(REFERENCE["epsilon"]["mu"], REFERENCE["epsilon"][f"n{n}"], strict=True):
            assert epsilon_of(mu, n**-1.1) == pytest.approx(epsilon, rel=1e-9, abs=0.51e-9)

    @pytest.mark.parametrize(("n", "epsilon", "mu", "zcdp", "tight", "classical"), rows("inflation"))
    def test_noise_of_other_rules(
        self, n: int, epsilon: float, mu: float, zcdp: float, tight: float, classical: float
    ) -> None:
        grant = Grant(epsilon=epsilon, delta=n**-1.1)
        assert grant.mu == pytest.approx(mu, abs=0.51e-6)
        sigma = calibration.exact(1.0, grant)
        assert calibration.zcdp(1.0, grant) / sigma == pytest.approx(zcdp, abs=0.51e-3)
        assert grant.mu / math.sqrt(2 * rho_zcdp_tight(epsilon, grant.delta)) == pytest.approx(tight, abs=0.51e-3)
        assert calibration.classical(1.0, epsilon, grant.delta) / sigma == pytest.approx(classical, abs=0.51e-3)

    @pytest.mark.parametrize(("n", "epsilon", "alg2", "thm12", "zcdp", "gdp", "true2", "true12"), rows("dpsr_sigma"))
    def test_noise_of_two_gradient_phases(
        self,
        n: int,
        epsilon: float,
        alg2: float,
        thm12: float,
        zcdp: float,
        gdp: float,
        true2: float,
        true12: float,
    ) -> None:
        grant = Grant(epsilon=epsilon, delta=n**-1.1)
        unit = math.sqrt(M) / epsilon  # of sensitivity 1
        assert 2 * math.sqrt(math.log(1.25 / grant.delta)) == pytest.approx(alg2, abs=0.51e-3)
        assert 2 * math.sqrt(2 * math.log(1.25 * M / grant.delta)) == pytest.approx(thm12, abs=0.51e-3)
        assert calibration.zcdp(1.0, grant, count=M, share=0.5) / unit == pytest.approx(zcdp, abs=0.51e-3)
        assert calibration.exact(1.0, grant, count=M, share=0.5) / unit == pytest.approx(gdp, abs=0.51e-3)
        for in_units, truth in ((2 * math.sqrt(math.log(1.25 / grant.delta)), true2), (thm12, true12)):
            phases = [Entry(name, 1.0, in_units * unit, M) for name in ("B", "A")]
            assert Ledger(tuple(phases)).epsilon(grant.delta) == pytest.approx(truth, abs=1.01e-4)

    @pytest.mark.parametrize("row", REFERENCE["meaning"]["rows"], ids=lambda row: f"eps={row[0]}")
    def test_meaning_in_words(self, row: list[str]) -> None:
        """The sentences on screen: odds of a guess, results beyond ε, hits at 1 and 5 % false alarms."""
        epsilon, printed = float(row[0]), row[1:]
        mu = mu_of(epsilon, 1e-5)
        values = (
            mu,
            1000 * best_guess(mu),
            100 * loss_beyond(mu, epsilon),
            100 * largest_hit_share(mu, 0.01),
            100 * largest_hit_share(mu, 0.05),
        )
        for value, text in zip(values, printed, strict=True):
            assert value == pytest.approx(float(text), abs=half_unit(text))

    def test_results_beyond_epsilon_are_more_than_delta(self) -> None:
        assert loss_beyond(mu_of(1.0, 1e-5), 1.0) == pytest.approx(16e-5, rel=0.05)
        assert loss_beyond(mu_of(0.01, 1e-5), 0.01) == pytest.approx(743e-5, rel=0.01)

    @pytest.mark.parametrize(("n", "guesses"), [(178, 589), (1797, 568), (60000, 552)])
    def test_best_guess_at_the_default_delta(self, n: int, guesses: int) -> None:
        assert 1000 * best_guess(mu_of(1.0, n**-1.1)) == pytest.approx(guesses, abs=0.51)

    @pytest.mark.parametrize(("n", "last"), [(1797, 7.8), (60000, 8.5)])
    def test_classical_rule_gives_out(self, n: int, last: float) -> None:
        assert calibration.classical_holds(Grant(epsilon=last - 0.1, delta=n**-1.1))
        assert not calibration.classical_holds(Grant(epsilon=last + 0.1, delta=n**-1.1))


class TestAnotherAccountant:
    """dp_accounting knows nothing of μ: it convolves privacy loss distributions."""

    @pytest.mark.parametrize("n", [142, 1797, 60000])
    @pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 4.0, 12.0])
    def test_one_gaussian(self, n: int, epsilon: float) -> None:
        sigma = dp_accounting.get_sigma_gaussian(epsilon, n**-1.1, tol=1e-12)
        assert 1 / mu_of(epsilon, n**-1.1) == pytest.approx(sigma, rel=1e-9)

    @pytest.mark.parametrize("n", [142, 60000])
    @pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
    def test_composition(self, n: int, epsilon: float) -> None:
        """Unequal answers in loops: our ε lies between the other's optimistic and pessimistic bounds."""
        grant = Grant(epsilon=epsilon, delta=n**-1.1)
        ledger = Ledger(
            (
                Entry("a", 0.3, calibration.exact(0.3, grant, share=0.2)),
                Entry("b", 2.0, calibration.exact(2.0, grant, count=5, share=0.5), 5),
                Entry("c", 7.0, calibration.exact(7.0, grant, count=2, share=0.1), 2),
            )
        )
        ours = ledger.epsilon(grant.delta)
        assert ours < epsilon
        for pessimistic in (True, False):
            step = 1e-3 * epsilon
            losses = [
                pld.from_gaussian_mechanism(
                    entry.sigma / entry.sensitivity,
                    value_discretization_interval=step,
                    pessimistic_estimate=pessimistic,
                ).self_compose(entry.count)
                for entry in ledger
            ]
            theirs = reduce(lambda one, other: one.compose(other), losses).get_epsilon_for_delta(grant.delta)
            assert theirs == pytest.approx(ours, rel=0.02)
            assert theirs >= ours * (1 - 1e-6) if pessimistic else theirs <= ours * (1 + 1e-6)


class TestInverses:
    """A noise scale solved for a grant must spend the grant: no less, and never more."""

    @given(epsilon=within_soft_bounds(Epsilon), delta=within_soft_bounds(Delta))
    def test_mu_spends_exactly_the_grant(self, epsilon: float, delta: float) -> None:
        mu = mu_of(epsilon, delta)
        assert log_delta_of(mu, epsilon) == pytest.approx(math.log(delta), abs=1e-9)
        assert epsilon_of(mu, delta) == pytest.approx(epsilon, rel=1e-8)

    @given(mu=st.floats(1e-3, 8), delta=within_soft_bounds(Delta))
    def test_epsilon_of_mu(self, mu: float, delta: float) -> None:
        epsilon = epsilon_of(mu, delta)
        if epsilon == 0:
            assert delta_of(mu, 0.0) <= delta * (1 + 1e-12)
        else:
            assert delta_of(mu, epsilon) == pytest.approx(delta, rel=1e-8)
            assert delta_of(mu, epsilon * 0.999) > delta  # the smallest such ε

    @given(epsilon=within_soft_bounds(Epsilon), delta=within_soft_bounds(Delta))
    def test_zcdp_conversions(self, epsilon: float, delta: float) -> None:
        rho = root_rho_zcdp(epsilon, delta) ** 2
        assert rho + 2 * math.sqrt(rho * math.log(1 / delta)) == pytest.approx(epsilon, rel=1e-12)
        tight = rho_zcdp_tight(epsilon, delta)
        assert epsilon_zcdp_tight(tight, delta) == pytest.approx(epsilon, rel=1e-6)
        assert rho * (1 - 1e-9) <= tight <= mu_of(epsilon, delta) ** 2 / 2 * (1 + 1e-6)

    @given(
        epsilon=within_soft_bounds(Epsilon),
        delta=within_soft_bounds(Delta),
        sensitivity=st.floats(1e-6, 1e3),
        count=st.integers(1, 50),
        share=st.floats(0.01, 1),
    )
    def test_calibrations_spend_their_share(
        self, epsilon: float, delta: float, sensitivity: float, count: int, share: float
    ) -> None:
        grant = Grant(epsilon=epsilon, delta=delta)
        spent = Entry("q", sensitivity, calibration.exact(sensitivity, grant, count=count, share=share), count).mu
        assert spent**2 == pytest.approx(share * grant.mu**2, rel=1e-9)
        loose = Entry("q", sensitivity, calibration.zcdp(sensitivity, grant, count=count, share=share), count).mu
        assert loose < spent
        assert loose**2 / 2 == pytest.approx(share * root_rho_zcdp(epsilon, delta) ** 2, rel=1e-9)
        one = Entry("q", sensitivity, calibration.classical(sensitivity, epsilon, delta)).mu
        assert one == pytest.approx(mu_classical(epsilon, delta), rel=1e-12)


class TestExtremes:
    """Whatever ε > 0 and δ in (0, 1) are typed, the answer is right or at least not too hopeful."""

    @pytest.mark.parametrize(
        ("epsilon", "delta"),
        [(1e-12, 1e-15), (1e-12, 1e-30), (1e-8, 1e-100), (1e-6, 1e-6), (1e-4, 1e-20), (10.0, 1e-300), (100.0, 1e-9)],
    )
    def test_mu_against_many_digits(self, epsilon: float, delta: float) -> None:
        mu = mu_of(epsilon, delta)
        with mpmath.workdps(120):
            exact_mu, exact_epsilon = mpmath.mpf(mu), mpmath.mpf(epsilon)

            def normal(x: Any) -> Any:
                return mpmath.erfc(-x / mpmath.sqrt(2)) / 2

            kept = normal(-exact_epsilon / exact_mu + exact_mu / 2)
            lost = mpmath.exp(exact_epsilon) * normal(-exact_epsilon / exact_mu - exact_mu / 2)
            assert float((kept - lost) / mpmath.mpf(delta)) == pytest.approx(1.0, rel=1e-6)

    @pytest.mark.parametrize(
        ("epsilon", "short", "mu"),
        [(1.0, 1e-6, 9.9764423246957249), (1.0, 1e-10, 13.083401954244847), (1.0, 1e-12, 14.39738344683066),
         (0.01, 1e-14, 15.479987404362388), (5.0, 2.0**-53, 17.159736789255804), (100.0, 1e-12, 22.904901424165543)],
    )  # fmt: skip
    def test_mu_for_a_delta_next_to_one(self, epsilon: float, short: float, mu: float) -> None:
        """δ = 1 − ``short``, by 60-digit arithmetic."""
        assert mu_of(epsilon, 1 - short) == pytest.approx(mu, rel=1e-14)

    @pytest.mark.parametrize(
        ("epsilon", "mu"),
        [(4.9e15, 98994945.1012258246), (6e15, 109544507.236142537), (1e20, 14142135619.4660596),
         (1e308, 1.41421356237309505e154), (1.797e308, 1.89578479791351853e154)],
    )  # fmt: skip
    def test_huge_budgets_are_numbers_like_any_other(self, epsilon: float, mu: float) -> None:
        """δ = 1e-5, by 60-digit arithmetic; and back."""
        assert mu_of(epsilon, 1e-5) == pytest.approx(mu, rel=1e-14)
        assert epsilon_of(mu, 1e-5) == pytest.approx(epsilon, rel=1e-13)

    @given(
        epsilon=st.floats(-290, 290).map(lambda x: 10.0**x),
        delta=st.floats(-290, -1e-6).map(lambda x: 10.0**x),
    )
    def test_no_grant_breaks_the_solver(self, epsilon: float, delta: float) -> None:
        mu = mu_of(epsilon, delta)
        assert 0 < mu < math.inf
        assert epsilon_of(mu, delta) <= epsilon * (1 + 1e-3) + 1e-12

    @pytest.mark.parametrize("mu", [math.inf, math.nan, 1e200])
    def test_what_cannot_be_accounted_has_no_finite_epsilon(self, mu: float) -> None:
        assert epsilon_of(mu, 1e-6) == math.inf

    def test_no_answer_costs_nothing(self) -> None:
        assert Ledger().mu == 0
        assert Ledger().epsilon(1e-6) == 0
        assert delta_of(0.0, 0.0) == 0
        assert loss_beyond(0.0, 1.0) == 0

    def test_more_noise_is_less_epsilon(self) -> None:
        values = [epsilon_of(mu, 1e-6) for mu in (0.01, 0.1, 1.0, 10.0, 100.0)]
        assert values == sorted(values)
        assert len(set(values)) == 5
