"""Parts of an algorithm, and the registry that menus, sliders, URLs, method pages and tests read."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeVar, runtime_checkable

from dpgep_core.errors import ParameterError, UnknownNameError
from dpgep_core.models import MODELS
from dpgep_core.models.moments import Moments
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.outside import check_class, check_name, code_digest, origin_of, source_of
from dpgep_core.privacy import Curator, Grant, NoisePlan
from dpgep_core.privacy.calibration import Calibration
from dpgep_core.privacy.noise_plan import noise_scales
from dpgep_core.privacy.query import Array


class Verdict(StrEnum):
    """Knowledge about a guarantee: of a published one in general, or of the ε of one run (`dpgep_core.verdict`)."""

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
    """Claim of the authors, and what is known of it in general.

    ``verdict`` is about the theorem, whatever the setting, and ``reason`` says for which settings it holds or fails.
    What holds of one run is computed from its numbers: see `dpgep_core.verdict.judge`. ``proof`` says where the proof
    of an algorithm from outside this package can be read; without it the verdict on that algorithm is "not known".
    """

    claim: str
    verdict: Verdict
    reason: str
    proof: str = ""


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

    def release(self, curator: Curator[Problem], public: PublicFacts) -> Moments:
        """The one private answer."""
        ...

    def components(self, pencil: Pencil, public: PublicFacts, grant: Grant) -> Array:
        """(d, k) components from the pencil of the released moments: post-processing, free."""
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


@runtime_checkable
class Weighted(Protocol):
    """A method that asks for class sums and counts beside the second moments."""

    @property
    def weight(self) -> float | None:
        """w²; None takes the value of the model."""
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


def facts_of(method: Method, public: PublicFacts, grant: Grant) -> dict[str, float]:
    """Public numbers of a method: its noise scales, and what more it reports."""
    more = method.more_facts(public, grant) if isinstance(method, Reports) else {}
    return {**noise_scales(noise_plan_of(method, public, grant) or ()), **more}


@dataclass(frozen=True, slots=True)
class MethodEntry:
    """An algorithm under its key.

    ``origin`` is the module of an algorithm from outside this package, and ``digest`` tells its code from other code;
    both are empty for the algorithms of this package.
    """

    key: str
    title: str
    source: Source
    guarantee: Guarantee
    models: tuple[str, ...]
    private: bool
    make: type[Any]
    origin: str = ""
    digest: str = ""

    @property
    def outside(self) -> bool:
        """Whether the algorithm is registered by a module outside this package, which no test here has seen."""
        return bool(self.origin)

    @property
    def unproved(self) -> bool:
        """Whether the algorithm comes from outside and names no proof of its claim."""
        return self.outside and self.private and not self.guarantee.proof

    @property
    def spends_once(self) -> bool:
        """Whether ridge, sparsity and k can be moved after the budget is spent."""
        return issubclass(self.make, OneRelease)


ALGORITHMS: dict[str, MethodEntry] = {}
UNUSABLE: list[str] = []  # why an algorithm of a plug-in may be missing, one sentence for each broken plug-in
NO_PROOF = "No proof is registered with this algorithm, which comes from outside the package."
M = TypeVar("M")
EVERY_MODEL = tuple(MODELS)


def register(
    key: str, title: str, source: Source, guarantee: Guarantee, *, models: tuple[str, ...] = EVERY_MODEL
) -> Callable[[type[M]], type[M]]:
    """Class decorator that puts an algorithm into `ALGORITHMS`.

    Raises
    ------
    ParameterError
        If the key or the title is taken, or the class of an algorithm from outside this package is not fit for the
        command line and the pages.
    """

    def add(cls: type[M]) -> type[M]:
        _check_free(key, title, cls)
        origin, private = origin_of(cls), guarantee.verdict is not Verdict.NONE
        if origin:
            check_name(key, title)
            check_class(key, cls, models, others=[other.make for other in ALGORITHMS.values()])
        known = _without_proof(guarantee) if origin and private and not guarantee.proof else guarantee
        digest = code_digest(cls) if origin else ""
        ALGORITHMS[key] = MethodEntry(key, title, source, known, models, private, cls, origin, digest)
        return cls

    return add


def _check_free(key: str, title: str, cls: type[Any]) -> None:
    """Refuse a name that is taken. The same class from the same file may come again, as in a notebook."""
    for entry in ALGORITHMS.values():
        again = entry.key == key and entry.outside and source_of(entry.make) == source_of(cls)
        if entry.key == key and not again:
            raise ParameterError("algorithm", key, "a name that no other algorithm has")
        if entry.title == title and not again:
            raise ParameterError(f"title of algorithm {key!r}", title, "one that no other algorithm has")


def _without_proof(guarantee: Guarantee) -> Guarantee:
    return Guarantee(guarantee.claim, Verdict.UNKNOWN, f"{NO_PROOF} {guarantee.reason}".strip())


def method_entry(key: object) -> MethodEntry:
    """The entry of an algorithm key; `UnknownNameError` names the known ones."""
    if not isinstance(key, str) or key not in ALGORITHMS:
        raise UnknownNameError("algorithm", key, ALGORITHMS, " ".join(UNUSABLE))
    return ALGORITHMS[key]
