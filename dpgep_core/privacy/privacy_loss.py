"""The privacy loss of a ledger, as μ, ρ and ε, and warnings to a reader about ε and δ."""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

from dpgep_core.privacy.accountant import best_guess, epsilon_of, loss_beyond
from dpgep_core.privacy.ledger import Claim, Grant, Unbounded
from dpgep_core.wording import number_text

SMALL_EPSILON = 1.0  # above it ε speaks for itself
BOUND_ROUNDING = 1e-9  # of a bound: what a solved noise scale may be off by, and no reason to round up
ALWAYS_RIGHT = 999.5  # times in 1,000
MOST_BEYOND = 0.01  # share of results that pass ε, above which ε says little and δ does the work


@dataclass(frozen=True, slots=True)
class PrivacyLoss:
    """One guarantee as μ, as ρ and as ε at δ; ``mu`` and ``rho`` are NaN where no single Gaussian describes it."""

    mu: float
    rho: float
    epsilon: float
    delta: float


@dataclass(frozen=True, slots=True)
class Caution:
    """A warning as data: a key for programs, a sentence for readers."""

    key: str
    sentence: str


def at_most(value: float, digits: int = 3) -> str:
    """An upper bound in so many digits, rounded up: the number shown is a bound as well."""
    if not math.isfinite(value):
        return number_text(value)
    up = Context(prec=digits, rounding=ROUND_CEILING).create_decimal(Decimal(value) * (1 - Decimal(BOUND_ROUNDING)))
    return number_text(float(up), digits)


def at_least(value: float, digits: int = 3) -> str:
    """A lower bound in so many digits, rounded down: the number shown is a bound as well."""
    if not math.isfinite(value):
        return f"{value:.{digits}g}"
    down = Context(prec=digits, rounding=ROUND_FLOOR).create_decimal(Decimal(value) * (1 + Decimal(BOUND_ROUNDING)))
    return f"{float(down):.{digits}g}"


def mu_text(mu: float) -> str:
    """μ beside an ε; NaN where no single one describes the answers."""
    return "no single μ" if math.isnan(mu) else f"μ = {number_text(mu)}"


def accounted_text(accounted: Claim, mu: float) -> str:
    """Proof of a ledger, for a sentence: the bound on ε with its μ, or why there is none."""
    if accounted.epsilon is None:
        return accounted.reason or str(Unbounded.UNPROTECTED)
    return f"ε ≤ {at_most(accounted.epsilon)} at δ = {number_text(accounted.delta, 2)} ({mu_text(mu)})"


def accounted_short(accounted: Claim, mu: float) -> str:
    """Accounted loss in few words, for the cell of a table."""
    if accounted.epsilon is None:
        return str(accounted.unbounded or Unbounded.UNPROTECTED)
    return f"ε ≤ {at_most(accounted.epsilon)} ({mu_text(mu)})"


def privacy_loss(mu: float, delta: float) -> PrivacyLoss:
    """The privacy loss of μ-GDP: ρ = μ²/2 and ε at ``delta``."""
    return PrivacyLoss(mu, mu * mu / 2, epsilon_of(mu, delta), delta)


def extreme_sentences(grant: Grant, n: int, d: int) -> tuple[str, ...]:
    """Sentences about an ε at either end: one that protects next to nothing, and one whose noise leaves nothing."""
    right = 1000 * best_guess(grant.mu)
    if right >= ALWAYS_RIGHT:
        return (
            f"ε = {number_text(grant.epsilon)} protects next to nothing: someone who knows all other rows may tell "
            f"which of two was used {right:,.0f} times in 1,000.",
        )
    if math.sqrt(2 * d) >= n * grant.mu:  # the edge of the noise on averages of rows in the unit ball, over 1
        return (
            f"ε = {number_text(grant.epsilon)} leaves next to nothing of {n:,} rows in {d:,} columns: a matrix gets "
            "more noise than there is in it, so expect a random projection.",
        )
    return ()


def cautions(grant: Grant, n: int | None = None) -> tuple[Caution, ...]:
    """Cautions beside (ε, δ): δ above 1/n, and an ε so small that δ does the work."""
    found: list[Caution] = []
    if n is not None and grant.delta > 1 / n:
        found.append(
            Caution(
                "delta_above_1_over_n",
                f"δ = {number_text(grant.delta)} is above 1/n: by δ alone, a mechanism that publishes each row in "
                f"clear with probability δ would pass, about {number_text(n * grant.delta)} of {n:,} rows. Keep δ "
                "below n^-1.1.",
            )
        )
    beyond = loss_beyond(grant.mu, grant.epsilon)
    if grant.epsilon < SMALL_EPSILON and beyond > MOST_BEYOND:
        found.append(
            Caution(
                "delta_dominates",
                f"At an ε this small δ does the work: {number_text(100 * beyond, 2)} of 100 results pass the bound ε = "
                f"{number_text(grant.epsilon)}. Read μ = {number_text(grant.mu)} instead.",
            )
        )
    return tuple(found)
