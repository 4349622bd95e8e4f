"""Saved scenarios: one SQLite file that several servers and sessions may use at once. No streamlit, and never the data.

What is kept of a scenario is its address, a name, a note, the time, the version, and a salted fingerprint of the data
set, so that "the data changed since" can be said. The salt stays in the file: the fingerprint means nothing elsewhere.
"""

import hmac
import os
import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from platformdirs import user_data_path

from dpgep_core.errors import ParameterError, show_value
from dpgep_core.release import VERSION
from dpgep_core.sqlitefile import StoreError, StoreLayout, open_store, open_to_write

ENVIRONMENT = "DPGEP_SAVED"
LAYOUT = StoreLayout(
    holds="saved scenarios",
    mark=0x4450_4750,
    version=1,
    schema="""
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
INSERT INTO meta VALUES ('salt', randomblob(32));
CREATE TABLE scenario (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, note TEXT NOT NULL, query TEXT NOT NULL,
    fingerprint TEXT NOT NULL, version TEXT NOT NULL, made TEXT NOT NULL, deleted TEXT
) STRICT;
CREATE UNIQUE INDEX one_name ON scenario (owner, name) WHERE deleted IS NULL;
""",
    elsewhere=f"name another file with --saved or {ENVIRONMENT}",
)
KEPT = timedelta(days=1)  # a deleted one can be brought back for so long
MOST, LONGEST_NAME, LONGEST_NOTE, LONGEST_QUERY = 2000, 80, 1000, 4000
CHANGE = "UPDATE scenario SET {} = ? WHERE id = ? AND owner = ? AND deleted IS NULL"
NAMES = "SELECT name FROM scenario WHERE owner = ? AND deleted IS NULL"
GONE = "That scenario is no longer in the list; someone deleted it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """One saved scenario. ``query`` are the parameters of its address."""

    id: str
    name: str
    note: str
    query: Mapping[str, str]
    fingerprint: str
    version: str
    made: datetime


def default_path() -> Path:
    """The file named by DPGEP_SAVED, or one in the platform's folder for a user's data."""
    named = os.environ.get(ENVIRONMENT)
    return Path(named).expanduser() if named else user_data_path("dpgep-lab", False) / "saved.sqlite"


class Store:
    """Saved scenarios of one owner in one file. A missing file is created.

    The ``owner`` is who is logged in; "" where nobody is, and everyone shares one list.

    Raises
    ------
    StoreError
        From every method, where the file cannot be read or written, or is not one of ours.
    """

    def __init__(self, path: Path, owner: str = "") -> None:
        self.path, self._owner = path, owner

    def all(self) -> tuple[Saved, ...]:
        """Saved scenarios, the newest first."""
        with open_store(self.path, LAYOUT) as base:
            rows = base.execute(
                "SELECT id, name, note, query, fingerprint, version, made FROM scenario "
                "WHERE owner = ? AND deleted IS NULL ORDER BY made DESC, rowid DESC", (self._owner,),
            ).fetchall()  # fmt: skip
        return tuple(map(_saved_of, rows))

    def add(self, name: str, query: Mapping[str, str], *, note: str = "", digest: bytes = b"") -> Saved:
        """Keep a scenario; a name that is taken gets a number. ``digest`` is of the data set, and salted here."""
        return self.add_all([(name, query, note)], digest=digest)[0]

    def add_all(self, items: Sequence[tuple[str, Mapping[str, str], str]], *, digest: bytes = b"") -> tuple[Saved, ...]:
        """Save several (name, query, note) at once: all of them or none."""
        checked = [(_name(name), _query(query), _note(note)) for name, query, note in items]
        with open_to_write(self.path, LAYOUT) as base:
            (count,) = base.execute(
                "SELECT count(*) FROM scenario WHERE owner = ? AND deleted IS NULL", (self._owner,)
            ).fetchone()
            if count + len(items) > MOST:
                raise ParameterError("saved scenarios", count + len(items), f"at most {MOST} in one list")
            mark = _salt(base, digest)
            added = [self._insert(base, name, query, note, mark) for name, query, note in checked]
        return tuple(added)

    def rename(self, key: str, name: str, note: str | None = None) -> None:
        """Change the name of a scenario, and its note. A name that is in use is an error."""
        wanted = _name(name)
        with open_to_write(self.path, LAYOUT) as base:
            taken = base.execute(
                "SELECT 1 FROM scenario WHERE owner = ? AND name = ? AND deleted IS NULL AND id != ?",
                (self._owner, wanted, key),
            ).fetchone()
            if taken:
                raise ParameterError("name", wanted, "one that no other saved scenario has")
            self._change(base, "name", wanted, key)
            if note is not None:
                self._change(base, "note", _note(note), key)

    def duplicate(self, key: str) -> Saved:
        """A copy under a name of its own."""
        with open_to_write(self.path, LAYOUT) as base:
            row = base.execute(
                "SELECT name, query, note, fingerprint FROM scenario WHERE id = ? AND owner = ? AND deleted IS NULL",
                (key, self._owner),
            ).fetchone()
            if row is None:
                raise StoreError(GONE)
            name, query, note, mark = row
            return self._insert(base, f"{name[: LONGEST_NAME - 10]}, copy", query, note, mark)

    def delete(self, key: str) -> None:
        """Take one off the list. `undo` brings it back, for a day."""
        with open_to_write(self.path, LAYOUT) as base:
            self._change(base, "deleted", _now(), key)
            base.execute("DELETE FROM scenario WHERE deleted < ?", (_now(KEPT),))

    def undo(self, key: str) -> None:
        """Put a deleted one back, under a free name."""
        with open_to_write(self.path, LAYOUT) as base:
            row = base.execute("SELECT name FROM scenario WHERE id = ? AND owner = ?", (key, self._owner)).fetchone()
            if row is None:
                raise StoreError("That scenario was deleted more than a day ago and cannot be brought back.")
            base.execute("UPDATE scenario SET name = ?, deleted = NULL WHERE id = ?", (self._free(base, row[0]), key))

    def mark(self, digest: bytes) -> str:
        """Fingerprint of a data set as this file stores it, to compare with a saved fingerprint."""
        with open_store(self.path, LAYOUT) as base:
            return _salt(base, digest)

    def _insert(self, base: sqlite3.Connection, name: str, query: str, note: str, mark: str) -> Saved:
        row = (secrets.token_hex(8), self._free(base, name), note, query, mark, VERSION, _now())
        base.execute(
            "INSERT INTO scenario (id, name, note, query, fingerprint, version, made, owner) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, self._owner),
        )  # fmt: skip
        return _saved_of(row)

    def _free(self, base: sqlite3.Connection, name: str) -> str:
        taken = {each for (each,) in base.execute(NAMES, (self._owner,))}
        number, free = 2, name
        while free in taken:
            free, number = f"{name[: LONGEST_NAME - 8]} ({number})", number + 1
        return free

    def _change(self, base: sqlite3.Connection, column: str, value: str, key: str) -> None:
        if not base.execute(CHANGE.format(column), (value, key, self._owner)).rowcount:
            raise StoreError(GONE)


def _salt(base: sqlite3.Connection, digest: bytes) -> str:
    if not digest:
        return ""
    (salt,) = base.execute("SELECT value FROM meta WHERE name = 'salt'").fetchone()
    return hmac.new(salt, digest, "sha256").hexdigest()[:32]


def _saved_of(row: tuple[str, ...]) -> Saved:
    key, name, note, query, mark, made_by, made = row
    try:
        when = datetime.fromisoformat(made)
    except ValueError as error:  # nothing of ours writes that
        raise StoreError(
            f"The entry {show_value(name)} of the saved scenarios is damaged: its time reads {show_value(made)}."
        ) from error
    return Saved(
        id=key, name=name, note=note, query=dict(parse_qsl(query, keep_blank_values=True)), fingerprint=mark,
        version=made_by, made=when,
    )  # fmt: skip


def _now(ago: timedelta = timedelta()) -> str:
    return (datetime.now(UTC) - ago).isoformat(timespec="microseconds")


def _name(name: str) -> str:
    line = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if not 0 < len(line) <= LONGEST_NAME:
        raise ParameterError("name", name[:100], f"a text of 1 to {LONGEST_NAME} characters")
    return line


def _note(note: str) -> str:
    if len(note) > LONGEST_NOTE:
        raise ParameterError("note", f"{note[:40]}…", f"a text of at most {LONGEST_NOTE} characters")
    return "".join(c if c.isprintable() or c == "\n" else " " for c in note).strip()


def _query(query: Mapping[str, str]) -> str:
    text = urlencode(query)
    if len(text) > LONGEST_QUERY:
        raise ParameterError("address", f"{text[:40]}…", f"at most {LONGEST_QUERY} characters long")
    return text
