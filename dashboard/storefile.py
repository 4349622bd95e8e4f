"""The file behind saved scenarios: made whole, checked before each use, and never overwritten."""

import os
import sqlite3
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_bytes

from dpgep_core.errors import DpgepError

ENVIRONMENT = "DPGEP_SAVED"
MARK, SCHEMA_VERSION = 0x4450_4750, 1  # SQLite's application_id and user_version of our files
HEADER = b"SQLite format 3\x00"
PATIENCE = 20.0  # seconds to wait for another writer
SCHEMA = f"""
PRAGMA journal_mode = WAL;
PRAGMA application_id = {MARK};
PRAGMA user_version = {SCHEMA_VERSION};
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
CREATE TABLE scenario (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, note TEXT NOT NULL, query TEXT NOT NULL,
    fingerprint TEXT NOT NULL, version TEXT NOT NULL, made TEXT NOT NULL, deleted TEXT
) STRICT;
CREATE UNIQUE INDEX one_name ON scenario (owner, name) WHERE deleted IS NULL;
"""


class StoreError(DpgepError):
    """The file of saved scenarios cannot be used as it is. It is left as it was."""


@contextmanager
def writing(path: Path) -> Generator[sqlite3.Connection]:
    """All of it or none; other writers wait."""
    with opened(path) as base:
        base.execute("BEGIN IMMEDIATE")
        try:
            yield base
        except BaseException:
            base.rollback()
            raise
        base.commit()


@contextmanager
def opened(path: Path) -> Generator[sqlite3.Connection]:
    """A connection for one piece of work; whatever SQLite says of the file is said in our words."""
    try:
        if not path.exists():
            _create(path)
        _check_header(path)
        where = path.absolute().as_uri() + "?mode=rw"
        base = sqlite3.connect(where, uri=True, timeout=PATIENCE, isolation_level=None)
        try:
            _check_ours(base, path)
            yield base
        finally:
            base.close()
    except sqlite3.Error as error:
        raise StoreError(_in_words(path, error)) from error
    except OSError as error:
        raise StoreError(f"{path} cannot be used for saved scenarios: {error.strerror or error}.") from error


def _create(path: Path) -> None:
    """A new file, whole before it has its name: two that come at once make one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".dpgep-", dir=path.parent) as folder:
        fresh = Path(folder, "saved.sqlite")
        base = sqlite3.connect(fresh, isolation_level=None)
        try:
            base.executescript(SCHEMA)
            base.execute("INSERT INTO meta VALUES ('salt', ?)", (token_bytes(32),))
        finally:
            base.close()
        fresh.chmod(0o600)
        with suppress(FileExistsError):
            os.link(fresh, path)


def _check_header(path: Path) -> None:
    with path.open("rb") as file:
        start = file.read(100)
    if start[:16] != HEADER or len(start) < 100:
        what = "is empty" if not start else "is not a file of saved scenarios, or was cut short"
        raise StoreError(f"{path} {what}. It was left as it is; name another file with --saved or {ENVIRONMENT}.")


def _check_ours(base: sqlite3.Connection, path: Path) -> None:
    (mark,), (schema,) = (base.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version"))
    if mark != MARK:
        raise StoreError(f"{path} belongs to another program. It was left as it is; name another file with --saved.")
    if schema != SCHEMA_VERSION:
        raise StoreError(f"{path} was made by another version of DP-GEP Lab (layout {schema}, not {SCHEMA_VERSION}).")
    (found,) = base.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        what = " ".join(str(found).split())
        raise StoreError(f"{path} is damaged ({what}). It was left as it is; restore a copy or name another file.")


def _in_words(path: Path, error: sqlite3.Error) -> str:
    said = str(error)
    if "readonly" in said:
        return f"{path} can be read and not written: nothing was saved."
    if "locked" in said or "busy" in said:
        return f"{path} is being written by someone else for longer than {PATIENCE:g} seconds: nothing was saved."
    if "malformed" in said or "not a database" in said or "disk image" in said:
        return f"{path} is damaged or was cut short ({said}). It was left as it is; restore a copy of it."
    return f"{path} cannot be used for saved scenarios ({said})."
