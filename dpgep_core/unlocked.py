"""Routines of BLAS and LAPACK under which other threads of Python go on.

SciPy's wrappers of these hold the interpreter while they compute: two threads then have one processor, and a page that
is drawn meanwhile waits. The same routines are called here as SciPy offers them to compiled code.
"""

# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import cython_blas, cython_lapack, get_blas_funcs, get_lapack_funcs

from dpgep_core.typed_scipy import Array

WORK = 64  # numbers a column that a blocked routine may work with
LITTLE = 2**18  # products below which nobody waits long: who lets go may wait 5 ms for another thread's turn to end


def _routine(library: Any, name: str, arguments: int) -> Callable[..., None]:
    """A Fortran routine, all of whose arguments are addresses."""
    capsule = library.__pyx_capi__[name]
    api = ctypes.pythonapi
    api.PyCapsule_GetName.restype, api.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    address = api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule))
    return ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * arguments)(address)


_gemm = _routine(cython_blas, "dgemm", 13)
_syrk = _routine(cython_blas, "dsyrk", 10)
_sytrd = _routine(cython_lapack, "dsytrd", 10)
_stevd = _routine(cython_lapack, "dstevd", 11)
_syevr = _routine(cython_lapack, "dsyevr", 21)
gemm, syrk = get_blas_funcs(("gemm", "syrk"), dtype=np.float64)
(_syevr_lwork,) = get_lapack_funcs(("syevr_lwork",), dtype=np.float64)


def moved(vectors: Array, matrix: Array, step: float, share: float) -> Array:
    """``step`` · MV + ``share`` · V for (d, d) matrices.

    Parameters
    ----------
    vectors : ndarray of shape (d, d)
        V; its columns lie together in memory, as those of what is returned do.
    matrix : ndarray of shape (d, d)
        M; its rows lie together in memory.
    """
    d = len(vectors)
    _columns_together(matrix.T, d)
    _columns_together(vectors, d)
    if d**3 < LITTLE:
        return gemm(step, matrix.T, vectors, share, vectors, trans_a=True)
    found = np.array(vectors, dtype=float, order="F")
    step_c, share_c = ctypes.c_double(step), ctypes.c_double(share)
    _call(_gemm, b"T", b"N", d, d, d, step_c, matrix, d, vectors, d, share_c, found, d)
    return found


def add_gram(gram: Array, rows: Array) -> None:
    """Add the lower triangle of ``rows``ᵀ ``rows`` to ``gram``, (d, d) with columns that lie together in memory.

    Parameters
    ----------
    rows : ndarray of shape (m, d)
        Each row lies together in memory.
    """
    m, d = rows.shape
    _columns_together(gram, d)
    _columns_together(rows.T, d)
    if m * d**2 < LITTLE:
        syrk(1.0, rows.T, 1.0, gram, lower=True, overwrite_c=True)
        return
    one = ctypes.c_double(1.0)
    _call(_syrk, b"L", b"N", d, m, one, rows, d, one, gram, d)


def tridiagonal(symmetric: Array) -> tuple[Array, Array, Array, Array]:
    """LAPACK's reduction of the lower triangle of a matrix: reflections, diagonal, what is beside it, scales.

    The columns of ``symmetric`` lie together in memory; it is overwritten, and returned as the reflections.
    """
    d = len(symmetric)
    _columns_together(symmetric, d)
    diagonal, beside, scales, work = np.empty(d), np.empty(d - 1), np.empty(d - 1), np.empty(WORK * d)
    _checked(_sytrd, b"L", d, symmetric, d, diagonal, beside, scales, work, work.size)
    return symmetric, diagonal, beside, scales


def tridiagonal_eigen(diagonal: Array, beside: Array) -> tuple[Array, Array]:
    """Eigenvalues (ascending) and eigenvectors of a symmetric tridiagonal matrix."""
    d = len(diagonal)
    values, spare, vectors = diagonal.copy(), np.append(beside, 0.0), np.empty((d, d), order="F")
    work, whole = np.empty(1 + 4 * d + d * d), np.empty(3 + 5 * d, dtype=np.intc)
    _checked(_stevd, b"V", d, values, spare, vectors, d, work, work.size, whole, whole.size)
    return values, vectors


def last_eigenvectors(symmetric: Array, k: int) -> tuple[Array, Array]:
    """The ``k`` largest eigenvalues (ascending) and their eigenvectors, from the lower triangle of a matrix."""
    d = len(symmetric)
    left, values, vectors = np.array(symmetric, dtype=float, order="F"), np.empty(d), np.empty((d, k), order="F")
    work, whole = np.empty(int(_syevr_lwork(d, lower=1)[0])), np.empty(10 * d, dtype=np.intc)
    found, ends, zero = ctypes.c_int(), np.empty(2 * max(1, k), dtype=np.intc), ctypes.c_double(0.0)
    _checked(
        _syevr, b"V", b"I", b"L", d, left, d, zero, zero, d - k + 1, d, zero, found, values, vectors, d, ends,
        work, work.size, whole, whole.size,
    )  # fmt: skip
    if found.value != k:
        raise np.linalg.LinAlgError("the eigenvalues of a matrix do not converge")
    return values[:k], vectors


def _columns_together(matrix: Array, rows: int) -> None:
    if matrix.dtype != np.float64 or not matrix.flags.f_contiguous or len(matrix) != rows:
        raise ValueError("the columns of a matrix of float64 must lie together in memory")


def _checked(routine: Callable[..., None], *given: Any) -> None:
    """Call a routine of LAPACK and read what it says at its end."""
    info = ctypes.c_int()
    _call(routine, *given, info)
    if info.value:
        raise np.linalg.LinAlgError("the eigenvalues of a matrix do not converge")


def _call(routine: Callable[..., None], *given: Any) -> None:
    routine(*[_address(one) for one in given])


def _address(given: Any) -> Any:
    if isinstance(given, np.ndarray):
        return given.ctypes.data
    if isinstance(given, bytes):
        return ctypes.c_char_p(given)
    return ctypes.byref(ctypes.c_int(given) if isinstance(given, int) else given)
