"""Time and memory of every algorithm against n, d, k, m and K over two decades, and their fitted exponents.

    python benchmarks/growth.py                  # measures all, and writes table, page and figure
    python benchmarks/growth.py --only ssp,dprf  # replaces these rows alone
    python benchmarks/growth.py --resume         # goes on after a run that was stopped
    python benchmarks/growth.py --write          # page and figure anew from the table

Seconds are those of the processor on one BLAS thread, medians of repeats with another seed each. Memory is the peak
that `tracemalloc` sees, arrays of numpy among it. Sums over the rows are there before an algorithm is timed.
"""

import argparse
import gc
import itertools
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cached_property, partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from benchmarks.growth_report import write_report  # noqa: E402
from benchmarks.sweep_cost import sweep_cost  # noqa: E402
from benchmarks.tables import read_table, write_table  # noqa: E402
from dpgep_core import Dataset, Release, Setting  # noqa: E402
from dpgep_core.algorithms import ALGORITHMS  # noqa: E402
from dpgep_core.evaluate import Reference  # noqa: E402
from dpgep_core.evaluate.diagnostic import diagnose  # noqa: E402
from dpgep_core.evaluate.forecast import KERNELS, START  # noqa: E402
from dpgep_core.evaluate.growth import (  # noqa: E402
    COMPARISON,
    KERNEL,
    REFERENCE,
    SUMS,
    GrowthPoint,
    declared_parts,
    growth_of,
)
from dpgep_core.kept_table import kept_rows  # noqa: E402
from dpgep_core.models.moments import moments_of  # noqa: E402
from dpgep_core.params import parameters  # noqa: E402
from dpgep_core.solve import plan, run  # noqa: E402

TABLE = HERE / "dpgep_core" / "evaluate" / "growth.csv"
Sizes = dict[str, int]
Key = tuple[str, str, str, int]  # part, setting, what is varied, and its value
# Each size over two decades, the others where the work that it multiplies dominates.
SWEEPS: dict[str, tuple[Sizes, tuple[int, ...]]] = {
    "n": ({"d": 100, "k": 4, "m": 15, "K": 10}, (1000, 3200, 10_000, 32_000, 100_000)),
    "d": ({"n": 10_000, "k": 4, "m": 15, "K": 10}, (10, 32, 100, 320, 1000, 2000)),
    "k": ({"n": 10_000, "d": 250, "m": 15, "K": 128}, (1, 3, 10, 32, 100)),
    "m": ({"n": 10_000, "d": 150, "k": 4, "K": 10}, (2, 6, 20, 63, 200)),
    "K": ({"n": 10_000, "d": 250, "k": 1, "m": 15}, (2, 6, 20, 63, 200)),
}
MOST_COLUMNS = 1000  # for m d³, and for the many rows of the next line
BY_ROWS = ("ssp", 40_000)  # whose passes over the rows outweigh d³ only where rows are many
STOCHASTIC_STEPS = 20  # times as many steps for methods that take one row in each
WARM: set[str] = set()  # parts that have run once in this process
EPSILON = 100.0  # at which no noise drives an iteration out of range and ends it early
MOST_REPEATS, LEAST_REPEATS, ENOUGH_SECONDS = 7, 3, 0.1
LONG_SECONDS = 0.8  # of two repeats, after which there is no third


def dataset_of(sizes: Sizes) -> Dataset:
    """Rows of K classes, the same numbers for the same sizes."""
    rng = np.random.default_rng([sizes["n"], sizes["d"], sizes["K"]])
    y = np.arange(sizes["n"]) % sizes["K"]
    X = rng.standard_normal((sizes["n"], sizes["d"]))
    X[np.arange(sizes["n"]), y % sizes["d"]] += 2
    names = tuple(str(label) for label in range(sizes["K"]))
    return Dataset("growth", "", X, y=y, classes=names)


