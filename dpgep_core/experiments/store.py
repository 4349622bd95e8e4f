"""Finished cells, kept in one SQLite file under their content: what is there is never computed again."""

import json
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dpgep_core.sqlitefile import Layout, opened, transaction

LAYOUT = Layout(
    holds="the cells of a sweep",
    mark=0x4450_5357,
    version=1,
    schema=(
        "CREATE TABLE cell (key TEXT PRIMARY KEY, content TEXT NOT NULL, result TEXT NOT NULL, seconds REAL NOT NULL)"
        " STRICT, WITHOUT ROWID;"
    ),
    elsewhere="name another file with --store",
)
ASKED = 500  # keys looked up at once
SOME = 20_000  # cells that are enough to say how long one takes


class CellStore:
    """An open store. Several processes may have it open, and write, at once.

    Each `put` is on disk when it returns: a sweep that is killed loses what was being computed and nothing else.
    """

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def put(self, key: str, content: Mapping[str, Any], result: Mapping[str, Any], seconds: float) -> bool:
        """Keep a finished cell; False where it was kept before, and then nothing changes."""
        with transaction(self._base):
            row = (key, json.dumps(content), json.dumps(result), seconds)
            return bool(self._base.execute("INSERT OR IGNORE INTO cell VALUES (?, ?, ?, ?)", row).rowcount)

    def known(self, keys: Iterable[str]) -> set[str]:
        """Those of the keys that are kept."""
        return {key for key, _, _ in self._rows(keys)}

    def results(self, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
        """What is kept under the keys."""
        return {key: json.loads(result) for key, result, _ in self._rows(keys)}

    def seconds(self, keys: Iterable[str]) -> dict[str, float]:
        """How long each took."""
        return {key: seconds for key, _, seconds in self._rows(keys)}

    def typical(self) -> dict[tuple[str, str], float]:
        """Mean seconds of a cell, by data set and algorithm, over what is kept (of many cells, over some)."""
        found = self._base.execute(
            "SELECT json_extract(content, '$.dataset') AS d, json_extract(content, '$.algorithm') AS a, avg(seconds) "
            "FROM (SELECT content, seconds FROM cell LIMIT ?) GROUP BY d, a", (SOME,),
        )  # fmt: skip
        return {(dataset, algorithm): seconds for dataset, algorithm, seconds in found}

    def forget(self, keys: Iterable[str]) -> None:
        """Drop cells, to compute them again."""
        with transaction(self._base):
            self._base.executemany("DELETE FROM cell WHERE key = ?", [(key,) for key in keys])

    def _rows(self, keys: Iterable[str]) -> Iterator[tuple[str, str, float]]:
        wanted = list(keys)
        for start in range(0, len(wanted), ASKED):
            some = wanted[start : start + ASKED]
            marks = ",".join("?" * len(some))
            yield from self._base.execute(f"SELECT key, result, seconds FROM cell WHERE key IN ({marks})", some)


@contextmanager
def cell_store(path: Path) -> Generator[CellStore]:
    """Open the store in a file, which is made where there is none.

    Raises
    ------
    StoreError
        If the file is damaged, cut short, or not ours. It is then left as it was.
    """
    with opened(path, LAYOUT) as base:
        base.execute("PRAGMA synchronous = FULL")
        yield CellStore(base)
