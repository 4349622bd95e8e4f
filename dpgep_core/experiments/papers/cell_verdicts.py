"""Verdicts on a paper's claims in each cell of an exhibit, in the words of the whole, from the cell's numbers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpgep_core.experiments.papers.exhibit import Exhibit, ResultLine, grouped
from dpgep_core.experiments.papers.outcome import OUTCOME_WORDS, Outcome


@dataclass(frozen=True, slots=True)
class CellVerdict:
    """Verdict on one claim in one cell, such as one method on one data set with one classifier."""

    cell: Mapping[str, Any]
    outcome: Outcome


def cell_verdicts(exhibit: Exhibit, lines: Sequence[ResultLine]) -> list[CellVerdict]:
    """A verdict for each cell and claim, in the order of the lines; empty where an exhibit has no cells of its own."""
    return [
        CellVerdict(dict(zip(exhibit.cell, cell, strict=True)), outcome)
        for cell, some in grouped(lines if exhibit.cell else (), exhibit.cell).items()
        for outcome in exhibit.outcomes(some)
    ]


def count_verdicts(found: Sequence[CellVerdict]) -> list[str]:
    """How many cells came to which word, one sentence for each claim, words in the order of `OUTCOME_WORDS`."""
    subjects: dict[str, Counter[str]] = {}
    for verdict in found:
        subjects.setdefault(verdict.outcome.subject, Counter())[verdict.outcome.word] += 1
    return [
        f"{subject}: " + ", ".join(f"{words[word]} {word}" for word in OUTCOME_WORDS if words[word])
        + f" (of {words.total()})"
        for subject, words in subjects.items()
    ]  # fmt: skip
