"""The only door to private data. Every answer is checked, written in the ledger, evaluated and only then noised."""

import math
from dataclasses import replace
from functools import cached_property
from typing import Any, Generic, NoReturn

import numpy as np

from dpgep_core.errors import BudgetExceededError
from dpgep_core.privacy import randomness
from dpgep_core.privacy.channel import INDEPENDENT, Channel, LazyIsotropic, RevealedMatrix, SampledChannel
from dpgep_core.privacy.discrete import exactly_noised
from dpgep_core.privacy.ledger import Entry, Grant, Ledger, NoisePlan, PlannedAnswer
from dpgep_core.privacy.query import Array, MatrixQuery, Query, RowSource, Secret
from dpgep_core.privacy.randomness import Generator, NoiseLaw, stream


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
    plan : tuple of PlannedAnswer, optional
        Everything that will be asked, in order. Any other answer is refused before anything is read.
    exact : bool
        True draws discrete noise on exact sums of integer rows, from the system's entropy: for results that leave this
        place. Answers that are no such sums are refused before anything is read. Who asks cannot tell which it is.
    """

    def __init__(
        self,
        secret: Secret,
        grant: Grant,
        *,
        seed: int | None,
        noise: bool = True,
        plan: NoisePlan | None = None,
        exact: bool = False,
    ) -> None:
        if exact and (seed is not None or not noise):
            raise ValueError("an exact release has noise, from the system's entropy and from no seed")
        self.__exact = exact
        self.__secret = secret
        self.__plan = plan
        self.__rng = stream(seed, "noise")
        self.__seed = seed
        self.__noise = noise
        self.__grant = grant
        self.__ledger = Ledger()

    @cached_property
    def __draws(self) -> Generator:
        """Draws of rows: a stream apart, so that noise off draws the same rows. Most runs draw none."""
        return stream(self.__seed, "noise", "sampled rows")

    @property
    def grant(self) -> Grant:
        """Budget that may be spent: public."""
        return self.__grant

    @property
    def ledger(self) -> Ledger:
        """Answers so far."""
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
        if self.__exact and query.integers is None:
            self.__refuse(query.name)
        return self.__open(query.name, query.sensitivity, sigma, 1, proven=_proves(law)).ask(query, law=law)

    def reserve(self, name: str, *, sensitivity: float, sigma: float, count: int = 1) -> Channel[Secret]:
        """Pay at once for a loop of ``count`` answers of at most this sensitivity, as one ledger entry."""
        return self.__open(name, sensitivity, sigma, count, proven=True)

    def reserve_planned(self, answer: PlannedAnswer) -> Channel[Secret]:
        """Pay at once for a loop of answers as the noise plan states it."""
        return self.reserve(answer.name, sensitivity=answer.sensitivity, sigma=answer.sigma, count=answer.count)

    def reserve_sampled(
        self, name: str, source: RowSource[Secret], *, sensitivity: float, sigma: float, count: int, batch: int, n: int
    ) -> SampledChannel:
        """Pay at once for ``count`` answers about batches of ``batch`` rows out of the public number ``n``.

        Which rows are drawn is decided here and never told: that is what the rate batch/n is worth.
        """
        if self.__exact:
            self.__refuse(name)
        _check(name, sensitivity, sigma, count)
        if not 1 <= batch <= n:
            raise ValueError(f"{name}: batches of {batch} out of {n} rows")
        protected = self.__noise or sensitivity == 0
        self.__record(Entry(name, sensitivity, sigma, count, protected=protected, sampling_rate=batch / n))
        population = source.population(self.__secret)
        if population < n:
            raise ValueError(f"{name}: {population} rows are fewer than the public number {n}")
        return SampledChannel(
            lambda: randomness.draw_batch(self.__draws, population, batch),
            lambda positions: source.fetch(self.__secret, positions),
            lambda exact: (
                _with_noise(exact, INDEPENDENT.draw(self.__rng, exact.shape, sigma)) if self.__noise else exact
            ),
            name,
            sensitivity,
            count,
            batch,
        )

    def reveal(self, query: MatrixQuery[Secret], *, sigma: float) -> RevealedMatrix:
        """A symmetric matrix under `Isotropic` noise, as one answer, of which only products are ever computed."""
        if self.__exact:
            self.__refuse(query.name)
        _check(query.name, query.sensitivity, sigma, 1)
        protected = self.__noise or query.sensitivity == 0
        self.__record(Entry(query.name, query.sensitivity, sigma, protected=protected))

        def exact(directions: Array) -> Array:
            return query.multiply(self.__secret, directions)

        if not self.__noise:
            return RevealedMatrix(exact)
        return RevealedMatrix(LazyIsotropic(self.__rng, query.size, sigma).added_to(exact))

    def peek(self, query: Query[Secret]) -> Array:
        """The exact answer, recorded as unprotected: the run then has no guarantee."""
        if self.__exact:
            self.__refuse(query.name)
        self.__record(Entry(query.name, query.sensitivity, 0.0, protected=False))
        return query.evaluate(self.__secret)

    def __open(self, name: str, sensitivity: float, sigma: float, count: int, *, proven: bool) -> Channel[Secret]:
        _check(name, sensitivity, sigma, count)
        protected = (self.__noise and proven) or sensitivity == 0
        self.__record(Entry(name, sensitivity, sigma, count, protected=protected))

        def answer(query: Query[Secret], law: NoiseLaw) -> Array:
            if not _covers(law, query) or (proven and not _proves(law)):
                raise TypeError(f"{type(law).__name__} noise does not cover the {query.shape} answer {query.name!r}")
            if self.__exact:
                return exactly_noised(query, self.__secret, law, sigma)
            exact = query.evaluate(self.__secret)
            return _with_noise(exact, law.draw(self.__rng, exact.shape, sigma)) if self.__noise else exact

        return Channel(answer, name, sensitivity, sigma, count)

    def __refuse(self, name: str) -> NoReturn:
        raise PermissionError(f"{name}: no exact noise covers this answer, so it is not part of a release")

    def __record(self, entry: Entry) -> None:
        ledger, grant = self.__ledger.plus(entry), self.__grant
        if self.__plan is not None and not _is_next(entry, self.__plan[len(self.__ledger) :], self.__noise):
            raise PermissionError(f"{entry}: the noise plan holds no such answer here")
        if grant.enforced and self.__noise and ledger.exceeds(grant):
            raise BudgetExceededError(entry.query, ledger.epsilon(grant.delta), grant.epsilon, grant.delta)
        self.__ledger = ledger


def _with_noise(exact: Array, noise: Array) -> Array:
    """The sum, in the memory of the noise: the exact answer stays as it is."""
    noise += exact
    return noise


def _check(name: str, sensitivity: float, sigma: float, count: int) -> None:
    if not (sigma > 0 and 0 <= sensitivity < math.inf and count >= 1):
        raise ValueError(f"{name}: sigma={sigma}, sensitivity={sensitivity}, count={count}")


def _is_next(entry: Entry, left: NoisePlan, noise: bool) -> bool:
    """Whether an answer is the next one of a plan, and no less protected than planned, unless the noise is off."""
    if not left:
        return False
    planned = left[0].entry
    as_planned = entry == planned or replace(entry, protected=planned.protected) == planned
    return as_planned and (entry.protected or not planned.protected or not noise)


def _proves(law: NoiseLaw) -> bool:
    """Whether the law is one whose noise the accountant can count."""
    return getattr(law, "proves", True)


def _covers(law: NoiseLaw, query: Query[Any]) -> bool:
    """Whether this is noise drawn by this package, for this kind of answer and, for a product, for its own frame."""
    if type(law).__module__ != randomness.__name__ or query.shape not in law.shapes:
        return False
    if query.shape == "reports":
        return getattr(law, "reports", None) == query.reports
    if query.shape != "product":
        return True
    mine, theirs = getattr(law, "frame", None), query.frame
    return mine is not None and theirs is not None and (mine is theirs or np.array_equal(mine, theirs))
