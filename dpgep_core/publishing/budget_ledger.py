"""The kept ledger of budgets: one SQLite file, rows that are only added, each chained to the one before by its hash.

A release is written here, and flushed to the disk, before its noise is drawn. So a crash at any moment leaves a ledger
that counts every noise that was drawn, and perhaps one that was not.
"""

import hmac
import os
import secrets
import sqlite3
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from dpgep_core.errors import ParameterError, UnknownNameError, show_value
from dpgep_core.paths import path_of
from dpgep_core.publishing.budget import Amount, Budget, Charge
from dpgep_core.publishing.entry_chain import LAYOUT, KeptEntry, append_entry, checked_entries
from dpgep_core.sqlitefile import StoreError, open_store, transaction
from dpgep_core.wording import decimal_text

OPENED, RESERVED, WRITTEN = "opened", "reserved", "written"
DIGEST = 2  # which digest of the rows a fingerprint is made from; those of an earlier one are compared with nothing


@dataclass(frozen=True, slots=True)
class Reservation:
    """A release that is paid for.

    Parameters
    ----------
    release : str
        Its random name.
    entry : str
        Hash of its row, which vouches for all rows before it.
    budget : Budget
        The budget after it.
    rows_changed : bool
        Whether the rows are not those that the budget was opened with; of a budget that an earlier version opened, not
        those of its next release.
    """

    release: str
    entry: str
    budget: Budget
    rows_changed: bool