def with_sums(sizes: Sizes) -> Dataset:
    """Rows whose sums are there already, kept with the data set."""
    data = dataset_of(sizes)
    run(plan(data, setting_of("exact", "", sizes, 0)))
    return data


def setting_of(key: str, told: str, sizes: Sizes, seed: int) -> Setting:
    """The setting of a run, on all rows."""
    entry = ALGORITHMS[key]
    params: dict[str, Any] = {name: int(value) for name, _, value in [told.partition("=")] if name}
    if "n_iterations" in parameters(entry.make):
        params["n_iterations"] = sizes["m"] * steps_of(key)
    model = "fda" if "fda" in entry.models else "pca"
    return Setting(model=model, algorithm=key, epsilon=EPSILON, n_components=sizes["k"], seed=seed, split_seed=0,
                   test_size=0.0, params=tuple(sorted(params.items())))  # fmt: skip


def measured(work: Callable[[int], Callable[[], Any]]) -> tuple[float, float]:
    """Median processor seconds and peak megabytes; ``work`` prepares a call for a seed, untimed."""
    megabytes = peak_of(work(0))
    times: list[float] = []
    while len(times) < LEAST_REPEATS or (sum(times) < ENOUGH_SECONDS and len(times) < MOST_REPEATS):
        if len(times) == 2 and sum(times) > LONG_SECONDS:
            break
        call = work(len(times) + 1)
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    return median(times), megabytes


def peak_of(call: Callable[[], Any]) -> float:
    """Most megabytes taken at a time during a call, beside what was there."""
    gc.collect()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def run_of(data: Dataset, key: str, told: str, sizes: Sizes, seed: int) -> Callable[[], Any]:
    """A run of an algorithm, from the setting on; the sums over the rows are kept with the data set."""
    return lambda: run(plan(data, setting_of(key, told, sizes, seed)))


def sums_of(data: Dataset, _seed: int) -> Callable[[], Any]:
    """The sums over the rows."""
    return partial(moments_of, data.X, data.y, data.n_classes, data.preprocessing)


class Comparisons:
    """Comparisons of runs with the exact answer and a classifier, on rows of which a fifth is held out."""

    def __init__(self, data: Dataset, sizes: Sizes) -> None:
        self._data, self._sizes = data, sizes

    def first(self, _seed: int) -> Callable[[], Any]:
        """The first comparison on these rows, with everything that is made for it."""
        fresh = replace(self._data)  # nothing is kept with it yet
        return lambda: diagnose(Reference.of(fresh, self._setting(0)), self._release, ("lda",))

    def another(self, seed: int) -> Callable[[], Any]:
        """The comparison of one more run."""
        reference, other = self._reference, run(plan(self._data, self._setting(seed + 100)))
        return lambda: diagnose(reference, other, ("lda",))

    def _setting(self, seed: int) -> Setting:
        return replace(setting_of("ssp", "steps=1", self._sizes, seed), test_size=0.2)

    @cached_property
    def _release(self) -> Release:
        return run(plan(self._data, self._setting(0)))

    @cached_property
    def _reference(self) -> Reference:
        reference = Reference.of(self._data, self._setting(0))
        diagnose(reference, self._release, ("lda",))
        return reference


def points_of(varied: str, only: set[str], known: set[Key]) -> Iterator[GrowthPoint]:
    """Every measurement in which one size is varied, but those that are known."""
    base, values = SWEEPS[varied]
    for value in values:
        sizes, data = {**base, varied: value}, None
        for part, told in declared_parts():
            if (only and part not in only) or (part, told, varied, value) in known:
                continue
            entry = ALGORITHMS.get(part)
            steps = entry is not None and "n_iterations" in parameters(entry.make)
            if (varied == "m" and not steps) or (varied == "K" and entry is not None and "fda" not in entry.models):
                continue
            by_rows = (part, told) == (BY_ROWS[0], "") and varied == "d"
            if varied == "d" and value > MOST_COLUMNS and (by_rows or growth_of(part, told).time == "m d^3"):
                continue
            if by_rows:
                many = {**sizes, "n": BY_ROWS[1]}
                yield point_of(with_sums(many), many, varied, part, told)
                continue
            data = with_sums(sizes) if data is None else data
            yield point_of(data, sizes, varied, part, told)


