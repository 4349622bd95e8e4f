"""Steps of linear algebra that several methods share."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from dpgep_core.errors import ParameterError
from dpgep_core.privacy.query import Array

geqrf, orgqr, gesdd = linalg.get_lapack_funcs(("geqrf", "orgqr", "gesdd"), dtype=np.float64)
LAPACK_BLOCK = 64  # columns that LAPACK may work on together
SINGULAR = 1e-13  # relative size below which an eigenvalue of B counts as zero


@dataclass(frozen=True, slots=True, eq=False)
class Spectrum:
    """Eigenvalues (ascending) and eigenvectors of a symmetric matrix, kept so that a new ridge costs nothing."""

    values: Array
    vectors: Array

    @classmethod
    def of(cls, matrix: Array) -> "Spectrum":
        """The spectrum of the symmetric part of ``matrix``."""
        values, vectors = linalg.eigh((matrix + matrix.T) / 2, driver="evd", check_finite=False)
        return cls(values, vectors)

    def whitener(self, xi: float) -> Array:
        """(d, d) matrix Φ = U (max(Λ, 0) + ξ)^-½, so that Φᵀ(B₊ + ξI)Φ = I.

        Raises
        ------
        ParameterError
            If B₊ + ξI is singular.
        """
        lifted = np.maximum(self.values, 0.0) + xi
        if lifted[0] <= SINGULAR * max(lifted[-1], np.finfo(float).tiny):
            rank = int((lifted > SINGULAR * lifted[-1]).sum())
            raise ParameterError("xi", xi, f"> 0 here, since B is singular (rank {rank} of {lifted.size})")
        return self.vectors / np.sqrt(lifted)


def leading_eigenvectors(matrix: Array, k: int) -> Array:
    """The ``k`` leading eigenvectors of a symmetric matrix, largest eigenvalue first; signs fixed."""
    d = matrix.shape[0]
    vectors = linalg.eigh((matrix + matrix.T) / 2, subset_by_index=(d - k, d - 1), driver="evr", check_finite=False)[1]
    return fix_signs(vectors[:, ::-1])


def leading_of_factor(factor: Array, k: int) -> Array:
    """The ``k`` leading eigenvectors of ``factor @ factor.T``, from a thin singular value decomposition."""
    if k > min(factor.shape):
        return leading_eigenvectors(factor @ factor.T, k)
    return fix_signs(linalg.svd(factor, full_matrices=False, check_finite=False)[0][:, :k])


def fix_signs(vectors: Array) -> Array:
    """Each column with its largest entry positive: the sign of an eigenvector means nothing, but it should repeat."""
    biggest = np.abs(vectors).argmax(axis=0)
    return vectors * np.where(vectors[biggest, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)


def orthonormalise(vectors: Array) -> Array:
    """Gram–Schmidt by QR, with a positive diagonal so that the result is continuous in its input."""
    work = LAPACK_BLOCK * vectors.shape[1]
    reflectors, scales, _, _ = geqrf(vectors, lwork=work)  # what np.linalg.qr calls, without its overhead at small d
    signs = np.where(np.diagonal(reflectors) < 0, -1.0, 1.0)
    return orgqr(reflectors[:, : len(scales)], scales, lwork=work)[0] * signs


def spectral_norm(matrix: Array) -> float:
    """Largest stretch of a unit vector."""
    return float(gesdd(matrix, compute_uv=0)[1][0])


def thin_norm(matrix: Array) -> float:
    """Largest stretch by a (d, k) matrix with few columns, from its Gram matrix: fast, to half the digits."""
    gram = matrix.T @ matrix
    if not np.isfinite(gram).all():
        return float("inf")
    largest = gram[0, 0] if gram.shape[0] == 1 else np.linalg.eigvalsh(gram)[-1]
    return float(np.sqrt(max(0.0, float(largest))))


def unit_columns(vectors: Array) -> Array:
    """Each column divided by its Euclidean norm; a zero column stays zero."""
    norms = np.linalg.norm(vectors, axis=0)
    return vectors / np.where(norms > 0, norms, 1.0)
