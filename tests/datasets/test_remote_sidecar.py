"""A sidecar that cannot be fetched is no absent one: its bounds and the columns it leaves out would vanish."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from dpgep_core.cli import main
from dpgep_core.datasets import open_dataset
from dpgep_core.datasets.entries import entry_at
from dpgep_core.datasets.files import files_of, read_file
from dpgep_core.datasets.folders import folder_sidecar
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.errors import DataError
from dpgep_core.estimators import DPPCA

from .remote_stores import ADDRESS, SIDECAR, FakeStore, fake_store, rows_of_csv

FAILURES = [
    (PermissionError("Forbidden"), r"cannot be fetched, as the store denies access \(Forbidden\)"),
    (OSError(5, "Input/output error"), r"cannot be fetched \(Input/output error\)"),
    (TimeoutError(), r"cannot be fetched \(TimeoutError\)"),
    (RuntimeError("no\ncredentials"), r"cannot be fetched \(no credentials\)"),
]


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("DPGEP_DATA_DIR", str(tmp_path))
    return fake_store()


def _release(address, folder):
    budget = ["--epsilon", "1", "--delta", "1e-5", "--budget-epsilon", "1", "--budget-delta", "1e-5"]
    places = ["--ledger", str(folder / "ledger"), "--out", str(folder / "out.npz")]
    return main(["release", "--dataset", address, "--model", "pca", *budget, *places])


def _said(capsys):
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize(("error", "says"), FAILURES)
def test_a_sidecar_that_the_store_does_not_give_is_refused_everywhere(store, tmp_path, capsys, error, says):
    FakeStore.fails[".toml"] = error
    with pytest.raises(DataError, match=rf"^rows\.toml: {says}; .*an empty file"):
        open_dataset(ADDRESS)
    with pytest.raises(DataError, match=rf"^rows\.toml: {says}"):
        DPPCA().fit(ADDRESS)
    assert main(["solve", "--dataset", ADDRESS, "--model", "pca"]) == 2
    assert "rows.toml: cannot be fetched" in _said(capsys)
    assert _release(ADDRESS, tmp_path) == 2
    assert "rows.toml: cannot be fetched" in _said(capsys)
    assert list(tmp_path.iterdir()) == []


def test_a_sidecar_that_the_store_says_is_not_there_declares_nothing(store):
    assert open_dataset(ADDRESS).feature_names == ("a", "b")
    store.rm("/large/rows.toml")
    assert folder_sidecar(ADDRESS) == Sidecar()
    assert open_dataset(ADDRESS).feature_names == ("number", "a")  # the last column is then a label


@pytest.mark.parametrize("cache", ["simplecache", "filecache", "blockcache"])
def test_a_cache_before_a_store_hides_no_failure_and_no_newer_sidecar(store, cache):
    address = f"{cache}::{ADDRESS}"
    assert folder_sidecar(address).drop == ("number",)
    store.pipe("/large/rows.toml", b"")
    assert folder_sidecar(address) == Sidecar()
    FakeStore.fails[".toml"] = PermissionError("Forbidden")
    with pytest.raises(DataError, match=r"rows\.toml: cannot be fetched, as the store denies access"):
        folder_sidecar(address)


def test_not_found_that_stands_for_another_failure_is_refused(store):
    """Libraries look at a file before they read it, and fsspec's look over HTTP turns every failure into this one."""
    found = FileNotFoundError("https://host/rows.toml?key=secret")
    found.__cause__ = ConnectionResetError(104, "Connection reset by peer")
    FakeStore.fails[".toml"] = found
    with pytest.raises(DataError, match=r"rows\.toml: cannot be fetched \(Connection reset by peer\)") as caught:
        open_dataset(ADDRESS)
    assert "secret" not in str(caught.value)


def test_a_file_of_rows_that_cannot_be_looked_at_during_a_pass_is_named(store, monkeypatch):
    monkeypatch.setenv("DPGEP_STREAM_BYTES", "0")
    rows = open_dataset(ADDRESS).X
    FakeStore.fails["1.csv"] = RuntimeError("no credentials")
    with pytest.raises(DataError, match=r"1\.csv: it can no longer be read \(no credentials\)"):
        rows.content_digest()


class _Handler(SimpleHTTPRequestHandler):
    """Files of a folder, but for answers that a test sets by the ending of a path."""

    def __init__(self, *arguments, answers, **options):
        self._answers = answers
        super().__init__(*arguments, **options)

    def send_head(self):
        for ending, status in self._answers.items():
            if self.path.endswith(ending):
                self.send_error(status)
                return None
        return super().send_head()

    def log_message(self, *arguments):
        """Say nothing."""


