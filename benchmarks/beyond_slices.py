"""Slices of a response cut at private quantiles, for sliced inverse regression: against equal ones and exact quantiles.

    python benchmarks/beyond_slices.py RESULTS.csv [--cases sir,elevation,…] [--epsilon 0.1,0.3,1] [--seeds 10]

All need a public range of the response. Ten slices each:

equal
    Edges that share out the range evenly: all of μ² is for `ssp`.
private
    A tenth of μ² for edges of `release_edges`; `ssp` gets the rest. A record changes its own slice alone, for the edges
    have left with noise, so both answers compose: μ² is the sum.
quantiles
    Exact quantiles, at no cost and with no guarantee: how far private ones could get.
random
    Two random directions: the floor.

Edges and directions come from four fifths of the rows. ``fit`` is R² on the rest of the ranks of the response, from a
quadratic in two directions; it does not depend on slices. ``uneven`` is the largest slice over a tenth of the rows.
"""

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from benchmarks.trials import run_trial  # noqa: E402
from dpgep_core import Dataset, load_dataset, release_edges, solve  # noqa: E402
from dpgep_core.datasets.slices import quantile_edges  # noqa: E402
from dpgep_core.privacy import Grant  # noqa: E402
from dpgep_core.privacy.accountant import epsilon_of  # noqa: E402

Array = np.ndarray[Any, Any]
SLICES, SHARE, MOST_ROWS = 10, 0.1, 25_000


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


def edges_of(form: str, case: Case, epsilon: float, seed: int) -> tuple[tuple[float, ...], float]:
    """Edges from the rows that are fitted, and the μ that they cost."""
    if form == "equal":
        return tuple(np.linspace(case.low, case.high, SLICES + 1)[1:-1].tolist()), 0.0
    if form == "quantiles":
        return quantile_edges(np.asarray(case.data.response), SLICES), 0.0
    delta = float(case.data.n) ** -1.1
    price = epsilon_of(math.sqrt(SHARE) * Grant(epsilon=epsilon, delta=delta).mu, delta)
    found = release_edges(case.data, SLICES, (case.low, case.high), epsilon=price, seed=seed)
    return found.edges, found.mu


def fit(V: Array, case: Case, seed: int) -> float:
    """R² on held-out rows of the ranks of the response, from a quadratic in the directions."""
    train, test = held_out(case.data.n, seed)
    response = np.asarray(case.data.response)
    ranks = np.searchsorted(np.sort(response[train]), response) / len(train)
    Z = case.data.preprocessing.apply(np.asarray(case.data.X, dtype=float)) @ V
    Z = (Z - Z[train].mean(0)) / np.maximum(Z[train].std(0), 1e-12)
    F = np.column_stack([np.ones(len(Z)), Z, Z**2, Z[:, :1] * Z[:, -1:]])
    weights = np.linalg.lstsq(F[train], ranks[train], rcond=None)[0]
    left = ranks[test] - F[test] @ weights
    return 1 - float((left**2).mean() / ranks[test].var())


def held_out(n: int, seed: int) -> tuple[Array, Array]:
    """Positions of four fifths of the rows, and of the rest."""
    order = np.random.default_rng(seed).permutation(n)
    return np.sort(order[n // 5 :]), order[: n // 5]


def fitted_part(case: Case, seed: int) -> Case:
    """The rows that edges and directions are made from."""
    data, (train, _) = case.data, held_out(case.data.n, seed)
    X, response = np.asarray(data.X)[train], np.asarray(data.response)[train]
    return replace(case, data=Dataset(data.name, data.title, X, preprocessing=data.preprocessing, response=response))


def measured(name: str, epsilons: list[float], seeds: int) -> Iterator[dict[str, object]]:
    case = CASES[name]()
    for seed in range(seeds):
        part = fitted_part(case, seed)
        for number, epsilon in enumerate(epsilons):
            for form in ("equal", "private", "quantiles"):
                streams = np.random.default_rng((seed, number)).integers(2**31, size=2)  # the same for every form
                edges, mu = edges_of(form, part, epsilon, int(streams[0]))
                cut = part.data.with_edges(edges, mu=mu)
                found = solve(cut, "sir", "ssp", epsilon=epsilon, n_components=2, seed=int(streams[1]), test_size=0.0)
                sizes = np.bincount(np.asarray(cut.y), minlength=len(edges) + 1)
                yield {"case": name, "epsilon": epsilon, "form": form, "seed": seed, "slices": len(edges) + 1,
                       "uneven": round(float(sizes.max() * SLICES / part.data.n), 4),
                       "fit": round(fit(found.components, case, seed), 5)}  # fmt: skip
        floor = np.random.default_rng((seed, 9)).standard_normal((case.data.d, 2))
        yield {"case": name, "epsilon": 0.0, "form": "random", "seed": seed, "slices": 0, "uneven": 0.0,
               "fit": round(fit(floor, case, seed), 5)}  # fmt: skip


if __name__ == "__main__":
    told = ["fit", "uneven", "slices"]
    run_trial(__doc__, measured, names=CASES, epsilons="0.1,0.3,1", told=told, option="cases")
