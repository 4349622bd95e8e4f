"""Peak memory and time of passes over folders that do not fit into memory.

    python benchmarks/large.py make FOLDER 10000000 100 [--files 20]
    python benchmarks/large.py measure FOLDER/NAME [--only "two steps"] [--dask ADDRESS] [--json FILE]

``make`` writes float32 rows of three Gaussian classes as Parquet with a sidecar, into FOLDER/rows_N_by_D. ``measure``
runs each command in a process of its own and tells its wall and CPU time and its largest resident set; ``--pieces``
kills it after so many CPU seconds and starts it again until it ends, and ``--only`` measures those whose name has this
text in it. The first is a bare read of every block.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).resolve().parent.parent
SIDECAR = 'title = "Three Gaussian classes"\nlabel = "kind"\nclasses = [0, 1, 2]\n[columns]\nlower = -4\nupper = 4\n'
BLOCK = 50_000  # rows of a row group
COMMAND = "import sys; from dpgep_core.cli import main; sys.exit(main(sys.argv[1:]))"
READ = """
import sys
from dpgep_core.datasets import open_dataset
rows = open_dataset(sys.argv[1]).X
print(sum(len(X) for reader in rows._readers() for X, _ in reader.blocks()))
"""


WATCH = """
import json, resource, subprocess, sys, time
began, pieces = time.monotonic(), int(sys.argv[1])
limit = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (pieces, pieces))) if pieces else None
status = subprocess.run([sys.executable, "-c", *sys.argv[2:]], stdout=subprocess.DEVNULL, preexec_fn=limit).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"status": status, "seconds": time.monotonic() - began, "peak_megabytes": round(used.ru_maxrss / 1024),
                  "cpu_seconds": used.ru_utime + used.ru_stime}))
"""


def make(folder: Path, rows: int, columns: int, files: int) -> Path:
    """Write the rows, the same numbers for the same sizes; files that are there already stay as they are."""
    out = folder / f"rows_{rows}_by_{columns}"
    out.mkdir(parents=True, exist_ok=True)
    for number, (first, last) in enumerate(pairwise(round(rows * k / files) for k in range(files + 1))):
        write_part(out / f"part-{number:05}.parquet", last - first, columns, (rows, columns, number))
    out.with_suffix(".toml").write_text(SIDECAR)
    return out


def write_part(file: Path, rows: int, columns: int, seed: tuple[int, ...]) -> None:
    """Write one file, whole or not at all."""
    if file.exists():
        return
    rng = np.random.default_rng(list(seed))
    names = [f"c{j}" for j in range(columns)]
    schema = pa.schema([*(pa.field(name, pa.float32()) for name in names), pa.field("kind", pa.int8())])
    unfinished = file.with_suffix(".tmp")
    with pq.ParquetWriter(unfinished, schema, compression="none", use_dictionary=False) as writer:
        for start in range(0, rows, BLOCK):
            codes = rng.integers(0, 3, min(BLOCK, rows - start), dtype=np.int8)
            X = rng.standard_normal((codes.size, columns), dtype=np.float32)
            X[np.arange(codes.size), codes] += 1
            columns_of_block = [pa.array(np.ascontiguousarray(X[:, j])) for j in range(columns)]
            writer.write_table(pa.table([*columns_of_block, pa.array(codes)], schema=schema))
    unfinished.rename(file)


def measure(folder: Path, dask: str | None, pieces: int, only: str = "") -> list[dict[str, Any]]:
    """Each command once, or those with this text in their names, with what it took."""
    rows = sum(pq.ParquetFile(file).metadata.num_rows for file in sorted(folder.glob("*.parquet")))
    on = ["--dask", dask] if dask else []
    solve = ["solve", "--dataset", str(folder), "--test-size", "0", "--classifiers", "", "--json", *on]
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as scratch:
        budget = ["--epsilon", "1", "--delta", "1e-8", "--budget-epsilon", "2", "--budget-delta", "1e-7"]
        places = ["--ledger", f"{scratch}/ledger", "--out", f"{scratch}/r.npz"]
        commands = {
            "solve, one step: one pass": [*solve, "--set", "steps=1"],
            "solve, two steps: two passes": solve,
            "solve, two steps with a split, lda and linear_svm: three passes": ["solve", "--dataset", str(folder), *on],
            "release, two steps: two passes and a digest": ["release", "--dataset", str(folder), *budget, *places, *on],
        }
        if not pieces and not only:
            found.append({"what": "read every block", "rows": rows, **_run([READ, str(folder)], 0)})
        for name, command in commands.items():
            if only not in name:
                continue
            found.append({"what": name, "rows": rows, **_run([COMMAND, *command], pieces)})
            print(json.dumps(found[-1]), flush=True)
    return found


def _run(command: list[str], pieces: int) -> dict[str, Any]:
    """What a command took, over all processes that it took: one, or as many as ``pieces`` of CPU seconds end."""
    total: dict[str, Any] = {"processes": 0, "seconds": 0.0, "cpu_seconds": 0.0, "peak_megabytes": 0}
    with tempfile.TemporaryDirectory() as kept:
        environment = os.environ | {"PYTHONPATH": str(HERE), "DPGEP_PASSES_DIR": kept}
        while True:
            watched = [sys.executable, "-c", WATCH, str(pieces), *command]
            done = subprocess.run(watched, env=environment, check=True, capture_output=True)
            one = json.loads(done.stdout)
            total = {
                "processes": total["processes"] + 1,
                "seconds": round(total["seconds"] + one["seconds"], 1),
                "cpu_seconds": round(total["cpu_seconds"] + one["cpu_seconds"], 1),
                "peak_megabytes": max(total["peak_megabytes"], one["peak_megabytes"]),
            }
            if one["status"] >= 0:  # it ended, and was not ended
                return {"status": one["status"], **total}


def main() -> None:
    """Make rows, or measure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    what = parser.add_subparsers(dest="what", required=True)
    making = what.add_parser("make")
    making.add_argument("folder", type=Path)
    making.add_argument("rows", type=int)
    making.add_argument("columns", type=int)
    making.add_argument("--files", type=int, default=20)
    measuring = what.add_parser("measure")
    measuring.add_argument("folder", type=Path)
    measuring.add_argument("--dask")
    measuring.add_argument("--json", type=Path)
    measuring.add_argument("--only", default="", help="text in the names of the commands to measure")
    measuring.add_argument(
        "--pieces", type=int, default=0, help="CPU seconds after which a command is killed and begun again"
    )
    given = parser.parse_args()
    if given.what == "make":
        began = time.monotonic()
        out = make(given.folder, given.rows, given.columns, given.files)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{out}: {time.monotonic() - began:.0f} s, {peak:.0f} MB at most")
        return
    found = measure(given.folder, given.dask, given.pieces, given.only)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
