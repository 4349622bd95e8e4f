"""Memory and time of models with very many columns, as ratios against the bare product with the rows.

    python benchmarks/wide.py make FOLDER 20000 100000 --share 0.001
    python benchmarks/wide.py make FOLDER 4000 20000 --dense
    python benchmarks/wide.py measure FILE [--models fda,pca] [--json FILE]

``measure`` runs `solve` and `evaluate` for each model with ``exact``, ``ssp`` and ``dprf``, each in a process of its
own, and tells its CPU seconds, its largest resident set, and both as ratios: the seconds over those of one bare
product Xᵀ(XV) with ten directions, the memory over that of one d × d matrix.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

HERE = Path(__file__).resolve().parent.parent
CLASSES, TOLD, SHIFT, PRODUCTS = 4, 20, 0.4, 5
SIDECAR = 'title = "Four classes of many columns"\nclasses = [0, 1, 2, 3]\n[columns]\nlower = 0\nupper = 1\n'

BARE = """
import json, sys, time
import numpy as np
from dpgep_core.datasets import open_dataset
data = open_dataset(sys.argv[1])
X = data.X.csr.astype(float) if data.sparse else data.X
V = np.random.default_rng(0).standard_normal((data.d, 10))
began = time.process_time()
for _ in range(int(sys.argv[2])):
    X.T @ (X @ V)
found = {"cpu_seconds": (time.process_time() - began) / int(sys.argv[2]), "n": data.n, "d": data.d}
print(json.dumps(found | {"entries": int(data.X.csr.nnz if data.sparse else X.size)}))
"""

RUN = """
import json, resource, sys, time
from dpgep_core import evaluate, solve
from dpgep_core.datasets import open_dataset
data, model, key, settings = open_dataset(sys.argv[1]), sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
loaded, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
release = solve(data, model, key, n_components=3, **settings)
solved = time.process_time() - began
scored = evaluate(release, data, classifiers=("lda", "linear_svm"))
print(json.dumps({
    "model": model, "algorithm": key, **settings, "cpu_seconds": round(solved, 1),
    "cpu_seconds_of_the_comparison": round(time.process_time() - began - solved, 1),
    "megabytes_when_loaded": round(loaded / 1024),
    "peak_megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    "mean_cosine": round(scored.mean_cosine_similarity, 4),
    "accuracy": {name: [round(each.accuracy, 4) for each in (one.private, one.non_private, one.random)]
                 for name, one in scored.accuracy.items()},
}))
"""


def make(folder: Path, rows: int, columns: int, share: float, *, dense: bool) -> list[Path]:
    """Write rows of four classes, the same numbers for the same sizes: entries of the row's class are larger."""
    rng = np.random.default_rng([rows, columns])
    y = rng.integers(0, CLASSES, rows)
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / f"{'dense' if dense else 'sparse'}_{rows}_by_{columns}"
    stem.with_suffix(".toml").write_text(SIDECAR)
    told = rng.random((rows, TOLD * CLASSES)) * ((np.arange(TOLD * CLASSES) // TOLD == y[:, None]) * SHIFT + 0.1)
    if dense:
        X = rng.random((rows, columns), dtype=np.float32) * np.float32(0.1)
        X[:, : TOLD * CLASSES] += told
        np.savez(stem.with_suffix(".npz"), X=X, y=y)
        return [stem.with_suffix(".npz")]
    rest = sparse.random_array((rows, columns - TOLD * CLASSES), density=share, rng=rng, format="csr")
    few = sparse.csr_array(told * (rng.random(told.shape) < 0.3))
    X = sparse.csr_array(sparse.hstack([few, rest]))
    np.savez(stem.with_suffix(".npz"), data=X.data, indices=X.indices, indptr=X.indptr, shape=X.shape, y=y)
    return [stem.with_suffix(".npz")]


def measure(file: Path, models: list[str], epsilon: float) -> list[dict[str, Any]]:
    """The bare product, and each model with each algorithm, as ratios against it."""
    bare = _child(BARE, str(file), str(PRODUCTS))
    found = [{"what": "bare product with ten directions", **bare}]
    print(json.dumps(found[0]), flush=True)
    for model in models:
        for key, settings in (("exact", {}), ("ssp", {"epsilon": epsilon}), ("dprf", {"epsilon": epsilon})):
            one = _child(RUN, str(file), model, key, json.dumps(settings))
            one["products"] = round(one["cpu_seconds"] / bare["cpu_seconds"], 1)
            one["of_a_square_matrix"] = round(one["peak_megabytes"] * 2**20 / (8 * bare["d"] ** 2), 4)
            found.append(one)
            print(json.dumps(one), flush=True)
    return found


def _child(code: str, *arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=HERE, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Make rows, or measure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    what = parser.add_subparsers(dest="what", required=True)
    making = what.add_parser("make")
    making.add_argument("folder", type=Path)
    making.add_argument("rows", type=int)
    making.add_argument("columns", type=int)
    making.add_argument("--share", type=float, default=0.001, help="of the entries that are not zero")
    making.add_argument("--dense", action="store_true")
    measuring = what.add_parser("measure")
    measuring.add_argument("file", type=Path)
    measuring.add_argument("--models", default="fda,pca,sir")
    measuring.add_argument("--epsilon", type=float, default=1.0)
    measuring.add_argument("--json", type=Path)
    given = parser.parse_args()
    if given.what == "make":
        print(*make(given.folder, given.rows, given.columns, given.share, dense=given.dense), sep="\n")
        return
    found = measure(given.file.absolute(), given.models.split(","), given.epsilon)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
