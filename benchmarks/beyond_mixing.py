"""Gaussian mixing in place of the second step of `ssp`: how far its sums are from the exact ones.

    python benchmarks/beyond_mixing.py RESULTS.csv [--datasets adult,digits,…] [--epsilon 0.1,1] [--seeds 10]

Mixing (Lev et al. 2025) releases G Z + ξ N with G (m × n) and N of standard normal entries, and Z the rows
z = [u; w e_y] of the second step. What follows from it is W = (GZ + ξN)ᵀ(GZ + ξN)/m − ξ²I, whose mean is ZᵀZ. With
γ = λ + ξ², λ a lower bound of the smallest eigenvalue of ZᵀZ, the loss tends to that of the Gaussian mechanism with
μ = √m (1 + w²)/γ under replace-one, from above, as m grows.

Everything is decided in favour of mixing: the limit is taken as if it held for every m, λ is the exact one and costs
nothing, and of all m the one of least error is told. `gaussian` is the noise of the product with the same μ.
``error`` is the spectral norm of the error of the scatter over n, ``accuracy`` that of LDA on the projection.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from benchmarks.beyond_two_steps import RIDGE, Rows, lda_accuracy, parts, symmetric  # noqa: E402
from benchmarks.trials import run_trial  # noqa: E402
from dpgep_core import load_dataset  # noqa: E402
from dpgep_core.models.centring import about_centres  # noqa: E402
from dpgep_core.models.cleaning import cleaned_eigenvalues  # noqa: E402
from dpgep_core.privacy import Grant  # noqa: E402

Array = np.ndarray[Any, Any]
WEIGHT = 0.5  # w²
SKETCHES = (1, 4, 16, 64)  # m in multiples of the columns of Z


@dataclass(frozen=True)
class Centred:
    """Rows of the second step about the exact centres, which both forms share, and their sums."""

    gram: Array
    d: int
    n: int
    means: Array
    shares: Array

    @classmethod
    def of(cls, rows: Rows) -> "Centred":
        ones = np.eye(rows.K)[rows.y]
        means = (rows.X.T @ ones) / np.maximum(ones.sum(0), 1)
        u = about_centres(rows.X, means.T[rows.y], 0.0)
        z = np.hstack([u, math.sqrt(WEIGHT) * ones])
        return cls(z.T @ z, rows.d, rows.n, means, ones.mean(0))

    @property
    def size(self) -> int:
        return len(self.gram)


def gaussian(rows: Centred, mu: float, rng: np.random.Generator) -> Array:
    return rows.gram + symmetric(rows.size, math.sqrt(2) * (1 + WEIGHT) / mu, rng)


def mixed(rows: Centred, mu: float, m: int, rng: np.random.Generator) -> Array:
    """W, drawn as the Wishart matrix that it is."""
    values, vectors = np.linalg.eigh(rows.gram)
    added = max(math.sqrt(m) * (1 + WEIGHT) / mu - max(values[0], 0.0), 0.0)  # ξ²
    draws = rng.standard_normal((m, rows.size)) * np.sqrt(np.maximum(values, 0.0) + added)
    return vectors @ (draws.T @ draws / m) @ vectors.T - added * np.eye(rows.size)


def measured(rows: Centred, noisy: Array, mu: float, train: Rows, test: Rows) -> dict[str, float]:
    d, s = rows.d, math.sqrt(2) * (1 + WEIGHT) / mu / rows.n
    scatter = noisy[:d, :d] / rows.n
    error = float(np.linalg.norm(scatter - rows.gram[:d, :d] / rows.n, 2))
    values, vectors = np.linalg.eigh((scatter + scatter.T) / 2)
    ridge = RIDGE * s * math.sqrt(2 * d)
    F = (rows.means - (rows.means @ rows.shares)[:, None]) * np.sqrt(rows.shares)
    V = (vectors / (cleaned_eigenvalues(values, s) + ridge)) @ (vectors.T @ F)
    return {"error": round(error, 6), "accuracy": round(lda_accuracy(V, train, test), 5)}


def results(name: str, epsilons: list[float], seeds: int) -> Iterator[dict[str, object]]:
    data = load_dataset(name)
    for seed in range(seeds):
        train, test = parts(data, seed)
        rows = Centred.of(train)
        least = float(np.linalg.eigvalsh(rows.gram)[0])
        for number, epsilon in enumerate(epsilons):
            mu = math.sqrt(0.75) * Grant(epsilon=epsilon, delta=train.n**-1.1).mu
            rng = np.random.default_rng((seed, number))
            forms = [("gaussian", 0, gaussian(rows, mu, rng))]
            forms += [("mixing", k, mixed(rows, mu, k * rows.size, rng)) for k in SKETCHES]
            for form, k, noisy in forms:
                yield {"dataset": name, "epsilon": epsilon, "form": form, "sketch": k, "seed": seed,
                       "smallest": round(least, 6), **measured(rows, noisy, mu, train, test)}  # fmt: skip


if __name__ == "__main__":
    names, told = ("adult", "digits", "breast_cancer", "wine"), ["error", "accuracy", "smallest"]
    run_trial(__doc__, results, names=names, epsilons="0.1,1", told=told)
