"""Finished cells, kept in one SQLite file under their content: what is there is never computed again.

The key of a cell follows from the rows of its data set. In the file it is salted with a number of the file's own: no
list of digests made elsewhere tells which rows a cell belongs to, and two files cannot be matched by their keys. That
is all a salt does. Whoever has the file and all the rows but one can compute the numbers of a cell and compare: a
store, like the table that comes of it, is as private as the rows are.
"""

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dpgep_core.sqlitefile import StoreLayout, open_store, transaction

SALT = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;"
    "INSERT INTO meta VALUES ('salt', randomblob(32));"
)
CELL_LAYOUT = StoreLayout(
    holds="the cells of a sweep",
    mark=0x4450_5357,
    version=2,
    schema=SALT
    + (
        "CREATE TABLE cell (key TEXT PRIMARY KEY, content TEXT NOT NULL, result TEXT NOT NULL, seconds REAL NOT NULL)"
        " STRICT, WITHOUT ROWID;"
    ),
    upgrade=lambda base: _salt_keys(base),
    elsewhere="name another file with --store",
)
SOME = 20_000  # cells that are enough to say how long one takes


class CellStore:
    """An open store. Several processes may have it open, and write, at once.

    Each `put` is on disk when it returns: a sweep that is killed loses what was being computed and nothing else.
    """

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base, self._salt = base, _salt(base)

    def put(self, key: str, content: Mapping[str, Any], result: Mapping[str, Any], seconds: float) -> bool:
        """Keep a finished cell; False where it was kept before, and then nothing changes."""
        with transaction(self._base):
            row = (_salt_key(key, self._salt), json.dumps(content), json.dumps(result), seconds)
            return bool(self._base.execute("INSERT OR IGNORE INTO cell VALUES (?, ?, ?, ?)", row).rowcount)

    def finished_keys(self, keys: Iterable[str]) -> set[str]:
        """Keys, among those given, that the store holds."""
        return {key for key, _, _ in self._rows(keys)}

    def results(self, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Results kept under the keys."""
        return {key: json.loads(result) for key, result, _ in self._rows(keys)}

    def seconds(self, keys: Iterable[str]) -> dict[str, float]:
        """How long each took."""
        return {key: seconds for key, _, seconds in self._rows(keys)}

    def typical_seconds(self) -> dict[tuple[str, str], float]:
        """Mean seconds of a cell, by data set and algorithm, over what is kept (of many cells, over some)."""
        found = self._base.execute(
            "SELECT json_extract(content, '$.dataset') AS d, json_extract(content, '$.algorithm') AS a, avg(seconds) "
            "FROM (SELECT content, seconds FROM cell LIMIT ?) GROUP BY d, a", (SOME,),
        )  # fmt: skip
        return {(dataset, algorithm): seconds for dataset, algorithm, seconds in found}

    def forget(self, keys: Iterable[str]) -> None:
        """Drop cells, to compute them again."""
        with transaction(self._base):
            self._base.executemany("DELETE FROM cell WHERE key = ?", [(_salt_key(key, self._salt),) for key in keys])

    def _rows(self, keys: Iterable[str]) -> Iterator[tuple[str, str, float]]:
        wanted = {_salt_key(key, self._salt): key for key in keys}
        asked = "SELECT key, result, seconds FROM cell WHERE key IN (SELECT value FROM json_each(?))"
        for name, result, seconds in self._base.execute(asked, (json.dumps(list(wanted)),)):
            yield wanted[name], result, seconds


def _salt(base: sqlite3.Connection) -> bytes:
    (salt,) = base.execute("SELECT value FROM meta WHERE name = 'salt'").fetchone()
    return salt


def _salt_key(key: str, salt: bytes) -> str:
    return hashlib.blake2b(key.encode(), key=salt, digest_size=16).hexdigest()


def _salt_keys(base: sqlite3.Connection) -> None:
    """From the first layout, whose keys were the bare digests."""
    salt = secrets.token_bytes(32)
    base.execute("CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT")
    base.execute("INSERT INTO meta VALUES ('salt', ?)", (salt,))
    keys = [key for (key,) in base.execute("SELECT key FROM cell")]
    base.executemany("UPDATE cell SET key = ? WHERE key = ?", [(_salt_key(key, salt), key) for key in keys])


@contextmanager
def cell_store(path: Path) -> Generator[CellStore]:
    """Open the store in a file, which is made where there is none.

    Raises
    ------
    StoreError
        If the file is damaged, cut short, or not ours. It is then left as it was.
    """
    with open_store(path, CELL_LAYOUT) as base:
        base.execute("PRAGMA synchronous = FULL")
        yield CellStore(base)
