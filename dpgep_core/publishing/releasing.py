"""One release: checked, paid for in the kept ledger, drawn exactly, and written to its file, in this order."""

import hashlib
import json
import time
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from platform import python_version

import numpy as np

from dpgep_core.datasets.digests import rows_digest
from dpgep_core.errors import DpgepError
from dpgep_core.models.integer_sums import sum_ahead, whole_weight
from dpgep_core.params import parameter_values
from dpgep_core.paths import check_text, path_of
from dpgep_core.privacy.ledger import Ledger, ledger_of
from dpgep_core.publishing.budget_ledger import BudgetLedger, Reservation
from dpgep_core.publishing.paying import price_noted, record_written
from dpgep_core.publishing.placing import check_apart, secure_place, write_whole
from dpgep_core.publishing.pricing import PricedPlan, ReleaseRequest, priced_plan
from dpgep_core.publishing.release_file import ReleasedArrays, ReleaseHeader, header_bytes, release_bytes
from dpgep_core.release import VERSION, Release
from dpgep_core.solve import Plan, run

HEADER_SIZE = 1 << 16  # bytes, beside what grows with the columns


@dataclass(frozen=True, kw_only=True)
class Published:
    """A release that was written; ``warnings`` are about its public setting."""

    header: ReleaseHeader
    reservation: Reservation
    path: Path
    sha256: str
    seconds: float
    warnings: tuple[str, ...] = ()


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
