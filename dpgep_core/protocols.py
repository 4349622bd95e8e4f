"""Protocols of an algorithm: the one method that it must have, and those that it may have, each with how to read it."""

from collections.abc import Iterator, Mapping

from typing_extensions import Protocol, runtime_checkable

from dpgep_core.models.moments import Answers, TidyMoments
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.privacy import Curator, Grant, NoisePlan
from dpgep_core.privacy.calibration import Calibration
from dpgep_core.privacy.ledger import noise_scales
from dpgep_core.privacy.query import Array


@runtime_checkable
class Method(Protocol):
    """An algorithm: a frozen dataclass whose fields are its parameters. It gets neither data nor a generator.

    This method is all that an algorithm must have, and an algorithm of this package is `Planned` as well. The
    protocols below list what an algorithm may have besides; the driver, the audit, the verdict and the pages ask for
    them by ``isinstance``, and read them in no other way.
    """

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield successive (d, k) bases; a one-shot method yields once."""
        ...


@runtime_checkable
class Planned(Protocol):
    """A method that states its noise. A method without a plan is held to the grant at every setting."""

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """Every answer that will be asked for, in order, with its sensitivity, σ and count.

        The only statement of the noise: the curator refuses any other answer, and facts, budget check, reservations
        and ledger follow from it.
        """
        ...


@runtime_checkable
class OneRelease(Method, Protocol):
    """A method that spends once, on moments, and computes freely from what was released.

    ``public.pencil`` turns the released moments into a private pencil; keeping it makes another ridge cheap.
    """

    def release(self, curator: Curator[Problem], public: PublicFacts) -> Answers:
        """Every private answer, as it came."""
        ...

    def tidied(self, answers: Answers, public: PublicFacts, grant: Grant) -> TidyMoments:
        """Plausible moments from the answers: post-processing, free."""
        ...

    def ridge_facts(self, noise_edge: float) -> Mapping[str, float]:
        """Ridge that is used under ``xi_effective``, that of the exact answer under ``xi_compared``, and the edge."""
        ...

    def components(self, pencil: Pencil, public: PublicFacts, xi: float) -> Array:
        """(d, k) components from the pencil of the released moments at a ridge: post-processing, free."""
        ...

    def by_products(self, public: PublicFacts) -> bool:
        """Whether the matrix is too large to form: no moments are then kept."""
        ...


@runtime_checkable
class Reports(Protocol):
    """A method with public numbers worth showing beside its noise scales, such as the effective ridge."""

    def more_facts(self, public: PublicFacts, grant: Grant) -> Mapping[str, float]:
        """Name → number; functions of public quantities alone. The scales of the noise plan are shown anyway."""
        ...


@runtime_checkable
class Conditional(Protocol):
    """A method whose authors claim its ε for some settings only."""

    def outside_claim(self, public: PublicFacts, grant: Grant) -> str:
        """Why the authors do not claim this ε at this setting; "" where they do."""
        ...


@runtime_checkable
class Refuted(Protocol):
    """A method of which neighbouring data sets are known that need more than its ledger's Gaussian answers show."""

    def needed_epsilon(self, public: PublicFacts, grant: Grant) -> float:
        """The ε that they need at the δ of the grant: a bound from below, 0 where none is known."""
        ...


@runtime_checkable
class Calibrated(Protocol):
    """A method whose noise can be calibrated in several ways."""

    @property
    def rule(self) -> Calibration:
        """The calibration that was chosen."""
        ...


@runtime_checkable
class Ridged(Protocol):
    """A method with a ridge."""

    @property
    def xi(self) -> float:
        """ξ, added to the diagonal of B."""
        ...


@runtime_checkable
class Started(Ridged, Protocol):
    """An iterative method with a choice of first basis."""

    @property
    def start(self) -> str:
        """A word of `dpgep_core.params.Start`."""
        ...


@runtime_checkable
class Sparse(Protocol):
    """A method that can keep a few entries of each component."""

    @property
    def sparsity(self) -> int:
        """Entries kept in each component; 0 keeps all."""
        ...


@runtime_checkable
class Floored(Protocol):
    """A method that raises its ridge to the edge of the noise."""

    @property
    def floor(self) -> bool:
        """Whether the ridge is raised."""
        ...


def noise_plan_of(method: Method, public: PublicFacts, grant: Grant) -> NoisePlan | None:
    """The noise plan of a method; None where it states none."""
    return method.noise_plan(public, grant) if isinstance(method, Planned) else None


def start_of(method: Method) -> str:
    """Where a method starts from; "random" where there is no choice."""
    return method.start if isinstance(method, Started) else "random"


def calibration_of(method: Method) -> Calibration | None:
    """The calibration of a method; None where there is no choice."""
    return method.rule if isinstance(method, Calibrated) else None


def ridge_of(method: Method) -> float | None:
    """ξ of a method; None where it has no ridge."""
    return method.xi if isinstance(method, Ridged) else None


def has_floor(method: Method) -> bool:
    """Whether a method raises its ridge to the edge of the noise."""
    return isinstance(method, Floored) and method.floor


def facts_of(method: Method, public: PublicFacts, grant: Grant, noise: NoisePlan | None = None) -> dict[str, float]:
    """Public numbers of a method: its noise scales, and what more it reports. ``noise`` is its plan, if at hand."""
    more = method.more_facts(public, grant) if isinstance(method, Reports) else {}
    return {**noise_scales(noise or noise_plan_of(method, public, grant) or ()), **more}
