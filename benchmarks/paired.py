"""Two ways to the same answer, timed in turn in one process on one BLAS thread, so that only their ratio counts."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from typing import Any

from threadpoolctl import threadpool_limits

UNIT_SECONDS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What is compared.

    Parameters
    ----------
    name : str
    ours, other : callable
        Each does the whole work once; ``other`` is None where the peer is not installed.
    unit : {"s", "ms", "µs"}
    note : str
        What the other is, and what is not measured.
    per : int
        Steps in one call: times are divided by it.
    quality : callable or None
        No argument → (ours, other), mean cosine similarity with the exact answer.
    target : float or None
        Ratio to be reached.
    prepare : callable or None
        Called before each time of ours, untimed; ours then takes what it returns.
    """

    name: str
    ours: Callable[..., Any]
    other: Callable[[], Any] | None
    unit: str = "ms"
    note: str = ""
    per: int = 1
    quality: Callable[[], tuple[float, float]] | None = field(default=None)
    target: float | None = None
    prepare: Callable[[], Any] | None = field(default=None)

    def prepared(self) -> Callable[[], Any]:
        """Our work, ready to be timed."""
        return self.ours if self.prepare is None else partial(self.ours, self.prepare())


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One figure: medians of both times, the median of the paired ratios, and how far the same work varies."""

    name: str
    ratio: float | None
    ours: float | None
    other: float | None
    unit: str
    note: str
    noise: float | None = None
    cosine_ours: float | None = None
    cosine_other: float | None = None
    target: float | None = None


def seconds(work: Callable[[], Any]) -> float:
    """Processor time of one call: on a busy machine the wall time tells what else runs there."""
    began = time.process_time()
    work()
    return time.process_time() - began


def measure(comparison: Comparison, pairs: int, *, quality: bool = True) -> Measured:
    """Time ours, ours again and the other in turn. ``noise`` is the median of |first/second − 1| of the same work."""
    common: dict[str, Any] = {
        "name": comparison.name,
        "unit": comparison.unit,
        "note": comparison.note,
        "target": comparison.target,
    }
    if comparison.other is None:
        return Measured(**common, ratio=None, ours=None, other=None)
    with threadpool_limits(1):
        return _timed(comparison, pairs, quality, common)


def _timed(comparison: Comparison, pairs: int, quality: bool, common: dict[str, Any]) -> Measured:
    assert comparison.other is not None
    _ = comparison.prepared()(), comparison.other()  # imports, caches and pages are warm
    mine, again, others = [], [], []
    for _ in range(pairs):
        mine.append(seconds(comparison.prepared()))
        others.append(seconds(comparison.other))
        again.append(seconds(comparison.prepared()))
    ratios = [2 * other / (one + two) for one, other, two in zip(mine, others, again, strict=True)]
    scale = comparison.per * UNIT_SECONDS[comparison.unit]
    found = comparison.quality() if quality and comparison.quality is not None else (None, None)
    return Measured(
        **common,
        ratio=median(ratios),
        ours=median(mine + again) / scale,
        other=median(others) / scale,
        noise=median(abs(one / two - 1) for one, two in zip(mine, again, strict=True)),
        cosine_ours=found[0],
        cosine_other=found[1],
    )
