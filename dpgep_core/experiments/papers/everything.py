"""All exhibits as one computation: its cost, its order, and what is left out."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dpgep_core.experiments.papers.cell_seconds import Foretold, Rates, rates_of
from dpgep_core.experiments.papers.data import absent, available
from dpgep_core.experiments.papers.exhibit import Exhibit
from dpgep_core.experiments.papers.reproduce import ReproductionPlan, ReproductionRequest, plan_reproduction
from dpgep_core.experiments.store import cell_store
from dpgep_core.wording import plural


@dataclass(frozen=True, slots=True)
class ExhibitPlan:
    """Cost of one exhibit: cells that no exhibit before it has, and about how long what is left of them takes."""

    plan: ReproductionPlan
    cells: int
    done: int
    left: Foretold

    @property
    def key(self) -> str:
        """Key of the exhibit."""
        return self.plan.asked.exhibit.key


def plan_everything(
    exhibits: Mapping[str, Exhibit],
    store: Path,
    ask: Callable[[Exhibit], ReproductionRequest],
    report: Callable[[str], None] = lambda _: None,
) -> list[ExhibitPlan]:
    """A plan for each exhibit that has any data here, the cheapest first; cells that they share count once.

    What the ``store`` holds is done, and its times are the rates of what is left. ``ask`` makes the request for an
    exhibit. ``report`` is told each exhibit's key before its rows are read, on which the keys of its cells depend.
    """
    plans: list[ReproductionPlan] = []
    for exhibit in exhibits.values():
        if available(exhibit.data):
            report(exhibit.key)
            plans.append(plan_reproduction(ask(exhibit)))
    with cell_store(store) as kept:
        spent = kept.seconds({key for plan in plans for key in plan.plan.keys})
    rates = rates_of({plan.asked.exhibit: plan.keyed for plan in plans}, spent)
    return _without_shared(sorted(plans, key=lambda plan: _order(plan, rates)), spent, rates)


def _order(plan: ReproductionPlan, rates: Rates) -> tuple[int, float]:
    """The cheapest first, and last of all those of which less is known."""
    whole = _waiting(plan, rates, ())
    return whole.unmeasured, whole.seconds


def _waiting(plan: ReproductionPlan, rates: Rates, done: Container[str]) -> Foretold:
    return rates.foretold(plan.asked.exhibit, (task for key, task in dict(plan.keyed).items() if key not in done))


def _without_shared(plans: Sequence[ReproductionPlan], spent: Mapping[str, float], rates: Rates) -> list[ExhibitPlan]:
    seen: set[str] = set()
    found: list[ExhibitPlan] = []
    for plan in plans:
        own = set(plan.plan.keys) - seen
        found.append(ExhibitPlan(plan, len(own), len(own & spent.keys()), _waiting(plan, rates, seen | spent.keys())))
        seen |= own
    return found


def describe_plan(plans: Sequence[ExhibitPlan], exhibits: Mapping[str, Exhibit]) -> list[str]:
    """The plan, one line an exhibit, its sum, and what cannot be run, each with its reason."""
    said = [f"{one.key}: {_cells_in_words(one)}" for one in plans]
    cells, done = sum(one.cells for one in plans), sum(one.done for one in plans)
    left = Foretold(sum(one.left.seconds for one in plans), sum(one.left.unmeasured for one in plans))
    known = "all of them done" if done == cells else f"{done:,} of them done; left for one process: {left.words}"
    said.append(f"in all {plural(cells, 'cell')}, {known}")
    planned = {one.key for one in plans}
    said += [f"{key}: none of its data sets is here" for key in exhibits if key not in planned]
    missing = absent(name for found in exhibits.values() for name in found.data)
    return said + [f"{name} is left out: {why}" for name, why in missing.items()]


def _cells_in_words(one: ExhibitPlan) -> str:
    left = f"left: {one.left.words}" if one.cells > one.done else "complete"
    return f"{plural(one.cells, 'cell')}, {one.done:,} done, {left}"
