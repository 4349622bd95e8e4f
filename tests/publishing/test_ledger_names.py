"""One ledger is one budget, by whatever name it is reached, wherever it is moved, and whatever lies beside it."""

import os
import shutil
import signal
import sqlite3
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import pytest
from apart import CONTEXT, apart, joined
from ledgers import contents, releases, reserve, with_write_ahead_log
from made import request_for

from dpgep_core import DataError, load_release, sqlitefile
from dpgep_core.publishing import releasing
from dpgep_core.publishing.budget import BudgetSpentError
from dpgep_core.publishing.budget_ledger import BudgetLedger
from dpgep_core.publishing.entry_chain import LAYOUT
from dpgep_core.publishing.releasing import publish
from dpgep_core.sqlitefile import StoreError, open_store, open_to_write
from dpgep_core.sqlitelogs import FRESH, SCRATCH


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept.ledger"


def test_a_ledger_of_two_names_is_refused_and_says_what_to_do(path: Path, tmp_path: Path) -> None:
    """What a crash leaves beside one name is not found under the other."""
    reserve(path)
    os.link(path, tmp_path / "other.ledger")
    before = contents(tmp_path)
    for name in (path, tmp_path / "other.ledger"):
        for use in (reserve, releases):
            with pytest.raises(StoreError, match=r"has 2 names \(hard links\).* Remove its other names") as caught:
                use(name)
            assert str(name) in str(caught.value)
    assert contents(tmp_path) == before
    (tmp_path / "other.ledger").unlink()
    reserve(path)
    assert len(releases(path)) == 2


def try_to_lock(path: Path, said: Connection) -> None:
    with closing(sqlite3.connect(path, timeout=0)) as base:
        try:
            base.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            said.send(str(error))
        else:
            said.send("it is not locked")


def test_the_lock_of_a_ledger_holds_under_a_name_made_after_it_was_opened(path: Path, tmp_path: Path) -> None:
    reserve(path)
    hears, says = CONTEXT.Pipe(duplex=False)
    with open_to_write(path, LAYOUT):
        os.link(path, tmp_path / "other.ledger")
        assert joined(apart(try_to_lock, tmp_path / "other.ledger", says)) == 0
    assert hears.recv() == "database is locked"


def reserve_by_name(path: Path, start: Barrier, granted: Connection) -> None:
    """A process that reserves ten times, and does not mind that the ledger has two names."""
    sqlitefile.fault_of_names = lambda _: None
    done = 0
    start.wait()
    for _ in range(10):
        with suppress(BudgetSpentError):
            reserve(path)
            done += 1
    granted.send(done)


def test_processes_that_reach_one_ledger_by_two_names_share_its_budget(path: Path, tmp_path: Path) -> None:
    """A bind mount of the file is such a second name, and nobody can tell."""
    reserve(path)
    os.link(path, tmp_path / "other.ledger")
    pipes, start = [CONTEXT.Pipe(duplex=False) for _ in range(4)], CONTEXT.Barrier(4)
    names = [path, tmp_path / "other.ledger"] * 2
    running = [apart(reserve_by_name, name, start, says) for name, (_, says) in zip(names, pipes, strict=True)]
    assert [joined(each) for each in running] == [0] * 4
    assert sum(hears.recv() for hears, _ in pipes) == 9  # with the first, ten at 0.1 fit in 1
    (tmp_path / "other.ledger").unlink()
    assert len(set(releases(path))) == 10


def test_the_name_that_a_killed_maker_left_is_removed(path: Path, tmp_path: Path) -> None:
    """A ledger is made in a folder beside it; a kill right after it got its name leaves both names."""
    reserve(path)
    scratch = tmp_path / f"{SCRATCH}killed"
    scratch.mkdir()
    os.link(path, scratch / FRESH)
    reserve(path)
    assert not scratch.exists()
    assert len(releases(path)) == 2


def reserve_and_be_killed(path: Path, said: Connection) -> None:
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("SELECT count(*) FROM entry").fetchone()  # whoever looks keeps a write-ahead log alive
        said.send(reserve(path))
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is of POSIX")
def test_a_paid_release_is_in_the_one_file(path: Path, tmp_path: Path) -> None:
    """Whoever copies or moves the ledger takes every paid release along, after a kill too."""
    first = reserve(path)
    hears, says = CONTEXT.Pipe(duplex=False)
    assert joined(apart(reserve_and_be_killed, path, says)) == -signal.SIGKILL
    moved = tmp_path / "moved" / "kept.ledger"
    moved.parent.mkdir()
    shutil.copy(path, moved)
    assert releases(moved) == [first, hears.recv()]


def test_nothing_stays_beside_a_ledger(path: Path, tmp_path: Path) -> None:
    BudgetLedger(path).record_file(reserve(path), "0", "r.npz")
    assert releases(path)
    assert set(contents(tmp_path)) == {"kept.ledger"}


def reserve_thrice(path: Path) -> None:
    for _ in range(3):
        reserve(path)


def test_many_that_convert_a_ledger_at_once_wait_for_each_other(path: Path) -> None:
    """SQLite converts a file that nobody else has open, and does not wait for that."""
    reserve(path)
    with_write_ahead_log(path)
    running = [apart(reserve_thrice, path) for _ in range(3)]
    while any(process.is_alive() for process in running):
        assert BudgetLedger(path).budget("census").spent_epsilon <= 1
    assert [joined(each) for each in running] == [0] * 3
    assert len(set(releases(path))) == 10


def test_a_look_at_a_ledger_gives_no_lock_of_another_thread_away(path: Path) -> None:
    """A process that opens and closes a file by itself loses all locks that SQLite has on it."""
    reserve(path)
    hears, says = CONTEXT.Pipe(duplex=False)
    with open_to_write(path, LAYOUT):
        assert releases(path)
        assert joined(apart(try_to_lock, path, says)) == 0
    assert hears.recv() == "database is locked"


@pytest.mark.parametrize("replaced", [False, True], ids=["moved", "replaced"])
def test_a_ledger_that_is_moved_while_noise_is_drawn_is_not_replaced(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch, replaced: bool
) -> None:
    """An empty ledger in its place would be a new budget for the same rows."""
    drawn = releasing.run

    def moving(*given: Any, **named: Any) -> Any:
        path.rename(tmp_path / "moved.ledger")
        if replaced:
            with open_store(path, LAYOUT):
                pass
        return drawn(*given, **named)

    monkeypatch.setattr(releasing, "run", moving)
    with pytest.raises(DataError, match=r"the ledger could not note it .* the release is whole, and counted"):
        publish(request_for(tmp_path))
    assert path.exists() == replaced
    assert not replaced or not BudgetLedger(path).entries()
    assert load_release(tmp_path / "release.npz").header.release in releases(tmp_path / "moved.ledger")
