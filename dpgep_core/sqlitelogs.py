"""Logs that SQLite keeps beside a database, and whether they are of that database: SQLite applies any that it finds.

No function here opens a database by `open`. A process that closes such a file loses every lock that it has on it, those
of SQLite in its other threads too; SQLite itself closes its own files with care.
"""

import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from dpgep_core.errors import DpgepError

JOURNAL, WAL, SHARED = "-journal", "-wal", "-shm"
ENDINGS = (JOURNAL, WAL, SHARED)
STARTS = {JOURNAL: (b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7",), WAL: (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")}
SCRATCH, FRESH = ".dpgep-", "fresh.sqlite"  # folder and file in which a database is made
GLANCE, LOOKS = 0.05, 10  # seconds in which a log that is in use changes, and how often one looks


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Rows of a database that only grows, by which a log of another database is known.

    Parameters
    ----------
    read : callable
        Names of all rows in order, such as their hashes. It raises where the rows do not hold together.
    at_once : int
        The most rows that one transaction adds.
    """

    read: Callable[[sqlite3.Connection], list[str]]
    at_once: int


def log_path(path: Path, ending: str) -> Path:
    """Path of a log, which SQLite keeps beside the file itself and not beside a symbolic link to it."""
    return Path(os.path.realpath(path) + ending)


@contextmanager
def opened_alone(path: Path) -> Generator[sqlite3.Connection]:
    """A connection to the file as it is: it applies no log, takes no lock and makes no file."""
    place = path.absolute().as_uri() + "?mode=ro&immutable=1"
    with closing(sqlite3.connect(place, uri=True)) as base:
        yield base


def fault_beside_new(path: Path) -> str | None:
    """Say which log lies where a database is about to be made, or None."""
    found = [each.name for ending in ENDINGS if os.path.lexists(each := log_path(path, ending))]
    if not found or path.exists():  # someone made the database meanwhile, and uses it
        return None
    logs = " and ".join(found)
    return (
        f"{path} is not there, but {logs} beside it, of a database that was moved or removed. A new one would take it "
        f"for its own, so none was made. Bring that database back, or move {logs} to where it is now, whose newest "
        "rows it may hold"
    )


def fault_of_names(path: Path) -> str | None:
    """Say that a database has several names, or None. A name that a killed process left of its making is removed."""
    if path.stat().st_nlink > 1:
        _remove_scratch_names(path)
    names = path.stat().st_nlink
    if names <= 1:
        return None
    return (
        f"{path} has {names} names (hard links). After a crash, only one of them leads to the log that mends the file, "
        f"so it is used under none. It was left as it is. Remove its other names, which `find / -samefile "
        f"'{path}'` lists, and keep copies instead, which `cp` makes"
    )


def _remove_scratch_names(path: Path) -> None:
    """Remove the name under which a database was made: its maker is killed, or about to remove it."""
    for fresh in Path(os.path.realpath(path)).parent.glob(f"{SCRATCH}*/{FRESH}"):
        try:
            if fresh.samefile(path):
                fresh.unlink()
                fresh.parent.rmdir()
        except OSError:  # its maker was faster
            continue


def fault_of_logs(path: Path, history: History) -> str | None:
    """Say which log beside a database is not its own, or None. A log of its own is left to SQLite, which applies it.

    Parameters
    ----------
    path : Path
        A database with a rollback journal, or one of an earlier version with a write-ahead log.
    history : History
    """
    for ending in (JOURNAL, WAL):
        if os.path.lexists(log_path(path, ending)) and not _is_own(path, ending, history):
            return _is_of_another(path, ending)
    return None


def _is_of_another(path: Path, ending: str) -> str:
    log = log_path(path, ending)
    return (
        f"{log} is not of {path}, and would change it. Both were left as they are. Move {log.name} to where "
        "its database is now, whose newest rows it may hold; then this one can be used"
    )


def _is_own(path: Path, ending: str, history: History) -> bool:
    """Whether the rows that a log makes go on from those of the database, or are those before its last change."""
    log, seen = log_path(path, ending), _state(path, ending)
    if not seen or seen[0] == 0:
        return True  # SQLite applies nothing of an empty one
    for _ in range(LOOKS):
        time.sleep(GLANCE / LOOKS)
        if _state(path, ending) != seen:
            return True  # it is in use, and locks do the rest
    try:
        with opened_alone(path) as base:
            now, file = history.read(base), base.serialize()
    except (sqlite3.Error, DpgepError):
        return True  # a crash cut a change short, and only the log can mend it
    try:
        content = log.read_bytes()
    except FileNotFoundError:
        return True
    then = _applied(path, file, ending, content, history)
    if _state(path, ending) != seen:
        return True
    is_log = content[:1] in (b"", b"\0") or content.startswith(
        STARTS[ending]
    )  # SQLite ends a log by zeros over its head
    if then is None or not is_log:
        return False
    if ending == WAL:
        return then[: len(now)] == now
    return now[: len(then)] == then and len(now) - len(then) <= history.at_once


def _state(path: Path, ending: str) -> tuple[int, ...]:
    """Size of a log, and numbers that tell whether it or its database was changed in between; empty without a log."""
    try:
        file, log = os.stat(path), os.stat(log_path(path, ending))
    except FileNotFoundError:
        return ()
    return log.st_size, log.st_ino, log.st_mtime_ns, file.st_size, file.st_ino, file.st_mtime_ns


def _applied(path: Path, file: bytes, ending: str, content: bytes, history: History) -> list[str] | None:
    """Rows of a copy to which SQLite applied the log; None where they do not hold together."""
    with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=path.parent) as folder:
        copy = Path(folder, "copy.sqlite")
        copy.write_bytes(file)
        log_path(copy, ending).write_bytes(content)
        try:
            with closing(sqlite3.connect(copy)) as base:
                return history.read(base)
        except (sqlite3.Error, DpgepError):
            return None
