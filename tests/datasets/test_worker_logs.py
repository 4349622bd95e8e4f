"""The log of a worker is read by others than the owner of the rows: it tells of none of them."""

import logging

import pytest

from dpgep_core.cli import main
from dpgep_core.datasets.passes import part_sums
from dpgep_core.errors import DataError

SIDECAR = 'label = "y"\nclasses = ["k0", "k1"]\n[columns]\nlower = 0\nupper = 60\n'
ROWS = ["a,b,y", *(f"{i},{(7 * i) % 60},k{i % 2}" for i in range(40))]
SECRET = "HIV_positive_Jane"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two files of rows that are streamed, the second of which has a label that is not declared."""
    monkeypatch.setenv("DPGEP_STREAM_BYTES", "0")
    monkeypatch.setenv("DPGEP_PASSES_DIR", "")
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "0.csv").write_text("\n".join(ROWS))
    (tmp_path / "t" / "1.csv").write_text("\n".join([*ROWS, f"1,2,{SECRET}"]))
    (tmp_path / "t.toml").write_text(SIDECAR)
    return tmp_path / "t"


@pytest.fixture
def cluster_log(caplog):
    """The address of a cluster in this process, and what its scheduler and workers log."""
    distributed = pytest.importorskip("distributed")
    logger = logging.getLogger("distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as one:
        logger.addHandler(caplog.handler)
        yield one.scheduler_address, caplog
        logger.removeHandler(caplog.handler)


def test_a_row_that_does_not_fit_is_in_no_log_of_a_worker(folder, tmp_path, cluster_log, capsys):
    address, log = cluster_log
    budget = ["--epsilon", "1", "--delta", "1e-5", "--budget-epsilon", "1", "--budget-delta", "1e-5"]
    places = ["--ledger", str(tmp_path / "ledger"), "--out", str(tmp_path / "out.npz")]
    assert main(["release", "--dataset", str(folder), *budget, *places, "--dask", address]) == 2
    said = capsys.readouterr().err
    assert "its rows or labels do not fit what is declared about them" in said
    assert SECRET not in said + log.text
    assert "Compute Failed" not in log.text
    assert not (tmp_path / "ledger").exists()
    assert main(["solve", "--dataset", str(folder), "--dask", address]) == 2
    assert f"1.csv: label '{SECRET}' of row 41 is not declared" in capsys.readouterr().err  # to the owner alone
    assert SECRET not in log.text


class _Broken:
    rows = 1

    def blocks(self):
        raise DataError("1.csv", f"label '{SECRET}'", "others")


class _Sum:
    identity = ""

    def of(self, blocks):
        return tuple(blocks)


def test_a_worker_gives_an_error_of_this_package_back_and_raises_none():
    found = part_sums(_Broken(), _Sum())
    assert isinstance(found, DataError)
    assert found.where == "1.csv"
