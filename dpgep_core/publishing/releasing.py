"""One release: checked, paid for in the kept ledger, drawn exactly, and written to its file, in this order."""

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

import numpy as np

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import Dataset
from dpgep_core.datasets.dataset import rows_digest
from dpgep_core.errors import DataError, DpgepError, ParameterError
from dpgep_core.method import MethodEntry, Verdict, method_entry
from dpgep_core.models.integer_sums import sum_ahead, whole_weight
from dpgep_core.models.size import check_memory
from dpgep_core.params import parameter_values
from dpgep_core.paths import check_text, path_of
from dpgep_core.privacy.discrete import LARGEST_SCALE, SMALLEST_SLACK, stated_slack
from dpgep_core.privacy.ledger import Ledger, ledger_of
from dpgep_core.protocols import OneRelease
from dpgep_core.publishing.budget import KEPT_BACK, Amount, Charge
from dpgep_core.publishing.budget_ledger import BudgetLedger, Reservation
from dpgep_core.publishing.paying import price_noted, record_written
from dpgep_core.publishing.placing import check_apart, secure_place, write_whole
from dpgep_core.publishing.release_file import ReleasedArrays, ReleaseHeader, header_bytes, release_bytes
from dpgep_core.release import VERSION, Release, Setting
from dpgep_core.solve import Plan, plan, run
from dpgep_core.wording import number_text

HEADER_SIZE = 1 << 16  # bytes, beside what grows with the columns
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


@dataclass(frozen=True, kw_only=True)
class Published:
    """A release that was written; ``warnings`` are about its public setting."""

    header: ReleaseHeader
    reservation: Reservation
    path: Path
    sha256: str
    seconds: float
    warnings: tuple[str, ...] = ()


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


def publish(request: ReleaseRequest) -> Published:
    """Make one release.

    The order is what a crash may not change: the file's place is secured, streamed rows are summed, the price is on the
    disk, and only then is noise drawn. A crash after that has spent the price, and a file is there whole or not at all.

    Raises
    ------
    ParameterError, DataError, BudgetSpentError, StoreError
        Nothing is spent and nothing is written then, unless the message or a note on it says so.
    """
    began = time.perf_counter()
    priced = priced_plan(request)
    check_text("dataset", request.dataset.name, "a data set with a name")
    header_bytes(header_of_plan(priced))  # what no file can hold is not paid for
    out = path_of("out", request.out)
    check_apart("out", out, request.ledger)
    scratch = secure_place(out, _largest_size(priced.plan))
    try:
        _sum_ahead(priced.plan)
        rows = rows_digest(request.dataset)
        with price_noted(out, "may count", but=DpgepError):
            reservation = BudgetLedger(request.ledger).reserve(
                request.dataset.name,
                priced.charge,
                limit=request.limit,
                relation=request.relation,
                rows=rows,
                setting={"model": request.model, "algorithm": request.algorithm, "version": VERSION},
            )
        with price_noted(out):
            release = run(priced.plan, exact=True)
            made = datetime.now(UTC).isoformat(timespec="seconds")
            header = _header(priced, release.ledger, reservation.release, made)
            header = replace(header, noise_edge=release.facts["noise_edge"])
            content = release_bytes(header, _arrays(release))
        with price_noted(out, but=DpgepError):
            write_whole(scratch, content, out)
    finally:
        scratch.unlink(missing_ok=True)
    digest = hashlib.sha256(content).hexdigest()
    record_written(request.ledger, reservation, digest, out)
    return Published(
        header=header,
        reservation=reservation,
        path=out,
        sha256=digest,
        seconds=time.perf_counter() - began,
        warnings=priced.plan.warnings,
    )


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


def header_of_plan(priced: PricedPlan) -> ReleaseHeader:
    """The header that a release would have, but for its name and time. Nothing is read, drawn or spent for it."""
    return _header(priced, ledger_of(priced.plan.noise or ()), "an example", "not yet")


def _header(priced: PricedPlan, ledger: Ledger, name: str, at: str) -> ReleaseHeader:
    made = priced.plan
    data, public, method = made.dataset, made.public, parameter_values(made.method)
    return ReleaseHeader(
        release=name,
        made=at,
        dataset=data.name,
        model=made.setting.model,
        algorithm=made.setting.algorithm,
        model_parameters=parameter_values(made.problem.model),
        method_parameters=method,
        n=public.n,
        d=public.d,
        columns=public.joint_columns,
        n_components=public.k,
        weight=_weight(made),
        relation=public.relation,
        classes=list(data.classes),
        feature_names=list(data.feature_names),
        image_shape=None if data.image_shape is None else list(map(int, data.image_shape)),
        views=None if data.views is None else [list(view) for view in data.views],
        preprocessing=json.loads(json.dumps(asdict(made.problem.preprocessing))),
        epsilon=str(priced.charge.asked.epsilon),
        delta=str(priced.charge.asked.delta),
        mu=ledger.mu,
        noise_edge=made.facts["noise_edge"],
        slack=priced.slack,
        ledger=[asdict(entry) for entry in ledger],
        versions={"dpgep-lab": VERSION, "python": python_version(), "numpy": np.__version__,
                  "opendp": version("opendp")},
    )  # fmt: skip


def _weight(made: Plan) -> float:
    """w² of the joint release."""
    weight = parameter_values(made.method).get("weight")
    return made.public.weight if weight is None else weight


def _sum_ahead(made: Plan) -> None:
    """Sum streamed rows for the first answer before it is paid for; later steps need its noise first."""
    more = parameter_values(made.method).get("steps", 1) > 1
    sum_ahead(made.problem, 1 if more else whole_weight(_weight(made)), made.public.joint_columns)


def _arrays(release: Release) -> ReleasedArrays:
    moments = release.moments
    assert moments is not None
    return ReleasedArrays(release.components, moments.gram, moments.sums, moments.counts)


def _largest_size(made: Plan) -> int:
    """Bytes that the file may take: its arrays, and a header that grows with names and bounds of the columns."""
    public, data = made.public, made.dataset
    numbers = public.d * (public.d + public.joint_columns + public.k) + public.joint_columns
    names = sum(len(name.encode()) + 16 for name in (*data.classes, *data.feature_names))
    return 8 * numbers + names + 64 * public.d + HEADER_SIZE
