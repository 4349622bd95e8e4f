"""Chen et al., Section 6.3: DPSR against the ridge ξ, over the grid that the paper searched and does not show."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from dpgep_core.experiments.papers import published
from dpgep_core.experiments.papers.averages import mean_lines, percent
from dpgep_core.experiments.papers.chen import PAPER
from dpgep_core.experiments.papers.chen_methods import (
    CHEN_COMPONENTS,
    DPSR,
    SSP,
    STEPS,
    chance_tasks,
    chen_cell,
    with_exact,
)
from dpgep_core.experiments.papers.exhibit import (
    Exhibit,
    ExhibitPicture,
    LabelledCell,
    ResultLine,
    RunRecord,
    Scope,
    grouped,
)
from dpgep_core.experiments.papers.outcome import Outcome, Trial, outcome, variant_in_words
from dpgep_core.experiments.papers.places import CLEAR, RANDOM_METHOD, is_clearly_above
from dpgep_core.params import USUAL_DELTA
from dpgep_core.wording import signed_text

RIDGES = tuple(round(0.001 * i, 3) for i in (*range(1, 11), *range(15, 101, 5)))  # 28 of the paper's hundred
QUICK_RIDGES = (0.001, 0.003, 0.01, 0.03, 0.1)
RIDGE_SEEDS, QUICK_SEEDS = 3, 1
QUICK = ("a9a",)
CLASSIFIER, EPSILON, ETA = "linear_svm", 1.0, 1.0
SMALLEST, CHOSEN, LARGEST = (0.001, 0.003), (0.008, 0.01), (0.09, 0.1)  # parts of the grid, both ends in it
BY = ("data", "classifier", "method", "calibration", "start")
METHODS = (*DPSR, SSP)
NOTES = (
    "The paper says in its Section 6.3 that it searched ξ from 0.001 to 0.1 by 0.001, that performance is the better "
    "the closer ξ is to 0, that ξ too close to 0 means larger noise, and that it therefore chose 0.01. It shows no "
    "figure and names no ε, η and classifier; it names a9a and CIFAR-10. Here: ε = 1, η = 1, the linear SVM.",
    "Of the hundred ξ all up to 0.01 and every fifth from there on are computed. A seed draws the same noise at every "
    "ξ, scaled, so that neighbouring values are no independent runs, and values in between would say little.",
    "Rows to unit norm, ten components, m = 15, as in the paper's figures; means of three seeds.",
    "Parts of the grid are compared by their means: ξ up to 0.003, 0.008 to 0.01, the paper's choice, and from 0.09 "
    f"on. One part is better than another from a difference of {CLEAR:g} point on.",
    "A claim about DPSR is judged on the data sets where it is clearly above a random projection at some ξ.",
    "The noise of SSP does not depend on ξ, which comes after it and is free.",
)


def _tasks(scope: Scope) -> list[LabelledCell]:
    ridges, seeds = QUICK_RIDGES if scope.quick else RIDGES, scope.repeats(RIDGE_SEEDS, QUICK_SEEDS)
    found = [
        LabelledCell(
            labels={"data": data, "classifier": CLASSIFIER, "method": method.name, "calibration": method.calibration,
                    "start": method.start, "xi": xi, "seed": seed},
            cell=chen_cell(name, method, EPSILON, seed, CLASSIFIER, ETA, xi=xi),
        )
        for data, name in scope.few(QUICK).items()
        for xi in ridges  # outermost: the exact answer at a ξ serves all of these
        for seed in seeds
        for method in METHODS
    ]  # fmt: skip
    return [*found, *chance_tasks(scope, along="xi", values=ridges, seeds=seeds, classifiers=(CLASSIFIER,), kept=QUICK)]


def _lines(records: Sequence[RunRecord]) -> list[ResultLine]:
    return mean_lines(with_exact(records), ("xi", *BY), lambda record: percent(record, "accuracy"))


def _mean_in(lines: Sequence[ResultLine], part: tuple[float, float]) -> float | None:
    """Mean over a part of the grid; None where nothing of it was run."""
    values = [line.ours for line in lines if line.ours is not None and part[0] <= line.labels["xi"] <= part[1]]
    return fmean(values) if values else None


def _curves(lines: Sequence[ResultLine]) -> dict[tuple[Any, ...], list[ResultLine]]:
    return grouped([line for line in lines if line.ours is not None], BY)


def _is_better(lines: Sequence[ResultLine], one: tuple[float, float], other: tuple[float, float]) -> bool | None:
    """Whether one part of the grid is clearly better than another; None where either was not run."""
    first, second = _mean_in(lines, one), _mean_in(lines, other)
    return None if first is None or second is None else first - second >= CLEAR


def _trials(lines: Sequence[ResultLine], of: str, one: tuple[float, float], other: tuple[float, float]) -> list[Trial]:
    """For each calibration of a method, on how many data sets one part of the grid is better than another.

    Data sets on which the method is at no ξ clearly above a random projection are left out: they tell nothing.
    """
    found: dict[str, list[bool]] = {}
    curves = _curves(lines)
    chance = {data: some for (data, _, method, _, _), some in curves.items() if method == RANDOM_METHOD}
    for (data, _, method, calibration, _), some in curves.items():
        useful = method == of and _is_useful(some, chance.get(data, ()))
        better = _is_better(some, one, other) if useful else None
        if better is not None:
            found.setdefault(calibration, []).append(better)
    return [
        Trial(name=variant_in_words(rule), held=sum(held), of=len(held), proved=rule != "unit")
        for rule, held in found.items()
    ]


def _is_useful(lines: Sequence[ResultLine], chance: Sequence[ResultLine]) -> bool:
    at = {line.labels["xi"]: line for line in chance}
    return any(line.labels["xi"] in at and is_clearly_above(line, at[line.labels["xi"]]) for line in lines)


def _outcomes(lines: Sequence[ResultLine]) -> list[Outcome]:
    claims = (
        ("no privacy better with ξ near 0 than with ξ near 0.1", "non-private", SMALLEST, LARGEST),
        ("DPSR better with ξ near 0 than with ξ near 0.1", "DPSR", SMALLEST, LARGEST),
        ("DPSR better with ξ near 0.01 than with ξ near 0.1", "DPSR", CHOSEN, LARGEST),
        ("DPSR worse with ξ too close to 0 than with ξ near 0.01", "DPSR", CHOSEN, SMALLEST),
    )
    return [each for subject, of, *parts in claims for each in outcome(subject, _trials(lines, of, *parts))]


def _verdict(lines: Sequence[ResultLine]) -> list[str]:
    return [
        _sentence(data, method, calibration, some)
        for (data, _, method, calibration, _), some in _curves(lines).items()
        if len(some) > 1 and method != RANDOM_METHOD
    ]


def _sentence(data: str, method: str, calibration: str, lines: Sequence[ResultLine]) -> str:
    best = max(lines, key=lambda line: line.ours or 0.0)
    parts = [(name, _mean_in(lines, part)) for name, part in
             (("up to 0.003", SMALLEST), ("from 0.008 to 0.01", CHOSEN), ("from 0.09 on", LARGEST))]  # fmt: skip
    said = ", ".join(f"{value:.1f} with ξ {name}" for name, value in parts if value is not None)
    rule = variant_in_words(calibration)
    low = min(line.ours or 0.0 for line in lines)
    return (
        f"{method}{f' ({rule})' if rule else ''} on {data}: {said}; best {best.ours:.1f} at ξ = {best.labels['xi']:g}, "
        f"{signed_text(low - (best.ours or 0.0), 1)} at its worst."
    )


EXHIBITS = (
    Exhibit(
        key="chen-extra-ridge", paper=PAPER, title="Accuracy against ξ, DPSR at ε = 1 and η = 1",
        fixed=f"unit rows, k = {CHEN_COMPONENTS}, ε = {EPSILON:g}, η = {ETA:g}, m = {STEPS}, δ = {USUAL_DELTA}",
        data=published.CHEN_DATA, unit="accuracy, %", drawn=True, tasks=_tasks, lines=_lines, verdict=_verdict,
        outcomes=_outcomes, seeds=RIDGE_SEEDS, notes=NOTES, cell=("data",),
        picture=ExhibitPicture(x="xi", panel=("data",), curve=("method", "calibration", "start")),
    ),
)  # fmt: skip
