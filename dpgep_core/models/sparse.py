"""Sparse components of a pencil by truncated Rayleigh flow. On a private pencil it is post-processing, and free."""

import numpy as np
from numpy.typing import NDArray

from dpgep_core.errors import ParameterError
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.product_pencil import ProductPencil
from dpgep_core.models.row_space import WidePencil
from dpgep_core.numerics import fix_signs, largest_eigen
from dpgep_core.privacy.query import Array

AnyPencil = Pencil | WidePencil | ProductPencil
Support = NDArray[np.intp]  # sorted positions of the entries that may be non-zero

SETTLE = 10  # flow steps at each size of a shrinking support
SHRINK = 0.8
MOST_EXCHANGES = 30  # most steps at the final size
STEP_SIZE = 0.5  # of 1/λ_max(B): Tan et al. need η λ_max(B) < 1
POOL = 10  # the first support is this many times the last, and at least LEAST_POOL
LEAST_POOL = 100
SPARSE_SETTLED = 1e-9  # relative rise of the quotient that is worth an exchange
FEW = 8  # one entry in so many, up to which products are taken row by row
EXCHANGES = 3  # entries that are tried against each other, on the support and off it


def components(pencil: AnyPencil, k: int, xi: float, sparsity: int) -> Array:
    """(d, k) leading components of (A, B₊ + ξI); ``sparsity`` entries in each, or all where it is 0 or d."""
    if sparsity in (0, pencil.d):  # to keep all of them is to cut nothing
        return pencil.solve(k, xi)
    if sparsity > pencil.d:
        raise ParameterError("sparsity", sparsity, f"at most the number of columns, {pencil.d}; 0 keeps all")
    return sparse_solve(pencil, k, xi, sparsity) if isinstance(pencil, Pencil) else _wide(pencil, k, xi, sparsity)


