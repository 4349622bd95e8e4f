"""A ledger applies its own log after a crash, and no log of another: SQLite itself applies any that it finds."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ledgers import contents, copy_with_logs, releases, reserve, with_write_ahead_log

from dpgep_core import sqlitefile
from dpgep_core.publishing import budget_ledger
from dpgep_core.publishing.budget_ledger import BudgetLedger
from dpgep_core.sqlitefile import StoreError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept.ledger"


@pytest.fixture
def crashed(path: Path, tmp_path: Path) -> Path:
    """A ledger of one release, and the hot journal of a second that was in the middle of its commit."""
    reserve(path)
    other = tmp_path / "crashed" / "kept.ledger"
    other.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("PRAGMA cache_spill = 1")
        base.execute("BEGIN IMMEDIATE")
        base.execute("INSERT INTO entry VALUES (3, 'reserved', ?, '', '')", ("x" * 100_000,))
        base.execute("PRAGMA cache_size = 1")  # pages go to the file before the commit
        for number in range(4, 12):
            base.execute("INSERT INTO entry VALUES (?, 'reserved', ?, '', '')", (number, "x" * 100_000))
        copy_with_logs(path, other)
        base.execute("ROLLBACK")
    assert Path(f"{other}-journal").stat().st_size > 512
    return other


def stale_log(folder: Path) -> Path:
    """The write-ahead log of another ledger."""
    folder.mkdir()
    reserve(folder / "kept.ledger", rows=b"other rows")
    with_write_ahead_log(folder / "kept.ledger")
    with closing(sqlite3.connect(folder / "kept.ledger")) as base:
        base.execute("DROP TRIGGER never_removed")
        base.execute("DELETE FROM entry")
        base.commit()
        shutil.copy(folder / "kept.ledger-wal", folder / "log")
    return folder / "log"


@pytest.mark.parametrize("earlier", [False, True], ids=["now", "of an earlier version"])
def test_a_log_of_another_ledger_is_not_applied(path: Path, tmp_path: Path, earlier: bool) -> None:
    """SQLite applies a log that it finds beside a file, and asks nobody whose it is."""
    kept = reserve(path)
    if earlier:
        with_write_ahead_log(path)
    stale_log(tmp_path / "elsewhere").rename(f"{path}-wal")
    before = contents(tmp_path)
    for use in (releases, reserve):
        with pytest.raises(StoreError, match=r"kept\.ledger-wal is not of .* and would change it"):
            use(path)
    assert contents(tmp_path) == before
    Path(f"{path}-wal").unlink()
    assert releases(path) == [kept]


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_no_ledger_is_made_beside_a_log_of_another(path: Path, tmp_path: Path, ending: str) -> None:
    Path(f"{path}{ending}").write_bytes(b"")
    with pytest.raises(StoreError, match=rf"is not there, but kept\.ledger{ending} beside it"):
        reserve(path)
    assert set(contents(tmp_path)) == {f"kept.ledger{ending}"}


def test_a_price_is_flushed_to_the_disk_with_the_end_of_its_journal(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Noise is drawn when ``reserve`` returns: a power failure may then undo nothing of it."""
    asked: list[tuple[Any, ...]] = []

    @contextmanager
    def told(base: sqlite3.Connection) -> Iterator[None]:
        asked.append((*base.execute("PRAGMA journal_mode").fetchone(), *base.execute("PRAGMA synchronous").fetchone()))
        with sqlitefile.transaction(base):
            yield

    monkeypatch.setattr(budget_ledger, "transaction", told)
    reserve(path)
    assert asked == [("delete", 3)]  # 3 is SQLite's EXTRA


def test_a_crash_in_the_middle_of_a_commit_is_undone(crashed: Path, path: Path, tmp_path: Path) -> None:
    assert releases(crashed) == releases(path)
    assert not Path(f"{crashed}-journal").exists()
    assert len(BudgetLedger(crashed).budget("census").charges) == 1


def test_a_journal_whose_change_did_not_reach_the_file_is_undone(crashed: Path, path: Path) -> None:
    kept = releases(path)
    shutil.move(f"{crashed}-journal", f"{path}-journal")
    assert reserve(path) not in kept
    assert releases(path)[:-1] == kept
    assert not Path(f"{path}-journal").exists()


def test_a_journal_of_another_ledger_is_not_applied(crashed: Path, tmp_path: Path) -> None:
    """Such a journal lies where a ledger was moved away after a crash, and another has its name now."""
    place = tmp_path / "another" / "kept.ledger"
    place.parent.mkdir()
    kept = reserve(place, rows=b"other rows")
    shutil.move(f"{crashed}-journal", f"{place}-journal")
    before = contents(place.parent)
    for use in (releases, reserve):
        with pytest.raises(StoreError, match=r"kept\.ledger-journal is not of"):
            use(place)
    assert contents(place.parent) == before
    Path(f"{place}-journal").unlink()
    assert releases(place) == [kept]


def test_a_journal_from_before_later_releases_is_not_applied(crashed: Path, path: Path) -> None:
    """A ledger was moved away after a crash, was paid from, and came back to its journal."""
    for _ in range(3):
        reserve(path)
    kept = releases(path)
    shutil.move(f"{crashed}-journal", f"{path}-journal")
    with pytest.raises(StoreError, match=r"kept\.ledger-journal is not of"):
        releases(path)
    Path(f"{path}-journal").unlink()
    assert releases(path) == kept


def test_a_file_that_is_no_journal_is_left_alone(path: Path, tmp_path: Path) -> None:
    reserve(path)
    Path(f"{path}-journal").write_text("my notes")
    with pytest.raises(StoreError, match=r"kept\.ledger-journal is not of"):
        releases(path)
    assert Path(f"{path}-journal").read_text() == "my notes"


def test_a_ledger_of_an_earlier_version_is_read_and_converted_when_it_is_written(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its newest entries may be in a write-ahead log, which a crash left."""
    first, other = reserve(path), tmp_path / "crashed.ledger"
    with_write_ahead_log(path)
    with closing(sqlite3.connect(path)) as held:
        held.execute("SELECT * FROM entry").fetchall()
        with monkeypatch.context() as before:
            before.setattr(sqlitefile, "_has_rollback_journal", lambda *_: True)
            second = reserve(path)
        assert Path(f"{path}-wal").stat().st_size
        copy_with_logs(path, other)
    assert releases(other) == [first, second]
    third = reserve(other)
    assert releases(other) == [first, second, third]
    with closing(sqlite3.connect(other)) as base:
        assert base.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert not Path(f"{other}-wal").exists()


@pytest.mark.parametrize(("free", "words"), [(4096, "on a disk that may be full"), (1 << 40, "disk I/O error")])
def test_a_disk_that_may_be_full_is_named(path: Path, monkeypatch: pytest.MonkeyPatch, free: int, words: str) -> None:
    """SQLite speaks of an error of the disk where it found no room for its journal."""
    reserve(path)

    def failing(*_: object) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = "SQLITE_IOERR_WRITE"
        raise error

    monkeypatch.setattr("dpgep_core.publishing.budget_ledger.append_entry", failing)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    with pytest.raises(StoreError, match=words) as caught:
        reserve(path)
    assert ("may be full" in str(caught.value)) == (free == 4096)