class BudgetLedger:
    """Budgets of data sets in one file, which many processes may use at once. A missing file is created.

    Each call opens the file, checks its whole chain, and closes it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path_of("ledger", path)

    def reserve(
        self,
        dataset: str,
        charge: Charge,
        *,
        limit: Amount | None,
        relation: str,
        rows: bytes,
        setting: Mapping[str, Any],
    ) -> Reservation:
        """Pay for one release, on the disk when this returns.

        Parameters
        ----------
        dataset : str
            Name of the data set, whose budget it is.
        charge : Charge
        limit : Amount or None
            Limit of the budget: opens it where there is none, and must be the same where there is one. None takes the
            one that is there.
        relation : str
            Neighbouring relation; the same for all releases of a budget.
        rows : bytes
            Digest of the rows, of which only a salted one is kept. Rows that another name has a budget for get none.
        setting : mapping
            Public setting of the release, for the record.

        Raises
        ------
        BudgetSpentError, ParameterError, StoreError
            Nothing is written then.
        """
        if not self._path.exists():  # so that a refusal leaves no file behind
            Budget(dataset, _limit_needed(dataset, limit), relation).charged(charge)
        with self._writing() as base:
            entries = checked_entries(base, self._path)
            _check_no_other_name(entries, dataset, rows)
            if not any(_opens(entry, dataset) for entry in entries):
                entries.append(_open(base, entries, dataset, _limit_needed(dataset, limit), relation, rows))
            opened = next(entry for entry in entries if _opens(entry, dataset))
            budget = _budget(entries, dataset)
            _check_same(budget, limit, relation)
            budget = budget.charged(charge)
            fingerprint = _fingerprint(opened.body["salt"], rows)
            known = [entry.body["fingerprint"] for entry in entries if _tells_rows(entry, dataset)]
            changed = bool(known) and known[0] != fingerprint
            release = secrets.token_hex(16)
            body = {
                "dataset": dataset,
                "release": release,
                "epsilon": str(charge.asked.epsilon),
                "delta": str(charge.asked.delta),
                "mu": charge.mu.hex(),
                "distance": charge.distance.hex(),
                "fingerprint": fingerprint,
                "digest": DIGEST,
                "rows_changed": changed,
                "setting": dict(setting),
                "at": _now(),
            }
            entry = append_entry(base, entries, RESERVED, body)
        return Reservation(release, entry.hash, budget, changed)

    def record_file(self, release: str, sha256: str, name: str) -> None:
        """Write down that the file of a release is whole.

        Raises
        ------
        StoreError
            Also if the ledger that the release was paid from is no longer there. No other is made.
        """
        with self._writing(create=False) as base:
            entries = checked_entries(base, self._path)
            if not any(entry.kind == RESERVED and entry.body["release"] == release for entry in entries):
                raise StoreError(f"{self._path} is another ledger now than the one that the release was paid from.")
            append_entry(base, entries, WRITTEN, {"release": release, "sha256": sha256, "file": name, "at": _now()})

    def entries(self) -> list[KeptEntry]:
        """All rows, in order, once the chain is checked."""
        if not self._path.exists():
            raise ParameterError("--ledger", str(self._path), "a ledger that is there; a first release makes one")
        with open_store(self._path, LAYOUT, create=False) as base:
            return checked_entries(base, self._path)

    def budgets(self) -> dict[str, Budget]:
        """Every budget in the file, by data set."""
        entries = self.entries()
        names = [str(entry.body["dataset"]) for entry in entries if entry.kind == OPENED]
        return {name: _budget(entries, name) for name in names}

    def budget(self, dataset: str) -> Budget:
        """The budget of one data set."""
        found = self.budgets()
        if dataset not in found:
            raise UnknownNameError("dataset", dataset, found, "That ledger keeps no budget for it.")
        return found[dataset]

    @contextmanager
    def _writing(self, *, create: bool = True) -> Generator[sqlite3.Connection]:
        with open_store(self._path, LAYOUT, create=create, convert=True) as base:
            _flush_folder(self._path)
            # A commit returns when the disk has it, and knows that the journal, which would undo it, is gone.
            base.execute("PRAGMA synchronous = EXTRA")
            base.execute("PRAGMA fullfsync = 1")
            with transaction(base):
                yield base


def _open(
    base: sqlite3.Connection, entries: list[KeptEntry], dataset: str, limit: Amount, relation: str, rows: bytes
) -> KeptEntry:
    salt = secrets.token_hex(16)
    body = {
        "dataset": dataset,
        "epsilon": str(limit.epsilon),
        "delta": str(limit.delta),
        "relation": relation,
        "salt": salt,
        "fingerprint": _fingerprint(salt, rows),
        "digest": DIGEST,
        "at": _now(),
    }
    return append_entry(base, entries, OPENED, body)


def _check_no_other_name(entries: list[KeptEntry], dataset: str, rows: bytes) -> None:
    """Refuse rows that another name has a budget for, or has released: they would be paid for from two budgets."""
    for opened in entries:
        if opened.kind != OPENED or (name := str(opened.body["dataset"])) == dataset:
            continue
        fingerprint = _fingerprint(opened.body["salt"], rows)
        if any(entry.body["fingerprint"] == fingerprint for entry in entries if _tells_rows(entry, name)):
            raise ParameterError("dataset", dataset, f"named {name!r}, under which these rows have a budget")


def _tells_rows(entry: KeptEntry, dataset: str) -> bool:
    return entry.body.get("digest") == DIGEST and entry.body["dataset"] == dataset


def _budget(entries: list[KeptEntry], dataset: str) -> Budget:
    opened = next(entry.body for entry in entries if _opens(entry, dataset))
    charges = tuple(
        Charge(_amount(entry.body), float.fromhex(entry.body["mu"]), float.fromhex(entry.body["distance"]))
        for entry in entries
        if entry.kind == RESERVED and entry.body["dataset"] == dataset
    )
    return Budget(dataset, _amount(opened), str(opened["relation"]), charges)


def _amount(body: Mapping[str, Any]) -> Amount:
    return Amount(Decimal(body["epsilon"]), Decimal(body["delta"]))


def _opens(entry: KeptEntry, dataset: str) -> bool:
    return entry.kind == OPENED and entry.body["dataset"] == dataset


def _limit_needed(dataset: str, limit: Amount | None) -> Amount:
    if limit is None:
        allowed = f"given for the first release of {show_value(dataset)}: the ε of all its releases together"
        raise ParameterError("budget-epsilon", None, allowed)
    return limit


def _check_same(budget: Budget, limit: Amount | None, relation: str) -> None:
    """Refuse another limit or relation than the budget was opened with."""
    pairs = () if limit is None else (
        ("budget-epsilon", limit.epsilon, budget.limit.epsilon), ("budget-delta", limit.delta, budget.limit.delta)
    )  # fmt: skip
    for name, given, kept in pairs:
        if given != kept:
            raise ParameterError(
                name,
                decimal_text(given),
                f"{decimal_text(kept)}, with which the budget of {budget.dataset!r} was opened",
            )
    if relation != budget.relation:
        raise ParameterError(
            "relation", relation, f"{budget.relation}, for which the budget of {budget.dataset!r} was opened"
        )


def _fingerprint(salt: str, rows: bytes) -> str:
    return hmac.new(bytes.fromhex(salt), rows, "sha256").hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _flush_folder(path: Path) -> None:
    """Flush the name of the file to the disk before a price is in it: SQLite flushes its content and its journal."""
    if os.name == "nt":
        return
    handle = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
