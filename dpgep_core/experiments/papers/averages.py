"""From the records of runs to lines: means with their scatter, or medians with quantiles and failed draws."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean, median, stdev
from typing import Any

import numpy as np

from dpgep_core.evaluate.compare import larger, signed_rank
from dpgep_core.experiments.papers import published
from dpgep_core.experiments.papers.exhibit import ResultLine, RunRecord
from dpgep_core.experiments.papers.places import Labels

MEDIAN_QUANTILES = (0.1, 0.9)  # quantiles beside a median


def mean_lines(
    records: Sequence[RunRecord],
    by: Sequence[str],
    value: Callable[[RunRecord], float | None],
    published: Callable[[Labels], float | None] = lambda _: None,
) -> list[ResultLine]:
    """A line with the mean for each combination of the labels ``by``, in order of appearance."""
    return [
        ResultLine(
            labels=labels,
            published=published(labels),
            ours=fmean(numbers) if numbers else None,
            spread=stdev(numbers) if len(numbers) > 1 else None,
            runs=len(numbers),
        )
        for labels, numbers in _groups(records, by, value)
    ]


def median_lines(
    records: Sequence[RunRecord], by: Sequence[str], value: Callable[[RunRecord], float | None], *, failed: float
) -> list[ResultLine]:
    """A line with the median, the quantiles of `QUANTILES` and the number of draws above ``failed``, for each group.

    For values of which some draws are of another size altogether: such draws alone decide the mean.
    """
    lines: list[ResultLine] = []
    for labels, numbers in _groups(records, by, value):
        band = tuple(map(float, np.quantile(numbers, MEDIAN_QUANTILES))) if numbers else (None, None)
        lines.append(
            ResultLine(
                labels=labels,
                published=None,
                ours=median(numbers) if numbers else None,
                low=band[0],
                high=band[1],
                failed=sum(number > failed for number in numbers),
                runs=len(numbers),
            )
        )
    return lines


def _groups(
    records: Sequence[RunRecord], by: Sequence[str], value: Callable[[RunRecord], float | None]
) -> Iterator[tuple[dict[str, Any], list[float]]]:
    groups: dict[tuple[Any, ...], list[float]] = {}
    for record in records:
        found = groups.setdefault(tuple(record[name] for name in by), [])
        if "error" not in record and (number := value(record)) is not None:
            found.append(number)
    for group, numbers in groups.items():
        yield dict(zip(by, group, strict=True)), numbers


def percent(record: RunRecord, metric: str) -> float | None:
    """A score of a record's classifier in percent: of the exact or the random projection, where its kind says so."""
    value = record.get(f"{record['classifier']}_{metric}{record.get('kind', '')}")
    return None if value is None else 100 * value


MethodVariant = tuple[str, str, str]  # method, calibration, start


def signed_rank_lines(
    records: Sequence[RunRecord], rivals: Sequence[tuple[MethodVariant, MethodVariant]]
) -> list[ResultLine]:
    """A line with p for each data set, classifier and pair of ways that were run; 'ahead' has the larger mean."""
    scores: dict[tuple[str, str], dict[MethodVariant, dict[int, float]]] = {}
    for record in records:
        value = percent(record, "accuracy") if "error" not in record else None
        if value is not None:
            place = scores.setdefault((record["data"], record["classifier"]), {})
            place.setdefault((record["method"], record["calibration"], record["start"]), {})[record["seed"]] = value
    return [
        _line(data, classifier, one, other, found)
        for (data, classifier), found in scores.items()
        for one, other in rivals
        if one in found and other in found
    ]


def _line(
    data: str,
    classifier: str,
    one: MethodVariant,
    other: MethodVariant,
    found: Mapping[MethodVariant, Mapping[int, float]],
) -> ResultLine:
    first, second = found[one], found[other]
    result = signed_rank(first, second)
    labels = {"data": data, "classifier": classifier, "method": one[0], "of_method": one[1], "against": other[0],
              "calibration": other[1], "start": other[2], "ahead": "neither"}  # fmt: skip
    known = published.chen_table_3(data, classifier) if one[0] == "DPSR" else None
    if result is None:
        return ResultLine(labels=labels, published=known, ours=None)
    means = [fmean(values[seed] for seed in first.keys() & second.keys()) for values in (first, second)]
    ahead = one[0] if larger(*means) else other[0] if larger(*reversed(means)) else "neither"
    return ResultLine(labels=labels | {"ahead": ahead}, published=known, ours=result.p, runs=result.pairs)
