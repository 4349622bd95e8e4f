"""A small database in one file: made whole, checked before use, written by many at once, and never overwritten."""

import errno
import os
import shutil
import sqlite3
import stat
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dpgep_core.errors import DpgepError
from dpgep_core.sqlitelogs import (
    FRESH,
    GLANCE,
    SCRATCH,
    History,
    fault_beside_new,
    fault_of_logs,
    fault_of_names,
    opened_alone,
)

SMALLEST = 100  # bytes of SQLite's header
WRITER_PATIENCE = 20.0  # seconds to wait for another writer
NARROW = 1 << 20  # free bytes of a disk on which SQLite may fail to make a file
NO_HARD_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EINVAL}


class StoreError(DpgepError):
    """A file cannot be used as it is. It is left as it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreLayout:
    """Layout of a kind of file.

    Parameters
    ----------
    holds : str
        For messages, as in "a file of saved scenarios".
    mark, version : int
        SQLite's ``application_id`` and ``user_version``: whose file it is, and of which layout.
    schema : str
        Its tables.
    elsewhere : str
        How a user names another file.
    upgrade : callable or None
        Makes the layout before this one into this one, inside a transaction; None: there is no way.
    journal : "WAL" or "DELETE"
        With a write-ahead log, readers and a writer wait for nobody, but the newest rows and all locks are in files
        that belong to a name. With a rollback journal, rows and locks are in the file itself, under every name.
    history : History or None
        For a file with a rollback journal, to tell its logs from those of another.
    """

    holds: str
    mark: int
    version: int
    schema: str
    elsewhere: str
    upgrade: Callable[[sqlite3.Connection], None] | None = None
    journal: Literal["WAL", "DELETE"] = "WAL"
    history: History | None = None


@contextmanager
def open_store(
    path: Path, layout: StoreLayout, *, create: bool = True, convert: bool = False
) -> Generator[sqlite3.Connection]:
    """A connection for one piece of work; whatever SQLite says of the file is said in our words.

    Parameters
    ----------
    path : Path
    layout : StoreLayout
    create : bool
        Whether a missing file is made.
    convert : bool
        Whether a file that an earlier version kept with a write-ahead log gets the rollback journal of its layout.

    Raises
    ------
    StoreError
    """
    try:
        if create and not path.exists():
            _create(path, layout)
        _check_file(path, layout)
        ends = time.monotonic() + WRITER_PATIENCE
        while True:
            with closing(_connect(path)) as base:
                _check_ours(base, path, layout)
                if not convert or _has_rollback_journal(base, ends):
                    yield base
                    return
            time.sleep(GLANCE)  # closed, since others with the same aim wait until nobody has it open
    except sqlite3.Error as error:
        raise StoreError(_in_words(path, error, layout)) from error
    except OSError as error:
        why = error.strerror or str(error)
        raise StoreError(f"{path} cannot be used for {layout.holds}: {why}. To go on, {layout.elsewhere}.") from error


@contextmanager
def transaction(base: sqlite3.Connection) -> Generator[sqlite3.Connection]:
    """Transaction of which all statements are kept, or none; other writers wait."""
    base.execute("BEGIN IMMEDIATE")
    try:
        yield base
    except BaseException:
        base.rollback()
        raise
    base.commit()


@contextmanager
def open_to_write(path: Path, layout: StoreLayout) -> Generator[sqlite3.Connection]:
    """`open_store` and `transaction` in one."""
    with open_store(path, layout) as base, transaction(base):
        yield base


def _connect(path: Path) -> sqlite3.Connection:
    place = path.absolute().as_uri() + "?mode=rw"
    return sqlite3.connect(place, uri=True, timeout=WRITER_PATIENCE, isolation_level=None)


def _has_rollback_journal(base: sqlite3.Connection, ends: float) -> bool:
    """Bring a file to a rollback journal; False where others have it open, for which SQLite itself does not wait."""
    try:
        base.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error) or time.monotonic() > ends:
            raise
        return False
    return True


def _create(path: Path, layout: StoreLayout) -> None:
    """A new file, whole before it has its name: two that come at once make one."""
    if fault := fault_beside_new(path):
        raise StoreError(f"{fault}, or {layout.elsewhere}.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=path.parent) as folder:
        fresh = Path(folder, FRESH)
        base = sqlite3.connect(fresh, isolation_level=None)
        try:
            base.executescript(
                f"PRAGMA journal_mode = {layout.journal}; PRAGMA application_id = {layout.mark};"
                f"PRAGMA user_version = {layout.version}; {layout.schema}"
            )
        finally:
            base.close()
        fresh.chmod(0o600)
        _give_name(fresh, path, layout)


def _give_name(fresh: Path, path: Path, layout: StoreLayout) -> None:
    """Name a finished file without replacing one that is there: by a hard link, or under a lock where there are none.

    exFAT, FAT and some network file systems have no hard links.
    """
    try:
        os.link(fresh, path)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in NO_HARD_LINKS:
            raise
        with _lock_folder(path, layout):
            if not path.exists():
                fresh.replace(path)


@contextmanager
def _lock_folder(path: Path, layout: StoreLayout) -> Generator[None]:
    """Hold a folder beside the file as a lock: making a folder either succeeds or fails, on every file system."""
    lock = path.with_name(f".{path.name}.lock")
    ends = time.monotonic() + WRITER_PATIENCE
    while True:
        try:
            lock.mkdir()
            break
        except FileExistsError:
            if time.monotonic() > ends:
                raise StoreError(
                    f"{path} cannot be made: {lock.name} beside it says that someone else is making it, for longer "
                    f"than {WRITER_PATIENCE:g} seconds. Remove that folder if nobody is, or {layout.elsewhere}."
                ) from None
            time.sleep(GLANCE)
    try:
        yield
    finally:
        with suppress(OSError):
            lock.rmdir()


def _check_file(path: Path, layout: StoreLayout) -> None:
    """Refuse what SQLite may not open: it creates, follows and applies whatever it finds."""
    if not os.path.lexists(path):
        raise StoreError(f"{path} is not there any more: it was moved or removed. No other was made.")
    _check_header(path, layout)
    if layout.history is not None and (fault := fault_of_names(path) or fault_of_logs(path, layout.history)):
        raise StoreError(f"{fault}.")


def _check_header(path: Path, layout: StoreLayout) -> None:
    """Refuse a file that is no database."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EISDIR, "It is a folder or a device, and no file")
    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if found.st_size >= SMALLEST:
        try:
            with opened_alone(path) as base:
                base.execute("PRAGMA application_id").fetchone()
            return
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorname", "") != "SQLITE_NOTADB":  # such as a file in the middle of a change
                return
    what = "is empty" if not found.st_size else f"does not hold {layout.holds}, or was cut short"
    raise StoreError(f"{path} {what}. It was left as it is; {layout.elsewhere}.")


