"""Claims of the papers, held against lines: printed values that are met, and methods that are ahead of others.

Sentences and outcomes are made by the numbers: nothing here knows how a run came out.
"""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

from dpgep_core.evaluate.compare import as_large_as
from dpgep_core.experiments.papers.exhibit import ResultLine, grouped
from dpgep_core.experiments.papers.outcome import (
    ENOUGH,
    Outcome,
    Trial,
    constants_in_words,
    outcome,
    rival_in_words,
    variant_in_words,
)
from dpgep_core.experiments.papers.places import RANDOM_METHOD, Labels, Values, place_of, values_of
from dpgep_core.wording import plural, signed_text

SIGNIFICANT_BELOW = 0.05
NOTHING_KNOWN = " So {} as printed cannot be told from one, nor which start and constants it had."
WAY = ("of_method", "calibration", "start")  # labels that tell the variants of a comparison apart


def agreement(lines: Sequence[ResultLine], *, by: Sequence[str], within: float) -> list[str]:
    """How many printed values, in points, are met, for each combination of the labels ``by``."""
    printed = [line for line in lines if line.gap is not None]
    return [
        _agreement_sentence(
            labels_in_words(dict(zip(by, group, strict=True))), [line.gap or 0.0 for line in some], within
        )
        for group, some in grouped(printed, by, absent="none").items()
    ]


def _agreement_sentence(name: str, gaps: Sequence[float], within: float) -> str:
    near = sum(abs(gap) <= within for gap in gaps)
    word = "reproduced" if near == len(gaps) else "not reproduced" if 2 * near < len(gaps) else "reproduced in part"
    if len(gaps) == 1:
        return f"{name}: {word}, {signed_text(gaps[0], 1)} points from the printed value."
    return (
        f"{name}: {word}, {near} of {len(gaps)} values within {within:g} points of the printed ones "
        f"(on average {signed_text(fmean(gaps), 1)}, at most {max(abs(gap) for gap in gaps):.1f} off)."
    )


def floors(lines: Sequence[ResultLine], ours: str) -> list[str]:
    """How often our own method is at least as good as the others, and how far from no privacy."""
    rivals = [line for line in lines if line.labels["calibration"] != "none" and line.labels["method"] != ours]
    honest = [line for line in rivals if _can_guarantee(line)]
    best = values_of(lines, {"method": ours})
    said: list[str] = []
    for some, name in ((rivals, "every other noisy result, with or without a guarantee"),
                       (honest, "every other one whose guarantee can hold")):  # fmt: skip
        others = _best(some)
        both = [place for place in best if place in others]
        if both:
            ahead = sum(as_large_as(best[place], others[place]) for place in both)
            said.append(f"{ours} is level with or ahead of {name}, in {ahead} of {len(both)} places.")
    ceiling = values_of(lines, {"method": "non-private"})
    lost = [ceiling[place] - best[place] for place in best if place in ceiling]
    return said + ([f"{ours} is {fmean(lost):.1f} below no privacy on average."] if lost else [])


def _can_guarantee(line: ResultLine) -> bool:
    """Not from an oracle start, not with constants of 1, and not DPSR, which releases eigenvalues as they are."""
    proved = line.labels["calibration"] in ("published", "exact")
    return proved and line.labels["start"] != "oracle" and line.labels["method"] != "DPSR"


def _best(lines: Sequence[ResultLine]) -> Values:
    best: Values = {}
    for line in lines:
        if line.ours is not None:
            best[place_of(line)] = max(best.get(place_of(line), line.ours), line.ours)
    return best


def significance(lines: Sequence[ResultLine]) -> list[str]:
    """Whether p falls on the printed side of 5 %, and whether the method that is ahead is the paper's."""
    found: list[str] = []
    for (ours, calibration, start), some in grouped([line for line in lines if line.gap is not None], WAY).items():
        own, theirs = constants_in_words(ours), constants_in_words(calibration)
        pair = f"DPSR ({own}) against DPRF ({theirs}, {start} start)"
        if claimed := list(filter(_claimed_significant, some)):
            here, otherwise = (_count_significant(claimed, name) for name in ("DPSR", "DPRF"))
            found.append(
                f"{pair}: of {plural(len(claimed), 'significant advantage')} of DPSR in the paper {here} come out so, "
                f"and {otherwise} the other way, significantly."
            )
        if equal := list(filter(_claimed_equal, some)):
            alike = _count_alike(equal)
            found.append(f"{pair}: where the paper finds no difference, none is found here in {alike} of {len(equal)}.")
    few = min((line.runs for line in lines if line.runs), default=0)
    return [*found, f"The fewest pairs behind a p are {few}; p cannot be below {2.0 ** (1 - few):.2g} with so many."]


def labels_in_words(labels: Mapping[str, Any]) -> str:
    """A method with its calibration and start, and where it is looked at, in words."""
    rule, start = labels.get("calibration", "none"), labels.get("start", "none")
    words = [*([constants_in_words(rule)] if rule != "none" else []), *([f"{start} start"] if start != "none" else [])]
    where = "".join(f"{labels[name]}, " for name in ("measure", "data") if name in labels)
    return where + labels["method"] + (f" ({', '.join(words)})" if words else "")


