"""Small ledgers, of this version and of earlier ones, and what is in them."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from dpgep_core.publishing.budget import Amount, Charge
from dpgep_core.publishing.budget_ledger import BudgetLedger


def reserve(path: Path, **changes: Any) -> str:
    given: dict[str, Any] = {"limit": Amount.of("1", "1e-6"), "rows": b"the rows", **changes}
    charge = Charge(Amount.of("0.1", "1e-6"), 0.02, 2.0**-90)
    return BudgetLedger(path).reserve("census", charge, relation="replace_one", setting={}, **given).release


def releases(path: Path) -> list[str]:
    return [entry.body["release"] for entry in BudgetLedger(path).entries() if entry.kind == "reserved"]


def with_write_ahead_log(path: Path) -> None:
    """Make a ledger into one of an earlier version."""
    with closing(sqlite3.connect(path)) as base:
        assert base.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)


def copy_with_logs(path: Path, other: Path) -> None:
    """Copy a ledger and its logs as a crash at this moment leaves them."""
    for ending in ("", "-wal", "-journal"):
        if Path(f"{path}{ending}").exists():
            shutil.copy(f"{path}{ending}", f"{other}{ending}")


def contents(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
