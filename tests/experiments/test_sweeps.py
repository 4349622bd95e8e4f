"""A sweep loses nothing that is finished and repeats none of it, however it ends and wherever it runs."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from apart import joined
from forked_sweep import forked

from dpgep_core import evaluate, load_dataset, solve
from dpgep_core.cli import main
from dpgep_core.evaluate.diagnostic import diagnose
from dpgep_core.experiments import cell_runner, runner
from dpgep_core.experiments.grid import parse_sweep
from dpgep_core.experiments.runner import plan_sweep, run_sweep
from dpgep_core.experiments.store import cell_store
from dpgep_core.experiments.table import sweep_table, write_whole
from dpgep_core.sqlitefile import StoreError

SMALL = {"datasets": ["wine"], "algorithms": ["ssp", "dprf", "exact"], "epsilon": [0.3, 3.0], "xi": [0.01, 0.1],
         "seeds": 2}  # fmt: skip
FIVE_HUNDRED = """
datasets = ["wine"]
algorithms = ["ssp", "sr_dp", "exact"]
epsilon = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0]
xi = [0.01, 0.1]
seeds = 20
"""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The table of the small sweep, computed in one go."""
    path = tmp_path_factory.mktemp("sweep") / "cells.sqlite"
    plan = plan_sweep(parse_sweep(SMALL))
    ended = run_sweep(plan, path)
    assert (ended.done, ended.errors) == (len(plan.cells), 0)
    return sweep_table(plan, path)


def test_a_cell_is_what_solving_and_evaluating_gives(undisturbed):
    """Shared work changes no digit: ssp is reworked along ξ, exact answers are kept."""
    wine = load_dataset("wine")
    for row in undisturbed.to_dict("records"):
        settings = {} if row["algorithm"] == "exact" else {"epsilon": row["epsilon"]}
        release = solve(wine, algorithm=row["algorithm"], seed=row["seed"], xi=row["xi"], **settings)
        found = evaluate(release, wine, classifiers=["lda"])
        assert row["lda_accuracy"] == found.accuracy["lda"].private.accuracy
        assert row["mean_cosine_similarity"] == pytest.approx(found.mean_cosine_similarity, rel=1e-12)
        assert (row["n"], row["d"], row["k"]) == (142, 13, 2)
        epsilon = release.accounted.epsilon
        assert np.isnan(row["accounted_epsilon"]) if epsilon is None else row["accounted_epsilon"] == epsilon


def test_what_is_kept_is_not_computed_again(tmp_path, monkeypatch):
    plan, path = plan_sweep(parse_sweep(SMALL)), tmp_path / "cells.sqlite"
    counted = []
    monkeypatch.setattr(runner, "compute_cell", lambda *pair: counted.append(pair[0]) or (pair[0], {}, {"x": 1}, 0.0))
    stop = threading.Event()
    first = run_sweep(plan, path, stop=stop, report=lambda progress: progress.done == 5 and stop.set())
    assert (first.done, first.total) == (5, len(plan.cells))
    second = run_sweep(plan, path)
    assert second.done == second.total
    assert sorted(counted) == sorted(plan.keys)  # each once
    assert run_sweep(plan, path).done == second.total
    assert len(counted) == len(plan.keys)


@pytest.mark.slow
def test_processes_give_the_same_table(tmp_path, undisturbed):
    plan, path = plan_sweep(parse_sweep(SMALL)), tmp_path / "cells.sqlite"
    run_sweep(plan, path, jobs=2)
    pd.testing.assert_frame_equal(sweep_table(plan, path), undisturbed, check_exact=True)


def test_an_error_stays_with_its_cell(tmp_path):
    plan = plan_sweep(parse_sweep(SMALL | {"algorithms": ["ssp"], "n_components": [2, 12], "n": [60, 1000]}))
    ended = run_sweep(plan, tmp_path / "cells.sqlite")
    table = sweep_table(plan, tmp_path / "cells.sqlite")
    assert ended.done == ended.total == len(table)
    wrong = table["error"] != ""
    assert set(table.loc[table["rows"] == 1000, "error"]) == {"n must be at most the 178 rows of wine; got 1000."}
    assert ended.errors == wrong.sum() > 0
    assert table.loc[~wrong, "lda_accuracy"].notna().all()
    assert set(table.loc[~wrong, "n"]) == {48}  # 80 % of the first 60 rows


def test_two_sweeps_write_one_store_at_once(tmp_path, undisturbed):
    """Each has half of its settings in common with the other; neither loses a cell."""
    path = tmp_path / "cells.sqlite"
    plans = [plan_sweep(parse_sweep(SMALL | {"xi": list(xi)})) for xi in ((0.01, 0.1), (0.1, 1.0))]
    reached = []
    threads = [threading.Thread(target=lambda plan=plan: reached.append(run_sweep(plan, path))) for plan in plans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [progress.done for progress in reached] == [progress.total for progress in reached]
    pd.testing.assert_frame_equal(sweep_table(plans[0], path), undisturbed, check_exact=True)


def test_threads_of_one_process_compute_one_at_a_time(tmp_path, undisturbed, monkeypatch):
    """A Dask worker may have many threads: they share what is kept, and the number of BLAS threads is the process's."""
    plan, inside, most = plan_sweep(parse_sweep(SMALL)), [], []

    def watched(*given):
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.01)
        try:
            return diagnose(*given)
        finally:
            inside.pop()

    monkeypatch.setattr(cell_runner, "diagnose", watched)
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda pair: runner.compute_cell(*pair), plan.cells))
    assert max(most) == 1
    with cell_store(tmp_path / "cells.sqlite") as store:
        for row in rows:
            store.put(*row)
    pd.testing.assert_frame_equal(sweep_table(plan, tmp_path / "cells.sqlite"), undisturbed, check_exact=True)


