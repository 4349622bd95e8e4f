"""The keys of a store of cells are salted, each file's with a number of its own: no digest of rows is found there."""

import sqlite3
from contextlib import closing

import pandas as pd
import pytest

from dpgep_core.experiments.grid import parse_sweep
from dpgep_core.experiments.runner import plan_sweep, run_sweep
from dpgep_core.experiments.store import CELL_LAYOUT, cell_store
from dpgep_core.experiments.table import sweep_table
from dpgep_core.sqlitefile import StoreError

SMALL = {"datasets": ["wine"], "epsilon": [0.1, 1.0], "seeds": 2}


def stored(path):
    with closing(sqlite3.connect(path)) as base:
        return {key for (key,) in base.execute("SELECT key FROM cell")}


def unsalted(path, keys=()):
    """A file of the first layout: bare digests as keys."""
    with closing(sqlite3.connect(path)) as base:
        base.executescript(
            "PRAGMA journal_mode = WAL;"
            f"PRAGMA application_id = {CELL_LAYOUT.mark}; PRAGMA user_version = 1;"
            "CREATE TABLE cell (key TEXT PRIMARY KEY, content TEXT NOT NULL, result TEXT NOT NULL, "
            "seconds REAL NOT NULL) STRICT, WITHOUT ROWID;"
        )
        base.executemany("INSERT INTO cell VALUES (?, '{}', ?, 1.0)", [(key, f'{{"k": {i}}}') for i, key in keys])
        base.commit()


def test_no_key_can_be_computed_from_the_rows_alone(tmp_path):
    plan, paths = plan_sweep(parse_sweep(SMALL)), [tmp_path / "a.sqlite", tmp_path / "b.sqlite"]
    for path in paths:
        run_sweep(plan, path)
    files = [stored(path) for path in paths]
    assert [len(file) for file in files] == [4, 4]
    assert not files[0] & set(plan.keys)
    assert not files[0] & files[1]
    pd.testing.assert_frame_equal(sweep_table(plan, paths[0]), sweep_table(plan, paths[1]))
    run_sweep(plan, paths[0])  # nothing is computed again
    assert stored(paths[0]) == files[0]


def test_a_file_of_the_first_layout_goes_on(tmp_path):
    path, keys = tmp_path / "old.sqlite", [(i, f"{i:032x}") for i in range(1500)]
    unsalted(path, keys)
    with cell_store(path) as store:
        found = store.results(key for _, key in keys)
        assert found == {key: {"k": i} for i, key in keys}
        assert not store.put(keys[0][1], {}, {"k": -1}, 1.0)  # it is there
        store.forget([keys[0][1]])
    assert len(stored(path)) == 1499
    assert not stored(path) & {key for _, key in keys}
    with cell_store(path) as store:  # and it is salted once
        assert store.finished_keys([keys[1][1]]) == {keys[1][1]}


def test_two_that_open_it_at_once_salt_it_once(tmp_path):
    path = tmp_path / "old.sqlite"
    unsalted(path, [(0, "a" * 32)])
    with cell_store(path) as one, cell_store(path) as other:
        assert one.finished_keys(["a" * 32]) == other.finished_keys(["a" * 32]) == {"a" * 32}


@pytest.mark.parametrize("version", [0, 3])
def test_other_layouts_are_refused_in_a_sentence(tmp_path, version):
    path = tmp_path / "x.sqlite"
    unsalted(path)
    with closing(sqlite3.connect(path)) as base:
        base.execute(f"PRAGMA user_version = {version}")
    with (
        pytest.raises(StoreError, match=r"made by another version .* left as it is; name another file with --store"),
        cell_store(path),
    ):
        pass
