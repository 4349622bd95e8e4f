"""A pass that is killed, stopped or handed to workers gives the sums of one that is not; a changed file is named."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from forked_pass import solving
from test_streamed import SIDECAR, _table, write_folder

from dpgep_core import solve
from dpgep_core.cli import main
from dpgep_core.datasets import open_dataset
from dpgep_core.datasets import passes as passes_module
from dpgep_core.datasets.kept_sums import MOST_PASSES, KeptSums, passes_folder
from dpgep_core.datasets.passes import WorkersError, part_sums, passes
from dpgep_core.datasets.readers.parts import Part
from dpgep_core.datasets.streamed import PartRows
from dpgep_core.errors import DataError

CUTS = (300, 900, 1000, 2200)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DPGEP_PASSES_DIR", str(tmp_path / "passes"))
    monkeypatch.setenv("DPGEP_STREAM_BYTES", "1000")
    monkeypatch.setattr("dpgep_core.datasets.kept_sums.SECONDS_BETWEEN", 0.0)
    write_folder(tmp_path / "many", CUTS)
    return tmp_path / "many"


def _gram(folder):
    open_dataset.__globals__["_cache"]._recent.clear()
    return solve(open_dataset(str(folder)), "fda", "ssp", steps=1).moments.gram  # two steps take two passes


def _read(monkeypatch):
    """Names of the files that are read from here on."""
    names = []
    whole = PartRows.numbered_blocks

    def blocks(reader):
        names.append(reader.part.name)
        yield from whole(reader)

    monkeypatch.setattr(PartRows, "numbered_blocks", blocks)
    return names


def test_a_pass_that_is_broken_off_goes_on_from_its_last_whole_file(folder, monkeypatch):
    wanted = _gram(folder)
    for file in passes_folder().iterdir():
        file.unlink()
    whole, done = passes_module.PassClock.tick, []

    def tick(clock, rows, files=0):
        done.append(files)
        if sum(done) == 3:
            raise KeyboardInterrupt
        whole(clock, rows, files)

    with monkeypatch.context() as patch:
        patch.setattr(passes_module.PassClock, "tick", tick)
        with pytest.raises(KeyboardInterrupt):
            _gram(folder)
    names = _read(monkeypatch)
    assert np.array_equal(_gram(folder), wanted)
    assert names == ["part-003.parquet", "part-004.parquet"]


def test_rows_that_a_copy_put_in_place_are_not_taken_for_those_before(folder):
    """A copy that keeps times, as ``cp -p`` and ``rsync -t`` do, can leave the size and time of a file as before."""
    before = _gram(folder)
    (name, *_) = sorted(folder.glob("*.parquet"))
    content, status = name.read_bytes(), name.stat()
    rows = pq.read_table(name)
    other = rows.set_column(0, "c0", pa.array(-rows["c0"].to_numpy()))
    pq.write_table(other, name, row_group_size=500)
    os.utime(name, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (name.stat().st_size, name.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)
    assert not np.array_equal(_gram(folder), before)
    name.write_bytes(content)
    assert np.array_equal(_gram(folder), before)


def test_sums_of_files_whose_store_tells_no_change_are_not_kept(folder, monkeypatch):
    monkeypatch.setattr(Part, "written", None)
    _gram(folder)
    assert not passes_folder().exists()


def test_kept_sums_are_private_to_the_user_whole_and_few(folder, tmp_path):
    _gram(folder)
    (file,) = passes_folder().iterdir()
    assert not any(path.suffix == ".npz" for path in folder.rglob("*"))
    if os.name != "nt":
        assert (file.stat().st_mode & 0o077, passes_folder().stat().st_mode & 0o077) == (0, 0)
    wanted = _gram(folder)
    file.write_bytes(file.read_bytes()[:100])  # cut short: from nothing, not from something else
    assert np.array_equal(_gram(folder), wanted)
    for number in range(MOST_PASSES + 3):
        with KeptSums(str(number)) as kept:
            kept.add(0, (np.ones(2, np.int64),))
    assert len(list(passes_folder().iterdir())) == MOST_PASSES


def test_no_sums_are_kept_where_the_variable_is_empty(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("DPGEP_PASSES_DIR", "")
    _gram(folder)
    assert not (tmp_path / "passes").exists()


def test_kept_sums_are_not_taken_for_other_rows_settings_or_files(folder, monkeypatch):
    rows = open_dataset(str(folder))
    first = solve(rows, "fda", "ssp", seed=0, steps=1).moments.gram
    assert not np.array_equal(first, solve(rows, "fda", "ssp", seed=0, split_seed=1, steps=1).moments.gram)
    assert not np.array_equal(first, solve(rows, "fda", "ssp", seed=0, bounds=False, steps=1).moments.gram)
    os.utime(folder / "part-002.parquet", (1, 1))
    names = _read(monkeypatch)
    _gram(folder)
    assert len(names) == len(CUTS) + 1


@pytest.mark.parametrize("when", ["before", "during", "after"])
def test_a_file_that_changes_during_the_pass_is_named(folder, monkeypatch, when):
    dataset = open_dataset(str(folder))
    seen = []

    def report(progress):
        if len(seen) == {"before": 0, "during": 3, "after": 8}[when]:
            pq.write_table(_table(1200), folder / "part-003.parquet")
        seen.append(progress)

    with passes(report=report), pytest.raises(DataError, match=r"part-003\.parquet: it changed while"):
        solve(dataset, "fda", "ssp", steps=1)


def test_progress_counts_rows_and_files_and_foretells_the_rest(folder):
    seen = []
    with passes(report=seen.append):
        _gram(folder)
    assert [each.files for each in seen if each.rows == each.total][-1] == len(CUTS) + 1
    assert seen[-1].left == 0.0
    assert all(one.rows <= other.rows for one, other in pairwise(seen))


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("params", [{"steps": 1}, {"steps": 2}])
def test_workers_give_the_same_bits_in_whatever_order_they_end(folder, monkeypatch, workers, params):
    monkeypatch.setenv("DPGEP_PASSES_DIR", "")
    wanted = solve(open_dataset(str(folder)), "fda", "ssp", **params)
    late = iter((0.2, 0.0, 0.1, 0.0, 0.05) * 2)

    def slow(*task):
        time.sleep(next(late))
        return part_sums(*task)

    monkeypatch.setattr(passes_module, "part_sums", slow)
    open_dataset.__globals__["_cache"]._recent.clear()
    with ThreadPoolExecutor(workers) as pool, passes(executor=pool, workers=workers):
        found = solve(open_dataset(str(folder)), "fda", "ssp", **params)
    assert np.array_equal(found.moments.gram, wanted.moments.gram)
    assert np.array_equal(found.components, wanted.components)


def test_workers_that_go_away_leave_what_they_finished(folder, monkeypatch):
    wanted = _gram(folder)
    for file in passes_folder().iterdir():
        file.unlink()
    calls = []

    def broken(*task):
        calls.append(task)
        if len(calls) > 2:
            raise ConnectionError("the scheduler is gone")
        return part_sums(*task)

    with monkeypatch.context() as patch, ThreadPoolExecutor(1) as pool:
        patch.setattr(passes_module, "part_sums", broken)
        with passes(executor=pool), pytest.raises(WorkersError, match=r"scheduler is gone.*2 files of 5 are kept"):
            _gram(folder)
    names = _read(monkeypatch)
    assert np.array_equal(_gram(folder), wanted)
    assert len(names) == 3


def test_the_command_line_stops_in_order_and_says_what_is_kept(folder, monkeypatch, capsys):
    def tick(clock, rows, files=0):
        passes_module._settings.get().report(passes_module.PassProgress("moments", 10, 20, 2, None))
        raise KeyboardInterrupt

    monkeypatch.setattr(passes_module.PassClock, "tick", tick)
    assert main(["solve", "--dataset", str(folder)]) == 130
    assert "Stopped after 2 files. The sums of the files that were read are kept" in capsys.readouterr().err


@pytest.mark.parametrize(("steps", "passes_done"), [("1", 2), ("2", 3)])
def test_a_release_that_is_stopped_in_its_pass_has_spent_nothing(folder, monkeypatch, tmp_path, steps, passes_done):
    budget = ["--epsilon", "1", "--delta", "1e-5", "--budget-epsilon", "1", "--budget-delta", "1e-5"]
    places = ["--ledger", str(tmp_path / "ledger"), "--out", str(tmp_path / "out.npz")]
    release = ["release", "--dataset", str(folder), *budget, *places, "--set", f"steps={steps}"]

    def tick(clock, rows, files=0):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(passes_module.PassClock, "tick", tick)
        assert main(release) == 130
    assert not (tmp_path / "ledger").exists()
    names = _read(monkeypatch)
    assert main(release) == 0
    assert len(names) == passes_done * (len(CUTS) + 1)  # one for each sum, and one for the digest of the rows


@pytest.mark.slow
def test_killed_again_and_again_a_command_ends_with_the_answer_of_one_run(tmp_path):
    write_folder(tmp_path / "many", tuple(range(500, 30_000, 500)), _table(30_000), SIDECAR)
    code, whole, error = solving(tmp_path / "many", tmp_path / "whole").ended()
    assert code == 0, error
    for _ in range(4):
        one = solving(tmp_path / "many", tmp_path / "broken")
        before = _kept_files(tmp_path / "broken")
        ends = time.monotonic() + 120
        while _kept_files(tmp_path / "broken") < before + 8 and time.monotonic() < ends and one.runs:
            time.sleep(0.01)
        assert one.runs  # killed on the way, each time
        one.kill()
    _, last, _ = solving(tmp_path / "many", tmp_path / "broken").ended()
    assert _without_time(last) == _without_time(whole)


def _kept_files(folder: Path) -> int:
    """Files that kept sums hold, over all passes."""
    found = 0
    for file in folder.glob("*.npz"):
        with np.load(file) as stored:
            found += len(stored["done"])
    return found


def _without_time(report: str) -> str:
    return "\n".join(line for line in report.splitlines() if '"seconds"' not in line)