@pytest.mark.parametrize("harm", ["empty", "text", "cut", "scrambled", "other program", "newer"])
def test_a_damaged_store_is_told_and_left_alone(tmp_path, harm):
    path = tmp_path / "cells.sqlite"
    with cell_store(path) as store:
        for number in range(40):  # each is on disk when it is put: few, and large
            store.put(f"{number:032d}", {}, {"text": "x" * 10_000}, 0.0)
    with sqlite3.connect(path) as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = path.read_bytes()
    if harm == "empty":
        path.write_bytes(b"")
    elif harm == "text":
        path.write_text("cell,accuracy\n" * 100)
    elif harm == "cut":
        path.write_bytes(whole[: len(whole) // 3])
    elif harm == "scrambled":
        path.write_bytes(whole[:4096] + random.Random(0).randbytes(len(whole) - 8192) + whole[-4096:])
    else:
        with sqlite3.connect(path) as base:
            base.execute("PRAGMA application_id = 7" if harm == "other program" else "PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(StoreError) as told:
        run_sweep(plan_sweep(parse_sweep(SMALL)), path)
    assert str(path) in str(told.value)
    assert path.read_bytes() == before


def started(folder: Path, *more: str) -> subprocess.Popen[bytes]:
    command = shutil.which("dpgep", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    assert command is not None
    (folder / "spec.toml").write_text(FIVE_HUNDRED)
    return subprocess.Popen(
        [command, "sweep", "spec.toml", "--out", "out.parquet", *more], cwd=folder,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def ended(process: subprocess.Popen[bytes]) -> int:
    process.communicate(timeout=300)
    return process.returncode


def kept(folder: Path) -> set[str]:
    if not (folder / "out.sqlite").exists():
        return set()
    with sqlite3.connect(folder / "out.sqlite", timeout=30) as base:
        return {key for (key,) in base.execute("SELECT key FROM cell")}


@pytest.fixture(scope="module")
def in_one_go(tmp_path_factory):
    """The table of the five hundred cells, by a command that nobody kills."""
    folder = tmp_path_factory.mktemp("whole")
    assert ended(started(folder)) == 0
    return pd.read_parquet(folder / "out.parquet")


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--jobs", "2")], ids=["alone", "two processes"])
def test_killed_at_ten_moments_it_ends_as_if_undisturbed(tmp_path, in_one_go, more):
    """Kill -9, ten times: what was finished stays as it was, and the table is that of a run in one go."""
    broken = tmp_path
    (broken / "spec.toml").write_text(FIVE_HUNDRED)
    moments, seen = random.Random(1), set()
    for _ in range(10):
        one = forked(broken, *more)
        reached = len(seen) + moments.randint(5, 45)
        ends = time.monotonic() + 120
        while len(kept(broken)) < reached and time.monotonic() < ends and one.is_alive():
            time.sleep(0.02)
        assert one.is_alive()  # killed on the way, each time
        one.kill()
        assert joined(one) == -signal.SIGKILL
        now = kept(broken)
        assert seen <= now
        seen = now
    assert 50 < len(seen) < 520
    assert ended(started(broken, *more)) == 0
    pd.testing.assert_frame_equal(pd.read_parquet(broken / "out.parquet"), in_one_go, check_exact=True)
    assert len(in_one_go) == 520


def test_interrupted_it_keeps_the_table_so_far_and_goes_on(tmp_path):
    one = started(tmp_path)
    ends = time.monotonic() + 120
    while len(kept(tmp_path)) < 20 and time.monotonic() < ends:
        time.sleep(0.05)
    one.send_signal(signal.SIGINT)
    _, told = one.communicate(timeout=60)
    assert one.returncode == 130
    assert b"the same command goes on from there" in told
    assert 20 <= len(pd.read_parquet(tmp_path / "out.parquet")) < 520


def test_bad_input_is_one_line(tmp_path, capsys):
    spec = tmp_path / "spec.toml"
    spec.write_text("datasets = ['wine']\nepsilon = [-1.0]\n")
    for arguments, words in (
        ([str(spec), "--out", "x.txt"], "--out must be a file that ends in"),
        (
            [str(spec), "--out", str(tmp_path / "x.csv"), "--jobs", "0"],
            "--jobs must be a whole number >= 1 and <= 1024; got '0'",
        ),
        ([str(spec), "--out", str(tmp_path / "x.csv")], "epsilon must be"),
        ([str(tmp_path / "no.toml"), "--out", str(tmp_path / "x.csv")], "no.toml"),
    ):
        assert main(["sweep", *arguments]) == 2
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        assert words in told


def test_a_scheduler_that_is_not_there_is_named(tmp_path):
    from dpgep_core.errors import ParameterError

    with pytest.raises(ParameterError, match="--dask"):
        run_sweep(plan_sweep(parse_sweep(SMALL)), tmp_path / "cells.sqlite", dask="no such thing")


def test_a_file_is_written_whole_for_those_whom_the_umask_lets_read(tmp_path):
    """Neither half a file nor a scratch file is left, and nobody reads what the user keeps to himself."""
    former = os.umask(0o077)
    try:
        write_whole(tmp_path / "new" / "table.csv", lambda path: path.write_text("whole"))
    finally:
        os.umask(former)
    write_whole(tmp_path / "new" / "open.csv", lambda path: path.write_text("whole"))

    def half(path: Path) -> None:
        path.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(StoreError, match=r"table\.csv cannot be written: No space left"):
        write_whole(tmp_path / "new" / "table.csv", half)
    found = {path.name: (path.read_text(), path.stat().st_mode & 0o077) for path in (tmp_path / "new").iterdir()}
    assert found == {"table.csv": ("whole", 0), "open.csv": ("whole", 0o077 & 0o666 & ~former)}
