"""Time and memory of a planned sweep, from the measured growth and the speed of this machine."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.evaluate.growth import COMPARISON, KERNEL, REFERENCE, CostModel, cost_model, growth_table
from dpgep_core.params import defaults
from dpgep_core.stochastic import LONGEST
from dpgep_core.typed_scipy import linalg

START = "start"  # the row of the table with what a process takes before it computes
REFERENCES_KEPT = 3  # by a process that computes cells, at most
TEST_SHARE = 0.2  # of the rows, about
REPEATS = 3
_SQUARE, _SMALL = np.cos(np.arange(500.0**2)).reshape(500, 500), np.cos(np.arange(400.0)).reshape(100, 4)


def _steps() -> Any:
    V = _SMALL
    for _ in range(500):
        V = V / np.linalg.norm(V, axis=0) + 0.1 * _SMALL
    return V


KERNELS: Mapping[str, Callable[[], Any]] = {
    "product": lambda: _SQUARE @ _SQUARE,
    "reduction": lambda: linalg.eigh(_SQUARE + _SQUARE.T, eigvals_only=True),
    "entries": lambda: np.exp(_SQUARE).sum(),
    "steps": _steps,
}


@dataclass(frozen=True, slots=True)
class Speed:
    """Time of the kernels here over that on the machine of the table: the geometric mean, the least and the most."""

    mean: float
    least: float
    most: float


@dataclass(frozen=True, kw_only=True)
class PlannedRun:
    """A sweep as it is planned.

    Parameters
    ----------
    n, d, k, m, classes : int
        Rows before the split, columns, components, steps of methods that take several, classes.
    algorithms : tuple of str
        Keys.
    seeds, values : int
        Seeds, and values of ε (or of another setting that is paid for) at each.
    one_split : bool
        Whether a published test split serves all seeds; else each seed draws its own.
    entry : int
        Bytes of a stored number.
    """

    n: int
    d: int
    k: int
    m: int
    classes: int
    algorithms: tuple[str, ...]
    seeds: int = 1
    values: int = 1
    one_split: bool = False
    entry: int = 8

    @property
    def sizes(self) -> dict[str, float]:
        """Every size by its letter."""
        return {"n": self.n, "d": self.d, "k": self.k, "m": self.m, "K": self.classes}

    @property
    def splits(self) -> int:
        """How often sums and exact answers are made."""
        return 1 if self.one_split else self.seeds

    def sizes_of(self, algorithm: str) -> dict[str, float]:
        """The sizes of a method's own work; of what all share for ""."""
        return {**self.sizes, "m": self.steps(algorithm)} if algorithm else self.sizes

    def steps(self, algorithm: str) -> int:
        """Steps of a method: ``m``, but about as many as rows for methods that take one row in each."""
        by_rows = defaults(ALGORITHMS[algorithm].make).get("n_iterations") == 0
        return min(self.n, LONGEST) if by_rows else self.m

    def cells(self, algorithm: str) -> int:
        """Runs of a method; one for each seed where nothing is paid."""
        return self.seeds * (self.values if ALGORITHMS[algorithm].private else 1)


@dataclass(frozen=True, slots=True)
class Forecast:
    """Processor seconds of one core and megabytes of one process, each with a range.

    ``shares`` are the seconds of the sums and exact answers, under "", and of the cells of each algorithm.
    """

    seconds: float
    least_seconds: float
    most_seconds: float
    megabytes: float
    least_megabytes: float
    most_megabytes: float
    shares: tuple[tuple[str, float], ...]


@cache
def measured_algorithms() -> frozenset[str]:
    """Keys of the algorithms whose growth was measured; those from outside this package are not among them."""
    return frozenset(ALGORITHMS) & {point.part for point in growth_table()}


@cache
def machine_speed() -> Speed:
    """The speed of this machine, measured once in a process: about half a second."""
    known = {p.setting: p.seconds for p in growth_table() if p.part == KERNEL}
    with threadpool_limits(1):
        ratios = [_kernel_seconds(kernel) / known[name] for name, kernel in KERNELS.items()]
    return Speed(math.exp(sum(map(math.log, ratios)) / len(ratios)), min(ratios), max(ratios))


def _kernel_seconds(kernel: Callable[[], Any]) -> float:
    kernel()
    times: list[float] = []
    for _ in range(REPEATS):
        began = time.thread_time()
        kernel()
        times.append(time.thread_time() - began)
    return median(times)


def forecast(planned: PlannedRun, speed: Speed) -> Forecast:
    """Time and memory of a sweep with the classifier ``lda``, in one process."""
    sizes = planned.sizes
    start = next(p for p in growth_table() if (p.part, p.setting) == (KERNEL, START))
    once, each = _seconds_of(REFERENCE), _seconds_of(COMPARISON)
    work = [("", once, planned.splits, 0.0)]
    work += [(key, _seconds_of(key), planned.cells(key), each.at(sizes)) for key in planned.algorithms]
    shares = [(key, times * (model.at(planned.sizes_of(key)) + more)) for key, model, times, more in work]
    total = start.seconds + sum(seconds for _, seconds in shares)
    spread = sum(seconds * model.spread for (_, seconds), (_, model, *_) in zip(shares, work, strict=True))
    factor = (spread + start.seconds) / total
    megabytes, off = _megabytes(planned, start.megabytes)
    return Forecast(
        total * speed.mean, total * speed.least / factor, total * speed.most * factor,
        megabytes, megabytes / off, megabytes * off, tuple((key, seconds * speed.mean) for key, seconds in shares),
    )  # fmt: skip


def _seconds_of(part: str) -> CostModel:
    return cost_model(part, "", "seconds")


def _megabytes(planned: PlannedRun, start: float) -> tuple[float, float]:
    """Memory of a process that computes cells, and how far off it may be: a factor.

    What is kept for the rows of a seed holds a copy of them; where one split serves all, of the test rows alone.
    """
    rows = planned.n * planned.d * planned.entry / 1e6
    held = {**planned.sizes, "n": planned.n * TEST_SHARE} if planned.one_split else planned.sizes
    kept = cost_model(REFERENCE, "", "megabytes")
    most = max((cost_model(key, "", "megabytes") for key in planned.algorithms), key=lambda one: one.at(planned.sizes))
    beside = min(planned.splits, REFERENCES_KEPT) * kept.at(held) + most.at(planned.sizes)
    total = start + rows + beside
    return total, (start + rows + beside * max(kept.spread, most.spread)) / total
