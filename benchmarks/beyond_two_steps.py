"""Variants of the two-step `ssp` that are not in the product: whether they pay, by accuracy of LDA on the projection.

    python benchmarks/beyond_two_steps.py RESULTS.csv [--datasets adult,digits] [--epsilon 0.1,1] [--seeds 10]

``two`` is the product's own recipe (shares 1/4 and 3/4 of μ²), written again on plain arrays so that the others differ
in one thing each. Its noise is NumPy's: the numbers are for looking, nothing here may leave.

three
    A third step: rows about the means so far, whitened by the released scatter, at norm 1 again. Shares .2, .4, .4.
rich
    A quarter of μ² goes to a last solve in the span of F, (W + r)⁻¹F, (W + 10 r)⁻¹F and ten leading eigenvectors of W.
small
    The same in the span of the K − 1 answers alone.
"""

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from benchmarks.trials import run_trial  # noqa: E402
from dpgep_core import Dataset, load_dataset  # noqa: E402
from dpgep_core.datasets import split  # noqa: E402
from dpgep_core.models.centring import about_centres  # noqa: E402
from dpgep_core.models.cleaning import cleaned_eigenvalues, shrunk_means, shrunk_shares  # noqa: E402
from dpgep_core.privacy import Grant  # noqa: E402

Array = np.ndarray[Any, Any]
Form = Callable[..., Array]
RIDGE, COUNT, BLOCK = 0.4, 0.25, 8192


@dataclass(frozen=True)
class Rows:
    """Prepared rows, their classes, and what is public about them."""

    X: Array
    y: Array
    K: int
    non_negative: bool

    @property
    def n(self) -> int:
        return len(self.X)

    @property
    def d(self) -> int:
        return self.X.shape[1]


@dataclass(frozen=True)
class State:
    """What was released so far: class means, shares, and the within scatter with the noise of its eigenvalues."""

    means: Array
    shares: Array
    values: Array
    vectors: Array
    noise: float

    @property
    def ridge(self) -> float:
        return RIDGE * self.noise * math.sqrt(2 * len(self.values))

    @property
    def factor(self) -> Array:
        """F with A = F Fᵀ."""
        return (self.means - (self.means @ self.shares)[:, None]) * np.sqrt(self.shares)

    def inverse(self, ridge: float, power: float = 1.0) -> Array:
        return (self.vectors / (self.values + ridge) ** power) @ self.vectors.T


def symmetric(d: int, s: float, rng: np.random.Generator) -> Array:
    upper = np.triu(rng.standard_normal((d, d)), 1) * (s / math.sqrt(2))
    return upper + upper.T + np.diag(rng.standard_normal(d) * s)


def first_step(rows: Rows, mu: float, rng: np.random.Generator) -> tuple[Array, Array, float]:
    """Noisy class sums and shares over n, and the noise of the sums."""
    change = math.sqrt(2 + 2 * COUNT**2) if rows.non_negative else math.sqrt(max(4.0, 2 + 2 * COUNT**2))
    s, ones = change / mu / rows.n, np.eye(rows.K)[rows.y]
    sums = rows.X.T @ ones / rows.n + s * rng.standard_normal((rows.d, rows.K))
    return sums, ones.mean(0) + s / COUNT * rng.standard_normal(rows.K), s


def gram_step(
    rows: Rows, about: Callable[[Array, Array], Array], d: int, weight: float, mu: float, rng: np.random.Generator
) -> tuple[Array, Array, Array, float]:
    """Noisy scatter, class sums and shares over n of rows in the unit ball, and the noise s of the scatter."""
    s = math.sqrt(2) * (1 + weight) / mu / rows.n
    scatter, sums = np.zeros((d, d)), np.zeros((d, rows.K))
    for i in range(0, rows.n, BLOCK):
        u, y = about(rows.X[i : i + BLOCK], rows.y[i : i + BLOCK]), rows.y[i : i + BLOCK]
        scatter += u.T @ u
        sums += u.T @ np.eye(rows.K)[y]
    noisy = sums / rows.n + s / math.sqrt(2 * weight) * rng.standard_normal(sums.shape)
    shares = np.bincount(rows.y, minlength=rows.K) / rows.n + s / weight * rng.standard_normal(rows.K)
    return scatter / rows.n + symmetric(d, s, rng), noisy, shares, s


def weighed(one: Array, other: Array, noise: tuple[float, float]) -> tuple[Array, float]:
    a, b = noise[0] ** 2, noise[1] ** 2
    return (one * b + other * a) / (a + b), math.sqrt(a * b / (a + b))


def two_steps(rows: Rows, mu: float, rng: np.random.Generator, share: float | None = None) -> State:
    """The product's recipe; ``share`` of μ² goes to the first step."""
    heavy = math.sqrt(9 * rows.d) / (mu * rows.n) > 0.1
    share, weight = share or (0.5 if heavy else 0.25), 1.0 if heavy else 0.5
    sums, shares, s1 = first_step(rows, mu * math.sqrt(share), rng)
    prior = shrunk_shares(shares, s1 / COUNT)
    centres = shrunk_means(sums, prior, s1)
    centres /= np.maximum(1.0, np.linalg.norm(centres, axis=0))
    square = max(1 - float(prior @ (centres**2).sum(0)), 0.02)
    length = math.sqrt(square)

    def about(x: Array, y: Array) -> Array:
        return about_centres(x, centres.T[y], 0.0)

    scatter, more, counts, s2 = gram_step(rows, about, rows.d, weight, mu * math.sqrt(1 - share), rng)
    shares = shrunk_shares(*weighed(shares, counts, (s1 / COUNT, s2 / weight)))
    means, _ = weighed(sums / shares, centres + length * more / shares, (s1, length * s2 / math.sqrt(2 * weight)))
    values, vectors = np.linalg.eigh(square * (scatter + scatter.T) / 2)
    return State(means, shares, cleaned_eigenvalues(values, square * s2), vectors, square * s2)


