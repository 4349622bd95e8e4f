"""Our SSP, written out: one noisy Gram matrix of the augmented rows, then an ordinary solution of the pencil."""

import numpy as np

from benchmarks.literal.chen import simultaneous_reduction
from benchmarks.literal.noise import isotropic


def ssp(gram, sums, counts, k, rng, *, mu, xi=0.01, weight=0.5, sigma=None):
    """FDA from Σ xxᵀ, the class sums (d, K) and the counts (K,); replace-one, public n."""
    d, n, w = len(gram), counts.sum(), np.sqrt(weight)
    s = np.sqrt(2) * (1 + weight) / mu if sigma is None else sigma
    joint = np.block([[gram, w * sums], [w * sums.T, weight * np.diag(counts)]])
    joint = joint + isotropic(rng, len(joint), s)
    S, T, c = joint[:d, :d], joint[:d, d:] / w, np.diag(joint)[d:] / weight
    c = np.where(c > 3 * s / weight, c, 0.0)  # a class that is noise alone counts as empty
    T, c = np.where(c > 0, T, 0.0), c * n / c.sum()
    means = T / np.where(c > 0, c, np.inf)
    G = (means * c) @ means.T / n
    t = T.sum(axis=1) / n
    A, B = G - np.outer(t, t), S / n - G
    return simultaneous_reduction(A, B, k, max(xi, s * np.sqrt(2 * d) / n))
