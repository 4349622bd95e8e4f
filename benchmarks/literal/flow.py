"""Hu et al., Privacy-preserving Sparse Generalized Eigenvalue Problem: Algorithm 1."""

import numpy as np

from benchmarks.literal.noise import random_frame, rho, upper_triangle


def dprf(A, B, k, rng, *, n, epsilon, delta, xi=0.01, eta=1.0, m=15, C1=8, C2=6, sigma=None, start=None):
    """Algorithm 1 (DP-Rayleigh flow), with ξ on B; several columns share the noise of a step and are kept apart."""
    d, budget = len(A), rho(epsilon, delta)
    sA, sB = (C * np.sqrt(m / budget) / n for C in (C1, C2)) if sigma is None else sigma  # step 3
    V = random_frame(rng, d, k) if start is None else start
    for _ in range(m):
        noisy_A, noisy_B = A + upper_triangle(rng, d, sA), B + upper_triangle(rng, d, sB) + xi * np.eye(d)
        V = V @ apart(V, noisy_A, noisy_B)
        ratio = np.sum(V * (noisy_A @ V), axis=0) / np.sum(V * (noisy_B @ V), axis=0)  # step 4
        V = V + eta / ratio * (noisy_A @ V - ratio * (noisy_B @ V))
        V = V / np.linalg.norm(V, axis=0)  # step 5
    return V


def apart(V, A, B):
    """Rayleigh–Ritz rotation within the span of V; nothing for one column."""
    if V.shape[1] == 1:
        return np.eye(1)
    AV, BV = V.T @ A @ V, V.T @ B @ V
    values, vectors = np.linalg.eigh((BV + BV.T) / 2)
    whitener = vectors / np.sqrt(np.maximum(values, 1e-6 * np.abs(values).max()))
    inner = whitener.T @ AV @ whitener
    rotation = whitener @ np.linalg.eigh((inner + inner.T) / 2)[1][:, ::-1]
    return rotation / np.linalg.norm(rotation, axis=0)
