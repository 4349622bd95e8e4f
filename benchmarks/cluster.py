"""Two Dask workers against one over the same rows, and both against no cluster, as ratios.

    python benchmarks/large.py make FOLDER 200000 300 --files 16
    python benchmarks/cluster.py FOLDER/rows_200000_by_300 [--pairs 5] [--json FILE]

Workers have one thread each and run on this machine. One pass for the sums is made by one worker, by two, and in this
process, in turn. The ratio of times by the clock is the median over pairs that follow each other; processor seconds are
those of the workers. The sums are compared bit by bit.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

os.environ["DPGEP_PASSES_DIR"] = ""  # every pass reads every file
os.environ["DPGEP_STREAM_BYTES"] = "1"
HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from dpgep_core.datasets import Dataset, open_dataset  # noqa: E402
from dpgep_core.datasets.passes import Sums, passes  # noqa: E402
from dpgep_core.datasets.streamed import StreamedRows  # noqa: E402
from dpgep_core.models.streamed_sums import MomentSum  # noqa: E402

ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
SECONDS_TO_START = 120


@contextmanager
def cluster_of(workers: int) -> Generator[Any]:
    """A client of a scheduler with so many workers, which end with it."""
    from distributed import Client

    dask = shutil.which("dask", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if dask is None:
        raise SystemExit("Dask is needed: python -m pip install 'dpgep-lab[distributed]'")
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{one.getsockname()[1]}"
    commands = [["scheduler", "--port", address.rpartition(":")[2], "--no-dashboard"]]
    commands += [["worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]] * workers
    environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(HERE)}
    started = [subprocess.Popen([dask, *command], env=environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL) for command in commands]  # fmt: skip
    try:
        with Client(address, timeout=SECONDS_TO_START, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=SECONDS_TO_START)
            yield client
    finally:
        for process in started:
            process.kill()
            process.wait()


def timed(data: Dataset, client: Any, workers: int) -> tuple[float, float, Sums]:
    """Seconds by the clock, processor seconds of whoever sums, and the sums of one pass."""
    assert isinstance(data.X, StreamedRows)
    rows, asked = data.X.fitted_for(0, 0.0), MomentSum(data.preprocessing, data.n_classes)
    if client is None:
        began, used = time.perf_counter(), time.process_time()
        found = rows.sums("moments", asked)
        return time.perf_counter() - began, time.process_time() - used, found
    with client.get_executor(pure=False) as executor, passes(executor=executor, workers=workers):
        used = sum(client.run(time.process_time).values())
        began = time.perf_counter()
        found = rows.sums("moments", asked)
        took = time.perf_counter() - began
        return took, sum(client.run(time.process_time).values()) - used, found


def measure(folder: Path, pairs: int) -> dict[str, Any]:
    """The ratios, over so many pairs of passes."""
    data = open_dataset(str(folder))
    with cluster_of(1) as one, cluster_of(2) as two:
        ways = {"here": (None, 1), "one": (one, 1), "two": (two, 2)}
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
        first: dict[str, Sums] = {}
        for turn in range(pairs + 1):
            for name, way in ways.items():
                *times, sums = timed(data, *way)
                if turn:  # the first pass brings files and imports
                    taken[name].append((times[0], times[1]))
                first.setdefault(name, sums)
    same = all(
        np.array_equal(*pair) for name in ("one", "two") for pair in zip(first["here"], first[name], strict=True)
    )
    clock, processor = ({name: [each[which] for each in found] for name, found in taken.items()} for which in (0, 1))
    return {
        "rows": data.n, "columns": data.d, "files": len(data.X.parts), "pairs": pairs, "same_bits": same,  # type: ignore[attr-defined]
        "clock_one_over_two": _ratio(clock["one"], clock["two"]),
        "clock_here_over_one": _ratio(clock["here"], clock["one"]),
        "processor_two_over_one": _ratio(processor["two"], processor["one"]),
        "processor_one_over_here": _ratio(processor["one"], processor["here"]),
        "processor_seconds_here": round(median(processor["here"]), 2),
    }  # fmt: skip


def _ratio(above: list[float], below: list[float]) -> float:
    return round(median(one / other for one, other in zip(above, below, strict=True)), 2)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = measure(given.folder, given.pairs)
    print(json.dumps(found, indent=1))
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
