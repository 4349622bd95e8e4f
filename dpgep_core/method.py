"""Registry of algorithms, which menus, sliders, URLs, method pages and tests read."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from dpgep_core.errors import DpgepError, ParameterError, UnknownNameError
from dpgep_core.growth import Growth as Growth
from dpgep_core.models import MODELS
from dpgep_core.outside import check_class, check_name, code_digest, origin_of, source_of, told
from dpgep_core.params import Checked
from dpgep_core.protocols import OneRelease


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


@dataclass(frozen=True, slots=True)
class MethodEntry:
    """An algorithm under its key.

    ``origin`` is the module of an algorithm from outside this package, and ``digest`` tells its code from other code;
    both are empty for the algorithms of this package. ``growth`` says how time and memory grow, for the defaults first
    and then for other settings; an algorithm from outside may leave it out.
    """

    key: str
    title: str
    source: Source
    guarantee: Guarantee
    models: tuple[str, ...]
    private: bool
    make: type[Checked]
    origin: str = ""
    digest: str = ""
    growth: tuple[Growth, ...] = ()

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


class OutsideError(DpgepError):
    """The code of an algorithm from outside this package failed."""

    def __init__(self, entry: MethodEntry, error: Exception) -> None:
        super().__init__(f"The algorithm {entry.key!r} of {entry.origin} failed: {told(error)}.")


@contextmanager
def answering_for(entry: MethodEntry) -> Generator[None]:
    """Turn what the code of an algorithm from outside raises into one sentence that names the algorithm and the line.

    The cause stays attached. The code of this package is tested, so its errors are not touched.
    """
    try:
        yield
    except DpgepError:
        raise
    except Exception as error:
        if not entry.origin:
            raise
        raise OutsideError(entry, error) from error


ALGORITHMS: dict[str, MethodEntry] = {}
UNUSABLE: list[str] = []  # why an algorithm of a plug-in may be missing, one sentence for each broken plug-in
NO_PROOF = "No proof is registered with this algorithm, which comes from outside the package."
M = TypeVar("M", bound=Checked)
EVERY_MODEL = tuple(MODELS)


def register(
    key: str,
    title: str,
    source: Source,
    guarantee: Guarantee,
    *,
    models: tuple[str, ...] = EVERY_MODEL,
    growth: tuple[Growth, ...] = (),
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
        known = guarantee
        if origin and private and not guarantee.proof:
            known = Guarantee(guarantee.claim, Verdict.UNKNOWN, f"{NO_PROOF} {guarantee.reason}".strip())
        digest = code_digest(cls) if origin else ""
        ALGORITHMS[key] = MethodEntry(key, title, source, known, models, private, cls, origin, digest, growth)
        return cls

    return add


def _check_free(key: str, title: str, cls: type[Checked]) -> None:
    """Refuse a name that is taken. The same class from the same file may come again, as in a notebook."""
    for entry in ALGORITHMS.values():
        again = entry.key == key and entry.outside and source_of(entry.make) == source_of(cls)
        if entry.key == key and not again:
            raise ParameterError("algorithm", key, "a name that no other algorithm has")
        if entry.title == title and not again:
            raise ParameterError(f"title of algorithm {key!r}", title, "one that no other algorithm has")


def method_entry(key: object) -> MethodEntry:
    """The entry of an algorithm key; `UnknownNameError` names the known ones."""
    if not isinstance(key, str) or key not in ALGORITHMS:
        raise UnknownNameError("algorithm", key, ALGORITHMS, " ".join(UNUSABLE))
    return ALGORITHMS[key]
