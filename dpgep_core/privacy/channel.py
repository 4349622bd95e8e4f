"""Paid loops of answers: what a curator hands out once the whole loop is in the ledger."""

from collections.abc import Callable
from typing import Generic

import numpy as np

from dpgep_core.privacy.ledger import ROUNDING
from dpgep_core.privacy.query import Array, Indices, Query, SampledQuery, Secret
from dpgep_core.privacy.randomness import Independent, NoiseLaw

INDEPENDENT = Independent()
FETCHED = 512  # rows prepared at a time


class Channel(Generic[Secret]):
    """A paid loop of answers. It refuses a query more sensitive than paid for, and one answer too many.

    What was paid for can be read and not changed.
    """

    __slots__ = ("__answer", "__left", "__name", "__sensitivity", "__sigma")

    def __init__(
        self,
        answer: Callable[[Query[Secret], NoiseLaw], Array],
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
        return self.__answer(query, law)


class SampledChannel:
    """A paid loop of answers about batches of rows. It draws the rows itself, and does not say which."""

    __slots__ = ("__batch", "__draw", "__fetch", "__left", "__name", "__noisy", "__rows", "__sensitivity")

    def __init__(
        self,
        draw: Callable[[], Indices],
        fetch: Callable[[Indices], Array],
        noisy: Callable[[Array], Array],
        name: str,
        sensitivity: float,
        count: int,
        batch: int,
    ) -> None:
        self.__draw, self.__fetch, self.__noisy = draw, fetch, noisy
        self.__name, self.__sensitivity, self.__left, self.__batch = name, sensitivity, count, batch
        self.__rows: list[Array] = []

    @property
    def left(self) -> int:
        """Answers still paid for."""
        return self.__left

    def ask(self, query: SampledQuery) -> Array:
        """The next noisy answer, about rows drawn for it alone."""
        if self.__left <= 0 or not query.sensitivity <= self.__sensitivity * (1 + ROUNDING):
            raise PermissionError(f"{query.name}: {self.left} answers left on {self.__name!r}")
        if not self.__rows:
            self.__refill()
        self.__left -= 1
        return self.__noisy(query.evaluate(self.__rows.pop()))

    def __refill(self) -> None:
        """Rows for the next answers, prepared together: one at a time is slow."""
        draws = min(self.__left, max(1, FETCHED // self.__batch))
        positions = [self.__draw() for _ in range(draws)]
        rows = self.__fetch(np.concatenate(positions))
        self.__rows = [rows[i * self.__batch : (i + 1) * self.__batch] for i in reversed(range(draws))]
