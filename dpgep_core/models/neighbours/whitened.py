"""How far one record moves the whitened matrix Ã = ΦᵀAΦ, Φ = V(Λ_B + ξ)^-½, where Λ_B = diag(VᵀBV) is exact.

Chen et al. (supplement, Figures 3 to 14) measure the spectral norm of this change against n and ξ and expect it to
fall as 1/(nξ); their Theorem 11 needs 8/(nξ). That holds for a Φ that left with noise. For an exact Λ_B the change is
of the order of 1/(nξ²), because Φ itself changes with the record.
"""

import numpy as np

from dpgep_core.models.fda import Fda
from dpgep_core.models.neighbours.rows import NeighbourPair, rows_of_blocks
from dpgep_core.models.pencil import Pencil
from dpgep_core.numerics import spectral_norm
from dpgep_core.privacy.query import Array

BETWEEN_CLASSES = 8.0  # n‖ΔA‖ of the between scatter, Chen et al., Lemma 1


def whitened_target(pencil: Pencil, frame: Array, xi: float) -> Array:
    """Ã of a pencil in a given orthonormal frame V."""
    diagonal = np.einsum("ij,ij->j", frame, pencil.constraint_matrix @ frame)
    phi = frame / np.sqrt(np.maximum(diagonal, 0.0) + xi)
    return phi.T @ pencil.target @ phi


def whitened_change(one: Pencil, other: Pencil, frame: Array, xi: float) -> float:
    """‖Ã − Ã'‖₂ of two pencils in the same frame: the step that Theorem 11 bounds fixes V."""
    return float(spectral_norm(whitened_target(one, frame, xi) - whitened_target(other, frame, xi)))


def published_bound(n: int, xi: float) -> float:
    """8/(nξ): half of the 16/(nξ) that Theorem 11 states for the gradient 2ÃV′."""
    return BETWEEN_CLASSES / (n * xi)


def whitened_pair(n: int) -> NeighbourPair:
    """Two classes at e₁ and −e₁, one record moved across with its label kept."""
    e = np.array([1.0, 0.0])
    rows = rows_of_blocks((n // 2, e, 0), (n - n // 2, -e, 1), K=2)
    return NeighbourPair(rows, rows.replace_row(0, -e, 0), n)


def worst_whitened(n: int, xi: float) -> float:
    """‖Ã − Ã'‖₂ of `whitened_pair` in the frame of the axes."""
    pair = whitened_pair(n)
    one, other = (Fda().pencil(rows.moments(n)) for rows in (pair.one, pair.other))
    return whitened_change(one, other, np.eye(2), xi)
