"""The only door to private data. Every answer is checked, written in the ledger, evaluated and only then noised."""

import math
from collections.abc import Callable
from typing import Any, Generic

import numpy as np

from dpgep_core.errors import BudgetExceededError
from dpgep_core.privacy import randomness
from dpgep_core.privacy.ledger import Entry, Grant, Ledger
from dpgep_core.privacy.query import Array, Query, Secret
from dpgep_core.privacy.randomness import Independent, NoiseLaw, stream

INDEPENDENT = Independent()
ROUNDING = 1e-9  # a noise scale solved for a grant meets it to rounding; anything beyond is an overdraft


class Curator(Generic[Secret]):
    """Keeps the secret, the grant and the noise.

    Parameters
    ----------
    secret : object
        The private data, as the queries expect it. Nothing hands it out.
    grant : Grant
        What may be spent. Where it is enforced, an answer that would exceed it is refused before anything is read.
    seed : int or None
        Seed of the noise; None takes the system's entropy.
    noise : bool
        False runs on exact answers, for teaching: every answer is then recorded as unprotected.
    """

    def __init__(self, secret: Secret, grant: Grant, *, seed: int | None, noise: bool = True) -> None:
        self.__secret = secret
        self.__rng = stream(seed, "noise")
        self.__noise = noise
        self.__grant = grant
        self.__ledger = Ledger()

    @property
    def grant(self) -> Grant:
        """What may be spent: public."""
        return self.__grant

    @property
    def ledger(self) -> Ledger:
        """What was answered so far."""
        return self.__ledger

    def ask(self, query: Query[Secret], *, sigma: float, law: NoiseLaw = INDEPENDENT) -> Array:
        """One noisy answer.

        Parameters
        ----------
        query : Query
            What is asked; built only by the models.
        sigma : float
            Scale of the noise.
        law : NoiseLaw
            Must cover the query's kind of answer.

        Raises
        ------
        BudgetExceededError
            If the grant is enforced and would be exceeded; nothing is read.
        """
        return self.reserve(query.name, sensitivity=query.sensitivity, sigma=sigma).ask(query, law=law)

    def reserve(self, name: str, *, sensitivity: float, sigma: float, count: int = 1) -> "Channel[Secret]":
        """Pay at once for a loop of ``count`` answers of at most this sensitivity, as one ledger entry."""
        if not (sigma > 0 and 0 <= sensitivity < math.inf and count >= 1):
            raise ValueError(f"{name}: sigma={sigma}, sensitivity={sensitivity}, count={count}")
        self.__record(Entry(name, sensitivity, sigma, count, protected=self.__noise or sensitivity == 0))
        return Channel(self.__answer, name, sensitivity, sigma, count)

    def peek(self, query: Query[Secret]) -> Array:
        """The exact answer, recorded as unprotected: the run then has no guarantee."""
        self.__record(Entry(query.name, query.sensitivity, 0.0, protected=False))
        return query.evaluate(self.__secret)

    def __record(self, entry: Entry) -> None:
        ledger = self.__ledger.plus(entry)
        grant = self.__grant
        # μ is compared, not ε: the conversion flattens to 0 where δ alone covers the loss.
        if grant.enforced and self.__noise and ledger.mu > grant.mu * (1 + ROUNDING):
            raise BudgetExceededError(entry.query, ledger.epsilon(grant.delta), grant.epsilon, grant.delta)
        self.__ledger = ledger

    def __answer(self, query: Query[Secret], sigma: float, law: NoiseLaw) -> Array:
        if not _covers(law, query):
            raise TypeError(f"{type(law).__name__} noise does not cover the {query.shape} answer {query.name!r}")
        exact = query.evaluate(self.__secret)
        return exact + law.draw(self.__rng, exact.shape, sigma) if self.__noise else exact


def _covers(law: NoiseLaw, query: Query[Any]) -> bool:
    """Whether this is noise drawn by this package, for this kind of answer and, for a product, for its own frame."""
    if type(law).__module__ != randomness.__name__ or query.shape not in law.shapes:
        return False
    if query.shape != "product":
        return True
    mine, theirs = getattr(law, "frame", None), query.frame
    return mine is not None and theirs is not None and (mine is theirs or np.array_equal(mine, theirs))


class Channel(Generic[Secret]):
    """A paid loop of answers. It refuses a query more sensitive than paid for, and one answer too many.

    What was paid for can be read and not changed.
    """

    __slots__ = ("__answer", "__left", "__name", "__sensitivity", "__sigma")

    def __init__(
        self,
        answer: Callable[[Query[Secret], float, NoiseLaw], Array],
        name: str,
        sensitivity: float,
        sigma: float,
        count: int,
    ) -> None:
        self.__answer, self.__left = answer, count
        self.__name, self.__sensitivity, self.__sigma = name, sensitivity, sigma

    @property
    def left(self) -> int:
        """Answers still paid for."""
        return self.__left

    @property
    def sigma(self) -> float:
        """Scale of the noise of each answer."""
        return self.__sigma

    def ask(self, query: Query[Secret], *, law: NoiseLaw = INDEPENDENT) -> Array:
        """The next noisy answer of the loop."""
        if self.__left <= 0 or not query.sensitivity <= self.__sensitivity * (1 + ROUNDING):
            raise PermissionError(f"{query.name}: {self.left} answers left on {self.__name!r}")
        self.__left -= 1
        return self.__answer(query, self.__sigma, law)
