"""Slices of a response cut at private quantiles, for sliced inverse regression: against equal ones and exact quantiles.

    python benchmarks/beyond_slices.py RESULTS.csv [--cases sir,elevation,…] [--epsilon 0.1,0.3,1] [--seeds 10]

All need a public range of the response. Ten slices each:

equal
    Edges that share out the range evenly: all of μ² is for `ssp`.
private
    A tenth of μ² for counts of the response in public bins (half of them even, half ever finer towards 0 or the end of
    the range that is next to it), released as running sums by the square root of the matrix that sums (Henzinger,
    Upadhyay & Upadhyay 2023); edges where these pass tenths. `ssp` then gets the rest. A record changes its own slice
    alone, for the edges have left with noise, so both answers compose: μ² is the sum.
quantiles
    Exact quantiles, at no cost and with no guarantee: how far private ones could get.
random
    Two random directions: the floor.

``fit`` is R² on held-out rows of the ranks of the response, from a quadratic in two directions; it does not depend on
slices. ``uneven`` is the largest slice over a tenth of the rows.
"""

import argparse
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from dpgep_core import Dataset, load_dataset, solve  # noqa: E402
from dpgep_core.datasets.dataset import quantile_edges  # noqa: E402
from dpgep_core.privacy import Grant  # noqa: E402
from dpgep_core.privacy.accountant import epsilon_of  # noqa: E402

Array = np.ndarray[Any, Any]
SLICES, SHARE, BINS, MOST_ROWS = 10, 0.1, 512, 25_000


@dataclass(frozen=True)
class Case:
    """Rows with a response, and the range that is declared for it."""

    data: Dataset
    low: float
    high: float


def synthetic() -> Case:
    """The bundled set; the cube of about a normal variable is declared to lie within ±100."""
    data = load_dataset("synthetic_sir")
    return Case(data, -100.0, 100.0)


def column(name: str, j: int, low: float, high: float) -> Case:
    """A column of a data set as the response to the others."""
    data, rng = load_dataset(name), np.random.default_rng(0)
    rows = np.sort(rng.permutation(data.n)[:MOST_ROWS])
    X, rules, others = np.asarray(data.X[rows], dtype=float), data.preprocessing, [i for i in range(data.d) if i != j]
    bounds = {key: tuple(np.broadcast_to(np.asarray(value, dtype=float), data.d)[others].tolist())
              for key in ("lower", "upper") if (value := getattr(rules, key)) is not None}  # fmt: skip
    made = Dataset(f"{name}_{j}", name, X[:, others], response=X[:, j], preprocessing=replace(rules, **bounds))
    return Case(made, low, high)


def diabetes() -> Case:
    from sklearn.datasets import load_diabetes

    X, y = load_diabetes(return_X_y=True)
    return Case(Dataset("diabetes", "diabetes", X, response=y), 0.0, 400.0)


CASES: dict[str, Callable[[], Case]] = {
    "sir": synthetic,
    "elevation": lambda: column("covertype_part", 0, 0.0, 5_000.0),
    "roadways": lambda: column("covertype_part", 5, 0.0, 10_000.0),
    "payload": lambda: column("rt_iot2022", 59, 0.0, 1e9),
    "duration": lambda: column("rt_iot2022", 56, 0.0, 1e11),
    "diabetes": diabetes,
}


