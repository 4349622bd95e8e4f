"""What is proved, in words: bounds that are rounded up, and three reasons for no finite ε."""

import math

import pytest

from dpgep_core.privacy import Claim, Entry, Ledger, Unbounded
from dpgep_core.privacy.privacy_loss import accounted_short, accounted_text, at_most


@pytest.mark.parametrize(
    ("value", "shown"),
    [(590.49, "591"), (1.0, "1"), (1.0 + 1e-12, "1"), (1.001, "1.01"), (0.012341, "0.0124"), (8.0999999999, "8.1"),
     (1e308, "1e308"), (1.2341e-300, "1.24e-300"), (0.0, "0"), (math.inf, "∞")],
)  # fmt: skip
def test_an_upper_bound_is_rounded_up(value: float, shown: str) -> None:
    assert at_most(value) == shown


def test_three_reasons_for_no_finite_epsilon() -> None:
    peeked = Ledger((Entry("Λ_B", 1.0, 0.0, protected=False), Entry("A", 1.0, 5.0)))
    drawn = Ledger((Entry("rows", 1.0, 1.0, 1000, sampling_rate=0.01),))
    faint = Ledger((Entry("A", 1e200, 1e-200),))
    kinds = [ledger.accounted(1e-20).unbounded for ledger in (peeked, drawn, faint)]
    assert kinds == [Unbounded.UNPROTECTED, Unbounded.TRUNCATED, Unbounded.OVERFLOW]
    assert peeked.accounted(1e-5).reason == "no guarantee: Λ_B left without noise"
    assert drawn.accounted(1e-20).reason.startswith("no finite ε at δ = 1e-20: losses rarer than about 1e-18")
    for ledger in (peeked, drawn, faint):
        found = ledger.accounted(1e-20)
        assert found.epsilon is None
        assert accounted_text(found, ledger.mu) == found.reason
        assert accounted_short(found, ledger.mu) == str(found.unbounded)


def test_a_finite_epsilon_needs_no_reason() -> None:
    drawn = Ledger((Entry("rows", 1.0, 1.0, 1000, sampling_rate=0.01),)).accounted(1e-5)
    assert drawn.epsilon is not None
    assert (drawn.unbounded, drawn.reason) == (None, "")
    assert accounted_text(Claim(590.49, 1e-5), 20.0) == "ε ≤ 591 at δ = 1e-5 (μ = 20)"
    assert accounted_short(Claim(1.0, 1e-5), math.nan) == "ε ≤ 1 (no single μ)"
