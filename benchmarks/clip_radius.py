"""Where unit rows are clipped in the second step of `ssp` for PCA and CCA: at ρ or at 1.15 ρ, by the noise.

    python benchmarks/clip_radius.py RESULTS.csv [--models cca,pca]

ρ is the root mean square distance of the rows from the released mean. A smaller radius makes what is left of the rows
louder beside the noise, and bends more of them. ``edge`` is √(2d)s/n, a public number; ``measure`` is the share of the
trace quotient for CCA and the subspace distance for PCA, of k = 2 and 10 components, to the exact answer.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pandas as pd

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from dpgep_core import evaluate, load_dataset, solve, two_step  # noqa: E402

RADII = (1.0, 1.15)
CASES: tuple[tuple[str, str, float, int], ...] = (
    ("cca", "optdigits", 1, 10), ("cca", "digits", 2, 10), ("cca", "dota2", 0.1, 4), ("cca", "adult", 0.2, 4),
    ("cca", "adult", 3, 4), ("cca", "covertype_part", 0.1, 4),
    ("pca", "optdigits", 2, 10), ("pca", "optdigits", 8, 10), ("pca", "digits", 4, 10), ("pca", "digits", 20, 10),
    ("pca", "dota2", 0.2, 4), ("pca", "adult", 0.3, 6), ("pca", "adult", 3, 6),
)  # fmt: skip


def results(models: list[str]) -> Iterator[dict[str, object]]:
    for model, name, epsilon, seeds in (case for case in CASES if case[0] in models):
        data = load_dataset(name)
        for seed in range(100, 100 + seeds):  # not those of the tables
            for radius in RADII:
                with patch.multiple(two_step, CLIP=radius, LOUD_CLIP=radius):
                    found = solve(data, model, "ssp", epsilon=epsilon, seed=seed)
                told, entries = evaluate(found, data, classifiers=()), list(found.ledger)
                edge = entries[-1].sigma * math.sqrt(2 * found.public.d) / found.public.n
                measure = told.explained if model == "cca" else told.subspace_distance
                yield {"model": model, "dataset": name, "epsilon": epsilon, "edge": round(edge, 5), "radius": radius,
                       "seed": seed, "measure": round(measure, 5)}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--models", default="cca,pca")
    asked = parser.parse_args()
    found = pd.DataFrame(list(results(asked.models.split(","))))
    found.to_csv(asked.out, index=False)
    print(found.groupby(["model", "dataset", "epsilon", "edge", "radius"])["measure"].agg(["mean", "sem"]).to_string())


if __name__ == "__main__":
    main()
