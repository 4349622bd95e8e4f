"""Sparse components among many columns: how many of the true columns are found, and what choosing columns first gives.

    python benchmarks/beyond_sparse.py RESULTS.csv [--cases sparse_500,…] [--epsilon 1,4,16] [--seeds 10]

Cases: ``sparse_500`` is the bundled ``synthetic_sparse`` (500 rows of 1,000 columns, ten of them matter) and
``sparse_5000`` the same with 5,000 rows: PCA, one component. ``breast_cancer`` and ``digits`` are FDA of real rows to
which shuffled copies of their columns were added until there are 1,000: shuffled columns tell nothing of the class.

ssp
    The product, `sparsity` entries kept: two steps of all columns, then truncation.
columns
    A first question chooses columns: for PCA the sum of x∘x/|x∘x|, a third of μ²; for FDA the class sums that two steps
    release anyway. The second asks about the `POOL` × sparsity columns that stand out, at norm 1.
dptrf, dpsrs
    The product, at exact calibration and the best of a public grid at each ε (chosen with the truth in hand, in their
    favour). ``dpsrs`` is private for PCA alone.

``share`` is the share of the kept entries that are true columns, and ``accuracy`` that of LDA on the projection.
"""

import itertools
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from benchmarks.beyond_two_steps import (  # noqa: E402
    RIDGE,
    Rows,
    first_step,
    gram_step,
    lda_accuracy,
    parts,
    symmetric,
    weighed,
)
from benchmarks.trials import run_trial  # noqa: E402
from dpgep_core import Dataset, load_dataset, solve  # noqa: E402
from dpgep_core.models.centring import about_centres  # noqa: E402
from dpgep_core.models.cleaning import cleaned_eigenvalues, shrunk_means, shrunk_shares  # noqa: E402
from dpgep_core.models.pencil import Pencil  # noqa: E402
from dpgep_core.models.sparse import components  # noqa: E402
from dpgep_core.privacy import Grant  # noqa: E402

Array = np.ndarray[Any, Any]
COLUMNS, POOL, FIRST = 1_000, 5, 1 / 3
COUNT = 0.25
LOOSE = 2.0  # times the length that even unit rows have on some columns
GRID = {"n_iterations": (3, 10), "step_size": (10.0,)}


@dataclass(frozen=True)
class Case:
    """A data set, its model, the columns that matter and how many entries a component keeps."""

    data: Dataset
    model: str
    true: Array
    sparsity: int
    k: int


def sparse_case(n: int) -> Case:
    data = load_dataset("synthetic_sparse")
    truth = np.asarray(data.truth)[:, 0]
    if n != len(data.X):
        rng = np.random.default_rng(1)
        signal = math.sqrt(0.3) * rng.standard_normal((n, 1)) * truth
        data = replace(data, X=signal + math.sqrt(0.7 / COLUMNS) * rng.standard_normal((n, COLUMNS)))
    return Case(data, "pca", np.flatnonzero(truth), 10, 1)


def noisy_case(name: str, sparsity: int) -> Case:
    """Columns of a real set among shuffled copies of themselves, in random places."""
    data, rng = load_dataset(name), np.random.default_rng(2)
    X = np.asarray(data.X, dtype=float)
    chosen = rng.integers(0, data.d, COLUMNS - data.d)
    wide = np.hstack([X, np.column_stack([rng.permutation(X[:, j]) for j in chosen])])
    places, rules = rng.permutation(COLUMNS), data.preprocessing
    columns = np.concatenate([np.arange(data.d), chosen])[places]
    bounds = {key: tuple(np.broadcast_to(np.asarray(value, dtype=float), data.d)[columns].tolist())
              for key in ("lower", "upper") if (value := getattr(rules, key)) is not None}  # fmt: skip
    made = Dataset(f"{name}_wide", name, wide[:, places], data.y, classes=data.classes,
                   preprocessing=replace(rules, **bounds))  # fmt: skip
    return Case(made, "fda", np.flatnonzero(places < data.d), sparsity, max(data.n_classes - 1, 1))


CASES = {
    "sparse_500": lambda: sparse_case(500),
    "sparse_5000": lambda: sparse_case(5_000),
    "breast_cancer": lambda: noisy_case("breast_cancer", 10),
    "digits": lambda: noisy_case("digits", 20),
}


def chosen_for_pca(rows: Rows, mu: float, size: int, rng: np.random.Generator) -> Array:
    """Columns of most energy, from one noisy sum of unit vectors x∘x/|x∘x|: they change by √2 at most."""
    squares = rows.X**2
    energy = (squares / np.linalg.norm(squares, axis=1, keepdims=True)).sum(0)
    return np.sort(np.argsort(-(energy + math.sqrt(2) / mu * rng.standard_normal(rows.d)))[:size])


