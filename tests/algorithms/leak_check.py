"""Does anything leave that is not paid for? Two checks of one algorithm, each a list of what is wrong.

`noise_faults` looks at the noise of every answer, `leaks` at everything that leaves beside the answers.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from noise_check import enough, faults, noisy, size_of_change
from recording import Tape, differences, recorded, replayed

from dpgep_core import ALGORITHMS, Release, Setting
from dpgep_core.audit.pairs import PAIRS, DatasetPair
from dpgep_core.params import parameters
from dpgep_core.solve import Plan, plan

ROWS, COLUMNS, COMPONENTS, STEPS = 60, 5, 2, 3
FEWEST_RUNS = 12
NEIGHBOURS = {"orthogonal": 2, "opposite": 1, "switch": 5, "rare": 1}  # worst cases of the sums, of B and of A, and k
ROUNDING = 1e-9


def pair(key: str = "orthogonal", n: int = ROWS) -> DatasetPair:
    return PAIRS[key].build(n, COLUMNS, 0)


def setting(key: str, model: str, **params: Any) -> Setting:
    """Few steps, two components."""
    if "n_iterations" in parameters(ALGORITHMS[key].make):
        params = {"n_iterations": STEPS, **params}
    k = params.pop("n_components", COMPONENTS)
    return Setting(model=model, algorithm=key, n_components=k, params=tuple(sorted(params.items())))


def under(bound: Plan, seed: int) -> Plan:
    """Plan with other noise and another start."""
    return replace(bound, setting=replace(bound.setting, seed=seed), public=replace(bound.public, seed=seed))


def noise_faults(key: str, model: str, **params: Any) -> list[str]:
    """What is wrong with the noise of an algorithm, over as many seeds as it takes to judge."""
    bound = plan(pair().one, setting(key, model, **params))
    runs: list[Any] = []
    while len(runs) < FEWEST_RUNS or not enough(runs):
        tape = Tape()
        recorded(under(bound, len(runs)), tape)
        runs.append(tape.answers)
    return list(faults(runs))


def leaks(neighbours: DatasetPair, asked: Setting) -> list[str]:
    """What a neighbour changes beside the answers, or in an answer beyond what was paid for it."""
    one, other = plan(neighbours.one, asked), plan(neighbours.other, asked)
    found = [
        where
        for part in ("setting", "entry", "method", "public", "grant", "warnings")
        for where in differences(getattr(one, part), getattr(other, part), part)
    ]
    tape = Tape(neighbour=other.problem, turned=(_first_row(one), _first_row(other)))
    release = recorded(one, tape)
    try:
        found += differences(release, replayed(other, tape))
    except AssertionError as error:
        found.append(str(error))
    return found + list(_beyond_the_ledger(release, tape))


def unsplit(neighbours: DatasetPair) -> DatasetPair:
    """Data set without a published split, so that rows are held out."""
    one, other = (replace(data, X_test=None, y_test=None) for data in (neighbours.one, neighbours.other))
    return DatasetPair(neighbours.key, one, other)


def _first_row(bound: Plan) -> Any:
    """The row in which neighbours differ, prepared."""
    return bound.problem.preprocessing.apply(np.asarray(bound.dataset.X[:1], float))[0]


def _beyond_the_ledger(release: Release, tape: Tape) -> Iterator[str]:
    """Answers that change by more than Δ, that together are worth more than μ, or that are more than were paid for."""
    spent = 0.0
    for answer in filter(noisy, tape.answers):
        size = size_of_change(answer)
        if size > answer.entry.sensitivity * (1 + ROUNDING):
            yield f"{answer.entry.query} changes by {size:.3g}, its sensitivity is {answer.entry.sensitivity:.3g}"
        spent += (size / answer.entry.sigma) ** 2
    if math.isfinite(release.ledger.mu) and math.sqrt(spent) > release.ledger.mu * (1 + ROUNDING):
        yield f"μ = {math.sqrt(spent):.3g} is spent, the ledger says {release.ledger.mu:.3g}"
    paid = sum(entry.count for entry in release.ledger)
    if len(tape.answers) > paid:
        yield f"{len(tape.answers)} answers, {paid} paid for"
