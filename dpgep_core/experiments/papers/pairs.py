"""Signed-rank tests between methods, on runs with the same seed."""

from collections.abc import Mapping, Sequence

from scipy import stats

from dpgep_core.experiments.papers import published
from dpgep_core.experiments.papers.exhibit import Line, Record, percent

Way = tuple[str, str, str]  # method, calibration, start


def paired(records: Sequence[Record], rivals: Sequence[tuple[Way, Way]]) -> list[Line]:
    """A line with p for each data set, classifier and pair of ways that were run; 'ahead' has the larger mean."""
    scores: dict[tuple[str, str], dict[Way, dict[int, float]]] = {}
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


def _line(data: str, classifier: str, one: Way, other: Way, found: Mapping[Way, Mapping[int, float]]) -> Line:
    first, second = found[one], found[other]
    gaps = [first[seed] - second[seed] for seed in sorted(first.keys() & second.keys())]
    labels = {"data": data, "classifier": classifier, "method": one[0], "of_method": one[1], "against": other[0],
              "calibration": other[1], "start": other[2], "ahead": _ahead(gaps, one[0], other[0])}  # fmt: skip
    known = published.chen_table_3(data, classifier) if one[0] == "DPSR" else None
    return Line(labels=labels, published=known, ours=wilcoxon(gaps), runs=len(gaps))


def _ahead(gaps: Sequence[float], one: str, other: str) -> str:
    total = sum(gaps)
    return "neither" if not total else one if total > 0 else other


def wilcoxon(gaps: Sequence[float]) -> float | None:
    """Two-sided p of the signed-rank test; 1 where all differences are zero, None where there is none."""
    if not gaps:
        return None
    return float(stats.wilcoxon(gaps).pvalue) if any(gaps) else 1.0
