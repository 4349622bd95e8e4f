"""A curator that keeps a record of each answer, and one that plays a record back.

The recording curator changes nothing: it hands every question to the real one and notes the exact answer beside the
released one. The replaying curator gives the recorded answers to a run on other rows, whatever those rows say.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from dpgep_core.privacy import Channel, Curator, Entry
from dpgep_core.privacy.channel import RevealedMatrix
from dpgep_core.privacy.randomness import Independent, Isotropic
from dpgep_core.release import Release
from dpgep_core.solve import Plan

Matrix = Any
driver = import_module("dpgep_core.solve")  # by its name: the package holds a function that is called so


@dataclass(frozen=True, eq=False)
class Answer:
    """One answer: what was asked, what is true, what was said.

    ``entry`` is what the ledger says about it. ``law`` is None for an exact answer; ``frame`` is set where the noise is
    a symmetric matrix times it. ``change`` is what the same question gives on the neighbour, minus ``exact``, where
    there is a neighbour.
    """

    entry: Entry
    law: Any
    frame: Matrix | None
    exact: Matrix
    released: Matrix
    change: Matrix | None = None


@dataclass
class Tape:
    """The answers of one run, in order.

    ``neighbour`` is another secret that every question is put to as well. ``turned`` are the prepared row that
    differs, under either data set: a question about a drawn batch is put to both.
    """

    neighbour: Any = None
    turned: tuple[Matrix, Matrix] | None = None
    answers: list[Answer] = field(default_factory=list)
    said: list[Matrix] = field(default_factory=list)  # as the algorithm received them, revealed products one by one

    def note(self, answer: Answer) -> Matrix:
        self.answers.append(answer)
        self.said.append(np.array(answer.released))
        return answer.released


class RecordingChannel:
    """A paid loop of answers under record."""

    def __init__(self, channel: Channel[Any], entry: Entry, secret: Any, tape: Tape) -> None:
        self._channel, self._entry, self._secret, self._tape = channel, entry, secret, tape

    @property
    def left(self) -> int:
        return self._channel.left

    @property
    def sigma(self) -> float:
        return self._channel.sigma

    def ask(self, query: Any, *, law: Any = Independent()) -> Matrix:  # noqa: B008 laws are values
        released = self._channel.ask(query, law=law)
        return noted(self._tape, query, law, self._entry, self._secret, released)


def noted(tape: Tape, query: Any, law: Any, entry: Entry, secret: Any, released: Matrix) -> Matrix:
    exact = np.array(query.evaluate(secret))
    change = None if tape.neighbour is None else query.evaluate(tape.neighbour) - exact
    return tape.note(Answer(entry, law, query.frame, exact, released, change))


class RecordingCurator(Curator[Any]):
    """The real curator, with a record of what it is asked and what it says. σ and Δ are those of its own ledger."""

    def __init__(self, tape: Tape, secret: Any, grant: Any, **how: Any) -> None:
        super().__init__(secret, grant, **how)
        self._tape, self._rows = tape, secret

    def _entry(self, entries_before: int) -> Entry:
        new = self.ledger.entries[entries_before:]
        assert len(new) == 1, "an answer without an entry of its own"
        return new[0]

    def ask(self, query: Any, *, sigma: float, law: Any = Independent()) -> Matrix:  # noqa: B008
        before = len(self.ledger)
        released = super().ask(query, sigma=sigma, law=law)
        return noted(self._tape, query, law, self._entry(before), self._rows, released)

    def reserve(self, name: str, **paid: Any) -> Any:
        before = len(self.ledger)
        channel = super().reserve(name, **paid)
        return RecordingChannel(channel, self._entry(before), self._rows, self._tape)

    def reserve_sampled(self, name: str, source: Any, **paid: Any) -> Any:
        before, tape = len(self.ledger), self._tape
        channel = super().reserve_sampled(name, source, **paid)
        entry = self._entry(before)

        class Sampled:
            def ask(self, query: Any) -> Matrix:
                seen: list[Matrix] = []

                def evaluate(rows: Matrix) -> Matrix:
                    seen[:] = [np.array(rows), query.evaluate(rows)]
                    return seen[1]

                released = channel.ask(replace(query, evaluate=evaluate))
                change = batch_change(query, seen[0], tape.turned)
                return tape.note(Answer(entry, Independent(), None, seen[1], released, change))

        return Sampled()

    def reveal(self, query: Any, *, sigma: float) -> RevealedMatrix:
        before, tape, secret = len(self.ledger), self._tape, self._rows
        matrix = super().reveal(query, sigma=sigma)
        entry = self._entry(before)
        asked: list[tuple[Matrix, Matrix, Matrix]] = []
        place = len(tape.answers)

        def times(directions: Matrix) -> Matrix:
            asked.append((directions, query.multiply(secret, directions), matrix.times(directions)))
            frame, exact, released = (np.hstack(parts) for parts in zip(*asked, strict=True))
            change = None if tape.neighbour is None else query.multiply(tape.neighbour, frame) - exact
            answer = Answer(entry, Isotropic(), frame, exact, released, change)
            tape.answers[place : place + 1] = [answer]  # one noise matrix for all products: they are one answer
            tape.said.append(np.array(asked[-1][2]))
            return asked[-1][2]

        return RevealedMatrix(times)

    def peek(self, query: Any) -> Matrix:
        before = len(self.ledger)
        released = super().peek(query)
        return self._tape.note(Answer(self._entry(before), None, None, released, released))


def batch_change(query: Any, rows: Matrix, turned: tuple[Matrix, Matrix] | None) -> Matrix | None:
    """How the answer about a drawn batch changes if the row that differs is in it."""
    if turned is None:
        return None
    with_one, with_other = rows.copy(), rows.copy()
    with_one[0], with_other[0] = turned
    return query.evaluate(with_other) - query.evaluate(with_one)


class ReplayingCurator(Curator[Any]):
    """Says what is on the tape; its ledger is kept as ever. What it is asked about its own rows goes nowhere."""

    def __init__(self, said: list[Matrix], secret: Any, grant: Any, **how: Any) -> None:
        super().__init__(secret, grant, **how)
        self._said = said

    def _next(self) -> Matrix:
        assert self._said, "one question more than on the other rows"
        return np.array(self._said.pop(0))

    def ask(self, query: Any, *, sigma: float, law: Any = Independent()) -> Matrix:  # noqa: B008
        shape = self._said[0].shape if self._said else (1,)
        super().ask(replace(query, evaluate=lambda _: np.zeros(shape)), sigma=sigma, law=law)
        return self._next()

    def reserve(self, name: str, **paid: Any) -> Any:
        channel, curator = super().reserve(name, **paid), self

        class Replaying:
            left = property(lambda _: channel.left)

            def ask(self, query: Any, *, law: Any = Independent()) -> Matrix:  # noqa: B008
                shape = curator._said[0].shape if curator._said else (1,)
                channel.ask(replace(query, evaluate=lambda _: np.zeros(shape)), law=law)
                return curator._next()

        return Replaying()

    def reserve_sampled(self, name: str, source: Any, **paid: Any) -> Any:
        super().reserve_sampled(name, source, **paid)
        curator = self

        class Replaying:
            def ask(self, query: Any) -> Matrix:
                return curator._next()

        return Replaying()

    def reveal(self, query: Any, *, sigma: float) -> RevealedMatrix:
        super().reveal(query, sigma=sigma)
        return RevealedMatrix(lambda _: self._next())

    def peek(self, query: Any) -> Matrix:
        answer = self._next()
        super().peek(replace(query, evaluate=lambda _: answer))
        return answer


@contextmanager
def curators(make: Callable[..., Curator[Any]]) -> Iterator[None]:
    """While this lasts, the driver makes its curators this way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "Curator", make)
        yield


