"""From exploring to publishing: what a seed gives away, a budget with two releases, a statement to be signed.

Only `subtracted_seed` reads rows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dashboard.compute.releases import METHOD, release_request
from dashboard.scenario import Scenario, as_text
from dpgep_core.datasets import Dataset
from dpgep_core.privacy.query import Array
from dpgep_core.publishing.budget import USUAL_DELTA, Amount, Budget, BudgetSpentError
from dpgep_core.publishing.pricing import PricedPlan, priced_plan
from dpgep_core.publishing.release_file import ReleaseHeader
from dpgep_core.publishing.releasing import header_of_plan
from dpgep_core.solve import plan, run

FIRST, WHOLE = "0.5", "1"  # ε of the release that was made before, and of the whole budget
HERE, OTHERWISE = ("price", "noise", "file"), ("noise", "file", "price")  # orders of the steps of a release


@dataclass(frozen=True, slots=True, eq=False)
class SubtractedSeed:
    """Sums of squares of each column, (d,): with noise as they left, the noise of the same seed, and the exact sums."""

    left: Array = field(repr=False)
    noise: Array = field(repr=False)
    exact: Array = field(repr=False)

    @property
    def difference(self) -> Array:
        """The sums that left, without the noise of the same seed."""
        return self.left - self.noise

    @property
    def error(self) -> float:
        """Largest error of the difference, as a share of the largest exact sum."""
        return float(np.abs(self.difference - self.exact).max() / np.abs(self.exact).max())


def subtracted_seed(scenario: Scenario, data: Dataset) -> SubtractedSeed:
    """Noise of a known seed is found by running the same setting on rows of one's own, whose sums one knows.

    It is that of one step, whose sums leave as they are; the sums of a second one are about centres that moved.
    """
    one_step = replace(scenario, params=tuple(sorted({**dict(scenario.params), "steps": 1}.items())))
    setting = one_step.setting(METHOD)
    mine = replace(data, X=np.zeros_like(data.X))
    real, own = plan(data, setting), plan(mine, setting)
    left, told = run(real).moments, run(own).moments
    assert left is not None
    assert told is not None
    noise = told.gram - own.problem.moments.gram
    return SubtractedSeed(np.diag(left.gram), np.diag(noise), np.diag(real.problem.moments.gram))


def asked_release(scenario: Scenario, data: Dataset, epsilon: str | None = None) -> PricedPlan:
    """The release that a scenario asks for, at another ε where one is given, with its price. Nothing is spent."""
    asked = Amount.of(as_text(scenario.epsilon) if epsilon is None else epsilon, USUAL_DELTA)
    return priced_plan(release_request(replace(scenario, delta=None), data, asked, None))


def first_budget(scenario: Scenario, data: Dataset) -> Budget:
    """A budget of ε = 1 from which one release at ε = .5 was made."""
    whole = Budget(data.name, Amount.of(WHOLE, USUAL_DELTA), scenario.relation)
    return whole.charged(asked_release(scenario, data, FIRST).charge)


def second_budget(scenario: Scenario, data: Dataset) -> tuple[Budget, str]:
    """The budget after a second release at the ε of the scenario; with a refusal, as it was, where that is too much."""
    first = first_budget(scenario, data)
    try:
        return first.charged(asked_release(scenario, data).charge), ""
    except BudgetSpentError as error:
        return first, str(error)


def statement_header(scenario: Scenario, data: Dataset) -> ReleaseHeader:
    """Header of the release that a scenario asks for, as its statement would tell it."""
    return header_of_plan(asked_release(scenario, data))


@dataclass(frozen=True, slots=True)
class Crash:
    """A release that ended after some of its steps: whether noise was drawn, and whether the ledger counts it."""

    drawn: bool
    counted: bool

    @property
    def honest(self) -> bool:
        """Whether all noise that was drawn is counted."""
        return self.counted or not self.drawn


def crashes(order: Sequence[str]) -> Iterator[Crash]:
    """One crash before the first step of an order, and one after each step but the last."""
    for done in range(len(order)):
        yield Crash("noise" in order[:done], "price" in order[:done])
