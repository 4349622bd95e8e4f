"""Claims of the papers, held against lines: printed values that are met, and methods that are ahead of others."""

from collections.abc import Callable, Sequence
from typing import Any

from dpgep_core.evaluate.compare import larger
from dpgep_core.experiments.papers.averages import Labels
from dpgep_core.experiments.papers.exhibit import Outcome, ResultLine
from dpgep_core.experiments.papers.outcomes import ENOUGH, Trial, outcome, variant_in_words
from dpgep_core.experiments.papers.verdicts import SIGNIFICANT_BELOW

RANDOM_METHOD = "random projection"
NOTHING_KNOWN = " So {} as printed knows nothing about the data; which start and constants it had cannot be told."
PLACE = ("metric", "measure", "data", "classifier", "epsilon")

Values = dict[tuple[Any, ...], float]


def has_proof(labels: Labels) -> bool:
    """Whether a proof covers the constants: not where they are set to 1, and not the published ones of DP-VRPCA."""
    return labels["calibration"] != "unit" and (labels["method"], labels["calibration"]) != ("DP-VRPCA", "published")


def of_printed(
    lines: Sequence[ResultLine], within: float, subject: Callable[[Labels], str] = lambda labels: labels["method"]
) -> list[Outcome]:
    """Whether the printed values are met, for each method, and whether a random projection meets them too."""
    groups: dict[str, dict[tuple[str, str], list[ResultLine]]] = {}
    for line in lines:
        if line.gap is not None:
            way = line.labels["calibration"], line.labels.get("start", "none")
            groups.setdefault(subject(line.labels), {}).setdefault(way, []).append(line)
    chance = _places(lines, {"method": RANDOM_METHOD})
    found = [
        outcome(name, [_printed_trial(way, some, within) for way, some in ways.items()],
                 _by_chance([line for some in ways.values() for line in some], chance, within))
        for name, ways in groups.items()
    ]  # fmt: skip
    return [one for one in found if one is not None]


def _printed_trial(way: tuple[str, str], some: Sequence[ResultLine], within: float) -> Trial:
    held = sum(abs(line.gap or 0.0) <= within for line in some)
    return Trial(
        name=variant_in_words(*way),
        held=held,
        of=len(some),
        proved=has_proof(some[0].labels),
        oracle=way[1] == "oracle",
    )


def _by_chance(some: Sequence[ResultLine], chance: Values, within: float) -> Trial:
    printed = {_place(line): line.published for line in some if line.published is not None}
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
            ways.setdefault(name, {})[_place(line)] = line.ours
        if line.published is not None:
            printed.setdefault(name[0], {})[_place(line)] = line.published
    said: list[str] = []
    for method, values in printed.items():
        counts = {way: _count_near(values, ours, within) for way, ours in ways.items()}
        chance = next((count for way, count in counts.items() if way[0] == RANDOM_METHOD), 0)
        best = max(counts, key=lambda way: counts[way])
        said.append(
            f"{method}'s {len(values)} printed values are met best, {counts[best]} of them, by "
            f"{method_in_words(*best)}; "
            f"a random projection meets {chance}." + NOTHING_KNOWN.format(method) * (chance >= ENOUGH * len(values))
        )
    return said


def _count_near(values: Values, ours: Values, within: float) -> int:
    return sum(abs(ours[place] - value) <= within for place, value in values.items() if place in ours)


def method_in_words(method: str, calibration: str, start: str) -> str:
    """A method with its way in words."""
    way = variant_in_words(calibration, start)
    return f"{method} ({way})" if way else method


def of_lead(lines: Sequence[ResultLine], one: str, other: str) -> list[Outcome]:
    """Whether one method is ahead of another at the same constants, and whether a random projection is too.

    The projection is held against the rival that the method does best against, whether that is enough or not: a count
    at the limit does not decide whether the lead says anything.
    """
    rivals = dict.fromkeys((line.labels["calibration"], line.labels["start"]) for line in lines
                           if line.labels["method"] == other)  # fmt: skip
    ways: list[Trial] = []
    values: list[Values] = []
    for rule, start in rivals:
        theirs = _places(lines, {"method": other, "calibration": rule, "start": start})
        name = (
            f"{variant_in_words(rule)} against {start} start of {other}" if start != "none" else variant_in_words(rule)
        )
        way = _ahead(name, _places(lines, {"method": one, "calibration": rule}), theirs, rule != "unit")
        ways.append(way)
        values.append(theirs)
    best = max(range(len(ways)), key=lambda i: ways[i].held / max(1, ways[i].of), default=None)
    projection = _places(lines, {"method": RANDOM_METHOD})
    chance = None if best is None else _ahead("", projection, values[best], holds=True)
    found = outcome(f"{one} ahead of {other}", ways, chance)
    return [] if found is None else [found]


def _ahead(name: str, ours: Values, theirs: Values, holds: bool) -> Trial:
    both = [larger(ours[place], theirs[place]) for place in theirs if place in ours]
    return Trial(name=name, held=sum(both), of=len(both), proved=holds)


def of_significance(lines: Sequence[ResultLine], one: str, other: str) -> list[Outcome]:
    """Whether the advantages that the paper finds significant are so here, for each pair of ways."""
    groups: dict[tuple[str, str, str], list[ResultLine]] = {}
    for line in lines:
        if line.published is not None and line.published < SIGNIFICANT_BELOW and line.ours is not None:
            way = line.labels["of_method"], line.labels["calibration"], line.labels["start"]
            groups.setdefault(way, []).append(line)
    ways = [
        Trial(name=f"{variant_in_words(ours)} against {other} with {variant_in_words(rule, start)}", of=len(some),
            held=sum((line.ours or 0.0) < SIGNIFICANT_BELOW and line.labels["ahead"] == one for line in some),
            proved="unit" not in (ours, rule))
        for (ours, rule, start), some in groups.items()
    ]  # fmt: skip
    found = outcome(f"{one} ahead of {other}", ways)
    return [] if found is None else [found]


def _place(line: ResultLine) -> tuple[Any, ...]:
    return tuple(line.labels.get(name) for name in PLACE)


def _places(lines: Sequence[ResultLine], wanted: Labels) -> Values:
    return {
        _place(line): line.ours
        for line in lines
        if line.ours is not None and all(line.labels.get(name) == value for name, value in wanted.items())
    }
