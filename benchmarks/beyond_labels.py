"""Two classes: one sum of centred labels in place of two class sums in the second step of `ssp`.

    python benchmarks/beyond_labels.py RESULTS.csv [--datasets adult,dota2,…] [--epsilon 0.03125,0.1,1] [--seeds 10]

Of two classes only the difference of the means matters. ``labels`` asks for a Σ u h_y with h = (p₂, −p₁), p the
released shares, beside the scatter and the counts. Its change is the largest over t = u·u' of
2 − 2t² + 2a²h_y²(1 − t) in one class and 2 − 2t² + a²(h₁² + h₂² − 2h₁h₂t) + 2b² in two; a is as large as leaves the
scatter the noise that it has in ``two``, the product's recipe. Accuracy is that of LDA on the projection.
"""

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))  # the script is started by its path

from benchmarks.beyond_two_steps import (  # noqa: E402
    BLOCK,
    COUNT,
    RIDGE,
    Rows,
    accuracies,
    first_step,
    symmetric,
    two,
    weighed,
)
from benchmarks.trials import run_trial  # noqa: E402
from dpgep_core.models.centring import about_centres  # noqa: E402
from dpgep_core.models.cleaning import cleaned_eigenvalues, shrunk_means, shrunk_shares  # noqa: E402

Array = np.ndarray[Any, Any]
ANGLES = np.linspace(-1, 1, 2001)


def square_change(a: float, h: Array, b: float) -> float:
    """Largest squared change of (svec Σ u uᵀ, a Σ u h_y, b·counts)."""
    base = 2 - 2 * ANGLES**2
    same = base + 2 * a**2 * float((h**2).max()) * (1 - ANGLES)
    other = base + a**2 * (float((h**2).sum()) - 2 * float(h.prod()) * ANGLES) + 2 * b**2
    return float(np.maximum(same, other).max())


def largest_weight(h: Array, b: float, limit: float) -> float:
    """The a at which the squared change is the limit."""
    low, high = 0.0, 100.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if square_change(middle, h, b) <= limit else (low, middle)
    return low


def labels(rows: Rows, mu: float, rng: np.random.Generator) -> Array:
    heavy = math.sqrt(9 * rows.d) / (mu * rows.n) > 0.1
    share, weight = (0.5, 1.0) if heavy else (0.25, 0.5)
    sums, shares, s1 = first_step(rows, mu * math.sqrt(share), rng)
    p = shrunk_shares(shares, s1 / COUNT)
    centres = shrunk_means(sums, p, s1)
    centres /= np.maximum(1.0, np.linalg.norm(centres, axis=0))
    square = max(1 - float(p @ (centres**2).sum(0)), 0.02)
    h, change = np.array([p[1], -p[0]]), math.sqrt(2) * (1 + weight)
    a = largest_weight(h, weight / 4, change**2)
    s = change / (mu * math.sqrt(1 - share)) / rows.n
    scatter, contrast = np.zeros((rows.d, rows.d)), np.zeros(rows.d)
    for i in range(0, rows.n, BLOCK):
        y = rows.y[i : i + BLOCK]
        u = about_centres(rows.X[i : i + BLOCK], centres.T[y], 0.0)
        scatter += u.T @ u
        contrast += u.T @ h[y]
    scatter = scatter / rows.n + symmetric(rows.d, s, rng)
    contrast = contrast / rows.n + s / a * rng.standard_normal(rows.d)
    length, spread = math.sqrt(square), p[0] * p[1]
    one = sums[:, 0] / p[0] - sums[:, 1] / p[1]
    other = centres[:, 0] - centres[:, 1] + length * contrast / spread
    noise = s1 * math.sqrt(1 / p[0] ** 2 + 1 / p[1] ** 2), length * s / a / spread
    difference, _ = weighed(one, other, noise)
    values, vectors = np.linalg.eigh(square * (scatter + scatter.T) / 2)
    ridge = RIDGE * square * s * math.sqrt(2 * rows.d)
    return ((vectors / (cleaned_eigenvalues(values, square * s) + ridge)) @ (vectors.T @ difference))[:, None]


def results(name: str, epsilons: list[float], seeds: int) -> Iterator[dict[str, object]]:
    return accuracies(name, epsilons, seeds, {"two": two, "labels": labels})


if __name__ == "__main__":
    names = ("adult", "dota2", "breast_cancer")
    run_trial(__doc__, results, names=names, epsilons="0.03125,0.1,1", told=["accuracy"])
