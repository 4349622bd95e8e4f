"""What an algorithm is, and the registry that menus, sliders, URLs, method pages and tests read."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeVar, runtime_checkable

from dpgep_core.errors import UnknownNameError
from dpgep_core.models.moments import Moments
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import Public
from dpgep_core.privacy import Curator, Grant
from dpgep_core.privacy.query import Array


class Verdict(StrEnum):
    """What is known of a guarantee: of a published one in general, or of the ε of one run (`dpgep_core.verdict`)."""

    HOLDS = "holds"
    HOLDS_OTHERWISE = "holds, but not by the published proof"
    FALSE = "false"
    UNKNOWN = "not known"
    NONE = "no guarantee is claimed"


@dataclass(frozen=True, slots=True)
class Source:
    """Where an algorithm comes from."""

    title: str
    where: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What the authors claim, and what is known of it in general.

    ``verdict`` is about the theorem, whatever the setting, and ``reason`` says for which settings it holds or fails.
    What holds of one run is computed from its numbers: see `dpgep_core.verdict.judge`.
    """

    claim: str
    verdict: Verdict
    reason: str


@runtime_checkable
class Method(Protocol):
    """A frozen dataclass whose parameter fields are the algorithm's; it gets neither data nor a generator."""

    def iterates(self, curator: Curator[Problem], public: Public, start: Array) -> Iterator[Array]:
        """Yield successive (d, k) bases; a one-shot method yields once."""
        ...


@runtime_checkable
class OneRelease(Method, Protocol):
    """A method that spends once, on moments, and computes freely from what was released.

    ``public.pencil`` turns the released moments into a private pencil; keeping it makes another ridge cheap.
    """

    def release(self, curator: Curator[Problem], public: Public) -> Moments:
        """The one private answer."""
        ...

    def components(self, pencil: Pencil, public: Public, grant: Grant) -> Array:
        """(d, k) components from the pencil of the released moments: post-processing, free."""
        ...


@runtime_checkable
class Overdraws(Protocol):
    """A method some of whose settings are reproduced although they spend more than they claim."""

    def overdraws(self, public: Public, grant: Grant) -> bool:
        """Whether these settings are known to."""
        ...


@runtime_checkable
class Reports(Protocol):
    """A method with public facts worth showing beside its result, such as the effective ridge."""

    def facts(self, public: Public, grant: Grant) -> Mapping[str, float]:
        """Name → number; functions of public quantities alone."""
        ...


@runtime_checkable
class Conditional(Protocol):
    """A method whose authors claim its ε for some settings only."""

    def outside_claim(self, public: Public, grant: Grant) -> str:
        """Why the authors do not claim this ε at this setting; "" where they do."""
        ...


@runtime_checkable
class Refuted(Protocol):
    """A method of which neighbouring data sets are known that need more than its ledger's Gaussian answers show."""

    def needed_epsilon(self, public: Public, grant: Grant) -> float:
        """The ε that they need at the δ of the grant: a bound from below, 0 where none is known."""
        ...


@dataclass(frozen=True, slots=True)
class MethodEntry:
    """An algorithm under its key."""

    key: str
    title: str
    source: Source
    guarantee: Guarantee
    models: tuple[str, ...]
    private: bool
    make: type[Any]

    @property
    def spends_once(self) -> bool:
        """Whether ridge, sparsity and k can be moved after the budget is spent."""
        return issubclass(self.make, OneRelease)


ALGORITHMS: dict[str, MethodEntry] = {}
M = TypeVar("M")
EVERY_MODEL = ("pca", "fda", "cca", "sir")


def register(
    key: str, title: str, source: Source, guarantee: Guarantee, *, models: tuple[str, ...] = EVERY_MODEL
) -> Callable[[type[M]], type[M]]:
    """Class decorator that puts an algorithm into `ALGORITHMS`."""

    def add(cls: type[M]) -> type[M]:
        if key in ALGORITHMS:
            raise ValueError(f"two algorithms are called {key!r}")
        private = guarantee.verdict is not Verdict.NONE
        ALGORITHMS[key] = MethodEntry(key, title, source, guarantee, models, private, cls)
        return cls

    return add


def method_entry(key: object) -> MethodEntry:
    """The entry of an algorithm key; `UnknownNameError` names the known ones."""
    if not isinstance(key, str) or key not in ALGORITHMS:
        raise UnknownNameError("algorithm", key, ALGORITHMS)
    return ALGORITHMS[key]
