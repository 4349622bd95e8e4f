"""Ledger of every answer that left the curator, with its worth, and the noise plan of answers that will be asked for.

The budget check, the reservations, the facts on display and the ledger all follow from the plan. The curator refuses
an answer that the plan does not hold, so an algorithm cannot draw less noise than it states.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from dpgep_core.params import Checked, Delta, Epsilon
from dpgep_core.privacy import known_draws, subsampled
from dpgep_core.privacy.accountant import epsilon_of, mu_of
from dpgep_core.privacy.query import IntegerAnswer, MatrixQuery, Query

ROUNDING = 1e-9  # a noise scale solved for a grant meets it to rounding; anything beyond is an overdraft


@dataclass(frozen=True, kw_only=True)
class Grant(Checked):
    """Budget that the curator may spend.

    ``enforced`` is off only for a published noise rule that is reproduced even where it spends more than it
    claims: the ledger then shows what it is worth.
    """

    epsilon: Epsilon = 1.0
    delta: Delta = 1e-6
    enforced: bool = True

    @property
    def mu(self) -> float:
        """Grant in Gaussian differential privacy."""
        return mu_of(self.epsilon, self.delta)


class Unbounded(StrEnum):
    """Why no finite ε can be told, in the words of a table's cell."""

    UNPROTECTED = "no guarantee"
    TRUNCATED = "no finite ε at this δ"
    OVERFLOW = "ε above 1.8e308"


