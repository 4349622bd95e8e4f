"""Chen et al., On the Privacy-preserving Generalized Eigenvalue Problem: Algorithm 2, the ablation, the correction."""

import numpy as np

from benchmarks.literal.noise import isotropic, orthonormalise, random_frame, upper_triangle


def dpsr(A, B, k, rng, *, n, epsilon, delta, xi=0.01, eta=1.0, m=15, C1=12, C2=16, sigma=None):
    """Algorithm 2 (DPSR). ``sigma`` replaces (σ₁, σ₂) for a comparison without noise."""
    d = len(A)
    s1 = 2 * C1 * np.sqrt(m * np.log(1.25 / delta)) / (n * epsilon)  # step 2
    s2 = 2 * C2 * np.sqrt(m * np.log(1.25 / delta)) / (n * epsilon * xi)  # step 9
    s1, s2 = (s1, s2) if sigma is None else sigma
    V, W = random_frame(rng, d, d), random_frame(rng, d, k)
    for _ in range(m):  # steps 1 to 4
        V = orthonormalise(V + eta * (2 * B @ V + s1 * rng.standard_normal((d, d))))
    eigenvalues = np.diag(V.T @ B @ V)  # step 5: without noise
    Phi = V / np.sqrt(np.maximum(eigenvalues, 0) + xi)  # step 6
    whitened = Phi.T @ A @ Phi  # step 7
    for _ in range(m):  # steps 8 to 11
        W = orthonormalise(W + eta * (2 * whitened @ W + s2 * rng.standard_normal((d, k))))
    return Phi @ W  # step 12


def dpsr_corrected(A, B, k, rng, *, n, mu, xi=0.01, eta=1.0, m=15, bounds=(8, 32**0.5), sigma=None):
    """DPSR with noise on Λ_B too: symmetric noise on B and on A, shares .45, .10 and .45 of μ², whitening last."""
    d = len(A)
    change_A, change_B = (bound * (n - 1) / n**2 for bound in bounds)
    sB, sL, sA = change_B * np.sqrt(m / 0.45) / mu, change_B / np.sqrt(0.1) / mu, change_A * np.sqrt(m / 0.45) / mu
    sB, sL, sA = (sB, sL, sA) if sigma is None else sigma
    V, W = random_frame(rng, d, d), random_frame(rng, d, k)
    for _ in range(m):
        V = orthonormalise(V + 2 * eta * (B + isotropic(rng, d, sB)) @ V)
    eigenvalues = np.diag(V.T @ B @ V) + sL * rng.standard_normal(d)
    Phi = V / np.sqrt(np.clip(eigenvalues, 0, 1) + xi)
    for _ in range(m):
        product = Phi.T @ ((A + isotropic(rng, d, sA)) @ (Phi @ W))
        order = np.linalg.eigh((W.T @ product + product.T @ W) / 2)[1][:, ::-1]
        W = orthonormalise((W + 2 * eta * product) @ order)
    return Phi @ W


def sr_dp(A, B, k, rng, *, n, epsilon, delta, xi=0.01, C1=8, C2=6, sigma=None):
    """Section 6.3 (SR+DP): noise on both matrices by the classical rule at (ε/2, δ/2), then Algorithm 1."""
    d, factor = len(A), np.sqrt(2 * np.log(1.25 / (delta / 2))) / (epsilon / 2)
    sA, sB = (C1 / n * factor, C2 / n * factor) if sigma is None else sigma
    A, B = A + upper_triangle(rng, d, sA), B + upper_triangle(rng, d, sB)
    return simultaneous_reduction(A, B, k, xi)


def simultaneous_reduction(A, B, k, xi):
    """Algorithm 1: whiten by the eigenvectors of B, then the eigenvectors of what A has become."""
    values, vectors = np.linalg.eigh(B)
    Phi = vectors / np.sqrt(np.maximum(values, 0) + xi)
    whitened = Phi.T @ A @ Phi
    return Phi @ np.linalg.eigh((whitened + whitened.T) / 2)[1][:, ::-1][:, :k]
