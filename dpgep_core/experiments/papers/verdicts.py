"""Sentences that the numbers make: nothing here knows how a run came out."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from dpgep_core.evaluate.compare import as_large_as, larger
from dpgep_core.experiments.papers.exhibit import ResultLine

SIGNIFICANT_BELOW = 0.05
PLACE_LABELS = ("data", "classifier", "metric", "epsilon")


def agreement(lines: Sequence[ResultLine], *, by: Sequence[str], within: float, unit: str) -> list[str]:
    """How many printed values are met, for each combination of the labels ``by``."""
    groups: dict[tuple[Any, ...], list[float]] = {}
    for line in lines:
        if line.gap is not None:
            groups.setdefault(tuple(line.labels[name] for name in by), []).append(line.gap)
    return [
        _agreement_sentence(labels_in_words(dict(zip(by, group, strict=True))), gaps, within, unit)
        for group, gaps in groups.items()
    ]


def _agreement_sentence(name: str, gaps: Sequence[float], within: float, unit: str) -> str:
    near = sum(abs(gap) <= within for gap in gaps)
    word = "reproduced" if near == len(gaps) else "not reproduced" if 2 * near < len(gaps) else "reproduced in part"
    if len(gaps) == 1:
        return f"{name}: {word}, {gaps[0]:+.1f} {unit} from the printed value."
    return (
        f"{name}: {word}, {near} of {len(gaps)} values within {within:g} {unit} of the printed ones "
        f"(on average {fmean(gaps):+.1f}, at most {max(abs(gap) for gap in gaps):.1f} off)."
    )


def comparison(lines: Sequence[ResultLine], one: str, other: str, *, expected: str) -> list[str]:
    """In how many places one method is ahead of another, for each calibration and start of the other."""
    rivals = dict.fromkeys(
        (line.labels["calibration"], line.labels["start"]) for line in lines if line.labels["method"] == other
    )
    found: list[str] = []
    for calibration, start in rivals:
        ours = _places(lines, one, calibration)
        theirs = _places(lines, other, calibration, start)
        both = [place for place in ours if place in theirs]
        if both:
            ahead = sum(larger(ours[place], theirs[place]) for place in both)
            name = labels_in_words({"method": other, "calibration": calibration, "start": start})
            found.append(
                f"{one} ({calibration} constants) is ahead of {name} in {ahead} of {len(both)} places; {expected}."
            )
    return found


def floors(lines: Sequence[ResultLine], ours: str) -> list[str]:
    """How often our own method is at least as good as the others, and how far from no privacy."""
    rivals = [line for line in lines if line.labels["calibration"] != "none" and line.labels["method"] != ours]
    honest = [line for line in rivals if _can_guarantee(line)]
    best = _places(lines, ours)
    said: list[str] = []
    for some, name in ((rivals, "every other noisy result, with or without a guarantee"),
                       (honest, "every other one whose guarantee can hold")):  # fmt: skip
        others = _best(some)
        both = [place for place in best if place in others]
        if both:
            ahead = sum(as_large_as(best[place], others[place]) for place in both)
            said.append(f"{ours} is level with or ahead of {name}, in {ahead} of {len(both)} places.")
    ceiling = _places(lines, "non-private")
    lost = [ceiling[place] - best[place] for place in best if place in ceiling]
    return said + ([f"{ours} is {fmean(lost):.1f} below no privacy on average."] if lost else [])


def _can_guarantee(line: ResultLine) -> bool:
    """Not from an oracle start, not with constants of 1, and not DPSR, which releases eigenvalues as they are."""
    proved = line.labels["calibration"] in ("published", "exact")
    return proved and line.labels["start"] != "oracle" and line.labels["method"] != "DPSR"


def _best(lines: Sequence[ResultLine]) -> dict[tuple[Any, ...], float]:
    best: dict[tuple[Any, ...], float] = {}
    for line in lines:
        if line.ours is not None:
            best[_place(line)] = max(best.get(_place(line), line.ours), line.ours)
    return best


def significance(lines: Sequence[ResultLine]) -> list[str]:
    """Whether p falls on the printed side of 5 %, and whether the method that is ahead is the paper's."""
    groups: dict[tuple[str, ...], list[ResultLine]] = {}
    for line in lines:
        if line.published is not None and line.ours is not None:
            way = tuple(line.labels[name] for name in ("of_method", "calibration", "start"))
            groups.setdefault(way, []).append(line)
    found: list[str] = []
    for (ours, calibration, start), some in groups.items():
        claimed = [line for line in some if line.published is not None and line.published < SIGNIFICANT_BELOW]
        held = sum((line.ours or 0.0) < SIGNIFICANT_BELOW and line.labels["ahead"] == "DPSR" for line in claimed)
        against = sum((line.ours or 0.0) < SIGNIFICANT_BELOW and line.labels["ahead"] == "DPRF" for line in claimed)
        found.append(
            f"DPSR ({ours} constants) against DPRF ({calibration} constants, {start} start): of {len(claimed)} "
            f"advantages of DPSR that the paper finds significant, {held} are significant here, and {against} are "
            "significant the other way."
        )
    few = min((line.runs for line in lines if line.runs), default=0)
    return [*found, f"The fewest pairs behind a p are {few}; p cannot be below {2.0 ** (1 - few):.2g} with so many."]


def labels_in_words(labels: Mapping[str, Any]) -> str:
    """A method with its calibration and start, and where it is looked at, in words."""
    rule, start = labels.get("calibration", "none"), labels.get("start", "none")
    words = [*([f"{rule} constants"] if rule != "none" else []), *([f"{start} start"] if start != "none" else [])]
    where = "".join(f"{labels[name]}, " for name in ("measure", "data") if name in labels)
    return where + labels["method"] + (f" ({', '.join(words)})" if words else "")


def _place(line: ResultLine) -> tuple[Any, ...]:
    return tuple(line.labels.get(name) for name in PLACE_LABELS)


def _places(
    lines: Sequence[ResultLine], method: str, calibration: str | None = None, start: str | None = None
) -> dict[tuple[Any, ...], float]:
    return {
        _place(line): line.ours
        for line in lines
        if line.ours is not None
        and line.labels["method"] == method
        and calibration in (None, line.labels["calibration"])
        and start in (None, line.labels["start"])
    }