def point_of(data: Dataset, sizes: Sizes, varied: str, part: str, told: str) -> GrowthPoint:
    """Measure one part at some sizes."""
    entry = ALGORITHMS.get(part)
    comparisons = Comparisons(data, sizes)
    work: dict[str, Callable[[int], Callable[[], Any]]] = {
        SUMS: partial(sums_of, data),
        REFERENCE: comparisons.first,
        COMPARISON: comparisons.another,
    }
    asked = work.get(part, partial(run_of, data, part, told, sizes))
    if part not in WARM:
        WARM.add(part)
        asked(0)()  # imports count for no size
    seconds, megabytes = measured(asked)
    model = "fda" if entry is None or "fda" in entry.models else "pca"
    m = dict(setting_of(part, told, sizes, 0).params).get("n_iterations", 0) if entry is not None else 0
    return GrowthPoint(part=part, setting=told, model=model, varied=varied, n=sizes["n"], d=sizes["d"],
                       k=sizes["k"], m=m, classes=sizes["K"], seconds=seconds, megabytes=megabytes)  # fmt: skip


def kernels() -> Iterator[GrowthPoint]:
    """Bare calculations, by which another machine is compared with this one."""
    for name, kernel in KERNELS.items():
        seconds, _ = measured(lambda _seed, kernel=kernel: kernel)
        yield GrowthPoint(part=KERNEL, setting=name, model="", varied="", n=0, d=0, k=0, m=0, classes=0,
                          seconds=seconds, megabytes=1.0)  # fmt: skip


def start() -> GrowthPoint:
    """A sweep of one cell of wine, which takes next to nothing: the start of Python, imports, and files."""
    took = sweep_cost('datasets = ["wine"]\nalgorithms = ["exact"]\n')
    return GrowthPoint(part=KERNEL, setting=START, model="", varied="", n=0, d=0, k=0, m=0, classes=0,
                       seconds=took["seconds"], megabytes=took["megabytes"])  # fmt: skip


def known_key(row: Mapping[str, str]) -> Key:
    """What a row of the table is about."""
    varied = row["varied"]
    value = int(row["classes" if varied == "K" else varied])
    return row["part"], row["setting"], varied, value // (steps_of(row["part"]) if varied == "m" else 1)


def steps_of(part: str) -> int:
    """How many steps stand for one of m: methods that take one row in a step take more of them."""
    return STOCHASTIC_STEPS if part in ("dp_spca", "dp_vrpca") else 1


def measure(only: set[str], resume: bool) -> None:
    """Measure and keep each point at once; what was measured before of other parts stays."""
    old = read_table(TABLE) if only or resume else []
    rows = [row for row in old if row["part"] not in only]
    known = {known_key(row) for row in rows if row["varied"]}
    with threadpool_limits(1):
        first = (kernels(), iter([start()])) if not rows else ()
        for point in itertools.chain(*first, *(points_of(varied, only, known) for varied in SWEEPS)):
            rows += kept_rows([point])
            write_table(TABLE, [field.name for field in fields(GrowthPoint)], rows)
            print(point, f"{time.process_time():.0f} s", flush=True)


def main() -> None:
    """Measure, or write page and figure alone."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--only", default="", help="keys of algorithms and parts, between commas")
    parser.add_argument("--resume", action="store_true", help="keep the table and measure what is not in it")
    parser.add_argument("--write", action="store_true", help="page and figure from the table, without measuring")
    given = parser.parse_args()
    if not given.write:
        measure(set(filter(None, given.only.split(","))), given.resume)
    write_report()


if __name__ == "__main__":
    main()