def two(rows: Rows, mu: float, rng: np.random.Generator) -> Array:
    state = two_steps(rows, mu, rng)
    return state.inverse(state.ridge) @ state.factor


def three(rows: Rows, mu: float, rng: np.random.Generator) -> Array:
    """The scatter is asked for once more, of rows whitened by the released one."""
    state = two_steps(rows, mu * math.sqrt(0.6), rng, share=1 / 3)
    T = state.inverse(state.ridge, 0.5)

    def about(x: Array, y: Array) -> Array:
        return about_centres((x - state.means.T[y]) @ T, np.zeros((1, rows.d)), 0.0)

    scatter, _, _, s = gram_step(rows, about, rows.d, 0.5, mu * math.sqrt(0.4), rng)
    square = float((state.values / (state.values + state.ridge)).sum())
    values, vectors = np.linalg.eigh(square * (scatter + scatter.T) / 2)
    white = replace(state, values=cleaned_eigenvalues(values, square * s), vectors=vectors, noise=square * s)
    return T @ white.inverse(white.ridge) @ T @ state.factor


def last_solve(rows: Rows, state: State, Q: Array, mu: float, rng: np.random.Generator) -> Array:
    """FDA within the span of Q, from rows about the means so far, clipped there."""
    radius = 1.15 * math.sqrt(max(float(np.trace(Q.T @ ((state.vectors * state.values) @ state.vectors.T) @ Q)), 1e-3))

    def about(x: Array, y: Array) -> Array:
        return about_centres((x - state.means.T[y]) @ Q, np.zeros((1, Q.shape[1])), radius)

    scatter, sums, _, s = gram_step(rows, about, Q.shape[1], 0.5, mu, rng)
    values, vectors = np.linalg.eigh(radius**2 * (scatter + scatter.T) / 2)
    means = Q.T @ state.means + radius * sums / state.shares
    noise = radius**2 * s
    inner = State(means, state.shares, cleaned_eigenvalues(values, noise), vectors, noise)
    return Q @ inner.inverse(inner.ridge) @ inner.factor


def rich(rows: Rows, mu: float, rng: np.random.Generator) -> Array:
    state = two_steps(rows, mu * math.sqrt(0.75), rng)
    F, top = state.factor, state.vectors[:, np.argsort(-state.values)[:10]]
    parts = [F, state.inverse(state.ridge) @ F, state.inverse(10 * state.ridge) @ F, top]
    left, sizes, _ = np.linalg.svd(np.hstack([p / np.linalg.norm(p, axis=0) for p in parts]), full_matrices=False)
    return last_solve(rows, state, left[:, sizes > 1e-6 * sizes[0]], mu * math.sqrt(0.25), rng)


def small(rows: Rows, mu: float, rng: np.random.Generator) -> Array:
    state = two_steps(rows, mu * math.sqrt(0.75), rng)
    left, sizes, _ = np.linalg.svd(state.inverse(state.ridge) @ state.factor, full_matrices=False)
    return last_solve(rows, state, left[:, sizes > 1e-6 * sizes[0]], mu * math.sqrt(0.25), rng)


FORMS = {"two": two, "three": three, "rich": rich, "small": small}


def lda_accuracy(V: Array, train: Rows, test: Rows) -> float:
    """LDA trained on the exact projected rows, on held-out ones."""
    V = np.linalg.svd(V, full_matrices=False)[0][:, : max(train.K - 1, 1)]
    P, ones = train.X @ V, np.eye(train.K)[train.y]
    counts = np.maximum(ones.sum(0), 1)
    means = (P.T @ ones) / counts
    R = P - means.T[train.y]
    within = R.T @ R / train.n
    weights = np.linalg.solve(within + 1e-9 * np.trace(within) * np.eye(V.shape[1]), means)
    scores = (test.X @ V) @ weights - 0.5 * (means * weights).sum(0) + np.log(counts / train.n)
    return float((scores.argmax(1) == test.y).mean())


def parts(data: Dataset, seed: int) -> tuple[Rows, Rows]:
    part = split(data, seed)
    low = np.asarray(-1.0 if data.preprocessing.lower is None else data.preprocessing.lower)
    return tuple(
        Rows(data.preprocessing.apply(X), np.asarray(y), data.n_classes, bool((low >= 0).all()))
        for X, y in ((part.X, part.y), (part.X_test, part.y_test))
    )  # type: ignore[return-value]


def accuracies(name: str, epsilons: list[float], seeds: int, forms: Mapping[str, Form]) -> Iterator[dict[str, object]]:
    """Accuracy of each form on the same parts of a data set, with the same stream of noise."""
    data = load_dataset(name)
    for seed in range(seeds):
        train, test = parts(data, seed)
        for number, epsilon in enumerate(epsilons):
            mu = Grant(epsilon=epsilon, delta=train.n**-1.1).mu
            for form, make in forms.items():
                accuracy = lda_accuracy(make(train, mu, np.random.default_rng((seed, number))), train, test)
                yield {"dataset": name, "epsilon": epsilon, "form": form, "seed": seed, "accuracy": round(accuracy, 5)}


def results(name: str, epsilons: list[float], seeds: int) -> Iterator[dict[str, object]]:
    return accuracies(name, epsilons, seeds, FORMS)


if __name__ == "__main__":
    names = ("adult", "digits", "breast_cancer", "wine")
    run_trial(__doc__, results, names=names, epsilons="0.1,1", told=["accuracy"])
