"""A store is made whole, once, on a file system without hard links too: exFAT, FAT and some network drives."""

import errno
import os
import threading

import pytest

from dpgep_core import sqlitefile
from dpgep_core.experiments.store import cell_store
from dpgep_core.sqlitefile import StoreError


@pytest.fixture(params=[errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS], ids=lambda number: errno.errorcode[number])
def no_links(monkeypatch, request):
    def refuse(*_):
        raise OSError(request.param, os.strerror(request.param))

    monkeypatch.setattr(os, "link", refuse)


def test_a_store_is_made_and_nothing_else_stays(tmp_path, no_links):
    with cell_store(tmp_path / "a.sqlite") as store:
        store.put("one", {}, {"x": 1}, 0.0)
    with cell_store(tmp_path / "a.sqlite") as store:
        assert store.results(["one"]) == {"one": {"x": 1}}
    assert {path.name.removesuffix("-wal").removesuffix("-shm") for path in tmp_path.iterdir()} == {"a.sqlite"}


def test_many_that_come_at_once_make_one_store(tmp_path, no_links):
    barrier = threading.Barrier(8)

    def put(number):
        barrier.wait()
        with cell_store(tmp_path / "a.sqlite") as store:
            store.put(str(number), {}, {}, 0.0)

    threads = [threading.Thread(target=put, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with cell_store(tmp_path / "a.sqlite") as store:
        assert store.finished_keys(map(str, range(8))) == set(map(str, range(8)))


def test_a_lock_that_nobody_holds_is_told_with_the_remedy(tmp_path, no_links, monkeypatch):
    monkeypatch.setattr(sqlitefile, "WRITER_PATIENCE", 0.1)
    (tmp_path / ".a.sqlite.lock").mkdir()
    with (
        pytest.raises(StoreError, match=r"\.a\.sqlite\.lock .* Remove that folder if nobody is, or name another"),
        cell_store(tmp_path / "a.sqlite"),
    ):
        pass


def test_another_reason_is_told_with_the_remedy(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link", refuse)
    with (
        pytest.raises(StoreError, match=r"No space left on device\. To go on, name another file with --store"),
        cell_store(tmp_path / "a.sqlite"),
    ):
        pass
