"""Results that come with the lab, computed once more, and the faster way to some of them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from dpgep_core.experiments.papers import EXHIBITS, sensitivity
from dpgep_core.experiments.papers.bundled_results import bundled_reproduction, plain_value
from dpgep_core.experiments.papers.chen_methods import SSP
from dpgep_core.experiments.papers.data import available
from dpgep_core.experiments.papers.exhibit import Exhibit, LabelledCell, ResultLine, RunRecord, Scope
from dpgep_core.experiments.papers.reproduce import Reproduction, ReproductionRequest
from dpgep_core.experiments.runner import compute_cell
from dpgep_core.numerics import Spectrum, fix_signs
from dpgep_core.privacy.randomness import stream

LINES, SEED = 20, 2026
RUN_SECONDS = {"linear_svm": 1.5, "rbf_svm": 5.0, "random_forest": 10.0}  # of one run, roughly, by classifier
STEPWISE, STEPWISE_SECONDS = ("DP-SPCA", "DP-VRPCA"), {"MNIST": 40.0}  # by data: as many steps as rows
OTHER_SECONDS = 2.0
LINE_SECONDS = 60.0  # a line that takes longer is not computed again with each change
EXACT = "non-private"  # method of lines that the records of SSP carry
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
    def seconds(self) -> float:
        """Rough time of all its runs; a line of two methods has those of both."""
        labels, methods = self.line.labels, 2 if "against" in self.line.labels else 1
        one = RUN_SECONDS.get(str(labels.get("classifier")), OTHER_SECONDS)
        if labels.get("method") in STEPWISE:
            one = STEPWISE_SECONDS.get(str(labels["data"]), OTHER_SECONDS)
        return methods * self.line.runs * one

    @property
    def said(self) -> str:
        """Exhibit and labels in one line."""
        return f"{self.exhibit.key}: " + ", ".join(f"{name}={value}" for name, value in self.line.labels.items())


def draw_lines(exhibits: Mapping[str, Exhibit], count: int, seed: int, longest: float = math.inf) -> list[KeptLine]:
    """Distinct lines of kept results whose data sets are here: an exhibit at random each time, and one of its lines.

    Lines that take longer than ``longest`` seconds are left out.
    """
    kept = ([line for line in _lines_here(one) if line.seconds <= longest] for one in exhibits.values())
    by_exhibit = [lines for lines in kept if lines]
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
    if labels.get("method") == EXACT and "classifier" in labels:
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


def test_lines_are_drawn_from_many_exhibits_and_the_same_ones_each_time(monkeypatch):
    monkeypatch.delenv("DPGEP_DATA_DIR", raising=False)
    drawn = draw_lines(EXHIBITS, LINES, SEED, LINE_SECONDS)
    assert len({kept.said for kept in drawn}) == LINES
    assert len({kept.exhibit.key for kept in drawn}) > 5
    assert [kept.said for kept in drawn] == [kept.said for kept in draw_lines(EXHIBITS, LINES, SEED, LINE_SECONDS)]


@pytest.mark.slow
def test_kept_lines_drawn_at_random_are_computed_again_to_the_last_digit():
    """Each line of twenty comes out as its file has it, from all the runs behind it."""
    changed: list[str] = []
    for kept in draw_lines(EXHIBITS, LINES, SEED, LINE_SECONDS):
        found = compute_again(kept)
        if found is None or numbers_of(found) != numbers_of(kept.line):
            changed.append(f"{kept.said}: {numbers_of(kept.line)}, now {found and numbers_of(found)}")
    assert not changed


@pytest.mark.parametrize(("n", "row", "xi"), [(150, 7, 1e-3), (300, 100, 0.1)])
def test_the_change_of_the_scatter_is_that_of_whole_matrices(n, row, xi):
    """Norms of thin factors are those of the d × d matrices that the supplement's figures are about."""
    moments, data = sensitivity._moments("breast_cancer", n)
    whole = []
    for these in (moments, sensitivity._moments_without(moments, data, row)):
        spectrum = Spectrum.of(these.within)
        vectors = fix_signs(spectrum.vectors)
        whitener = vectors / spectrum.scales(xi)
        whole.append((these.between_factor @ these.between_factor.T, whitener, whitener @ vectors.T, these.within))
    (A, F, S, B), (A2, F2, S2, B2) = whole
    before, after = (sensitivity._whitening("breast_cancer", n, which) for which in (None, row))
    G, G2 = (white.coordinates / white.spectrum.scales(xi)[:, None] for white in (before, after))
    assert sensitivity._norm_between(G, G2) == pytest.approx(np.linalg.norm(F.T @ A @ F - F2.T @ A2 @ F2, 2), rel=1e-9)
    assert sensitivity._norm_between(before.spectrum.vectors @ G, after.spectrum.vectors @ G2) == pytest.approx(
        np.linalg.norm(S @ A @ S - S2 @ A2 @ S2, 2), rel=1e-9
    )
    assert sensitivity._norm(B - B2) == pytest.approx(np.linalg.norm(B - B2, 2), rel=1e-9)


def test_the_largest_eigenvalue_of_a_large_matrix_is_found_by_size():
    """A matrix above the limit, whose largest eigenvalue by size is negative."""
    d = sensitivity.FEW_COLUMNS + 20
    x = np.arange(1.0, d + 1)
    matrix = np.diag(np.linspace(0, 1, d)) - 3 * np.outer(x, x) / (x @ x)
    assert sensitivity._norm(matrix) == pytest.approx(np.linalg.norm(matrix, 2), rel=1e-12)
