"""The noise plan of a run: every answer that an algorithm will ask for, stated once.

The budget check, the reservations, the facts on display and the ledger all follow from the plan. The curator refuses
an answer that the plan does not hold, so an algorithm cannot draw less noise than it states.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from dpgep_core.privacy.ledger import Entry, Grant, Ledger


class AnyQuery(Protocol):
    """A query of any kind: its name and its sensitivity."""

    @property
    def name(self) -> str: ...

    @property
    def sensitivity(self) -> float: ...


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
    """

    name: str
    sensitivity: float
    sigma: float
    count: int = 1
    sampling_rate: float = 1.0
    protected: bool = True
    symbol: str = ""

    @classmethod
    def of(
        cls, query: AnyQuery, sigma: float, symbol: str, *, count: int = 1, protected: bool = True
    ) -> "PlannedAnswer":
        """Plan ``count`` noisy answers to a query."""
        return cls(query.name, query.sensitivity, sigma, count, protected=protected, symbol=symbol)

    @classmethod
    def exactly(cls, query: AnyQuery) -> "PlannedAnswer":
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
