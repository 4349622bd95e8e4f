"""Releases of this server: where the ledger and the files are, what a release would cost, and those that were made."""

import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset
from dpgep_core.errors import DataError, reason_of
from dpgep_core.paths import path_of
from dpgep_core.publishing.budget import Amount, Budget
from dpgep_core.publishing.budget_ledger import RESERVED, WRITTEN, BudgetLedger
from dpgep_core.publishing.placing import ledger_path
from dpgep_core.publishing.pricing import ReleaseRequest

FOLDER = "DPGEP_RELEASES"
METHOD = "ssp"
LONGEST_PART = 100  # letters of a file's name that are of its data set; a file system takes 255 of all


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A release in the ledger; ``path`` is None where its file is not in the folder, or was never written."""

    release: str
    at: str
    epsilon: str
    delta: str
    model: str
    path: Path | None
    sha256: str


def releases_folder() -> Path:
    """The folder named by DPGEP_RELEASES, or one in the platform's folder for a user's data."""
    named = os.environ.get(FOLDER)
    return path_of(FOLDER, named) if named else user_data_path("dpgep-lab", False) / "releases"


def kept_budget(name: str) -> Budget | None:
    """The budget of a data set; None where none was opened.

    Raises
    ------
    StoreError
        If the ledger cannot be used.
    """
    path = ledger_path()
    return BudgetLedger(path).budgets().get(name) if path.exists() else None


def release_request(scenario: Scenario, data: Dataset, asked: Amount, limit: Amount | None) -> ReleaseRequest:
    """Request for a release with the model, k, ξ and s of a scenario, and all rows of a data set."""
    setting = scenario.with_algorithms(METHOD).setting(METHOD)
    return ReleaseRequest(
        dataset=data,
        model=setting.model,
        algorithm=METHOD,
        asked=asked,
        limit=limit,
        ledger=ledger_path(),
        out=releases_folder() / _file_name(data.name, setting.model),
        n_components=setting.n_components,
        relation=setting.relation,
        declared_n=setting.declared_n if setting.relation == "add_remove" else None,
        params=dict(setting.params),
    )


def _file_name(name: str, model: str) -> str:
    """A name that no earlier release has, and that every file system takes."""
    return f"{re.sub('[^A-Za-z0-9_-]', '-', name)[:LONGEST_PART]}-{model}-{secrets.token_hex(4)}.npz"


def make_folder() -> None:
    """Make the folder of releases, for its owner alone."""
    folder = releases_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise DataError(str(folder), f"cannot be made ({reason_of(error)})", f"name a folder by {FOLDER}") from error


def earlier_releases(name: str) -> Iterator[Earlier]:
    """Releases of a data set, the newest first."""
    path, folder = ledger_path(), releases_folder()
    entries = BudgetLedger(path).entries() if path.exists() else []
    written = {entry.body["release"]: entry.body for entry in entries if entry.kind == WRITTEN}
    for entry in reversed(entries):
        if entry.kind != RESERVED or entry.body["dataset"] != name:
            continue
        file = written.get(entry.body["release"], {})
        there = folder / Path(str(file.get("file", ""))).name
        yield Earlier(
            **{key: str(entry.body[key]) for key in ("release", "at", "epsilon", "delta")},
            model=str(entry.body["setting"].get("model", "")),
            path=there if file and there.is_file() else None,
            sha256=str(file.get("sha256", "")),
        )


def content_of(one: Earlier) -> bytes:
    """The file of an earlier release, as it was written."""
    assert one.path is not None
    content = one.path.read_bytes()
    if hashlib.sha256(content).hexdigest() != one.sha256:
        raise DataError(one.path.name, "the file is not the one that the ledger names", "restore a copy of it")
    return content
