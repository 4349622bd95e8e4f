"""A convex relaxation of the sparse generalized eigenvalue problem, solved by the method of multipliers (ADMM)."""

import numpy as np

from dpgep_core.models.pencil import Pencil
from dpgep_core.numerics import Spectrum, leading_eigenvectors
from dpgep_core.privacy.query import Array
from dpgep_core.typed_scipy import linalg

RELAXATION_ROUNDS = 50  # most rounds of ADMM
SETTLED = 1e-4  # relative change of P below which it stops


def relaxed_components(A: Array, B: Array | None, k: int, xi: float, penalty: float) -> Array:
    """(d, k) leading eigenvectors of P, the minimiser of −tr(AP) + φ‖P‖₁,₁ under ‖B^½PB^½‖_* ≤ k, ‖B^½PB^½‖₂ ≤ 1.

    Hu et al., equation (16) and Algorithm 2, steps 4 to 8, after Tan et al. 2018. Only k and the signs of the
    eigenvectors are lost if A and B are multiplied by constants, so both are brought to norm 1 first. The lasso of
    step 4 is solved by one proximal gradient step a round (linearised ADMM), and the first P is the minimiser
    without penalty. B = None is the identity; otherwise B₊ + ξI is used.
    """
    size = float(np.abs(linalg.eigvalsh(A)).max()) or 1.0
    A, penalty = A / size, penalty / size
    if B is None:
        return _admm(A, None, leading_eigenvectors(A, k), A, k, penalty)
    spectrum = Spectrum.of(B)
    whitener = spectrum.vectors / spectrum.scales(xi)  # refuses a singular B
    lifted = np.maximum(spectrum.values, 0.0) + xi
    root = (spectrum.vectors * np.sqrt(lifted / lifted[-1])) @ spectrum.vectors.T
    scaled = whitener * np.sqrt(lifted[-1])
    inverse_root = scaled @ spectrum.vectors.T
    start = Pencil(A, spectrum.vectors @ np.diag(lifted / lifted[-1]) @ spectrum.vectors.T).solve(k, 0.0)
    return _admm(A, root, start, inverse_root @ A @ inverse_root, k, penalty)


def _admm(A: Array, root: Array | None, start: Array, multiplier: Array, k: int, penalty: float) -> Array:
    P, G = start @ start.T, multiplier
    H = _between(root, P)
    for _ in range(RELAXATION_ROUNDS):
        pull = _between(root, _between(root, P) - H + G) - A
        moved = P - pull
        update = np.sign(moved) * np.maximum(np.abs(moved) - penalty, 0.0)
        image = _between(root, update)
        H = clipped_spectrum(G + image, k)
        G = G + image - H
        change, P = float(np.linalg.norm(update - P)), update
        if change <= SETTLED * max(1.0, float(np.linalg.norm(P))):
            break
    return leading_eigenvectors(P, k)


def clipped_spectrum(matrix: Array, k: int) -> Array:
    """The nearest symmetric matrix with singular values of at most 1 that add up to at most ``k``."""
    spectrum = Spectrum.of(matrix)
    sizes = np.abs(spectrum.values)
    kept = np.clip(sizes - _offset(sizes, k), 0.0, 1.0) * np.sign(spectrum.values)
    return (spectrum.vectors * kept) @ spectrum.vectors.T


def _offset(sizes: Array, k: int) -> float:
    """The smallest γ ≥ 0 with Σ min(1, max(w − γ, 0)) ≤ k: the sum is piecewise linear, with bends at w and w − 1."""

    def total(gamma: float) -> float:
        return float(np.clip(sizes - gamma, 0.0, 1.0).sum())

    if total(0.0) <= k:
        return 0.0
    bends = np.unique(np.concatenate([[0.0], sizes, sizes - 1]))
    bends = bends[bends >= 0]
    low, high = 0, bends.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if total(float(bends[middle])) > k else (low, middle)
    left, right = float(bends[low]), float(bends[high])
    above, below = total(left), total(right)
    return left + (right - left) * (above - k) / (above - below)


def _between(root: Array | None, matrix: Array) -> Array:
    return matrix if root is None else root @ matrix @ root
