"""All figures of ``dpgep bench``, and what is done with them."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks import core, rows, versions
from benchmarks.paired import Comparison, Measured, measure
from benchmarks.scene import Scene

COMMITTED = Path(__file__).with_name("committed.json")
HALVED = 0.5
PAIRS, QUICK_PAIRS = 7, 3
SLOW = {"dpsr", "dpsr_corrected", "moments", "scikit-learn PCA", "scikit-learn LDA"}
SLOW_PAIRS = 3
ALGORITHMS = 10  # figures of algorithms, which come first


Progress = Callable[[Measured], None] | None


def run(*, quick: bool = False, only: str = "", quality: bool = False, progress: Progress = None) -> list[Measured]:
    """Measure everything; ``quick`` measures the algorithms alone in fewer pairs, and quality where asked for."""
    scene = Scene()
    return _measured(core.comparisons(scene) if quick else every(scene), quick, quality or not quick, only, progress)


def every(scene: Scene) -> Iterator[Comparison]:
    """All comparisons, those of the algorithms first."""
    return chain(core.comparisons(scene), rows.comparisons(scene))


def run_beside(before: str, *, quick: bool, progress: Progress) -> list[list[Measured]]:
    """Algorithms of another checkout and of this one, each measured right after the other, then the rest of ours."""
    names = [one["name"] for one in json.loads(COMMITTED.read_text("utf-8"))["now"]][:ALGORITHMS]
    found: list[list[Measured]] = [[], []]
    for both in versions.pairs(before, names, quality=not quick):
        for one, kept in zip(both, found, strict=True):
            kept.append(one)
            if progress is not None:
                progress(one)
    if not quick:
        found[1] += _measured(rows.comparisons(Scene()), False, True, "", progress)
    return found


def _measured(
    comparisons: Iterator[Comparison], quick: bool, quality: bool, only: str, progress: Progress
) -> list[Measured]:
    found: list[Measured] = []
    for comparison in comparisons:
        if only in ("", comparison.name):
            found.append(measure(comparison, _pairs(comparison.name, quick=quick), quality=quality))
            if progress is not None:
                progress(found[-1])
        if only and found:
            break
    return found


def _pairs(name: str, *, quick: bool) -> int:
    if quick:
        return 2 if name in SLOW else QUICK_PAIRS
    return SLOW_PAIRS if name in SLOW else PAIRS


def as_json(found: Sequence[Measured]) -> list[dict[str, Any]]:
    """The contract's list of objects."""
    return [asdict(one) for one in found]


def committed() -> dict[str, float]:
    """The ratios that were measured last, by name; the target where that is less, since very short times vary most."""
    kept = json.loads(COMMITTED.read_text("utf-8"))["now"]
    return {one["name"]: min(one["ratio"], one["target"] or one["ratio"]) for one in kept if one["ratio"]}


def halved(found: Iterable[Measured], before: dict[str, float]) -> list[str]:
    """Figures whose ratio is less than half of the committed one, in words."""
    return [
        f"{one.name}: {one.ratio:.2g} times faster than the other, {before[one.name]:.2g} when it was committed"
        for one in found
        if one.ratio is not None and one.name in before and one.ratio < HALVED * before[one.name]
    ]
