"""Cards of the gallery of exhibits: the words of each verdict, what a choice shows, and the line on top."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dpgep_core.experiments.papers import EXHIBITS, Reproduction
from dpgep_core.experiments.papers.data import SOURCES
from dpgep_core.experiments.papers.exhibit import Exhibit
from dpgep_core.experiments.papers.outcome import MET, MET_AT_RANDOM, NEEDS_CONSTANTS, NEEDS_START, NOT, UNDECIDED
from dpgep_core.wording import plural

NOT_RUN = "not run"
PANEL = "panel"  # which panels of an exhibit are shown, in the session and in the address
PICKS = r"[a-z]+:[^;:]{1,60}(;[a-z]+:[^;:]{1,60}){0,9}"  # label:value, and so on
EVERY = ""  # the choice that leaves nothing out
BADGE_COLOURS: Mapping[str, str] = {
    MET: "green", NEEDS_CONSTANTS: "orange", NEEDS_START: "orange", MET_AT_RANDOM: "orange", NOT: "red",
    UNDECIDED: "gray", NOT_RUN: "gray",
}  # fmt: skip
CHIP_WORDS: Mapping[str, str] = {
    MET: "met", NEEDS_CONSTANTS: "needs unproved constants", NEEDS_START: "needs an oracle start",
    MET_AT_RANDOM: "also met at random", NOT: "not reached", UNDECIDED: "cannot tell", NOT_RUN: NOT_RUN,
}  # fmt: skip
VERDICT_SLUGS: Mapping[str, str] = {
    "met": MET, "constants": NEEDS_CONSTANTS, "start": NEEDS_START, "random": MET_AT_RANDOM, "not-met": NOT,
    "undecided": UNDECIDED, "not-run": NOT_RUN,
}  # fmt: skip
PAPER_SLUGS: dict[str, str] = {
    "-".join(found.key.split("-")[:2]) if "supplement" in found.key else found.key.split("-")[0]: found.paper
    for found in EXHIBITS.values()
}
GALLERY_DATA = tuple(name for name in SOURCES if any(name in found.data for found in EXHIBITS.values()))


@dataclass(frozen=True, slots=True)
class Card:
    """One exhibit in the gallery, with its kept results; ``found`` is None where none come with the lab."""

    exhibit: Exhibit
    found: Reproduction | None

    @property
    def words(self) -> tuple[str, ...]:
        """Word of each claim, in the paper's order; `NOT_RUN` alone where nothing was run."""
        return (NOT_RUN,) if self.found is None else tuple(one.word for one in self.found.outcomes)

    @property
    def chips(self) -> str:
        """Verdicts as badges in Markdown, equal ones together with their number."""
        return claim_chips(self.words)

    @property
    def claims(self) -> tuple[tuple[str, str], ...]:
        """Subject and word of each claim, in the paper's order."""
        return (("", NOT_RUN),) if self.found is None else tuple((one.subject, one.word) for one in self.found.outcomes)

    def words_on(self, *, paper: bool) -> tuple[str, ...]:
        """Words of the claims that the paper makes, or of those that it does not."""
        return tuple(word for subject, word in self.claims if self.exhibit.claimed_by_paper(subject) == paper)

    @property
    def source(self) -> str:
        """First author of the paper."""
        return self.exhibit.paper.split(" et al.")[0]

    @property
    def partial(self) -> bool:
        """Whether the kept results are a part of the exhibit."""
        return self.found is not None and self.found.mode != "full"

    def fits(self, *, paper: str, data: str, verdict: str) -> bool:
        """Whether the card is among those that a choice of slugs shows; an empty slug chooses all."""
        return (
            (not paper or PAPER_SLUGS[paper] == self.exhibit.paper)
            and (not data or data in self.exhibit.data)
            and (not verdict or VERDICT_SLUGS[verdict] in self.words)
        )


def _chip(word: str, count: int) -> str:
    times = f" ×{count}" if count > 1 else ""
    return f":{BADGE_COLOURS[word]}-badge[{CHIP_WORDS[word]}{times}]"


def claim_chips(words: Iterable[str]) -> str:
    """Badges for the words of several claims, equal ones together."""
    return " ".join(_chip(word, count) for word, count in Counter(words).items())


def gallery_summary(cards: Sequence[Card]) -> str:
    """Summarise the cards in one line: how many were run, and how many claims, of the papers and not, came to what."""
    run = [card for card in cards if card.found is not None]
    if not run:
        return f"Of {plural(len(cards), 'exhibit')}, none was run."
    whole = sum(not card.partial for card in run)
    first = f"Of {plural(len(cards), 'exhibit')}, {whole} were run in full and {len(run) - whole} in part."
    theirs, own = (Counter(word for card in run for word in card.words_on(paper=paper)) for paper in (True, False))
    verdicts = f" Verdicts on {plural(theirs.total(), 'claim')} of the papers – {_counted(theirs)}." if theirs else ""
    return first + verdicts + (f" On {own.total()} that no paper makes – {_counted(own)}." if own else "")


def _counted(words: Mapping[str, int]) -> str:
    return "; ".join(f"{CHIP_WORDS[word]}: {words[word]}" for word in CHIP_WORDS if words.get(word))


def opened(key: str = "") -> dict[str, str]:
    """Parameters of the page that shows an exhibit, or the list of all: nothing of another exhibit stays."""
    return {"exhibit": key, "task": "", PANEL: ""}
