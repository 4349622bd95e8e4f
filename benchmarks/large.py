"""Peak memory and time of passes over folders that do not fit into memory.

    python benchmarks/large.py make FOLDER 10000000 100 [--files 20]
    python benchmarks/large.py measure FOLDER/NAME [--dask ADDRESS] [--json FILE]

``make`` writes float32 rows of three Gaussian classes as Parquet with a sidecar, into FOLDER/rows_N_by_D. ``measure``
runs each command in a process of its own, without kept sums, and tells its wall time, rows a second, and the largest
resident set of that process. The first is a bare read of every block, which the others can be held against.
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


def make(folder: Path, rows: int, columns: int, files: int) -> Path:
    """Write the rows; the same numbers for the same sizes."""
    out = folder / f"rows_{rows}_by_{columns}"
    out.mkdir(parents=True)
    ends = [round(rows * k / files) for k in range(files + 1)]
    for number, (first, last) in enumerate(pairwise(ends)):
        rng = np.random.default_rng([rows, columns, number])
        names = [f"c{j}" for j in range(columns)]
        fields = [*(pa.field(name, pa.float32()) for name in names), pa.field("kind", pa.int8())]
        with pq.ParquetWriter(out / f"part-{number:05}.parquet", pa.schema(fields), compression="none",
                              use_dictionary=False) as writer:  # fmt: skip
            for start in range(first, last, BLOCK):
                codes = rng.integers(0, 3, min(BLOCK, last - start), dtype=np.int8)
                X = rng.standard_normal((codes.size, columns), dtype=np.float32)
                X[np.arange(codes.size), codes] += 1
                arrays = [*(pa.array(np.ascontiguousarray(X[:, j])) for j in range(columns)), pa.array(codes)]
                writer.write_table(pa.table(arrays, schema=pa.schema(fields)))
    out.with_suffix(".toml").write_text(SIDECAR)
    return out


def measure(folder: Path, dask: str | None) -> list[dict[str, Any]]:
    """Each command once, with what it took."""
    rows = sum(pq.ParquetFile(file).metadata.num_rows for file in sorted(folder.glob("*.parquet")))
    on = ["--dask", dask] if dask else []
    solve = ["solve", "--dataset", str(folder), "--test-size", "0", "--classifiers", "", "--json", *on]
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as scratch:
        budget = ["--epsilon", "1", "--delta", "1e-9", "--budget-epsilon", "2", "--budget-delta", "1e-8"]
        places = ["--ledger", f"{scratch}/ledger", "--out", f"{scratch}/r.npz"]
        release = ["release", "--dataset", str(folder), *budget, *places, *on]
        commands = {
            "read every block": [READ, str(folder)],
            "solve, one step: one pass": [COMMAND, *solve],
            "solve, two steps: two passes": [COMMAND, *solve, "--set", "steps=2"],
            "solve with a split, lda and linear_svm: two passes": [COMMAND, "solve", "--dataset", str(folder), *on],
            "release: a digest and one pass": [COMMAND, *release],
        }
        for name, command in commands.items():
            found.append({"what": name, "rows": rows, **_run(command)})
            print(json.dumps(found[-1]), flush=True)
    return found


def _run(command: list[str]) -> dict[str, Any]:
    """Seconds and peak megabytes of one process; a process of its own starts it, so that its peak is its own."""
    inner = (
        "import json,resource,subprocess,sys,time; t=time.monotonic(); "
        "r=subprocess.run([sys.executable,'-c',*sys.argv[1:]],stdout=subprocess.DEVNULL).returncode; "
        "u=resource.getrusage(resource.RUSAGE_CHILDREN); "
        "print(json.dumps({'status':r,'seconds':round(time.monotonic()-t,1),'cpu_seconds':round(u.ru_utime+u.ru_stime,1),"
        "'peak_megabytes':round(u.ru_maxrss/1024)}))"
    )
    environment = os.environ | {"PYTHONPATH": str(HERE), "DPGEP_PASSES_DIR": ""}
    done = subprocess.run([sys.executable, "-c", inner, *command], env=environment, check=True, capture_output=True)
    return json.loads(done.stdout)


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
    given = parser.parse_args()
    if given.what == "make":
        began = time.monotonic()
        out = make(given.folder, given.rows, given.columns, given.files)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{out}: {time.monotonic() - began:.0f} s, {peak:.0f} MB at most")
        return
    found = measure(given.folder, given.dask)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
