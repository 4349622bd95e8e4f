"""How the work of an algorithm grows: products of powers of the sizes of a problem, said once for each algorithm."""

from collections.abc import Mapping
from dataclasses import dataclass

SIZES: Mapping[str, str] = {"n": "rows", "d": "columns", "k": "components", "m": "steps", "K": "classes"}
CONSTANT = "1"  # the term of what takes as long at every size


@dataclass(frozen=True)
class Growth:
    """Expected growth of one run, with the sums over the rows already there.

    A term is a product of powers of `SIZES`, as in ``"m d^2 k"``.

    Parameters
    ----------
    time : str
        The term that time follows where problems are large.
    lesser : tuple of str
        Terms that time follows where they are small; a constant is always among them.
    memory : tuple of str
        Terms of the largest memory, the leading one first.
    setting : str
        Setting that it is about, as in ``"steps=1"``; empty for the defaults.
    """

    time: str
    lesser: tuple[str, ...] = ()
    memory: tuple[str, ...] = ("d^2",)
    setting: str = ""

    @property
    def terms(self) -> tuple[str, ...]:
        """Every term of time."""
        return (self.time, *self.lesser, CONSTANT)

    @property
    def memory_terms(self) -> tuple[str, ...]:
        """Every term of memory."""
        return (*self.memory, CONSTANT)


def powers_of(term: str) -> dict[str, int]:
    """The powers in a term: ``"m d^2 k"`` has m to the first, d to the second and k to the first."""
    if term == CONSTANT:
        return {}
    factors = [factor.partition("^") for factor in term.split()]
    return {size: int(power or 1) for size, _, power in factors}


def term_value(term: str, sizes: Mapping[str, float]) -> float:
    """The term at some sizes."""
    value = 1.0
    for size, power in powers_of(term).items():
        value *= sizes[size] ** power
    return value
