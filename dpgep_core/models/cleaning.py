"""Post-processing of released sums by the known law of their noise: free of budget, each part apart."""

import math

import numpy as np

from dpgep_core.privacy.query import Array
from dpgep_core.typed_scipy import isotonic_regression

LEAST_SHARE = 1e-4  # of a class whose count stands out
EMPTY_CLASS = 3.0  # a class whose noisy count is below this many standard deviations counts as empty


def unit_of(number: float) -> float:
    """The power of two below a positive number: to divide by it is exact, and then no square is too large."""
    return 2.0 ** (math.frexp(number)[1] - 1)


def cleaned_eigenvalues(values: Array, scale: float) -> Array:
    """Eigenvalues of a symmetric matrix under isotropic noise, as the posterior mean has them.

    λ_i − s² Σ_j (λ_i − λ_j)/((λ_i − λ_j)² + s²/2), then made decreasing with λ by isotonic regression and cut at 0
    (Bun, Allez, Bouchaud & Potters 2016). The matrix is positive semidefinite, hence the cut.

    Parameters
    ----------
    values : array (d,)
        Eigenvalues of the released matrix, in any order.
    scale : float
        s: standard deviation of the noise on the diagonal, of variance s²/2 off it. 0 only cuts.

    Returns
    -------
    array (d,)
        In the order of ``values``.
    """
    unit = unit_of(max(float(np.abs(values).max(initial=0.0)), scale))
    values, scale = values / unit, scale / unit
    gaps = values[:, None] - values[None, :]
    smooth = gaps**2 + scale**2 / 2
    pull = np.divide(gaps, smooth, out=np.zeros_like(gaps), where=smooth > 0).sum(axis=1)
    raw, order = values - scale**2 * pull, np.argsort(-values)
    cleaned = np.empty_like(raw)
    cleaned[order] = isotonic_regression(raw[order], increasing=False).x
    return unit * np.maximum(cleaned, 0.0)


def shrunk_shares(shares: Array, scale: float) -> Array:
    """Shares of the classes, drawn to 1/K by as much as their noise explains their spread; no class is dropped.

    Parameters
    ----------
    shares : array (K,)
        Released counts over n.
    scale : float
        Standard deviation of their noise.

    Returns
    -------
    array (K,)
        Positive, adding up to 1.
    """
    K = len(shares)
    spread = max(float(((shares - 1 / K) ** 2).mean()) - scale**2, 0.0)
    trust = spread / (spread + scale**2) if spread > 0 else 0.0
    lowest = 0.1 / K if spread < scale**2 else max(scale / 3, LEAST_SHARE)
    found = np.maximum(1 / K + (shares - 1 / K) * trust, lowest)
    return found / found.sum()


def standing_shares(shares: Array, scale: float, least: float) -> Array:
    """Shares of the classes with those below `EMPTY_CLASS` standard deviations of their noise empty, adding up to 1.

    Where no class stands out all are kept, at ``least`` or more.
    """
    found = np.where(shares > EMPTY_CLASS * scale, shares, 0.0)
    if not found.any():
        found = np.maximum(shares, least)
    return found / found.sum()


def shrunk_vector(vector: Array, scale: float) -> Array:
    """A vector (d,) under noise of variance s² in each entry, times max(0, 1 − (d − 2)s²/|v|²) (James & Stein 1961)."""
    square = float(vector @ vector)
    return vector * max(0.0, 1 - max(len(vector) - 2, 0) * scale**2 / square) if square > 0 else vector


def shrunk_means(sums: Array, shares: Array, noise: float) -> Array:
    """(d, K) class means from noisy class sums over n: the shrunk mean row, and the shrunk offsets of the classes.

    Parameters
    ----------
    sums : array (d, K)
        Class sums over n.
    shares : array (K,)
        Positive, adding up to 1.
    noise : float
        Standard deviation of the noise in each sum.
    """
    total = sums.sum(axis=1)
    offsets = shrunk_matrix(sums - np.outer(total, shares), noise)
    offsets = offsets - np.outer(offsets.sum(axis=1), shares)
    return shrunk_vector(total, math.sqrt(sums.shape[1]) * noise)[:, None] + offsets / shares


def shrunk_matrix(matrix: Array, scale: float) -> Array:
    """A low-rank matrix under independent noise s, its singular values shrunk for least Frobenius error.

    With β = min/max of the two sizes and y the value over s√max: √((y² − β − 1)² − 4β)/y above 1 + √β, else 0
    (Gavish & Donoho 2017).
    """
    if scale <= 0:
        return matrix
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    unit, beta = scale * math.sqrt(max(matrix.shape)), min(matrix.shape) / max(matrix.shape)
    above = values > unit * (1 + math.sqrt(beta))
    share = (unit / np.where(above, values, unit)) ** 2  # 1/y²: y has no bound where there is no noise to speak of
    kept = np.sqrt(np.maximum((1 - (beta + 1) * share) ** 2 - 4 * beta * share**2, 0.0))
    return (left * np.where(above, kept * values, 0.0)) @ right