@dataclass(frozen=True, slots=True)
class Claim:
    """A guarantee as (ε, δ).

    Parameters
    ----------
    epsilon : float or None
        None where no finite ε can be told; then ``unbounded`` is its kind and ``reason`` says why, for a sentence.
    delta : float
    """

    epsilon: float | None
    delta: float
    unbounded: Unbounded | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One answer, or a loop of ``count`` equal ones.

    ``protected`` is False for an exact answer, and for one under noise that proves nothing. ``sampling_rate`` is the
    share of the rows that each answer was drawn from; the draw is the curator's, and secret.
    """

    query: str
    sensitivity: float
    sigma: float
    count: int = 1
    protected: bool = True
    sampling_rate: float = 1.0

    @property
    def mu(self) -> float:
        """√count · Δ/σ; infinite for an unprotected answer, NaN for a sub-sampled one: it is not Gaussian."""
        if not self.protected:
            return math.inf
        if self.sampling_rate < 1 and self.sensitivity > 0:
            return math.nan
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
        """Ledger with one more entry."""
        return Ledger((*self.entries, entry))

    @property
    def mu(self) -> float:
        """μ of the whole: squares add. NaN where sub-sampled answers are in it: no single μ describes them."""
        return math.hypot(*(entry.mu for entry in self.entries))

    @property
    def unprotected(self) -> tuple[str, ...]:
        """Names of the answers that left without noise, or with noise that proves nothing, each once."""
        return tuple(dict.fromkeys(e.query for e in self.entries if not e.protected))

    def epsilon(self, delta: float) -> float:
        """The ε accounted at ``delta``; infinite where an answer left unprotected."""
        if not math.isnan(self.mu):
            return epsilon_of(self.mu, delta)
        return subsampled.drawn_epsilon(*self._parts, delta)

    def exceeds(self, grant: Grant) -> bool:
        """Whether more was spent than granted, rounding aside.

        μ is compared, not ε: the conversion flattens to 0 where δ alone covers the loss. For sub-sampled answers δ at
        the granted ε is compared, for the same reason.
        """
        if not math.isnan(self.mu):
            return self.mu > grant.mu * (1 + ROUNDING)
        return subsampled.drawn_delta(*self._parts, grant.epsilon) > grant.delta * (1 + ROUNDING)

    def accounted(self, delta: float) -> Claim:
        """The guarantee that the entries prove, at ``delta``."""
        epsilon = self.epsilon(delta)
        if math.isfinite(epsilon):
            return Claim(epsilon, delta)
        kind = self._unbounded()
        reasons = {
            Unbounded.UNPROTECTED: f"{kind}: {', '.join(self.unprotected)} left without noise",
            Unbounded.TRUNCATED: f"no finite ε at δ = {delta:.3g}: losses rarer than about "
            f"{known_draws.NEGLIGIBLE:.0e} in the answers about drawn rows are taken as infinite, and add up to more "
            "than δ",
            Unbounded.OVERFLOW: "ε is above 1.8e308, the largest number there is here: as good as no noise",
        }
        return Claim(None, delta, kind, reasons[kind])

    def _unbounded(self) -> Unbounded:
        """Why ε is infinite: something left without noise, the accounting gave up, or the number is too large."""
        if self.unprotected:
            return Unbounded.UNPROTECTED
        return Unbounded.TRUNCATED if subsampled.truncates(*self._parts) else Unbounded.OVERFLOW

    @property
    def _parts(self) -> tuple[float, tuple[subsampled.Part, ...]]:
        """μ of the Gaussian answers, and the sub-sampled ones."""
        sampled = [entry for entry in self.entries if math.isnan(entry.mu)]
        gaussian = math.hypot(*(entry.mu for entry in self.entries if not math.isnan(entry.mu)))
        return gaussian, tuple((e.sigma / e.sensitivity, e.sampling_rate, e.count) for e in sampled)


@dataclass(frozen=True, slots=True)
class PlannedAnswer:
    """One answer, or a loop of ``count`` equal answers, that an algorithm will ask for.

    Parameters
    ----------
    name : str
        Name of the answer in the ledger.
    sensitivity : float
        Largest change of one answer between neighbouring data sets.
    sigma : float
        Scale of the noise of one answer; 0 for an exact answer.
    count : int
        Number of answers.
    sampling_rate : float
        Share of the rows that each answer is drawn from.
    protected : bool
        False for an exact answer, and for noise that proves nothing.
    symbol : str
        Name of σ among the facts on display, such as ``sigma_A``; "" keeps σ off the display.
    integers : IntegerAnswer or None
        The answer in whole steps; None for an answer that has none.
    """

    name: str
    sensitivity: float
    sigma: float
    count: int = 1
    sampling_rate: float = 1.0
    protected: bool = True
    symbol: str = ""
    integers: IntegerAnswer[Any] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(
        cls, query: Query[Any] | MatrixQuery[Any], sigma: float, symbol: str, *, protected: bool = True
    ) -> "PlannedAnswer":
        """Plan a noisy answer to a query."""
        whole = query.integers if isinstance(query, Query) else None
        return cls(query.name, query.sensitivity, sigma, protected=protected, symbol=symbol, integers=whole)

    @classmethod
    def exactly(cls, query: Query[Any]) -> "PlannedAnswer":
        """Plan an answer without noise."""
        return cls(query.name, query.sensitivity, 0.0, protected=False)

    @property
    def entry(self) -> Entry:
        """The ledger entry that this answer will leave."""
        return Entry(self.name, self.sensitivity, self.sigma, self.count, self.protected, self.sampling_rate)


NoisePlan = tuple[PlannedAnswer, ...]


def by_symbol(plan: Iterable[PlannedAnswer]) -> dict[str, PlannedAnswer]:
    """The answers whose σ is on display, by symbol."""
    return {answer.symbol: answer for answer in plan if answer.symbol}


def noise_scales(plan: Iterable[PlannedAnswer]) -> dict[str, float]:
    """σ of each answer on display, by symbol."""
    return {symbol: answer.sigma for symbol, answer in by_symbol(plan).items()}


def ledger_of(plan: Iterable[PlannedAnswer]) -> Ledger:
    """The ledger that a run will leave if it asks for everything in the plan."""
    return Ledger(tuple(answer.entry for answer in plan))


def overspends(plan: Iterable[PlannedAnswer], grant: Grant) -> bool:
    """Whether a plan accounts to more than the grant."""
    return ledger_of(plan).exceeds(grant)
