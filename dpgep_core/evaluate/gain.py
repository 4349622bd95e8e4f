"""The smallest ε with most of the accuracy that is gained over a random projection, read off sweeps.

The table ``gain.csv`` is made by ``python benchmarks/gain.py`` from the sweeps in docs/algorithms/gain.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import stdtrit

from dpgep_core.evaluate.threshold import crossing
from dpgep_core.kept_table import kept_records

SHARE = 0.95  # of the gain
EXACT = "exact"  # the method whose accuracy is the one without privacy
SURE = 0.975  # one-sided, of Student's law: a gain that may be none has no share to reach
Row = Mapping[str, str]  # of a table of results, as `csv` reads it
Curve = Mapping[float, Sequence[Row]]  # the rows of one method by ε


@dataclass(frozen=True, slots=True, kw_only=True)
class GainEntry:
    """Where a method reaches `SHARE` of the gain, at its default parameters.

    Parameters
    ----------
    dataset, model, algorithm : str
    epsilon : float
        The ε that is asked for; 0 where the least of the grid reaches it already, infinity where the largest does not.
    accounted : float
        The ε that the ledger proves there; infinity where it proves none, NaN outside the grid.
    least, most : float
        Ends of the grid of ε.
    seeds : int
        Runs at each ε, whose mean accuracy is compared.
    """

    dataset: str
    model: str
    algorithm: str
    epsilon: float
    accounted: float
    least: float
    most: float
    seeds: int


@cache
def gain_table() -> Mapping[tuple[str, str, str], GainEntry]:
    """Everything that was measured, by data set, model and algorithm."""
    entries = kept_records(GainEntry, "evaluate/gain.csv")
    return {(entry.dataset, entry.model, entry.algorithm): entry for entry in entries}


def read_gains(results: Iterable[Row]) -> Iterator[GainEntry]:
    """Read the thresholds off the results of a sweep that holds `EXACT`.

    A data set and a model whose gain may be none, by a 95 % interval over the seeds, give none.

    Parameters
    ----------
    results : iterable of mapping
        Rows with ``dataset model algorithm epsilon seed lda_accuracy lda_accuracy_random accounted_epsilon``.
    """
    cases: dict[tuple[str, str], dict[str, dict[float, list[Row]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for row in results:
        place = float(row["epsilon"]) if row["epsilon"] else math.nan
        cases[row["dataset"], row["model"]][row["algorithm"]][place].append(row)
    for (dataset, model), curves in cases.items():
        (exact,) = curves.pop(EXACT).values()
        target = gain_target(
            [float(row["lda_accuracy_random"]) for row in exact], [float(row["lda_accuracy"]) for row in exact]
        )
        if target is not None:
            for algorithm, curve in curves.items():
                yield _read_curve((dataset, model, algorithm), dict(sorted(curve.items())), target)


def gain_target(random: Sequence[float], best: Sequence[float]) -> float | None:
    """The accuracy with `SHARE` of the gain; None where the gain is no more than chance.

    Parameters
    ----------
    random, best : sequence of float
        Accuracy on a random projection and without privacy, seed by seed.
    """
    gains = np.subtract(best, random)
    error = float(gains.std(ddof=1)) / math.sqrt(len(gains))
    if gains.mean() <= float(stdtrit(len(gains) - 1, SURE)) * error:
        return None
    return float(np.mean(random) + SHARE * gains.mean())


def _read_curve(names: tuple[str, str, str], curve: Curve, target: float) -> GainEntry:
    places = list(curve)
    means = [_mean(curve[place], "lda_accuracy") for place in places]
    epsilon = crossing(places, means, target)
    ratios = [_mean(curve[place], "accounted_epsilon") / place for place in places]
    dataset, model, algorithm = names
    return GainEntry(
        dataset=dataset, model=model, algorithm=algorithm, epsilon=epsilon,
        accounted=_between(places, ratios, epsilon) * epsilon if 0 < epsilon < math.inf else math.nan,
        least=places[0], most=places[-1], seeds=len(curve[places[0]]),
    )  # fmt: skip


def _mean(rows: Sequence[Row], column: str) -> float:
    """Mean of a column; an empty ε is no bound, so infinite."""
    return float(np.mean([float(row[column]) if row[column] else math.inf for row in rows]))


def _between(places: Sequence[float], values: Sequence[float], place: float) -> float:
    """A value at a place, by interpolation in the logarithm; infinity beside an infinite one."""
    above = next(i for i, each in enumerate(places) if each >= place)
    if math.inf in values[max(above - 1, 0) : above + 1]:
        return math.inf
    return float(np.interp(math.log(place), np.log(places), values))
