"""A pass on Dask workers gives the bits of a single process, whoever is killed on the way."""

import re
import signal
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from forked_pass import Solving, solving
from test_cluster import Cluster
from test_cluster import cluster as cluster  # a fixture
from test_passes import _kept_files, _without_time
from test_streamed import SIDECAR, _table, write_folder

pytestmark = pytest.mark.slow
FILES = 60


class Command:
    """`dpgep solve` on one folder, in processes of its own."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder, self._places = tmp_path / "many", tmp_path
        rows = 500 * FILES
        write_folder(self.folder, tuple(range(500, rows, 500)), _table(rows), SIDECAR)

    def started(self, kept: str, *more: str) -> Solving:
        return solving(self.folder, self._places / kept, *more)

    def report(self, kept: str, *more: str) -> str:
        code, out, error = self.started(kept, *more).ended()
        assert code == 0, error
        return _without_time(out)

    def wait_for(self, one: Solving, kept: str, files: int) -> None:
        ends = time.monotonic() + 180
        while _kept_files(self._places / kept) < files and time.monotonic() < ends and one.runs:
            time.sleep(0.01)


def _with_two_workers(cluster: Cluster) -> Cluster:
    cluster.add_worker()
    cluster.add_worker()
    cluster.wait_for_workers()
    return cluster


def test_two_workers_one_of_them_killed_and_then_the_command_give_the_bits_of_one_process(tmp_path, cluster):
    command = Command(tmp_path)
    wanted = command.report("alone")
    address = _with_two_workers(cluster).address
    assert command.report("two", "--dask", address) == wanted
    one = command.started("broken", "--dask", address)
    command.wait_for(one, "broken", 5)
    cluster.workers[0].send_signal(signal.SIGKILL)
    assert _without_time(one.ended()[1]) == wanted
    for file in (tmp_path / "broken").iterdir():
        file.unlink()
    other = command.started("broken", "--dask", address)
    command.wait_for(other, "broken", 5)
    other.kill()
    assert command.report("broken", "--dask", address) == wanted


def test_a_scheduler_that_is_killed_is_told_and_what_was_done_is_kept(tmp_path, cluster):
    command = Command(tmp_path)
    wanted = command.report("alone")
    one = command.started("broken", "--dask", _with_two_workers(cluster).address)
    command.wait_for(one, "broken", 5)
    cluster._scheduler.send_signal(signal.SIGKILL)
    code, _, error = one.ended()
    assert code == 2
    assert re.search(r"The workers did not finish the pass .*The sums of \d+ files of 60 are kept", error)
    assert _kept_files(tmp_path / "broken") >= 5
    assert command.report("broken") == wanted


def test_a_file_that_changes_on_the_way_is_named(tmp_path, cluster):
    command = Command(tmp_path)
    one = command.started("broken", "--dask", _with_two_workers(cluster).address)
    command.wait_for(one, "broken", 5)
    pq.write_table(_table(501), command.folder / "part-059.parquet")
    code, _, error = one.ended()
    assert code == 2
    assert "part-059.parquet: it changed while the folder was read" in error
