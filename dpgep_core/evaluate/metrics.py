"""How close two bases are. Columns are directions; their length and sign mean nothing here unless said."""

import math

import numpy as np
from scipy import linalg

from dpgep_core.models.pencil import Products
from dpgep_core.numerics import unit_columns
from dpgep_core.privacy.query import Array

SHARE_ROUNDING = 1e-9  # by which a share may pass 1 and mean 1


def cosine_similarity(components: Array, reference: Array) -> Array:
    """(k,) |cos| between matching columns: 1 is the same line, 0 a right angle."""
    return np.abs(np.einsum("ij,ij->j", unit_columns(components), unit_columns(reference))).clip(0.0, 1.0)


def chance_cosine(d: int) -> float:
    """Mean |cos| of two random directions in d dimensions: E|u₁| = Γ(d/2)/(√π Γ((d+1)/2)), about √(2/(πd))."""
    return math.exp(math.lgamma(d / 2) - math.lgamma((d + 1) / 2)) / math.sqrt(math.pi)


def principal_angles(components: Array, reference: Array) -> Array:
    """(k,) angles in degrees between the two column spaces, smallest first (Björck & Golub 1973).

    Columns that add no direction, zero or a combination of others, share nothing: 90°.
    """
    found = np.degrees(np.sort(linalg.subspace_angles(unit_columns(components), unit_columns(reference))))
    return np.concatenate([found, np.full(components.shape[1] - found.size, 90.0)])


def subspace_distance(components: Array, reference: Array) -> float:
    """‖VVᵀ − V̂V̂ᵀ‖_F for orthonormal bases of the two spaces; blind to rotation inside them. At most √(2k)."""
    sines = np.sin(np.radians(principal_angles(components, reference)))
    return float(math.sqrt(2) * np.linalg.norm(sines))


def shang_distance(components: Array, reference: Array) -> float:
    """‖V − V̂‖²_F of unit columns after sign alignment, the measure of Shang et al.; not blind to rotation."""
    return float((2 - 2 * cosine_similarity(components, reference)).sum())


def explained_share(components: Array, pencil: Products, xi: float, best: Array) -> float:
    """Share of the best possible tr((VᵀBV)⁻¹VᵀAV), B with its ridge, that the span of the columns reaches.

    Above 1 only where ``best`` is not the best: a sparse solution that a search found.
    """
    share = _trace_quotient(components, pencil, xi) / max(_trace_quotient(best, pencil, xi), np.finfo(float).tiny)
    return 1.0 if 1 < share < 1 + SHARE_ROUNDING else share


def _trace_quotient(components: Array, pencil: Products, xi: float) -> float:
    Q = linalg.orth(unit_columns(components))
    ridge = 0.0 if pencil.identity_constraint else xi
    below = Q.T @ pencil.constraint_times(Q) + ridge * np.eye(Q.shape[1])
    return float(np.trace(linalg.pinvh(below) @ (Q.T @ pencil.target_times(Q))))


def procrustes(points: Array, reference: Array) -> Array:
    """``points`` (m, 2) turned, mirrored and scaled to lie best on ``reference`` (m, 2); both are centred first.

    It flatters noise: a random projection, so aligned, already shares part of the layout.
    """
    moved, fixed = points - points.mean(axis=0), reference - reference.mean(axis=0)
    u, s, vt = linalg.svd(moved.T @ fixed)
    scale = s.sum() / max(float((moved**2).sum()), np.finfo(float).tiny)
    return scale * (moved @ u @ vt)


def shared_layout(points: Array, reference: Array) -> float:
    """Share (0 to 1) of the variance of ``reference`` that ``points`` reproduce after `procrustes`."""
    fixed = reference - reference.mean(axis=0)
    rest = float(((procrustes(points, reference) - fixed) ** 2).sum())
    return min(1.0, max(0.0, 1 - rest / max(float((fixed**2).sum()), np.finfo(float).tiny)))