def _check_ours(base: sqlite3.Connection, path: Path, layout: StoreLayout) -> None:
    (mark,), (version,) = (base.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version"))
    if mark != layout.mark:
        raise StoreError(f"{path} belongs to another program. It was left as it is; {layout.elsewhere}.")
    if version == layout.version - 1 and layout.upgrade is not None:
        version = _upgrade(base, layout)
    if version != layout.version:
        raise StoreError(
            f"{path} was made by another version of DP-GEP Lab (layout {version}, not {layout.version}). It was left "
            f"as it is; {layout.elsewhere}."
        )
    (found,) = base.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        what = " ".join(str(found).split())
        raise StoreError(f"{path} is damaged ({what}). It was left as it is; restore a copy or {layout.elsewhere}.")


def _upgrade(base: sqlite3.Connection, layout: StoreLayout) -> int:
    """Bring a file of the layout before to this one: all of it or nothing, and once where several come at once."""
    assert layout.upgrade is not None
    with transaction(base):
        (version,) = base.execute("PRAGMA user_version").fetchone()
        if version == layout.version - 1:
            layout.upgrade(base)
            base.execute(f"PRAGMA user_version = {layout.version}")
    return layout.version if version == layout.version - 1 else version


def _in_words(path: Path, error: sqlite3.Error, layout: StoreLayout) -> str:
    said = str(error)
    if "readonly" in said:
        return f"{path} can be read and not written: nothing was saved."
    if "locked" in said or "busy" in said:
        return (
            f"{path} is being written by someone else for longer than {WRITER_PATIENCE:g} seconds: nothing was saved."
        )
    if "malformed" in said or "not a database" in said or "disk image" in said:
        return f"{path} is damaged or was cut short ({said}). It was left as it is; restore a copy of it."
    if "full" in said:
        return f"{path} is on a disk that is full: nothing was saved. To go on, make room or {layout.elsewhere}."
    if _may_be_full(path, error):
        return f"{path} is on a disk that may be full ({said}): nothing was saved. Make room, and try again."
    if "unable to open" in said:  # SQLite keeps files beside it while it is in use
        return f"{path} cannot be written, nor can files beside it: nothing was saved. To go on, {layout.elsewhere}."
    return f"{path} cannot be used for {layout.holds} ({said})."


def _may_be_full(path: Path, error: sqlite3.Error) -> bool:
    """Whether SQLite could not write some file, where little room is left."""
    if not getattr(error, "sqlite_errorname", "").startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")):
        return False
    with suppress(OSError):
        return shutil.disk_usage(path.parent).free < NARROW
    return False