def has_proof(labels: Labels) -> bool:
    """Whether a proof covers the constants: not where they are set to 1, and not the published ones of DP-VRPCA."""
    return labels["calibration"] != "unit" and (labels["method"], labels["calibration"]) != ("DP-VRPCA", "published")


def of_printed(
    lines: Sequence[ResultLine], within: float, subject: Callable[[Labels], str] = lambda labels: labels["method"]
) -> list[Outcome]:
    """Whether the printed values are met, for each method, and whether a random projection meets them too."""
    printed = [line for line in lines if line.gap is not None]
    groups: dict[str, list[ResultLine]] = {}
    for line in printed:
        groups.setdefault(subject(line.labels), []).append(line)
    chance = values_of(lines, {"method": RANDOM_METHOD})
    found: list[Outcome] = []
    for name, own in groups.items():
        ways = [
            Trial(name=variant_in_words(rule, start), held=sum(abs(line.gap or 0.0) <= within for line in some),
                  of=len(some), proved=has_proof(some[0].labels), oracle=start == "oracle")
            for (rule, start), some in grouped(own, WAY[1:], absent="none").items()
        ]  # fmt: skip
        found += outcome(name, ways, _by_chance(own, chance, within))
    return found


def _by_chance(some: Sequence[ResultLine], chance: Values, within: float) -> Trial:
    printed = {place_of(line): line.published for line in some if line.published is not None}
    both = [abs(chance[place] - value) <= within for place, value in printed.items() if place in chance]
    return Trial(name="", held=sum(both), of=len(both))


def best_matches(lines: Sequence[ResultLine], within: float) -> list[str]:
    """Name the method, the paper's or another, that meets the most of each method's printed values.

    Values that several methods meet do not say which of them the paper ran.
    """
    printed: dict[str, Values] = {}
    ways: dict[tuple[str, str, str], Values] = {}
    for line in lines:
        name = line.labels["method"], line.labels["calibration"], line.labels["start"]
        if line.ours is not None:
            ways.setdefault(name, {})[place_of(line)] = line.ours
        if line.published is not None:
            printed.setdefault(name[0], {})[place_of(line)] = line.published
    said: list[str] = []
    for method, values in printed.items():
        counts = {
            way: sum(abs(ours[place] - value) <= within for place, value in values.items() if place in ours)
            for way, ours in ways.items()
        }
        chance = next((count for way, count in counts.items() if way[0] == RANDOM_METHOD), 0)
        best = max(counts, key=lambda way: counts[way])
        said.append(
            f"{method}'s {len(values)} printed values are met best, {counts[best]} of them, by "
            f"{method_in_words(*best)}; "
            f"a random projection meets {chance}." + NOTHING_KNOWN.format(method) * (chance >= ENOUGH * len(values))
        )
    return said


def method_in_words(method: str, calibration: str, start: str) -> str:
    """A method with its way in words."""
    way = variant_in_words(calibration, start)
    return f"{method} ({way})" if way else method


def of_significance(lines: Sequence[ResultLine], one: str, other: str) -> list[Outcome]:
    """Whether the advantages that the paper finds significant are so here, for each start of the other method."""
    claimed = list(filter(_claimed_significant, lines))
    return _by_start(claimed, f"{one} ahead of", other, lambda some: _count_significant(some, one))


def of_no_difference(lines: Sequence[ResultLine], one: str, other: str) -> list[Outcome]:
    """Whether no difference is found where the paper finds none, for each start of the other method."""
    return _by_start(list(filter(_claimed_equal, lines)), f"no difference of {one} and", other, _count_alike)


def _by_start(
    lines: Sequence[ResultLine], claim: str, other: str, count: Callable[[Sequence[ResultLine]], int]
) -> list[Outcome]:
    """The claim for each start of the other method, over the pairs of constants."""
    found: list[Outcome] = []
    for (start,), own in grouped(lines, ("start",)).items():
        ways = [
            Trial(name=f"{variant_in_words(ours)} against {other} with {variant_in_words(rule)}", held=count(some),
                  of=len(some), proved="unit" not in (ours, rule))
            for (ours, rule), some in grouped(own, WAY[:2]).items()
        ]  # fmt: skip
        found += outcome(rival_in_words(claim, other, start), ways)
    return found


def _claimed_equal(line: ResultLine) -> bool:
    return line.published is not None and line.published >= SIGNIFICANT_BELOW and line.ours is not None


def _claimed_significant(line: ResultLine) -> bool:
    return line.published is not None and line.published < SIGNIFICANT_BELOW and line.ours is not None


def _count_significant(lines: Sequence[ResultLine], ahead: str) -> int:
    """Places where one method is significantly ahead."""
    return sum((line.ours or 0.0) < SIGNIFICANT_BELOW and line.labels["ahead"] == ahead for line in lines)


def _count_alike(lines: Sequence[ResultLine]) -> int:
    """Places where no significant difference is found."""
    return sum((line.ours or 0.0) >= SIGNIFICANT_BELOW for line in lines)
