"""Noise under each accounting rule, what it is worth, and the warnings beside it."""

import math
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpgep_core import ALGORITHMS, ParameterError, load_dataset, solve
from dpgep_core.privacy import Entry, Grant, Ledger
from dpgep_core.privacy.accountant import best_guess, epsilon_of
from dpgep_core.privacy.privacy_loss import cautions, privacy_loss
from dpgep_core.privacy.rules import RULES, advanced_epsilon, advanced_share

N, M = 60_000, 15
ONE = Grant(epsilon=1.0, delta=N**-1.1)


@pytest.mark.parametrize(
    ("count", "key", "sigma"),
    [
        (15, "basic", "82"),
        (15, "advanced", "114"),
        (15, "zcdp", "19.4"),
        (15, "zcdp_tight", "16.2"),
        (15, "exact", "15.0"),
        (100, "advanced", "312"),
        (100, "basic", "582"),
        (100, "exact", "39"),
        (15, "forgetful", "3.9"),
    ],
)
def test_noise_of_each_rule(count: int, key: str, sigma: str) -> None:
    """ε = 1, sensitivity 1, n = 60,000, δ = n^-1.1, to the digits a slide shows."""
    half = 0.51 * 10.0 ** -len(sigma.partition(".")[2])
    assert RULES[key].sigma(1.0, ONE, count) == pytest.approx(float(sigma), abs=half)


def test_advanced_composition_pays_only_after_about_thirty_steps() -> None:
    first = next(m for m in range(2, 100) if RULES["advanced"].sigma(1.0, ONE, m) < RULES["basic"].sigma(1.0, ONE, m))
    assert 25 <= first <= 35


def test_forgotten_composition() -> None:
    """One step calibrated exactly to ε = 1 and run 15 times: μ 1.00, ε 4.5, 692 right guesses instead of 552."""
    spent = RULES["forgetful"].privacy_loss(ONE, M)
    assert spent.mu == pytest.approx(1.00, abs=0.005)
    assert spent.epsilon == pytest.approx(4.5, abs=0.05)
    assert 1000 * best_guess(spent.mu) == pytest.approx(692, abs=0.51)
    assert 1000 * best_guess(ONE.mu) == pytest.approx(552, abs=0.51)
    assert not RULES["forgetful"].keeps
    assert "together they are worth 4.53" in RULES["forgetful"].caution(ONE, M)


def test_what_theorem_12_needed_of_advanced_composition() -> None:
    """m steps at ε/(2√m) are said to compose to .5; the lemma gives 2.86. Honest noise is 60.6 and not 10.97 units."""
    slack = ONE.delta / 4
    assert advanced_epsilon(1 / (2 * math.sqrt(M)), slack, M) == pytest.approx(2.86, abs=0.005)
    half = Grant(epsilon=0.5, delta=ONE.delta / 2)
    assert RULES["advanced"].sigma(1.0, half, M) / math.sqrt(M) == pytest.approx(60.6, abs=0.05)


@pytest.mark.parametrize("key", [key for key, rule in RULES.items() if rule.keeps])
@given(
    epsilon=st.floats(math.log(2**-10), math.log(7)).map(math.exp),
    delta=st.floats(math.log(1e-9), math.log(1e-3)).map(math.exp),
    count=st.integers(1, 500),
)
def test_every_proof_keeps_its_promise_and_none_beats_the_exact_one(
    key: str, epsilon: float, delta: float, count: int
) -> None:
    grant = Grant(epsilon=epsilon, delta=delta)
    rule = RULES[key]
    if "invalid" in rule.caution(grant, count):
        assert rule.privacy_loss(grant, count).mu > grant.mu or key in ("basic", "advanced")
        return
    assert rule.privacy_loss(grant, count).epsilon <= epsilon * (1 + 1e-9)
    assert rule.sigma(1.0, grant, count) >= RULES["exact"].sigma(1.0, grant, count) * (1 - 1e-9)


@given(epsilon=st.floats(1e-4, 20), slack=st.floats(1e-9, 1e-2), count=st.integers(1, 1000))
def test_the_share_of_advanced_composition_is_its_inverse(epsilon: float, slack: float, count: int) -> None:
    assert advanced_epsilon(advanced_share(epsilon, slack, count), slack, count) == pytest.approx(epsilon, rel=1e-9)


