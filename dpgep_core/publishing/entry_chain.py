"""Rows of the kept ledger: they are only added, each chained to the one before by its hash."""

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpgep_core.sqlitefile import StoreError, StoreLayout
from dpgep_core.sqlitelogs import History

START = "0" * 64


@dataclass(frozen=True, slots=True)
class KeptEntry:
    """One row: a budget that was opened, a release that is paid for, or the file that it was written to."""

    number: int
    kind: str
    body: Mapping[str, Any]
    hash: str


def append_entry(base: sqlite3.Connection, entries: list[KeptEntry], kind: str, body: Mapping[str, Any]) -> KeptEntry:
    """Write a row after all others, and give it back."""
    number, previous = len(entries) + 1, entries[-1].hash if entries else START
    text = json.dumps(body, sort_keys=True, ensure_ascii=False)
    digest = _chained(previous, number, kind, text)
    base.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", (number, kind, text, previous, digest))
    return KeptEntry(number, kind, body, digest)


def _chained(previous: str, number: int, kind: str, text: str) -> str:
    return hashlib.sha256(f"{previous}\n{number}\n{kind}\n{text}".encode()).hexdigest()


def checked_entries(base: sqlite3.Connection, path: Path) -> list[KeptEntry]:
    """All rows, in order; `StoreError` where one does not follow from the row before."""
    found: list[KeptEntry] = []
    last = START
    for number, kind, text, previous, digest in base.execute("SELECT * FROM entry ORDER BY number"):
        expected = _chained(last, len(found) + 1, kind, text)
        if number != len(found) + 1 or previous != last or digest != expected:
            raise StoreError(
                f"{path}: row {number} does not follow from the rows before it, so the ledger was changed or is "
                "damaged. It was left as it is, and nothing is released from it; restore its newest copy, since an "
                "older one does not know the latest releases."
            )
        found.append(KeptEntry(number, kind, json.loads(text), digest))
        last = digest
    return found


def _hashes(base: sqlite3.Connection) -> list[str]:
    return [entry.hash for entry in checked_entries(base, Path())]


LAYOUT = StoreLayout(
    holds="a ledger of privacy budgets",
    mark=0x4450_474C,
    version=1,
    schema="""
CREATE TABLE entry (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER never_changed BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
CREATE TRIGGER never_removed BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'rows are only added'); END;
""",
    elsewhere="name another file with --ledger or DPGEP_LEDGER",
    journal="DELETE",  # what was paid is in the file itself, and whoever opens it by any name sees its locks
    history=History(read=_hashes, at_once=2),  # a first release adds its budget, too
)