def knots(low: float, high: float) -> Array:
    """Public edges of the bins: half even, half ever finer towards 0, or towards the end of the range next to it."""
    origin, steps = min(max(low, 0.0), high), 2.0 ** (-np.arange(BINS // 2) / 8)
    fine = np.concatenate([origin + (end - origin) * steps for end in (low, high) if end != origin])
    return np.unique(np.concatenate([np.linspace(low, high, BINS // 2), fine]))


def running_noise(bins: int, scale: float, rng: np.random.Generator) -> Array:
    """Noise of running sums whose square root is released: its columns have norm |c|, with c_k = (2k choose k)/4^k."""
    c = np.cumprod(np.concatenate([[1.0], 1 - 0.5 / np.arange(1, bins)]))
    raw = scale * float(np.linalg.norm(c)) * rng.standard_normal(bins)
    return np.convolve(c, raw)[:bins]


def private_edges(response: Array, case: Case, mu: float, rng: np.random.Generator) -> tuple[float, ...]:
    """Edges at noisy tenths: replacing a record moves one count to another, √2 at most before the square root."""
    cuts = knots(case.low, case.high)
    counts = np.bincount(np.searchsorted(cuts, response), minlength=len(cuts) + 1)
    sums = np.cumsum(counts) + running_noise(len(counts), math.sqrt(2) / mu, rng)
    sums = np.maximum.accumulate(sums[:-1])
    places = np.searchsorted(sums, len(response) * np.arange(1, SLICES) / SLICES)
    return tuple(np.unique(cuts[np.minimum(places, len(cuts) - 1)]).tolist())


def edges_of(form: str, case: Case, response: Array, mu: float, rng: np.random.Generator) -> tuple[float, ...]:
    if form == "equal":
        return tuple(np.linspace(case.low, case.high, SLICES + 1)[1:-1].tolist())
    return private_edges(response, case, mu * math.sqrt(SHARE), rng) if form == "private" else quantile_edges(
        response, SLICES)  # fmt: skip


def fit(V: Array, case: Case, seed: int) -> float:
    """R² on held-out rows of the ranks of the response, from a quadratic in the directions."""
    prepare = case.data.preprocessing.apply
    order = np.random.default_rng(seed).permutation(case.data.n)
    train, test = order[len(order) // 5 :], order[: len(order) // 5]
    response = np.asarray(case.data.response)
    ranks = np.searchsorted(np.sort(response[train]), response) / len(train)
    Z = prepare(np.asarray(case.data.X)) @ V
    Z = (Z - Z[train].mean(0)) / np.maximum(Z[train].std(0), 1e-12)
    F = np.column_stack([np.ones(len(Z)), Z, Z**2, Z[:, :1] * Z[:, -1:]])
    weights = np.linalg.lstsq(F[train], ranks[train], rcond=None)[0]
    left = ranks[test] - F[test] @ weights
    return 1 - float((left**2).mean() / ranks[test].var())


def measured(name: str, epsilons: list[float], seeds: int) -> Iterator[dict[str, object]]:
    case = CASES[name]()
    response = np.asarray(case.data.response)
    for seed in range(seeds):
        for number, epsilon in enumerate(epsilons):
            delta = float(case.data.n) ** -1.1
            mu = Grant(epsilon=epsilon, delta=delta).mu
            for form in ("equal", "private", "quantiles"):
                rng = np.random.default_rng((seed, number))  # the same noise for every form
                edges = edges_of(form, case, response, mu, rng)
                left = mu * math.sqrt(1 - SHARE) if form == "private" else mu
                cut = case.data.with_edges(edges)
                found = solve(cut, "sir", "ssp", epsilon=epsilon_of(left, delta), delta=delta, n_components=2,
                              seed=int(rng.integers(2**31)), split_seed=seed, test_size=0.0)  # fmt: skip
                sizes = np.bincount(np.asarray(cut.y), minlength=len(edges) + 1)
                yield {"case": name, "epsilon": epsilon, "form": form, "seed": seed, "slices": len(edges) + 1,
                       "uneven": round(float(sizes.max() * SLICES / len(response)), 4),
                       "fit": round(fit(found.components, case, seed), 5)}  # fmt: skip
        floor = np.random.default_rng((seed, 9)).standard_normal((case.data.d, 2))
        yield {"case": name, "epsilon": 0.0, "form": "random", "seed": seed, "slices": 0, "uneven": 0.0,
               "fit": round(fit(floor, case, seed), 5)}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--epsilon", default="0.1,0.3,1")
    parser.add_argument("--seeds", type=int, default=10)
    asked = parser.parse_args()
    epsilons = [float(e) for e in asked.epsilon.split(",")]
    found = pd.DataFrame([row for name in asked.cases.split(",") for row in measured(name, epsilons, asked.seeds)])
    found.to_csv(asked.out, index=False)
    print(found.groupby(["case", "epsilon", "form"])[["fit", "uneven", "slices"]].agg(["mean", "sem"]).to_string())


if __name__ == "__main__":
    main()
