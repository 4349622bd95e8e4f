"""Symmetric noise as the papers write it, and the budget of each paper."""

import numpy as np


def upper_triangle(rng, d, sigma):
    """Independent N(0, σ²) on and above the diagonal, mirrored below."""
    Z = np.triu(sigma * rng.standard_normal((d, d)))
    return Z + np.triu(Z, 1).T


def isotropic(rng, d, sigma):
    """Variance σ² on the diagonal, σ²/2 off it: (G + Gᵀ)/2."""
    G = sigma * rng.standard_normal((d, d))
    return (G + G.T) / 2


def rho(epsilon, delta):
    """ρ of Bun & Steinke 2016, Proposition 1.3: ε = ρ + 2√(ρ log(1/δ))."""
    L = np.log(1 / delta)
    return (np.sqrt(epsilon + L) - np.sqrt(L)) ** 2


def orthonormalise(V):
    """Gram–Schmidt by QR, with a positive diagonal of R."""
    Q, R = np.linalg.qr(V)
    return Q * np.where(np.diag(R) < 0, -1.0, 1.0)


def random_frame(rng, d, k):
    """k random orthonormal columns."""
    return orthonormalise(rng.standard_normal((d, k)))