def test_sigma_is_proportional_to_the_sensitivity() -> None:
    for rule in RULES.values():
        assert rule.sigma(3.0, ONE, M) == pytest.approx(3 * rule.sigma(1.0, ONE, M))


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ParameterError, match="sensitivity"):
        RULES["exact"].sigma(-1.0, ONE)
    with pytest.raises(ParameterError, match="count"):
        RULES["exact"].sigma(1.0, ONE, 0)


@pytest.mark.parametrize(("n", "last"), [(1797, 7.8), (60_000, 8.5)])
def test_the_classical_rule_says_when_it_is_invalid(n: int, last: float) -> None:
    caution = RULES["classical"].caution
    assert caution(Grant(epsilon=0.5, delta=n**-1.1), 1) == ""
    assert "theorem for ε below 1" in caution(Grant(epsilon=last - 0.1, delta=n**-1.1), 1)
    assert "invalid" in caution(Grant(epsilon=last + 0.1, delta=n**-1.1), 1)


def test_every_rule_says_what_it_is() -> None:
    for key, rule in RULES.items():
        assert rule.key == key
        assert rule.title
        assert rule.source
        assert rule.sentence.endswith(".")


class TestWorth:
    def test_three_currencies(self) -> None:
        spent = privacy_loss(0.5, 1e-5)
        assert (spent.mu, spent.rho, spent.delta) == (0.5, 0.125, 1e-5)
        assert spent.epsilon == epsilon_of(0.5, 1e-5)

    def test_of_a_ledger(self) -> None:
        ledger = Ledger((Entry("a", 3.0, 10.0), Entry("b", 1.0, 5.0, 4)))
        mu = math.hypot(0.3, 0.4)
        assert ledger.mu == pytest.approx(mu)
        found = [ledger.epsilon(delta) for delta in (1e-9, 1e-6, 1e-3)]
        assert found == pytest.approx([epsilon_of(mu, delta) for delta in (1e-9, 1e-6, 1e-3)])
        assert found[0] > found[1] > found[2]

    def test_of_an_unprotected_ledger(self) -> None:
        ledger = Ledger((Entry("a", 1.0, 0.0, protected=False),))
        assert ledger.mu == ledger.epsilon(1e-6) == math.inf

    def test_cautions(self) -> None:
        def keys(epsilon: float, delta: float, n: int | None = None) -> list[str]:
            return [caution.key for caution in cautions(Grant(epsilon=epsilon, delta=delta), n)]

        assert keys(1.0, N**-1.1, N) == []
        assert keys(2**-10, N**-1.1, N) == ["delta_dominates"]
        assert keys(0.1, 1e-3, N) == ["delta_above_1_over_n", "delta_dominates"]
        assert keys(0.1, 1e-3) == ["delta_dominates"]
        assert keys(4.0, 1e-3, N) == ["delta_above_1_over_n"]
        sentence = cautions(Grant(epsilon=0.1, delta=1e-3), N)[0].sentence
        assert "about 60 of 60,000 rows" in sentence


@pytest.mark.parametrize("epsilon", [5e-324, 1e-310, 1e200, 1e308])
@pytest.mark.parametrize("key", list(RULES))
def test_an_epsilon_at_the_ends_of_numbers_has_noise_or_is_refused_by_name(key, epsilon):
    """Such an ε was a division by zero, an overflow, or a root that no solver brackets."""
    grant = Grant(epsilon=epsilon, delta=1e-5)
    for count in (1, 100):
        with suppress(ParameterError):
            assert 0 < RULES[key].sigma(1.0, grant, count) < math.inf
            assert RULES[key].privacy_loss(grant, count).rho >= 0


@pytest.mark.parametrize("key", ["zcdp", "classical", "advanced", "basic"])
def test_an_epsilon_without_noise_is_named(key):
    with pytest.raises(ParameterError, match="epsilon must be a number whose noise σ is finite") as told:
        RULES[key].sigma(1.0, Grant(epsilon=5e-324, delta=1e-5))
    assert "got 5e-324" in str(told.value)


def test_every_algorithm_has_noise_or_refuses_such_an_epsilon_by_name():
    wine = load_dataset("wine")
    for key, entry in ALGORITHMS.items():
        if entry.private and "fda" in entry.models:
            with suppress(ParameterError):
                assert np.isfinite(solve(wine, algorithm=key, epsilon=5e-324).components).all()
