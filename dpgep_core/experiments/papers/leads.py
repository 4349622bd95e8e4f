"""Leads: one method ahead of another, judged in the places that tell something.

Two means of a few runs differ by chance, and where neither method is of more use than directions that know nothing
about the data, a lead is worth nothing though it may be real.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dpgep_core.evaluate.compare import larger
from dpgep_core.experiments.papers.claims import labels_in_words
from dpgep_core.experiments.papers.exhibit import ResultLine
from dpgep_core.experiments.papers.outcome import (
    UNDECIDED,
    Outcome,
    Trial,
    constants_in_words,
    outcome,
    rival_in_words,
    variant_in_words,
)
from dpgep_core.experiments.papers.places import (
    CLEAR,
    CONFIDENCE,
    RANDOM_METHOD,
    Labels,
    Place,
    is_clearly_above,
    lines_at,
)
from dpgep_core.wording import plural

FEW = 3  # places that tell something, with fewer of which no verdict is given
TELLING = "in which the two differ clearly and the higher one is clearly above a random projection"
LEAD_NOTE = (
    f"A lead is judged in the places {TELLING}. Clearly means by more than {CLEAR:g} point and by more than what two "
    f"means of so few runs differ by chance (Student's {CONFIDENCE:.0%} interval, with the larger of the two spreads). "
    f"With fewer than {FEW} such places, or one run behind a value, no verdict is given. Each seed has a random "
    "projection of its own."
)


@dataclass(frozen=True, slots=True)
class Lead:
    """A method against one variant ``rival`` of another.

    ``both`` are the places where both were run, ``ahead`` those where the method has the larger value; ``won`` and
    ``lost`` are the places that tell something.
    """

    rival: Labels
    both: frozenset[Place]
    ahead: frozenset[Place]
    won: frozenset[Place]
    lost: frozenset[Place]

    @property
    def telling(self) -> int:
        """How many places tell something."""
        return len(self.won) + len(self.lost)


def comparison(lines: Sequence[ResultLine], one: str, other: str, *, expected: str) -> list[str]:
    """In how many places one method is ahead of another, for each calibration and start of the other."""
    found: list[str] = []
    for lead in _leads(lines, one, other):
        own, theirs = constants_in_words(lead.rival["calibration"]), labels_in_words(lead.rival)
        told = f"in {len(lead.won)} of the {lead.telling}" if lead.telling else "none of them is one"
        counts = f"{len(lead.ahead)} of {plural(len(lead.both), 'place')}, and {told} {TELLING}"
        found.append(f"{one} ({own}) is ahead of {theirs} in {counts}; {expected}.")
    return found


def of_lead(lines: Sequence[ResultLine], one: str, other: str) -> list[Outcome]:
    """Whether one method is ahead of another at the same constants, for each start of the other."""
    leads = _leads(lines, one, other)
    starts = dict.fromkeys(lead.rival["start"] for lead in leads)
    return [_outcome(rival_in_words(f"{one} ahead of", other, start), _with_start(leads, start)) for start in starts]


def _with_start(leads: Sequence[Lead], start: str) -> list[Lead]:
    return [lead for lead in leads if lead.rival["start"] == start]


def _outcome(subject: str, leads: Sequence[Lead]) -> Outcome:
    ways = [
        Trial(name=variant_in_words(lead.rival["calibration"]), held=len(lead.won), of=lead.telling,
              proved=lead.rival["calibration"] != "unit")
        for lead in leads if lead.telling >= FEW
    ]  # fmt: skip
    if ways:
        (found,) = outcome(subject, ways)
        return replace(found, why=f"{found.why} (of the places {TELLING})")
    most = max(leads, key=lambda lead: lead.telling)
    why = f"{most.telling} of {plural(len(most.both), 'place')} {TELLING}"
    return Outcome(subject=subject, word=UNDECIDED, why=why)


def _leads(lines: Sequence[ResultLine], one: str, other: str) -> list[Lead]:
    """The method against each variant of the other, at the same constants."""
    chance = lines_at(lines, {"method": RANDOM_METHOD})
    found: list[Lead] = []
    for rule, start in dict.fromkeys((line.labels["calibration"], line.labels["start"]) for line in lines
                                     if line.labels["method"] == other):  # fmt: skip
        rival = {"method": other, "calibration": rule, "start": start}
        ours, theirs = lines_at(lines, {"method": one, "calibration": rule}), lines_at(lines, rival)
        both = frozenset(ours.keys() & theirs.keys())
        useful = {place for place in both if place in chance}
        won, lost = (
            frozenset(at for at in useful if is_clearly_above(a[at], b[at]) and is_clearly_above(a[at], chance[at]))
            for a, b in ((ours, theirs), (theirs, ours))
        )
        ahead = frozenset(at for at in both if larger(ours[at].ours or 0.0, theirs[at].ours or 0.0))
        if both:
            found.append(Lead(rival, both, ahead, won, lost))
    return found
