"""A sweep on Dask workers gives the serial table, cell for cell, with workers and the command killed on the way."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from apart import joined
from forked_sweep import forked
from test_sweeps import FIVE_HUNDRED, SMALL, ended, kept, started

from dpgep_core.experiments import runner
from dpgep_core.experiments.grid import parse_sweep
from dpgep_core.experiments.papers import ReproductionRequest, exhibit, reproduce
from dpgep_core.experiments.runner import ClusterError, plan_sweep, run_sweep
from dpgep_core.experiments.table import sweep_table

DASK = shutil.which("dask", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}") or ""


class Cluster:
    """A scheduler and workers of one thread each, on this machine."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        self.address, self._folder, self.workers = f"tcp://127.0.0.1:{port}", folder, []
        self._scheduler = self._start("scheduler", "--port", str(port), "--no-dashboard")
        ends = time.monotonic() + 60
        while time.monotonic() < ends:
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.2)
        pytest.fail("the scheduler did not start")

    def add_worker(self) -> None:
        """Start a worker without waiting for it."""
        self.workers.append(self._start("worker", self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny"))

    def wait_for_workers(self) -> None:
        from distributed import Client  # its import takes a second, and most runs need none of it

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(len(self.workers), timeout=60)

    def close(self) -> None:
        for process in (*self.workers, self._scheduler):
            process.kill()
            process.wait()

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        return subprocess.Popen(
            [DASK, *arguments], cwd=self._folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    one = Cluster(tmp_path)
    yield one
    one.close()


@pytest.mark.slow
def test_a_cluster_without_workers_says_so_and_with_two_gives_the_serial_table(tmp_path, cluster, monkeypatch):
    plan = plan_sweep(parse_sweep(SMALL))
    monkeypatch.setattr(runner, "SECONDS_FOR_A_WORKER", 0.5)
    with pytest.raises(ClusterError, match="no workers"):
        run_sweep(plan, tmp_path / "cluster.sqlite", dask=cluster.address)
    monkeypatch.undo()
    cluster.add_worker()
    cluster.add_worker()
    cluster.wait_for_workers()
    assert run_sweep(plan, tmp_path / "cluster.sqlite", dask=cluster.address).errors == 0
    run_sweep(plan, tmp_path / "serial.sqlite")
    tables = [sweep_table(plan, tmp_path / f"{name}.sqlite") for name in ("cluster", "serial")]
    pd.testing.assert_frame_equal(*tables, check_exact=True)


@pytest.mark.slow
def test_killed_on_a_cluster_with_a_worker_killed_too(tmp_path, cluster):
    """Kill -9, ten times, and once a worker: processes that are killed have their imports behind them."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    whole.mkdir()
    broken.mkdir()
    (broken / "spec.toml").write_text(FIVE_HUNDRED)
    cluster.add_worker()
    cluster.add_worker()
    assert ended(started(whole)) == 0
    cluster.wait_for_workers()
    seen: set[str] = set()
    for number in range(10):
        one = forked(broken, "--dask", cluster.address)
        ends = time.monotonic() + 120
        while len(kept(broken)) < len(seen) + 7 + 3 * number and time.monotonic() < ends and one.is_alive():
            time.sleep(0.05)
        if number == 4:
            cluster.workers[0].send_signal(signal.SIGKILL)
            cluster.workers[0].wait()
            time.sleep(1)
        one.kill()
        assert joined(one) == -signal.SIGKILL  # killed on the way, each time
        assert seen <= kept(broken)
        seen = kept(broken)
    assert len(seen) < 520
    assert ended(started(broken, "--dask", cluster.address)) == 0
    pd.testing.assert_frame_equal(
        pd.read_parquet(broken / "out.parquet"), pd.read_parquet(whole / "out.parquet"), check_exact=True
    )


@pytest.mark.slow
@pytest.mark.skipif(not DASK, reason="needs Dask")
def test_an_exhibit_is_computed_by_a_worker_that_is_only_just_starting(cluster: Cluster, tmp_path: Path) -> None:
    cluster.add_worker()
    asked = ReproductionRequest(exhibit=exhibit("chen-supplement-figure-6"), quick=True, data=("a9a",), seeds=1)
    there = reproduce(asked, tmp_path / "there.sqlite", dask=cluster.address)
    assert there.complete
    assert not there.errors
    assert there.lines == reproduce(asked, tmp_path / "here.sqlite").lines
