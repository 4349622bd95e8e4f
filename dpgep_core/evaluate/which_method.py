"""The ε that each sound method needs at its best public setting, read off committed results.

The table ``which_method.csv`` is made by ``python benchmarks/which_method.py`` from docs/algorithms/which-method.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from dpgep_core.evaluate.gain import gain_target
from dpgep_core.evaluate.threshold import crossing
from dpgep_core.kept_table import kept_records

SHARES = (0.95, 0.5)  # of the accuracy gain over a random projection
TWO_STEPS = "ssp steps=2"
ONE_STEP = "ssp steps=1"
OURS = (TWO_STEPS, ONE_STEP)
Row = Mapping[str, str]  # of a table, as `csv` reads it


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The smallest accounted ε at which a method keeps a share of the gain, at its best setting in hindsight.

    Parameters
    ----------
    dataset, model : str
    method : str
        Key of the algorithm; ``ssp`` with its number of steps.
    share : float
        One of `SHARES`.
    epsilon : float
        Accounted; 0 where the least of the grid reaches it already, infinity where the largest does not.
    setting : str
        The setting that reaches it at the least ε; "" where none does.
    least, most : float
        Ends of the grid of ε.
    settings, seeds : int
        Settings that were tried, and runs of each at each ε.
    """

    dataset: str
    model: str
    method: str
    share: float
    epsilon: float
    setting: str
    least: float
    most: float
    settings: int
    seeds: int


@cache
def reach_table() -> tuple[Reach, ...]:
    """Everything that was measured."""
    return kept_records(Reach, "evaluate/which_method.csv")


def read_reaches(levels: Iterable[Row], curves: Iterable[Row]) -> Iterator[Reach]:
    """Read the thresholds off kept results.

    Parameters
    ----------
    levels : iterable of mapping
        ``dataset model seed random exact``: accuracy on a random projection and of the exact answer. A gain that may
        be none by chance over the seeds gives no threshold.
    curves : iterable of mapping
        ``dataset model method setting seeds curve``, where the curve is ``ε:share`` of the gain for each accounted ε,
        over the seeds of that method.
    """
    gains: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for level in levels:
        gains[level["dataset"], level["model"]].append(level)
    found: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in curves:
        found[row["dataset"], row["model"], row["method"]].append(row)
    for (dataset, model, _), rows in found.items():
        own = gains[dataset, model]
        if gain_target([float(row["random"]) for row in own], [float(row["exact"]) for row in own]) is not None:
            yield from (_best(rows, share) for share in SHARES)


def _best(rows: Sequence[Row], share: float) -> Reach:
    """The setting among those of one method that reaches a share at the least ε."""
    curves = [read_curve(row["curve"]) for row in rows]
    places = [crossing(*curve, share) for curve in curves]
    best = min(range(len(rows)), key=places.__getitem__)
    return Reach(
        dataset=rows[0]["dataset"], model=rows[0]["model"], method=rows[0]["method"], share=share,
        epsilon=places[best], setting="" if math.isinf(places[best]) else rows[best]["setting"],
        least=curves[best][0][0], most=curves[best][0][-1], settings=len(rows),
        seeds=min(int(row["seeds"]) for row in rows),
    )  # fmt: skip


def read_curve(text: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The ε of a curve, ascending, and the share at each."""
    points = sorted((float(place), float(value)) for place, value in (pair.split(":") for pair in text.split()))
    return tuple(place for place, _ in points), tuple(value for _, value in points)
