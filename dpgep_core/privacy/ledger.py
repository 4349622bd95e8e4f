"""The list of every answer that left the curator, and what it is worth."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from dpgep_core.params import Checked, Delta, Epsilon
from dpgep_core.privacy.accountant import epsilon_of, mu_of


@dataclass(frozen=True, kw_only=True)
class Grant(Checked):
    """What the curator may spend.

    ``enforced`` is off only for a published noise rule that is reproduced even where it spends more than it
    claims: the ledger then shows what it is worth.
    """

    epsilon: Epsilon = 1.0
    delta: Delta = 1e-6
    enforced: bool = True

    @property
    def mu(self) -> float:
        """The same grant in Gaussian differential privacy."""
        return mu_of(self.epsilon, self.delta)


@dataclass(frozen=True, slots=True)
class Claim:
    """A guarantee as (ε, δ); ``epsilon`` is None where there is none."""

    epsilon: float | None
    delta: float


@dataclass(frozen=True, slots=True)
class Entry:
    """One answer, or a loop of ``count`` equal ones. ``protected`` is False for an exact answer."""

    query: str
    sensitivity: float
    sigma: float
    count: int = 1
    protected: bool = True

    @property
    def mu(self) -> float:
        """√count · Δ/σ; infinite for an unprotected answer."""
        if not self.protected:
            return math.inf
        return math.sqrt(self.count) * self.sensitivity / self.sigma


@dataclass(frozen=True, slots=True)
class Ledger:
    """All entries of one run, in the order they were written."""

    entries: tuple[Entry, ...] = ()

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def plus(self, entry: Entry) -> "Ledger":
        """This ledger with one more entry."""
        return Ledger((*self.entries, entry))

    @property
    def mu(self) -> float:
        """μ of the whole: squares add."""
        return math.hypot(*(entry.mu for entry in self.entries))

    @property
    def unprotected(self) -> tuple[str, ...]:
        """Names of the answers that left without noise, each once."""
        return tuple(dict.fromkeys(e.query for e in self.entries if not e.protected))

    def epsilon(self, delta: float) -> float:
        """The ε accounted at ``delta``; infinite where an answer left without noise."""
        return epsilon_of(self.mu, delta)

    def accounted(self, delta: float) -> Claim:
        """The guarantee that the entries prove, at ``delta``."""
        epsilon = self.epsilon(delta)
        return Claim(epsilon if math.isfinite(epsilon) else None, delta)
