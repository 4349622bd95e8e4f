"""A request for one release and its price, before anything is read or spent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DataError, ParameterError
from dpgep_core.method import MethodEntry, Verdict, method_entry
from dpgep_core.models.size import check_memory
from dpgep_core.privacy.discrete import LARGEST_SCALE, SMALLEST_SLACK, stated_slack
from dpgep_core.privacy.ledger import ledger_of
from dpgep_core.protocols import OneRelease
from dpgep_core.publishing.budget import KEPT_BACK, Amount, Charge
from dpgep_core.release import Setting
from dpgep_core.solve import Plan, plan
from dpgep_core.wording import number_text

LARGEST_SHARE = 1e-3  # of δ, that the distance to rounded noise may take
LEAST_DELTA = SMALLEST_SLACK / LARGEST_SHARE  # the least distance takes more of a smaller one
DECLARE = "declare them beside the data: docs/data.md says where"


@dataclass(frozen=True, kw_only=True)
class ReleaseRequest:
    """Request for one release: its data set, its settings, and the budget that pays.

    Parameters
    ----------
    dataset : Dataset
        All of its rows are used.
    model, algorithm : str
        Keys of the registries.
    asked : Amount
        (ε, δ) of the release, in exact decimals.
    limit : Amount or None
        Limit of the budget; needed for the first release of a data set.
    ledger, out : Path
        The kept ledger, and the file to write, which must not be there yet.
    n_components, relation, declared_n, params
        As in `Setting`.
    """

    dataset: Dataset = field(repr=False)
    model: str = "fda"
    algorithm: str = "ssp"
    asked: Amount
    limit: Amount | None = None
    ledger: Path
    out: Path
    n_components: int | None = None
    relation: str = "replace_one"
    declared_n: int | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class PricedPlan:
    """A checked release with its price, before anything is spent."""

    plan: Plan
    charge: Charge
    slack: float  # part of δ that the difference of discrete from rounded Gaussian noise may take


def releasable_algorithms() -> tuple[str, ...]:
    """Keys of the algorithms that may be released."""
    return tuple(key for key, entry in ALGORITHMS.items() if not why_not_released(entry))


def why_not_released(entry: MethodEntry) -> str:
    """Why an algorithm cannot be released; "" where it can."""
    if not entry.private:
        return "it promises no privacy"
    if entry.outside:
        return "it comes from outside this package, and no test here has seen it"
    if entry.guarantee.verdict is not Verdict.HOLDS:
        return f"the verdict on its guarantee is {str(entry.guarantee.verdict)!r}"
    if not issubclass(entry.make, OneRelease):
        return "its noise is not drawn exactly: it asks for averages or products, and not for sums of whole numbers"
    return ""


def priced_plan(request: ReleaseRequest) -> PricedPlan:
    """Check a request and find its price. No row is read for it, and nothing is spent.

    Raises
    ------
    ParameterError, DataError
        If the algorithm cannot be released, or something that must be declared was read off the rows.
    """
    entry = method_entry(request.algorithm)
    if reason := why_not_released(entry):
        allowed = f"{' or '.join(releasable_algorithms())} for a release ({entry.key} may not leave: {reason})"
        raise ParameterError("algorithm", entry.key, allowed)
    if request.dataset.edges_mu:
        allowed = "edges chosen without looking at the rows, for a release: noise that was drawn elsewhere is not exact"
        raise DataError(request.dataset.name, "edges that were released with noise", allowed)
    if request.asked.delta < LEAST_DELTA:
        raise ParameterError("delta", request.asked.delta, f"at least {LEAST_DELTA:.1e} for a release")
    first = _planned(request, float(request.asked.delta) * (1 - KEPT_BACK) - SMALLEST_SLACK)
    _check_possible(first, float(request.asked.epsilon))
    slack = stated_slack(_distance(first), float(request.asked.epsilon))
    if slack > LARGEST_SHARE * float(request.asked.delta):
        raise ParameterError(
            "epsilon", float(request.asked.epsilon), "smaller for a release: discrete noise this small is not shown "
            f"to be as good as Gaussian noise within delta / 1,000 (it is within {slack:.1e})",
        )  # fmt: skip
    made = _planned(request, float(request.asked.delta) * (1 - KEPT_BACK) - slack)
    charge = Charge(request.asked, ledger_of(made.noise or ()).mu, _distance(made))
    return PricedPlan(made, charge, slack)


def _planned(request: ReleaseRequest, delta: float) -> Plan:
    setting = Setting(
        model=request.model,
        algorithm=request.algorithm,
        epsilon=float(request.asked.epsilon),
        delta=delta,
        n_components=request.n_components,
        seed=None,
        test_size=0.0,
        relation=request.relation,
        declared_n=request.declared_n,
        params=tuple(sorted(request.params.items())),
    )
    return plan(request.dataset, setting)


def _check_possible(made: Plan, epsilon: float) -> None:
    if made.learnt:
        raise DataError(made.dataset.name, f"read off the rows: {', '.join(made.learnt)}", f"for a release, {DECLARE}")
    size = made.public.d + made.public.joint_columns
    check_memory(size, size)
    if not made.keeps_moments:
        raise ParameterError("memory", "products", "whole for a release: sums that are never formed are not exact")
    for one in made.noise or ():
        assert one.integers is not None  # all answers of a releasable algorithm are sums of whole numbers
        if made.dataset.n > one.integers.most_rows:
            allowed = f"at most {one.integers.most_rows:,}: larger sums do not fit 64 bits"
            raise DataError(made.dataset.name, "too many rows", allowed)
        if (scale := one.sigma * one.integers.steps) > LARGEST_SCALE:
            raise ParameterError("epsilon", epsilon, "larger for a release, or its delta: noise of "
                                 f"{number_text(scale, 2)} steps could leave 64 bits")  # fmt: skip


def _distance(made: Plan) -> float:
    """Total variation between the discrete noise of a plan and rounded Gaussian noise: that of its answers adds up.

    A later question depends on earlier answers. Whatever they are, its noise is no further off than it says.
    """
    return sum(one.integers.distance(one.sigma) for one in made.noise or () if one.integers is not None)
