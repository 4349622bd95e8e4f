"""What a ledger is worth, in every currency, and what a reader should be warned of."""

from collections.abc import Iterable
from dataclasses import dataclass

from dpgep_core.privacy.accountant import epsilon_of, loss_beyond
from dpgep_core.privacy.ledger import Grant, Ledger

SMALL_EPSILON = 1.0  # above it ε speaks for itself
MOST_BEYOND = 0.01  # share of results that pass ε, above which ε says little and δ does the work


@dataclass(frozen=True, slots=True)
class Worth:
    """One guarantee in three currencies; ``mu`` and ``rho`` are NaN where no single Gaussian describes it."""

    mu: float
    rho: float
    epsilon: float
    delta: float


@dataclass(frozen=True, slots=True)
class Caution:
    """A warning as data: a key for programs, a sentence for readers."""

    key: str
    sentence: str


def worth(mu: float, delta: float) -> Worth:
    """What μ-GDP is worth: ρ = μ²/2 and ε at ``delta``."""
    return Worth(mu, mu**2 / 2, epsilon_of(mu, delta), delta)


def ledger_worth(ledger: Ledger, delta: float) -> Worth:
    """What a ledger is worth; infinite where an answer left without noise."""
    return Worth(ledger.mu, ledger.mu**2 / 2, ledger.epsilon(delta), delta)


def curve(ledger: Ledger, deltas: Iterable[float]) -> tuple[tuple[float, float], ...]:
    """(δ, ε) pairs: the whole guarantee, of which any single (ε, δ) is one point."""
    return tuple((delta, ledger.epsilon(delta)) for delta in deltas)


def cautions(grant: Grant, n: int | None = None) -> tuple[Caution, ...]:
    """What to say beside (ε, δ): δ above 1/n, and an ε so small that δ does the work."""
    found: list[Caution] = []
    if n is not None and grant.delta > 1 / n:
        found.append(
            Caution(
                "delta_above_1_over_n",
                f"δ = {grant.delta:.3g} is above 1/n: by δ alone, a mechanism that publishes each row in clear with "
                f"probability δ would pass, about {n * grant.delta:.3g} of {n:,} rows. Keep δ below n^-1.1.",
            )
        )
    beyond = loss_beyond(grant.mu, grant.epsilon)
    if grant.epsilon < SMALL_EPSILON and beyond > MOST_BEYOND:
        found.append(
            Caution(
                "delta_dominates",
                f"At an ε this small δ does the work: {100 * beyond:.2g} of 100 results pass the bound ε = "
                f"{grant.epsilon:.3g}. Read μ = {grant.mu:.3g} instead.",
            )
        )
    return tuple(found)