def columns_pca(rows: Rows, case: Case, mu: float, rng: np.random.Generator) -> Array:
    chosen = chosen_for_pca(rows, mu * math.sqrt(FIRST), POOL * case.sparsity, rng)
    u = about_centres(rows.X[:, chosen], np.zeros((1, len(chosen))), 0.0)
    gram = u.T @ u / rows.n + symmetric(len(chosen), math.sqrt(2) / (mu * math.sqrt(1 - FIRST)) / rows.n, rng)
    return whole(components(Pencil((gram + gram.T) / 2), case.k, 0.0, case.sparsity), chosen, rows.d)


def columns_fda(rows: Rows, case: Case, mu: float, rng: np.random.Generator) -> Array:
    share, size = 0.5, POOL * case.sparsity
    sums, shares, noise = first_step(rows, mu * math.sqrt(share), rng)
    weights = shrunk_shares(shares, noise / COUNT)
    offsets = sums - np.outer(sums.sum(1), weights)
    chosen = np.sort(np.argsort(-(offsets**2 / weights).sum(1))[:size])
    centres = shrunk_means(sums[chosen], weights, noise)
    radius = min(1.0, LOOSE * math.sqrt(size / rows.d))  # the length of unit rows on so many columns is not told

    def about(x: Array, y: Array) -> Array:
        return about_centres(x[:, chosen], centres.T[y], radius)

    scatter, more, _, s = gram_step(rows, about, size, 1.0, mu * math.sqrt(1 - share), rng)
    values, vectors = np.linalg.eigh(radius**2 * (scatter + scatter.T) / 2)
    s *= radius**2
    within = (vectors * cleaned_eigenvalues(values, s)) @ vectors.T
    both = (sums[chosen] / weights, centres + radius * more / weights)
    means, _ = weighed(*both, (noise, s / radius / math.sqrt(2)))
    F = (means - (means @ weights)[:, None]) * np.sqrt(weights)
    ridge = RIDGE * s * math.sqrt(2 * size)
    return whole(components(Pencil(None, within, F), case.k, ridge, case.sparsity), chosen, rows.d)


def whole(V: Array, chosen: Array, d: int) -> Array:
    found = np.zeros((d, V.shape[1]))
    found[chosen] = V
    return found


def solutions(case: Case, train: Rows, epsilon: float, seed: int, number: int) -> Iterator[tuple[str, Array]]:
    """Components of each form."""
    mu, common = Grant(epsilon=epsilon, delta=train.n**-1.1).mu, {"n_components": case.k, "sparsity": case.sparsity}
    own = columns_pca if case.model == "pca" else columns_fda
    yield "columns", own(train, case, mu, np.random.default_rng((seed, number)))
    noise = int(np.random.default_rng((seed, number, 7)).integers(2**31))  # each ε has noise of its own

    def asked(algorithm: str, **params: Any) -> Array:
        found = solve(
            case.data, case.model, algorithm, epsilon=epsilon, seed=noise, split_seed=seed, **common, **params
        )
        return found.components

    yield "ssp", asked("ssp")
    for values in itertools.product(*GRID.values()):
        params = dict(zip(GRID, values, strict=True))
        yield "dptrf", asked("dptrf", calibration="exact", **params)
        if case.model == "pca":
            yield "dpsrs", asked("dpsrs", calibration="exact", repair=True, **params)


def share_of_true(V: Array, case: Case) -> float:
    kept = np.argsort(-np.abs(V), axis=0)[: case.sparsity]
    return float(np.isin(kept, case.true).mean())


def measured(name: str, epsilons: list[float], seeds: int) -> Iterator[dict[str, object]]:
    case = CASES[name]()
    for seed in range(seeds):
        train, test = parts(case.data, seed) if case.model == "fda" else (pca_rows(case.data),) * 2
        for number, epsilon in enumerate(epsilons):
            for form, V in solutions(case, train, epsilon, seed, number):
                accuracy = round(lda_accuracy(V, train, test), 5) if case.model == "fda" else math.nan
                yield {"case": name, "epsilon": epsilon, "form": form, "seed": seed,
                       "share": round(share_of_true(V, case), 5), "accuracy": accuracy}  # fmt: skip


def pca_rows(data: Dataset) -> Rows:
    X = data.preprocessing.apply(np.asarray(data.X, dtype=float))
    return Rows(X, np.zeros(len(X), dtype=int), 1, False)


def best(found: pd.DataFrame) -> pd.DataFrame:
    """The rows of the best setting of each form: settings follow each other in the order of the grid."""
    keys = ["case", "epsilon", "form"]
    found = found.assign(setting=found.groupby([*keys, "seed"]).cumcount())
    means = found.groupby([*keys, "setting"], as_index=False)[["share", "accuracy"]].mean()
    means["rank"] = means["accuracy"].where(means["accuracy"].notna(), means["share"])
    top = means.loc[means.groupby(keys)["rank"].idxmax(), [*keys, "setting"]]
    return found.merge(top, on=[*keys, "setting"]).drop(columns="setting")


if __name__ == "__main__":
    told = ["share", "accuracy"]
    run_trial(__doc__, measured, names=CASES, epsilons="1,4,16", told=told, option="cases", finish=best)
