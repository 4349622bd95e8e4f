"""Time and memory against the sizes of a problem: the measured table, fitted exponents, and costs fitted to it.

The table ``growth.csv`` is made by ``python benchmarks/growth.py``. Expected growth stands with each algorithm.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.growth import SIZES, Growth, powers_of, term_value
from dpgep_core.kept_table import kept_records
from dpgep_core.privacy.query import Array
from dpgep_core.typed_scipy import nnls

SUMS, REFERENCE, COMPARISON, KERNEL = "sums", "reference", "comparison", "kernel"
PARTS: Mapping[str, Growth] = {  # work of a run beside the algorithm's own
    SUMS: Growth("n d^2", ("n d", "n K", "d^2"), memory=("d^2", "d")),
    REFERENCE: Growth("n d^2", ("d^3", "n d", "n d k", "d^2 K", "n K"), memory=("n d", "d^2", "n")),
    COMPARISON: Growth("n d k", ("n d", "n K", "d^2 K", "d^2 k", "n"), memory=("n k", "n", "d^2", "d K")),
}
RESOLUTION = 0.01  # share of a cost below which a difference says nothing
LARGEST: Mapping[str, int] = {"d": 2}  # sizes that an exponent is fitted to: matrices of 320 columns stay in the cache
LARGEST_OTHERWISE = 3
FEWEST = 4  # sizes that were measured, for an exponent


@dataclass(frozen=True, slots=True, kw_only=True)
class GrowthPoint:
    """One measurement.

    Parameters
    ----------
    part : str
        Key of an algorithm or of `PARTS`; `KERNEL` for a bare calculation that tells the speed of the machine.
    setting : str
        As in `Growth`; the name of the kernel.
    model : str
    varied : str
        The size of `SIZES` that the neighbouring points differ in.
    n, d, k, m, classes : int
        Sizes; m is 0 for a method without steps.
    seconds, megabytes : float
        Processor seconds on one thread, and the most memory taken beside the rows and what was there before.
    """

    part: str
    setting: str
    model: str
    varied: str
    n: int
    d: int
    k: int
    m: int
    classes: int
    seconds: float
    megabytes: float

    @property
    def sizes(self) -> dict[str, float]:
        """Every size by its letter."""
        return {"n": self.n, "d": self.d, "k": self.k, "m": max(self.m, 1), "K": self.classes}


@dataclass(frozen=True, slots=True, kw_only=True)
class Exponent:
    """How a cost grows with one size: the exponent that is expected, and the one fitted to points between two sizes."""

    part: str
    setting: str
    size: str
    cost: str
    expected: int
    fitted: float
    least: float
    most: float


@dataclass(frozen=True, eq=False)
class CostModel:
    """A cost as a sum of terms with coefficients that are not negative, and how far off it is: a factor."""

    terms: tuple[str, ...]
    coefficients: Array
    spread: float

    def at(self, sizes: Mapping[str, float]) -> float:
        """The cost at some sizes."""
        return float(sum(c * term_value(term, sizes) for c, term in zip(self.coefficients, self.terms, strict=True)))


@cache
def growth_table() -> tuple[GrowthPoint, ...]:
    """Everything that was measured."""
    return kept_records(GrowthPoint, "evaluate/growth.csv")


def growth_of(part: str, setting: str = "") -> Growth:
    """The expected growth of an algorithm at a setting, or of a part beside it."""
    declared = (PARTS[part],) if part in PARTS else ALGORITHMS[part].growth
    return next(each for each in declared if each.setting == setting)


def declared_parts() -> list[tuple[str, str]]:
    """Every part that says how it grows, with its setting."""
    algorithms = [(key, each.setting) for key, entry in ALGORITHMS.items() for each in entry.growth]
    return [*((part, "") for part in PARTS), *algorithms]


def exponents(table: Iterable[GrowthPoint]) -> list[Exponent]:
    """Fitted exponents of time and memory for every part and every size that was varied."""
    points, found = list(table), list[Exponent]()
    for part, setting in declared_parts():
        growth = growth_of(part, setting)
        for cost, leading in (("seconds", growth.time), ("megabytes", growth.memory[0])):
            for size in SIZES:
                some = [p for p in points if (p.part, p.setting, p.varied) == (part, setting, size)]
                if len(some) < FEWEST:
                    continue
                at, values = [p.sizes[size] for p in some], [float(getattr(p, cost)) for p in some]
                expected = powers_of(leading).get(size, 0)
                found.append(Exponent(
                    part=part, setting=setting, size=size, cost=cost, expected=expected,
                    fitted=fitted_exponent(at, values, size, level=expected == 0), least=min(at), most=max(at),
                ))  # fmt: skip
    return found


def fitted_exponent(sizes: Sequence[float], values: Sequence[float], size: str = "", *, level: bool = False) -> float:
    """p such that what is above the cost at the least size grows as sizeᵖ over the largest sizes.

    There the work outweighs what takes as long at every size, which the least size tells. Where no growth is expected
    (``level``), it is the slope of a line through the logarithms of all.
    """
    at, cost = (np.asarray(each, float)[np.argsort(sizes)] for each in (sizes, values))
    if not level:
        largest = slice(-LARGEST.get(size, LARGEST_OTHERWISE), None)
        at, cost = at[largest], np.maximum(cost - cost[0], RESOLUTION * cost)[largest]
    return float(np.polyfit(np.log(at), np.log(cost), 1)[0])


@cache
def cost_model(part: str, setting: str, cost: str) -> CostModel:
    """Coefficients of the declared terms, fitted to all points of a part by relative differences."""
    growth = growth_of(part, setting)
    terms = growth.terms if cost == "seconds" else growth.memory_terms
    points = [p for p in growth_table() if (p.part, p.setting) == (part, setting)]
    values = np.array([getattr(p, cost) for p in points])
    rows = np.array([[term_value(term, p.sizes) for term in terms] for p in points])
    scale = rows.max(axis=0)
    found = nnls(rows / scale / values[:, None], np.ones(len(points)))[0] / scale
    spread = float(np.exp(np.quantile(np.abs(np.log(rows @ found / values)), 0.9)))
    return CostModel(terms, found, spread)