@contextmanager
def _served(folder, answers) -> Iterator[str]:
    handler = partial(_Handler, directory=str(folder), answers=answers)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/rows"
        server.shutdown()


@pytest.fixture
def web(tmp_path):
    """A folder of rows with its sidecar, and its URL; the answers of its server may be set."""
    pytest.importorskip("aiohttp", reason="fsspec reads HTTP through aiohttp")
    (tmp_path / "web" / "rows").mkdir(parents=True)
    for part in range(2):
        (tmp_path / "web" / "rows" / f"{part}.csv").write_bytes(rows_of_csv(part))
    (tmp_path / "web" / "rows.toml").write_text(SIDECAR)
    answers = {}
    with _served(tmp_path / "web", answers) as address:
        yield tmp_path / "web", address, answers


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (503, r"cannot be fetched \(HTTP 503 Service Unavailable\)"),
        (403, r"cannot be fetched, as the store denies access \(HTTP 403 Forbidden\)"),
    ],
)
def test_a_web_server_that_does_not_give_the_sidecar_makes_no_release(web, tmp_path, capsys, status, says):
    _, address, answers = web
    assert open_dataset(address).feature_names == ("a", "b")
    answers[".toml"] = status
    with pytest.raises(DataError, match=rf"^rows\.toml: {says}"):
        open_dataset(address)
    assert _release(address, tmp_path) == 2
    assert "rows.toml: cannot be fetched" in _said(capsys)
    assert not (tmp_path / "ledger").exists()


def test_a_web_server_says_not_there_by_404_alone(web):
    folder, address, _ = web
    (folder / "rows.toml").unlink()
    assert open_dataset(address).feature_names == ("number", "a")  # the last column is then a label


def test_a_web_server_tells_of_new_rows_and_new_declarations(web):
    folder, address, _ = web
    first = open_dataset(address)
    (folder / "rows" / "0.csv").write_bytes(rows_of_csv(5))  # in the same second, and of the same size
    assert (open_dataset(address).X != first.X).any()
    (folder / "rows.toml").write_text(SIDECAR.replace("40", "50"))
    assert open_dataset(address).preprocessing.upper == 50


def test_a_web_server_that_has_a_newer_file_ends_the_pass(web, monkeypatch):
    monkeypatch.setenv("DPGEP_STREAM_BYTES", "0")
    monkeypatch.setenv("DPGEP_PASSES_DIR", "")
    folder, address, _ = web
    rows = open_dataset(address).X
    os.utime(folder / "rows" / "1.csv", (1e9, 1e9))
    with pytest.raises(DataError, match=r"1\.csv: it changed while the folder was read"):
        rows.content_digest()


@pytest.mark.parametrize("name", ["rows.toml", "t10k-labels-idx1-ubyte"])
def test_a_file_beside_another_that_cannot_be_looked_up_is_not_absent(tmp_path, monkeypatch, name):
    """A network disk that does not answer for a moment must not take declarations or labels away."""
    data = tmp_path / ("rows.csv" if name.endswith("toml") else "t10k-images-idx3-ubyte")
    data.write_bytes(rows_of_csv(0))
    (tmp_path / name).write_text(SIDECAR)
    whole = os.stat, os.lstat

    def stat(path, *, follow_symlinks=True, **options):
        if str(path).endswith(name):
            raise OSError(116, "Stale file handle")
        return whole[0](path, follow_symlinks=follow_symlinks, **options)

    before = _stamps(data)
    monkeypatch.setattr(os, "stat", stat)
    monkeypatch.setattr(os, "lstat", lambda path, **options: stat(path, follow_symlinks=False, **options))
    with pytest.raises(DataError, match=rf"{name}: cannot be looked up \(Stale file handle\)"):
        read_file(data)
    assert _stamps(data) != before


def _stamps(data):
    try:
        return entry_at(str(data)).stamp
    except DataError as error:
        return str(error)


def test_a_name_too_long_for_a_sidecar_has_none(tmp_path):
    data = tmp_path / ("x" * 251 + ".csv")  # with .toml in place of .csv, 256 letters are too many for Linux
    data.write_bytes(b"a,b\n1,2\n3,4\n")
    assert read_file(data).n == 2
    assert len(files_of(data)) == 2
