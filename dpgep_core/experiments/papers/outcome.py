"""Verdict on a claim, in a few words that numbers choose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

OWN_METHOD = "(ours)"  # ends the name of a method that no paper has
MET = "met"
NEEDS_CONSTANTS = "needs constants that no proof covers"
NEEDS_START = "needs a start that knows the answer"
NOT = "not reached"
MET_AT_RANDOM = "also met by a random projection"
UNDECIDED = "cannot tell"
OUTCOME_WORDS: Mapping[str, str] = {
    MET: "under the constants or the accounting that is named",
    NEEDS_CONSTANTS: "only with noise that is smaller than any proof allows",
    NEEDS_START: "only where the method starts at the exact answer, which no guarantee covers",
    NOT: "under nothing that was tried",
    MET_AT_RANDOM: "directions that know nothing about the data do as well, so that the claim tells nothing apart",
    UNDECIDED: "the interval is too wide for a verdict, or too few places tell anything",
}
ENOUGH = 0.75  # share of its values, or places, from which a claim counts as met
WHEN_MET = f"A claim about several values or places counts as met from {100 * ENOUGH:.0f} % of them on."
RULE_WORDS: Mapping[str, str] = {
    "published": "the published constants", "exact": "exact accounting", "unit": "constants of 1",
    "valid": "constants that are valid here", "replaced": "the published rule for a replaced row", "none": "",
}  # fmt: skip
START_WORDS: Mapping[str, str] = {"random": "from a random start", "oracle": "from the exact answer"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Outcome of a claim: one of a few words, and the counts behind it.

    ``word`` is one of `OUTCOME_WORDS`, with the constants in ``under``
    where the claim is met.
    """

    subject: str
    word: str
    why: str
    under: str = ""

    @property
    def said(self) -> str:
        """The word with its constants."""
        return f"{self.word} under {self.under}" if self.under else self.word


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How a method was run, and in how many of its values or places a claim holds.

    ``proved`` is whether its constants are; ``oracle`` is whether it starts at the exact answer.
    """

    name: str
    held: int
    of: int
    proved: bool = True
    oracle: bool = False

    @property
    def met(self) -> bool:
        """In enough of them."""
        return self.of > 0 and self.held >= ENOUGH * self.of

    @property
    def said(self) -> str:
        """The counts in words."""
        return f"{self.held} of {self.of}" + (f" under {self.name}" if self.name else "")


def rival_in_words(one: str, other: str, start: str) -> str:
    """A method with the start that another is compared from."""
    return " ".join(filter(None, (one, other, START_WORDS.get(start, ""))))


def constants_in_words(calibration: str) -> str:
    """The constants of a method as a name, as in a legend."""
    return RULE_WORDS.get(calibration, calibration).removeprefix("the ")


def variant_in_words(calibration: str, start: str = "none") -> str:
    """A way in words."""
    rule = RULE_WORDS.get(calibration, calibration)
    return f"{rule}, {start} start" if rule and start != "none" else rule


def outcome(subject: str, ways: Sequence[Trial], by_chance: Trial | None = None) -> list[Outcome]:
    """The word for a claim, alone in a list; the list is empty where nothing was computed.

    ``by_chance`` says in how many of the same values or places a random projection does as well.
    """
    tried = [way for way in ways if way.of]
    if not tried:
        return []
    why = "; ".join(way.said for way in tried)
    if by_chance is not None and by_chance.of:
        why += f"; {by_chance.held} of {by_chance.of} by a random projection"
    if by_chance is not None and by_chance.met:
        return [Outcome(subject=subject, word=MET_AT_RANDOM, why=why)]
    met = [way for way in tried if way.met]
    proved = [way for way in met if way.proved and not way.oracle]
    if proved:
        under = " and under ".join(dict.fromkeys(way.name for way in proved))
        return [Outcome(subject=subject, word=MET, why=why, under=under)]
    own_start = [way for way in met if not way.oracle]
    word = NEEDS_CONSTANTS if own_start else NEEDS_START if met else NOT
    return [Outcome(subject=subject, word=word, why=why)]


def outcome_summary(outcomes: Sequence[Outcome]) -> str:
    """Summarise outcomes in one line, those with the same word together."""
    said: dict[str, list[str]] = {}
    for one in outcomes:
        said.setdefault(one.said, []).append(one.subject)
    return "; ".join(f"{', '.join(subjects)}: {word}" for word, subjects in said.items())
