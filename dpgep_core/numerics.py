"""Steps of linear algebra that several methods share."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg

from dpgep_core.errors import ParameterError
from dpgep_core.privacy.query import Array
from dpgep_core.resolvents import Resolvents
from dpgep_core.unlocked import last_eigenvectors, tridiagonal, tridiagonal_eigen

geqrf, orgqr, gesdd, getrf, laswp, ormqr, syevd, syevr = linalg.get_lapack_funcs(
    ("geqrf", "orgqr", "gesdd", "getrf", "laswp", "ormqr", "syevd", "syevr"), dtype=np.float64
)
LAPACK_BLOCK = 64  # columns that LAPACK may work on together
SMALL = 32  # rows up to which a wrapper of SciPy costs more than the work
LARGE = 200  # rows from which eigenvectors are left as LAPACK finds them until they are read
SINGULAR = 1e-13  # relative size below which an eigenvalue of B counts as zero


@dataclass(frozen=True, eq=False)
class Reduced:
    """A symmetric matrix as LAPACK reduces it: a tridiagonal matrix, and the reflections that lead back from it."""

    diagonal: Array
    beside: Array
    reflectors: Array
    scales: Array

    @classmethod
    def of(cls, symmetric: Array) -> "Reduced":
        """Reduce a matrix, which is overwritten."""
        whole, diagonal, beside, scales = tridiagonal(symmetric.T)
        return cls(diagonal, beside, np.asfortranarray(whole[1:, :-1]), scales)

    @cached_property
    def eigen(self) -> tuple[Array, Array]:
        """Eigenvalues (ascending) and eigenvectors of the tridiagonal matrix."""
        return tridiagonal_eigen(self.diagonal, self.beside)

    def reflect(self, vectors: Array, transpose: str) -> Array:
        """Q X, or Qᵀ X where ``transpose`` is "T"."""
        turned = np.array(vectors, dtype=float, order="F")
        work = LAPACK_BLOCK * vectors.shape[1]
        turned[1:] = ormqr("L", transpose, self.reflectors, self.scales, turned[1:], work)[0]
        return turned


class Spectrum:
    """Eigenvalues (ascending) and eigenvectors of a symmetric matrix, kept so that a new ridge costs nothing.

    Of a large matrix the eigenvalues, a third of the work, and the eigenvectors themselves, another third, are only
    computed where they are read.
    """

    def __init__(self, values: Array | None, vectors: Array | None = None, reduced: Reduced | None = None) -> None:
        self._values, self._vectors, self._reduced = values, vectors, reduced

    @classmethod
    def of(cls, matrix: Array) -> "Spectrum":
        """The spectrum of the symmetric part of ``matrix``."""
        symmetric = matrix + matrix.T
        symmetric /= 2
        if len(symmetric) < LARGE:
            return cls(*small_eigen(symmetric))
        return cls(None, reduced=Reduced.of(symmetric))

    @property
    def values(self) -> Array:
        """(d,) eigenvalues."""
        if self._values is None:
            assert self._reduced is not None
            self._values = self._reduced.eigen[0]
        return self._values

    @property
    def vectors(self) -> Array:
        """(d, d) eigenvectors U."""
        if self._vectors is None:
            assert self._reduced is not None
            self._vectors = self._reduced.reflect(self._reduced.eigen[1], "N")
        return self._vectors

    def coordinates(self, vectors: Array) -> Array:
        """UᵀX for a (d, k) matrix X."""
        if self._vectors is not None or self._reduced is None:
            return self.vectors.T @ vectors
        return self._reduced.eigen[1].T @ self._reduced.reflect(vectors, "T")

    def combine(self, coordinates: Array) -> Array:
        """U Y for a (d, k) matrix Y."""
        if self._vectors is not None or self._reduced is None:
            return self.vectors @ coordinates
        return self._reduced.reflect(self._reduced.eigen[1] @ coordinates, "N")

    def resolvents(self, sides: Array) -> Resolvents | None:
        """Solutions that (B₊ + ξI)^-1 X follows from without eigenvalues, in the coordinates that LAPACK reduces B to.

        None for a small matrix, whose eigenvectors are there.
        """
        reduced = self._reduced
        return None if reduced is None else Resolvents.of(reduced.diagonal, reduced.beside, reduced.reflect(sides, "T"))

    def turned_back(self, found: Array) -> Array:
        """(d, k) columns of the coordinates that `resolvents` are in."""
        assert self._reduced is not None
        return self._reduced.reflect(found, "N")

    def scales(self, xi: float) -> Array:
        """(d,) (max(Λ, 0) + ξ)^½, what whitened coordinates are divided by.

        Raises
        ------
        ParameterError
            If B₊ + ξI is singular.
        """
        lifted = np.maximum(self.values, 0.0) + xi
        if lifted[0] <= SINGULAR * max(lifted[-1], np.finfo(float).tiny):
            rank = int((lifted > SINGULAR * lifted[-1]).sum())
            raise ParameterError("xi", xi, f"> 0 here, since B is singular (rank {rank} of {lifted.size})")
        return np.sqrt(lifted)


def small_eigen(symmetric: Array) -> tuple[Array, Array]:
    """Eigenvalues (ascending) and eigenvectors, without the wrappers that cost more than the work of a small matrix."""
    values, vectors, failed = syevd(symmetric, lower=1)
    if failed:
        raise np.linalg.LinAlgError("the eigenvalues of a matrix do not converge")
    return values, vectors


def leading_eigenvectors(matrix: Array, k: int) -> Array:
    """The ``k`` leading eigenvectors of a symmetric matrix, largest eigenvalue first; signs fixed."""
    symmetric = (matrix + matrix.T) / 2
    if not np.isfinite(symmetric).all():
        return np.full((len(symmetric), k), np.nan)  # LAPACK may not come back from it
    return fix_signs(largest_eigen(symmetric, k)[1][:, ::-1])


def largest_eigen(A: Array, k: int, B: Array | None = None) -> tuple[Array, Array]:
    """The ``k`` largest eigenvalues (ascending) and the eigenvectors of a symmetric pair, or of A alone.

    LAPACK finds a few of them by bisection, and misses some now and then where they are tied. Those of a private matrix
    that was moved to where true ones lie are tied by the dozen. All of them are found by another routine then.

    Raises
    ------
    LinAlgError
        If that fails too, as where B is not positive definite.
    """
    try:
        values, vectors = _few_largest(A, k, B)
    except np.linalg.LinAlgError:
        values, vectors = A[:0], A[:, :0]
    if vectors.shape[1] < k:
        values, vectors = linalg.eigh(A, B, driver="evd" if B is None else "gvd")
    return values[-k:], vectors[:, -k:]


def _few_largest(A: Array, k: int, B: Array | None) -> tuple[Array, Array]:
    d = len(A)
    if B is not None:
        return linalg.eigh(A, B, subset_by_index=(d - k, d - 1))
    if d > SMALL:
        return last_eigenvectors(A, k)
    values, vectors, found, _, failed = syevr(A, range="I", il=d - k + 1, iu=d, lower=1)
    return values[: 0 if failed else found], vectors[:, : 0 if failed else found]


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


def well_conditioned(vectors: Array) -> Array:
    """Columns of a square matrix with the same Gram–Schmidt vectors, of a condition number of about twice its columns.

    With V = P L U they are those of P L times the signs of U's diagonal: what U does combines columns from left to
    right. That is a third of a product of two such matrices, and a tenth of Gram–Schmidt itself.
    """
    factors, pivots, failed = getrf(vectors)
    if failed:  # a column depends on those before it
        return orthonormalise(vectors)
    signs = np.where(np.diagonal(factors) < 0, -1.0, 1.0)
    _keep_unit_lower(factors)
    factors *= signs
    return laswp(factors, pivots, inc=-1, overwrite_a=1)


def _keep_unit_lower(factors: Array) -> None:
    """Write L over the factors L and U of a square matrix, in blocks: `np.tril` copies by rows what lies by columns."""
    for start in range(0, len(factors), LAPACK_BLOCK):
        own = slice(start, start + LAPACK_BLOCK)
        factors[:start, own] = 0.0
        factors[own, own] = np.tril(factors[own, own], -1)
    np.fill_diagonal(factors, 1.0)


def symmetric_times(matrix: Array, vectors: Array) -> Array:
    """S V for a symmetric S and few columns: read by rows of S, which is faster than S @ V."""
    return (vectors.T @ matrix).T


def spectral_norm(matrix: Array) -> float:
    """Largest stretch of a unit vector."""
    return float(gesdd(matrix, compute_uv=0)[1][0])


def thin_norm(matrix: Array) -> float:
    """Largest stretch by a (d, k) matrix with few columns, from its Gram matrix: fast, to half the digits."""
    gram = matrix.T @ matrix
    if not np.isfinite(gram).all():
        return float("inf")
    largest = gram[0, 0] if gram.shape[0] == 1 else syevd(gram, compute_v=0, lower=1)[0][-1]
    return float(np.sqrt(max(0.0, float(largest))))


def unit_columns(vectors: Array) -> Array:
    """Each column divided by its Euclidean norm; a zero column stays zero."""
    norms = np.linalg.norm(vectors, axis=0)
    return vectors / np.where(norms > 0, norms, 1.0)
