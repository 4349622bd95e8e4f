"""Sparse components of a pencil by truncated Rayleigh flow. On a private pencil it is post-processing, and free."""

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from dpgep_core.errors import ParameterError
from dpgep_core.models.pencil import Pencil
from dpgep_core.numerics import fix_signs
from dpgep_core.privacy.query import Array

Support = NDArray[np.intp]  # sorted positions of the entries that may be non-zero

SETTLE = 10  # flow steps at each size of a shrinking support
SHRINK = 0.8
STEPS = 30  # most steps at the final size
STEP_SIZE = 0.5  # of 1/λ_max(B): Tan et al. need η λ_max(B) < 1
POOL = 10  # the first support is this many times the last, and at least LEAST_POOL
LEAST_POOL = 100


def components(pencil: Pencil, k: int, xi: float, sparsity: int) -> Array:
    """(d, k) leading components of (A, B₊ + ξI); ``sparsity`` entries in each, or all where it is 0."""
    if sparsity == 0:
        return pencil.solve(k, xi)
    if sparsity > pencil.d:
        raise ParameterError("sparsity", sparsity, f"at most the number of columns, {pencil.d}; 0 keeps all")
    return sparse_solve(pencil, k, xi, sparsity)


def truncate(vectors: Array, s: int) -> Array:
    """Each column with all but its ``s`` largest entries set to zero."""
    if s >= vectors.shape[0]:
        return vectors
    keep = np.argpartition(-np.abs(vectors), s - 1, axis=0)[:s]
    out = np.zeros_like(vectors)
    np.put_along_axis(out, keep, np.take_along_axis(vectors, keep, axis=0), axis=0)
    return out


def sparse_solve(pencil: Pencil, k: int, xi: float, s: int) -> Array:
    """(d, k) leading components of (A, B₊ + ξI) with at most ``s`` non-zero entries each.

    Truncated Rayleigh flow (Tan, Wang, Liu & Zhang 2018, Algorithm 1) on a support that shrinks slowly to ``s``, which
    misses fewer true entries than starting there; then steps of the flow with the vector solved for exactly on its
    support. Of two starts, the largest diagonal entries of A and the dense solution, the one that ends with the larger
    quotient is kept. Further components follow by deflation, A ← A − λ (Bv)(Bv)ᵀ with vᵀBv = 1.
    """
    A, B, dense = pencil.target.copy(), _constraint(pencil, xi), pencil.solve(k, xi)
    step = STEP_SIZE / _largest(B)
    size = min(A.shape[0], max(POOL * s, LEAST_POOL))
    columns: list[Array] = []
    for j in range(k):
        pools = (np.argsort(-np.diag(A), kind="stable")[:size], np.argsort(-np.abs(dense[:, j]), kind="stable")[:size])
        ends = [_settle(A, B, _shrink(A, B, np.sort(pool), s, step), s, step) for pool in pools]
        v, quotient = max(ends, key=lambda end: end[1])
        Bv = v if B is None else B @ v
        A -= quotient * np.outer(Bv, Bv)
        columns.append(v)
    return fix_signs(np.column_stack(columns))


def _shrink(A: Array, B: Array | None, pool: Support, s: int, step: float) -> Support:
    """The support that the flow keeps while it is allowed ever fewer entries of the pool."""
    where = np.ix_(pool, pool)
    inside, against = A[where], None if B is None else B[where]
    v = _on_support(inside, against, np.arange(pool.size))[0]
    size = pool.size
    while size > s:
        size = max(s, int(size * SHRINK))
        for _ in range(SETTLE):
            v = truncate(_moved(inside, against, v / np.linalg.norm(v), step)[:, None], size)[:, 0]
    return pool[np.flatnonzero(v)]


def _settle(A: Array, B: Array | None, support: Support, s: int, step: float) -> tuple[Array, float]:
    """Flow among all entries until a step from the best vector on the support no longer changes the support."""
    for _ in range(STEPS):
        v = _on_support(A, B, support)[0]
        found = np.flatnonzero(truncate(_moved(A, B, v / np.linalg.norm(v), step)[:, None], s)[:, 0])
        if np.array_equal(found, support):
            break
        support = found
    return _on_support(A, B, support)


def _moved(A: Array, B: Array | None, v: Array, step: float) -> Array:
    Av, Bv = A @ v, v if B is None else B @ v
    quotient = (v @ Av) / (v @ Bv)
    return v + step * (Av / quotient - Bv) if quotient > 0 else Av


def _on_support(A: Array, B: Array | None, support: Support) -> tuple[Array, float]:
    """The exact leading vector among those that vanish off the support, with vᵀBv = 1, and its quotient."""
    where = np.ix_(support, support)
    top = (support.size - 1, support.size - 1)
    values, vectors = linalg.eigh(A[where], None if B is None else B[where], subset_by_index=top)
    v = np.zeros(A.shape[0])
    v[support] = vectors[:, 0]
    return v, float(values[0])


def _constraint(pencil: Pencil, xi: float) -> Array | None:
    if pencil.constraint is None:
        return None
    spectrum = pencil.constraint_spectrum
    spectrum.whitener(xi)  # refuses a singular B
    return (spectrum.vectors * (np.maximum(spectrum.values, 0.0) + xi)) @ spectrum.vectors.T


def _largest(B: Array | None) -> float:
    return 1.0 if B is None else float(linalg.eigvalsh(B, subset_by_index=(B.shape[0] - 1, B.shape[0] - 1))[0])
