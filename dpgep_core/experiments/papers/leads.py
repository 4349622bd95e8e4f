"""Leads: one method ahead of another, counted where either knows more than a random projection.

Where both are at the level of directions that know nothing about the data, who is ahead is a coin's decision.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from dpgep_core.evaluate.compare import larger
from dpgep_core.experiments.papers.claims import labels_in_words
from dpgep_core.experiments.papers.exhibit import (
    MET_AT_RANDOM,
    UNDECIDED,
    Outcome,
    ResultLine,
    Trial,
    constants_in_words,
    outcome,
    variant_in_words,
)
from dpgep_core.experiments.papers.places import RANDOM_METHOD, Labels, Place, lines_of, place_of, values_of
from dpgep_core.wording import plural

CLEAR = 1.0  # points above a random projection, the least that is clear of it
DEVIATIONS = 3.0  # and so many standard deviations of the difference of the two means
CLEAR_ALONE = 3.0  # points, where one run is behind a value, whose deviation nobody knows
FEW = 3  # places that are clear, with fewer of which nothing is told
CLEAR_WORDS = "in which either is clear of a random projection"
CLEAR_NOTE = (
    "A lead counts in the places where either method is clear of a random projection: by a point, and by three "
    "standard deviations of the difference of the two means (three points where one run is behind them). Elsewhere "
    "both are at chance, and who is ahead means nothing. With fewer than three such places nothing is told. Each seed "
    "has a random projection of its own."
)


@dataclass(frozen=True, slots=True)
class Lead:
    """A method against one variant ``rival`` of another: where both were run, where it is ahead, and where that tells.

    ``telling`` are the places in which either is clear of a random projection; all, where none was run.
    """

    rival: Labels
    both: frozenset[Place]
    ahead: frozenset[Place]
    telling: frozenset[Place]


def comparison(lines: Sequence[ResultLine], one: str, other: str, *, expected: str) -> list[str]:
    """In how many places one method is ahead of another, for each calibration and start of the other."""
    found: list[str] = []
    for lead in _leads(lines, one, other):
        own, theirs = constants_in_words(lead.rival["calibration"]), labels_in_words(lead.rival)
        counts = f"{len(lead.ahead)} of {plural(len(lead.both), 'place')}{_clear_in_words(lead, lines)}"
        found.append(f"{one} ({own}) is ahead of {theirs} in {counts}; {expected}.")
    return found


def _clear_in_words(lead: Lead, lines: Sequence[ResultLine]) -> str:
    if not lines_of(lines, {"method": RANDOM_METHOD}):
        return ""
    if not lead.telling:
        return f", none of them a place {CLEAR_WORDS}"
    return f", and in {len(lead.ahead & lead.telling)} of the {len(lead.telling)} {CLEAR_WORDS}"


def of_lead(lines: Sequence[ResultLine], one: str, other: str) -> list[Outcome]:
    """Whether one method is ahead of another at the same constants, where either is clear of a random projection."""
    leads, subject = _leads(lines, one, other), f"{one} ahead of {other}"
    if not lines_of(lines, {"method": RANDOM_METHOD}):
        return outcome(subject, [_trial(lead, other) for lead in leads])
    said = outcome(subject, [_trial(lead, other) for lead in leads if len(lead.telling) >= FEW])
    if said or not leads:
        return [replace(found, why=f"{found.why} (of the places {CLEAR_WORDS})") for found in said]
    most = max(leads, key=lambda lead: len(lead.telling))
    why = f"{len(most.telling)} of {plural(len(most.both), 'place')} {CLEAR_WORDS}"
    return [Outcome(subject=subject, word=UNDECIDED if most.telling else MET_AT_RANDOM, why=why)]


def _trial(lead: Lead, other: str) -> Trial:
    held, of = len(lead.ahead & lead.telling), len(lead.telling)
    return Trial(name=_way_in_words(lead.rival, other), held=held, of=of, proved=lead.rival["calibration"] != "unit")


def _way_in_words(rival: Labels, other: str) -> str:
    against = f" against {rival['start']} start of {other}" if rival["start"] != "none" else ""
    return variant_in_words(rival["calibration"]) + against


def _leads(lines: Sequence[ResultLine], one: str, other: str) -> list[Lead]:
    """The method against each variant of the other, at the same constants."""
    chance = {place_of(line): line for line in lines_of(lines, {"method": RANDOM_METHOD})}
    found: list[Lead] = []
    for rule, start in dict.fromkeys((line.labels["calibration"], line.labels["start"]) for line in lines
                                     if line.labels["method"] == other):  # fmt: skip
        rival = {"method": other, "calibration": rule, "start": start}
        own = {"method": one, "calibration": rule}
        ours, theirs = values_of(lines, own), values_of(lines, rival)
        both = frozenset(ours.keys() & theirs.keys())
        if both:
            ahead = frozenset(place for place in both if larger(ours[place], theirs[place]))
            clear = _clear([*lines_of(lines, own), *lines_of(lines, rival)], chance)
            found.append(Lead(rival, both, ahead, both & clear if chance else both))
    return found


def _clear(lines: Sequence[ResultLine], chance: Mapping[Place, ResultLine]) -> frozenset[Place]:
    """Places in which one of the lines is clear of a random projection."""
    return frozenset(place for line in lines if (place := place_of(line)) in chance and _is_clear(line, chance[place]))


def _is_clear(line: ResultLine, chance: ResultLine) -> bool:
    above = (line.ours or 0.0) - (chance.ours or 0.0)
    if line.spread is None or chance.spread is None:
        return above > CLEAR_ALONE
    widest = max(line.spread, chance.spread)  # the smaller one of two is small by luck as well
    return above > max(CLEAR, DEVIATIONS * widest * sqrt(1 / line.runs + 1 / chance.runs))