def _wide(pencil: WidePencil | ProductPencil, k: int, xi: float, s: int) -> Array:
    """`sparse_solve` among columns that could matter: those it would start from, of most variance or most weight."""
    size = min(pencil.d, max(POOL * s, LEAST_POOL))
    weights = (pencil.variances(), *np.abs(pencil.solve(k, xi)).T)
    chosen = np.unique(np.concatenate([np.argsort(-weight, kind="stable")[:size] for weight in weights]))
    found = np.zeros((pencil.d, k))
    found[chosen] = sparse_solve(pencil.on_columns(chosen), k, xi, s)
    return found


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
    support. Of three starts, the largest diagonal entries of A, the dense solution and a support that grows from the
    best pair of entries, the one that ends with the larger quotient is kept, after entries of it have been exchanged
    for others as long as that raises the quotient. The third is what serves where A has no diagonal (two views) or B is
    far from the identity. Further components follow by deflation, A ← A − λ (Bv)(Bv)ᵀ with vᵀBv = 1.
    """
    A, (B, largest), dense = pencil.target.copy(), _constraint(pencil, xi), pencil.solve(k, xi)
    step = STEP_SIZE / largest
    size = min(A.shape[0], max(POOL * s, LEAST_POOL))
    columns: list[Array] = []
    for j in range(k):
        pools = (np.argsort(-np.diag(A), kind="stable")[:size], np.argsort(-np.abs(dense[:, j]), kind="stable")[:size])
        supports = [_shrink(A, B, np.sort(pool), s, step) for pool in pools]
        ends = [_settle(A, B, support, s, step) for support in supports]
        ends.append(_on_support(A, B, _grow(A, B, s)))
        v, quotient = _exchange(A, B, *max(ends, key=lambda end: end[1]))
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
            moved = truncate(_move(inside, against, v / np.linalg.norm(v), step)[:, None], size)[:, 0]
            if not moved.any():  # only entries of one view are left, which A does not join
                return pool[np.flatnonzero(truncate(v[:, None], s)[:, 0])]
            v = moved
    return pool[np.flatnonzero(v)]


def _settle(A: Array, B: Array | None, support: Support, s: int, step: float) -> tuple[Array, float]:
    """Flow among all entries until a step from the best vector on the support no longer changes the support."""
    for _ in range(MOST_EXCHANGES):
        v = _on_support(A, B, support)[0]
        found = np.flatnonzero(truncate(_move(A, B, v / np.linalg.norm(v), step)[:, None], s)[:, 0])
        if not found.size or np.array_equal(found, support):  # none: nothing of A is left to follow
            break
        support = found
    return _on_support(A, B, support)


def _grow(A: Array, B: Array | None, s: int) -> Support:
    """The best single entry, or the best pair and then, one by one, the entries that the residual points to."""
    scale = np.ones(A.shape[0]) if B is None else np.diag(B)
    if s == 1:
        return np.array([np.argmax(np.diag(A) / scale)])
    support = np.sort(np.array(np.unravel_index(_pairs(A, B).argmax(), A.shape)))
    while support.size < s:
        gain = _gain(A, B, *_on_support(A, B, support))
        gain[support] = -1.0
        support = np.sort(np.append(support, gain.argmax()))
    return support


def _pairs(A: Array, B: Array | None) -> Array:
    """(d, d) the larger root of the quadratic det(A − λB) = 0 on each pair of entries."""
    diagonal = np.diag(A)
    across = np.eye(A.shape[0]) if B is None else B
    scale = np.diag(across)
    square = np.outer(scale, scale) - across**2
    linear = np.outer(diagonal, scale) + np.outer(scale, diagonal) - 2 * A * across
    constant = np.outer(diagonal, diagonal) - A**2
    np.fill_diagonal(square, 1.0)
    roots = (linear + np.sqrt(np.maximum(linear**2 - 4 * square * constant, 0.0))) / (2 * square)
    np.fill_diagonal(roots, -np.inf)
    return roots


def _gain(A: Array, B: Array | None, v: Array, quotient: float) -> Array:
    """(d,) how fast the quotient rises with each entry, in units of its length under B."""
    residual = _times(A, v) - quotient * (v if B is None else _times(B, v))
    return np.abs(residual) / (1.0 if B is None else np.sqrt(np.diag(B)))


def _exchange(A: Array, B: Array | None, v: Array, quotient: float) -> tuple[Array, float]:
    """Swap an entry of little weight for one of much promise while the quotient rises."""
    for _ in range(MOST_EXCHANGES):
        support = np.flatnonzero(v)
        gain = _gain(A, B, v, quotient)
        gain[support] = -1.0
        outside = np.argsort(-gain, kind="stable")[: min(EXCHANGES, gain.size - support.size)]
        weight = np.abs(v[support]) * (1.0 if B is None else np.sqrt(np.diag(B)[support]))
        inside = support[np.argsort(weight, kind="stable")[:EXCHANGES]]
        swapped = [np.sort(np.append(support[support != i], j)) for i in inside for j in outside]
        best = max((_on_support(A, B, one) for one in swapped), key=lambda end: end[1], default=(v, quotient))
        if best[1] <= quotient * (1 + SPARSE_SETTLED):
            break
        v, quotient = best
    return v, quotient


def _move(A: Array, B: Array | None, v: Array, step: float) -> Array:
    Av, Bv = _times(A, v), v if B is None else _times(B, v)
    quotient = (v @ Av) / (v @ Bv)
    return v + step * (Av / quotient - Bv) if quotient > 0 else Av


def _times(S: Array, v: Array) -> Array:
    """(d,) S v for a symmetric S: where v has few entries, only so many rows of S are read."""
    support = np.flatnonzero(v)
    return v[support] @ S[support] if support.size * FEW <= v.size else S @ v


def _on_support(A: Array, B: Array | None, support: Support) -> tuple[Array, float]:
    """The exact leading vector among those that vanish off the support, with vᵀBv = 1, and its quotient."""
    where = np.ix_(support, support)
    values, vectors = largest_eigen(A[where], 1, None if B is None else B[where])
    v = np.zeros(A.shape[0])
    v[support] = vectors[:, 0]
    return v, float(values[0])


def _constraint(pencil: Pencil, xi: float) -> tuple[Array | None, float]:
    """B₊ + ξI, None for the identity, and its largest eigenvalue."""
    if pencil.constraint is None:
        return None, 1.0
    spectrum = pencil.constraint_spectrum
    spectrum.scales(xi)  # refuses a singular B
    lifted = np.maximum(spectrum.values, 0.0) + xi
    return (spectrum.vectors * lifted) @ spectrum.vectors.T, float(lifted[-1])
