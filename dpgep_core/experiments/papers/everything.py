"""All exhibits as one computation: its cost, its order, and what is left out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dpgep_core.experiments.papers.bundled_results import bundled_reproduction
from dpgep_core.experiments.papers.data import absent, available
from dpgep_core.experiments.papers.exhibit import Exhibit
from dpgep_core.experiments.papers.reproduce import ReproductionPlan, ReproductionRequest, plan_reproduction
from dpgep_core.experiments.store import cell_store
from dpgep_core.wording import plural

SMALL_SHARE = 0.05  # of an exhibit's cells, up to which kept ones, the cheapest, say nothing about the others


@dataclass(frozen=True, slots=True)
class ExhibitPlan:
    """Cost of one exhibit: cells that no exhibit before it has, and about how many seconds are left.

    ``rate`` are seconds of a cell; None where nothing of the kind was ever measured.
    """

    plan: ReproductionPlan
    cells: int
    done: int
    rate: float | None

    @property
    def key(self) -> str:
        """Key of the exhibit."""
        return self.plan.asked.exhibit.key

    @property
    def left(self) -> float | None:
        """Seconds of one process."""
        return None if self.rate is None else self.rate * (self.cells - self.done)


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
    rates = _rates(plans, store)
    rough = sorted(plans, key=lambda plan: (rates[plan.asked.exhibit.key] or 0.0) * len(plan.plan.cells))
    return _without_shared(rough, store, rates)


def _without_shared(
    plans: Sequence[ReproductionPlan], store: Path, rates: Mapping[str, float | None]
) -> list[ExhibitPlan]:
    seen: set[str] = set()
    found: list[ExhibitPlan] = []
    with cell_store(store) as kept:
        for plan in plans:
            own = [key for key in plan.plan.keys if key not in seen]
            seen.update(own)
            found.append(ExhibitPlan(plan, len(own), len(kept.finished_keys(own)), rates[plan.asked.exhibit.key]))
    return found


def _rates(plans: Sequence[ReproductionPlan], store: Path) -> dict[str, float | None]:
    """Seconds of a cell: of those in the store, else of the results that come with the lab, else of the paper's."""
    found: dict[str, float | None] = {}
    with cell_store(store) as kept:
        for plan in plans:
            spent = kept.seconds(plan.plan.keys)
            found[plan.asked.exhibit.key] = (
                sum(spent.values()) / len(spent) if spent else _kept_rate(plan.asked.exhibit, len(plan.plan.cells))
            )
    for plan in plans:
        key = plan.asked.exhibit.key
        if found[key] is None:
            same = [rate for other, rate in found.items() if _family(other) == _family(key) and rate is not None]
            found[key] = sum(same) / len(same) if same else None
    return found


def _kept_rate(exhibit: Exhibit, cells: int) -> float | None:
    kept = bundled_reproduction(exhibit)
    return None if kept is None or kept.done <= SMALL_SHARE * cells else kept.computed / kept.done


def _family(key: str) -> tuple[str, bool]:
    """The paper, and whether it is one of Chen's figures of sensitivities, which are another kind of work."""
    name, _, number = key.rpartition("-")
    return key.partition("-")[0], name == "chen-supplement-figure" and int(number) > 2


def describe_plan(plans: Sequence[ExhibitPlan], exhibits: Mapping[str, Exhibit]) -> list[str]:
    """The plan, one line an exhibit, its sum, and what cannot be run, each with its reason."""
    said = [f"{one.key}: {_cells_in_words(one)}" for one in plans]
    cells, done = sum(one.cells for one in plans), sum(one.done for one in plans)
    known = sum(one.left or 0.0 for one in plans)
    said.append(f"in all {plural(cells, 'cell')}, {done:,} of them done; about {_duration(known)} of one process left")
    planned = {one.key for one in plans}
    said += [f"{key}: none of its data sets is here" for key in exhibits if key not in planned]
    missing = absent(name for found in exhibits.values() for name in found.data)
    return said + [f"{name} is left out: {why}" for name, why in missing.items()]


def _cells_in_words(one: ExhibitPlan) -> str:
    left = "no cell of the kind was measured" if one.left is None else f"about {_duration(one.left)} left"
    return f"{plural(one.cells, 'cell')}, {one.done:,} done, {left if one.cells > one.done else 'complete'}"


def _duration(seconds: float) -> str:
    return (
        f"{seconds:.0f} s"
        if seconds < 120
        else f"{seconds / 60:.0f} min"
        if seconds < 7200
        else f"{seconds / 3600:.1f} h"
    )
