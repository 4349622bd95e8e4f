"""Rows and declarations of a remote folder are those of now: what was loaded before stands in for nothing newer."""

import fsspec
import pytest

from dpgep_core import solve
from dpgep_core.cli import main
from dpgep_core.datasets import open_dataset
from dpgep_core.datasets.kept_sums import passes_folder
from dpgep_core.datasets.readers.parts import check_unchanged, parts_of, writes_of
from dpgep_core.errors import DataError
from dpgep_core.experiments import runner

from .remote_stores import ADDRESS, SIDECAR, FakeStore, fake_store, rows_of_csv

MEMORY = "memory://large_changes/rows"  # a store that tells of every write
SECOND = {"Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT"}


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("DPGEP_PASSES_DIR", str(tmp_path / "passes"))
    return fake_store()


@pytest.fixture
def memory():
    system = fsspec.filesystem("memory")
    for part in range(2):
        system.pipe(f"/large_changes/rows/{part}.csv", rows_of_csv(part))
    system.pipe("/large_changes/rows.toml", SIDECAR.encode())
    yield system
    system.rm("/large_changes", recursive=True)


@pytest.mark.parametrize("told", [{}, SECOND], ids=["no time", "a time in seconds"])
def test_rows_of_the_same_size_are_read_again_where_no_change_shows(store, told):
    FakeStore.told.update(told)
    first = open_dataset(ADDRESS)
    store.pipe("/large/rows/0.csv", rows_of_csv(5))
    second = open_dataset(ADDRESS)
    assert (first.X[:, 0].tolist()[:3], second.X[:, 0].tolist()[:3]) == ([0, 1, 2], [5, 6, 7])


def test_a_changed_sidecar_is_read_again(store, memory):
    for system, address in ((store, ADDRESS), (memory, MEMORY)):
        assert open_dataset(address).preprocessing.upper == 40
        system.pipe(f"{address}.toml", SIDECAR.replace("40", "50").encode())
        assert open_dataset(address).preprocessing.upper == 50


def test_a_store_that_tells_of_every_write_is_read_once(memory):
    assert open_dataset(MEMORY) is open_dataset(MEMORY)


@pytest.mark.parametrize("key", ["Last-Modified", "LastModified", "ETag"])
def test_a_newer_file_ends_the_pass_by_its_name(store, key):
    FakeStore.told[key] = "one"
    parts = parts_of(ADDRESS)
    check_unchanged(parts)
    FakeStore.told[key] = "other"
    with pytest.raises(DataError, match=r"0\.csv: it changed while the folder was read"):
        check_unchanged(parts)
    assert (writes_of(parts) is None) == (key != "ETag")  # a time in seconds cannot tell two writes in one


def test_sums_of_rows_whose_store_tells_the_second_of_a_write_are_not_kept(store, monkeypatch):
    monkeypatch.setenv("DPGEP_STREAM_BYTES", "0")
    FakeStore.told.update(SECOND)
    solve(open_dataset(ADDRESS), "pca", "ssp", steps=1)
    assert not passes_folder().exists()


def test_a_command_reads_the_rows_once_where_no_change_shows(store, tmp_path, capsys):
    open_dataset(ADDRESS)
    once = dict(FakeStore.opened)
    FakeStore.opened.clear()
    assert main(["solve", "--dataset", ADDRESS, "--model", "pca"]) == 0
    assert FakeStore.opened == once
    spec = tmp_path / "spec.toml"
    spec.write_text(f'datasets = ["{ADDRESS}"]\nmodels = ["pca"]\nn = [40, 60, 80]\nclassifiers = ["lda"]\n')
    FakeStore.opened.clear()
    runner.shared_cell_runner.cache_clear()
    assert main(["sweep", str(spec), "--out", str(tmp_path / "out.csv"), "--quiet"]) == 0
    assert "3 cells, 0 with an error" in capsys.readouterr().out
    assert FakeStore.opened == once
