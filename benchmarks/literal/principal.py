"""Principal components: the noisy power method, and the two algorithms of Shang et al."""

import numpy as np

from benchmarks.literal.noise import orthonormalise, random_frame


def ppi(A, k, rng, *, change, epsilon, delta, m=15, sigma=None, start=None):
    """Hardt & Price 2014, Section 3: V ← orth(AV + G), σ = Δ√(4 m log(1/δ))/ε."""
    d = len(A)
    s = change * np.sqrt(4 * m * np.log(1 / delta)) / epsilon if sigma is None else sigma
    V = random_frame(rng, d, k) if start is None else start
    for _ in range(m):
        V = orthonormalise(A @ V + s * rng.standard_normal((d, k)))
    return V


def polar(V):
    """V (VᵀV)^-½."""
    values, vectors = np.linalg.eigh(V.T @ V)
    return V @ (vectors @ np.diag(values**-0.5) @ vectors.T)


def dp_spca(rows, k, rng, *, steps, rate, sigma, start=None):
    """Shang et al. 2022, Algorithm 1 in block form. ``rows(i)`` is record i of norm 1 at most, of ``rows.n``."""
    V = random_frame(rng, rows.d, k) if start is None else start
    for _ in range(steps):
        x = rows(rng.integers(rows.n))
        gradient = -2 * np.outer(x, x @ V)
        V = polar(V + rate * (-gradient + sigma * rng.standard_normal(V.shape)))
    return V


def dp_vrpca(rows, M, k, rng, *, epochs, steps, rate, sigma, start=None):
    """Shang et al. 2022, Algorithm 2 in block form. M is the second moment Σ xxᵀ/n."""
    V = random_frame(rng, rows.d, k) if start is None else start
    for _ in range(epochs):
        snapshot, full = V, -2 * M @ V
        for _ in range(steps):
            x = rows(rng.integers(rows.n))
            gradient = -2 * np.outer(x, x @ V) + 2 * np.outer(x, x @ snapshot) + full
            V = polar(V + rate * (-gradient + sigma * rng.standard_normal(V.shape)))
    return V
