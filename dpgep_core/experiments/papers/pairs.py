"""Signed-rank tests between methods, on runs with the same seed."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from dpgep_core.evaluate.compare import larger, signed_rank
from dpgep_core.experiments.papers import published
from dpgep_core.experiments.papers.averages import percent
from dpgep_core.experiments.papers.exhibit import ResultLine, RunRecord

MethodVariant = tuple[str, str, str]  # method, calibration, start


def signed_rank_lines(
    records: Sequence[RunRecord], rivals: Sequence[tuple[MethodVariant, MethodVariant]]
) -> list[ResultLine]:
    """A line with p for each data set, classifier and pair of ways that were run; 'ahead' has the larger mean."""
    scores: dict[tuple[str, str], dict[MethodVariant, dict[int, float]]] = {}
    for record in records:
        value = percent("accuracy")(record) if "error" not in record else None
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