def recorded(plan: Plan, tape: Tape) -> Release:
    """A run as ever, with a record of it."""
    with curators(partial(RecordingCurator, tape)):
        return driver.run(plan)


def replayed(plan: Plan, tape: Tape) -> Release:
    """A run on other rows that hears the answers of the tape."""
    said = list(tape.said)
    with curators(partial(ReplayingCurator, said)):
        release = driver.run(plan)
    assert not said, "one question less than on the other rows"
    return release


def differences(one: Any, other: Any, where: str = "release") -> Iterator[str]:
    """Every place where two results are not the same bit for bit. How long a run took may differ."""
    if type(one) is not type(other):
        yield where
    elif isinstance(one, np.ndarray):
        if one.shape != other.shape or one.dtype != other.dtype or one.tobytes() != other.tobytes():
            yield where
    elif is_dataclass(one) and not isinstance(one, type):
        for part in fields(one):
            if part.name != "seconds":
                yield from differences(getattr(one, part.name), getattr(other, part.name), f"{where}.{part.name}")
    elif isinstance(one, dict) or hasattr(one, "keys"):
        yield from differences(tuple(one), tuple(other), f"names in {where}")
        for name in set(one) & set(other):
            yield from differences(one[name], other[name], f"{where}[{name!r}]")
    elif isinstance(one, tuple | list):
        if len(one) != len(other):
            yield f"length of {where}"
        for number, (a, b) in enumerate(zip(one, other, strict=False)):
            yield from differences(a, b, f"{where}[{number}]")
    elif hasattr(one, "__self__"):
        yield from differences(one.__func__, other.__func__, where)
        yield from differences(one.__self__, other.__self__, f"{where}.__self__")
    elif isinstance(one, float):
        if np.float64(one).tobytes() != np.float64(other).tobytes():
            yield where
    elif one != other:
        yield where
