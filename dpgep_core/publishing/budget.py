"""A privacy budget in exact decimals, and what releases take from it.

Two conditions, both proved. The ε of all releases together, added up as decimals, is at most that of the budget. And
the accountant, which composes the noise of all releases, finds no more than the budget's δ at the budget's ε. The first
can be checked by anyone who can add. The second never asks for more δ than adding up would, and often for far less.
"""

import math
from dataclasses import dataclass, replace
from decimal import Context, Decimal, Inexact, InvalidOperation
from functools import reduce

from dpgep_core.errors import DpgepError, ParameterError
from dpgep_core.privacy.accountant import delta_of, epsilon_of
from dpgep_core.wording import decimal_text, number_text

EXACT_DECIMALS = Context(prec=200, traps=[Inexact, InvalidOperation])
MOST_DIGITS = 40  # of one amount
LARGEST_EPSILON, SMALLEST = Decimal(100), Decimal("1e-40")
USUAL_DELTA = "1e-6"  # of a budget and its releases, where nothing else is said
PLACES = 64  # values of ε up to that of a budget at which δ is looked at
SLACK_ROOM = 0.01  # of ε
KEPT_BACK = 1e-9  # share of δ that rounding in the accountant may take


class BudgetSpentError(DpgepError):
    """A release would take more than is left. Nothing was read and nothing written."""

    def __init__(self, message: str, left: "Amount") -> None:
        self.left = left
        super().__init__(message)


def exact_decimal(name: str, value: object, most: Decimal) -> Decimal:
    """A positive decimal number as it was typed: 0.1 is one tenth, from text or from a float.

    Raises
    ------
    ParameterError
        If it is no finite number above 0, is above ``most``, or has more than 40 digits.
    """
    allowed = f"a number > 0 and <= {most:f}, with at most {MOST_DIGITS} digits"
    try:
        number = value if isinstance(value, Decimal) else Decimal(str(value).strip())
    except InvalidOperation:
        raise ParameterError(name, value, allowed) from None
    if not number.is_finite() or not SMALLEST <= number <= most or len(number.as_tuple().digits) > MOST_DIGITS:
        raise ParameterError(name, value, allowed)
    return number


@dataclass(frozen=True, slots=True)
class Amount:
    """An (ε, δ) in exact decimals."""

    epsilon: Decimal
    delta: Decimal

    @classmethod
    def of(cls, epsilon: object, delta: object, prefix: str = "") -> "Amount":
        """An amount from texts or numbers; an error names ``prefix`` and the symbol."""
        return cls(
            exact_decimal(f"{prefix}epsilon", epsilon, LARGEST_EPSILON),
            exact_decimal(f"{prefix}delta", delta, Decimal("0.5")),
        )


@dataclass(frozen=True, slots=True)
class Charge:
    """Payment for one release.

    Parameters
    ----------
    asked : Amount
        (ε, δ) of the release.
    mu : float
        μ of its noise.
    distance : float
        Bound on the total variation between its discrete noise and rounded Gaussian noise.
    """

    asked: Amount
    mu: float
    distance: float


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit and everything that was charged to it, in order."""

    dataset: str
    limit: Amount
    relation: str
    charges: tuple[Charge, ...] = ()

    @property
    def mu(self) -> float:
        """μ of all releases together: squares add."""
        return math.hypot(*(charge.mu for charge in self.charges))

    @property
    def distance(self) -> float:
        """Total variation of all releases together."""
        return math.fsum(charge.distance for charge in self.charges)

    @property
    def spent_epsilon(self) -> Decimal:
        """Sum of the ε of all releases."""
        return reduce(EXACT_DECIMALS.add, (charge.asked.epsilon for charge in self.charges), Decimal(0))

    @property
    def spent_delta(self) -> float:
        """δ of all releases together at the ε of the budget, as the accountant finds it.

        A guarantee at a smaller ε is one at the ε of the budget as well, and the part of δ that discrete noise takes
        grows as e^ε. So the least δ over smaller ε counts.
        """
        most, spent = float(self.limit.epsilon), min(float(self.spent_epsilon), float(self.limit.epsilon))
        places = (spent, *(most * step / PLACES for step in range(1, PLACES + 1)))
        return min(self._delta_at(epsilon) for epsilon in places)

    def _delta_at(self, epsilon: float) -> float:
        return delta_of(self.mu, epsilon) + (1 + math.exp(epsilon)) * self.distance

    @property
    def left(self) -> Amount:
        """ε that may still be asked for, and δ that is not used at the ε of the budget."""
        epsilon = EXACT_DECIMALS.subtract(self.limit.epsilon, self.spent_epsilon)
        return Amount(epsilon, max(Decimal(0), self.limit.delta - Decimal(self.spent_delta)))

    @property
    def accounted_epsilon(self) -> float:
        """ε of all releases together at the δ of the budget, by the accountant; infinite where δ is used up."""
        delta = float(self.limit.delta)
        most = epsilon_of(self.mu, delta) + SLACK_ROOM
        room = delta - (1 + math.exp(min(most, 700.0))) * self.distance
        found = epsilon_of(self.mu, room) if room > 0 else math.inf
        return found if found <= most else math.inf

    def charged(self, charge: Charge) -> "Budget":
        """The budget after one more release.

        Raises
        ------
        BudgetSpentError
            If the limit would be passed, with what was asked for and what is left.
        """
        after = replace(self, charges=(*self.charges, charge))
        asked, left = charge.asked, self.left
        if after.spent_epsilon > self.limit.epsilon:
            raise BudgetSpentError(
                f"epsilon = {decimal_text(asked.epsilon)} is asked for and {decimal_text(left.epsilon)} of "
                f"{decimal_text(self.limit.epsilon)} is left in the budget of {self.dataset!r}. Nothing was released.",
                left,
            )
        if asked.delta > self.limit.delta or after.spent_delta > float(self.limit.delta):
            together = (
                "" if asked.delta > self.limit.delta else f", {number_text(after.spent_delta)} with what was released,"
            )
            raise BudgetSpentError(
                f"delta = {decimal_text(asked.delta)} is asked for{together} and the budget of {self.dataset!r} allows "
                f"{decimal_text(self.limit.delta)}, of which {number_text(float(left.delta))} is left. Nothing was "
                "released.",
                left,
            )
        return after
