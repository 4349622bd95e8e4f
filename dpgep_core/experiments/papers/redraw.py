"""Kept results computed once more: lines drawn at random, from nothing but the command that they came of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpgep_core.experiments.papers.averages import RunRecord
from dpgep_core.experiments.papers.bundled_results import bundled_reproduction, plain_value
from dpgep_core.experiments.papers.chen import SSP
from dpgep_core.experiments.papers.claims import RANDOM_METHOD
from dpgep_core.experiments.papers.data import available
from dpgep_core.experiments.papers.exhibit import Exhibit, LabelledCell, ResultLine, Scope
from dpgep_core.experiments.papers.reproduce import Reproduction, ReproductionRequest
from dpgep_core.experiments.runner import compute_cell
from dpgep_core.privacy.randomness import stream

LEVELS = ("non-private", RANDOM_METHOD)  # methods of lines that the records of SSP carry
PAIR = ("method", "of_method", "against", "calibration", "start", "ahead")  # labels of a line of two methods


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptLine:
    """A line of the results that come with the lab."""

    found: Reproduction
    line: ResultLine

    @property
    def exhibit(self) -> Exhibit:
        """Exhibit that the line is of."""
        return self.found.asked.exhibit

    @property
    def said(self) -> str:
        """Exhibit and labels in one line."""
        return f"{self.exhibit.key}: " + ", ".join(f"{name}={value}" for name, value in self.line.labels.items())


def draw_lines(exhibits: Mapping[str, Exhibit], count: int, seed: int) -> list[KeptLine]:
    """Distinct lines of kept results whose data sets are here: an exhibit at random each time, and one of its lines."""
    by_exhibit = [lines for one in exhibits.values() if (lines := _lines_here(one))]
    rng, drawn = stream(seed, "data", "kept lines"), dict[tuple[int, int], KeptLine]()
    while len(drawn) < min(count, sum(map(len, by_exhibit))):
        which = int(rng.integers(len(by_exhibit)))
        place = int(rng.integers(len(by_exhibit[which])))
        drawn.setdefault((which, place), by_exhibit[which][place])
    return list(drawn.values())


def _lines_here(exhibit: Exhibit) -> list[KeptLine]:
    found = bundled_reproduction(exhibit)
    here = available(exhibit.data)
    return [
        KeptLine(found=found, line=line)
        for line in (found.lines if found is not None else ())
        if found is not None and line.ours is not None and line.labels["data"] in here
        and not any(part.holds(line) for part in found.earlier)
    ]  # fmt: skip


def compute_again(kept: KeptLine) -> ResultLine | None:
    """The line from its cells, all of them computed now; None where nothing of it came out."""
    for asked in reversed((kept.found.asked, *kept.found.also)):
        tasks = [task for task in _tasks(kept, asked) if _is_behind(task, kept.line)]
        if tasks:
            records = [{**compute_cell("", task.cell)[2], **task.labels} for task in tasks]
            return _line_with(kept.exhibit, records, kept.line)
    return None


def _tasks(kept: KeptLine, asked: ReproductionRequest) -> Sequence[LabelledCell]:
    data = kept.line.labels["data"]
    if data not in asked.names:
        return []
    scope = Scope(quick=asked.quick, data=available([data]), seeds=asked.seeds, chosen=True,
                  classifiers=asked.classifiers)  # fmt: skip
    return kept.exhibit.tasks(scope)


def _is_behind(task: LabelledCell, line: ResultLine) -> bool:
    """Whether a task is one of those that a line is made of."""
    labels, own = line.labels, task.labels
    if any(plain_value(labels[name]) != plain_value(own[name]) for name in labels if name in own and name not in PAIR):
        return False
    way = tuple(own.get(name) for name in ("method", "calibration", "start"))
    if "against" in labels:
        return way in (
            (labels["method"], labels["of_method"], _start_of(labels["method"])),
            (labels["against"], labels["calibration"], labels["start"]),
        )
    if labels.get("method") in LEVELS and "classifier" in labels:
        return own["method"] == SSP.name
    return all(plain_value(labels[name]) == plain_value(own[name]) for name in PAIR if name in labels and name in own)


def _start_of(method: str) -> str:
    return SSP.start if method == SSP.name else "random"


def _line_with(exhibit: Exhibit, records: Sequence[RunRecord], line: ResultLine) -> ResultLine | None:
    wanted = {name: plain_value(value) for name, value in line.labels.items() if name != "ahead"}
    return next(
        (
            found
            for found in exhibit.lines(records)
            if {name: plain_value(value) for name, value in found.labels.items() if name != "ahead"} == wanted
        ),
        None,
    )


def numbers_of(line: ResultLine) -> tuple[str, ...]:
    """The numbers of a line to the last digit that its file keeps."""
    return tuple(plain_value(value) for value in (line.ours, line.spread, line.runs, line.low, line.high, line.failed))
