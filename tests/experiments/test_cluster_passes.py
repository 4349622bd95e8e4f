"""A pass on Dask workers gives the bits of a single process, whoever is killed on the way."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from test_cluster import Cluster
from test_cluster import cluster as cluster  # a fixture
from test_passes import _kept_files, _without_time
from test_streamed import SIDECAR, _table, write_folder

pytestmark = pytest.mark.slow
FILES = 60
PROGRAM = (
    "import sys; from dpgep_core.datasets import kept_sums; kept_sums.SECONDS_BETWEEN = 0; "
    "from dpgep_core.cli import main; sys.exit(main(sys.argv[1:]))"
)


class Command:
    """`dpgep solve` on one folder, in processes of its own."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder, self._places = tmp_path / "many", tmp_path
        rows = 500 * FILES
        write_folder(self.folder, tuple(range(500, rows, 500)), _table(rows), SIDECAR)

    def started(self, kept: str, *more: str) -> subprocess.Popen[str]:
        environment = os.environ | {"DPGEP_STREAM_BYTES": "1000", "DPGEP_PASSES_DIR": str(self._places / kept)}
        arguments = ["solve", "--dataset", str(self.folder), "--classifiers", "", "--set", "steps=2", "--json", *more]
        return subprocess.Popen([sys.executable, "-c", PROGRAM, *arguments], env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)  # fmt: skip

    def report(self, kept: str, *more: str) -> str:
        one = self.started(kept, *more)
        out, error = one.communicate(timeout=300)
        assert one.returncode == 0, error
        return _without_time(out)

    def wait_for(self, one: subprocess.Popen[str], kept: str, files: int) -> None:
        ends = time.monotonic() + 180
        while _kept_files(self._places / kept) < files and time.monotonic() < ends and one.poll() is None:
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
    assert _without_time(one.communicate(timeout=300)[0]) == wanted
    for file in (tmp_path / "broken").iterdir():
        file.unlink()
    other = command.started("broken", "--dask", address)
    command.wait_for(other, "broken", 5)
    other.send_signal(signal.SIGKILL)
    other.communicate()
    assert command.report("broken", "--dask", address) == wanted


def test_a_scheduler_that_is_killed_is_told_and_what_was_done_is_kept(tmp_path, cluster):
    command = Command(tmp_path)
    wanted = command.report("alone")
    one = command.started("broken", "--dask", _with_two_workers(cluster).address)
    command.wait_for(one, "broken", 5)
    cluster._scheduler.send_signal(signal.SIGKILL)
    _, error = one.communicate(timeout=300)
    assert one.returncode == 2
    assert re.search(r"The workers did not finish the pass .*The sums of \d+ files of 60 are kept", error)
    assert _kept_files(tmp_path / "broken") >= 5
    assert command.report("broken") == wanted


def test_a_file_that_changes_on_the_way_is_named(tmp_path, cluster):
    command = Command(tmp_path)
    one = command.started("broken", "--dask", _with_two_workers(cluster).address)
    command.wait_for(one, "broken", 5)
    pq.write_table(_table(501), command.folder / "part-059.parquet")
    _, error = one.communicate(timeout=300)
    assert one.returncode == 2
    assert "part-059.parquet: it changed while the folder was read" in error
