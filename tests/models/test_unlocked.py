"""Routines that let other threads work give what SciPy's wrappers give, bit for bit, and do let them work."""

import threading
import time

import numpy as np
import pytest
from scipy import linalg

from dpgep_core import unlocked
from dpgep_core.unlocked import add_gram, last_eigenvectors, moved, tridiagonal, tridiagonal_eigen

SIZES = (2, 3, 50, 230)


def normals(rows, columns, seed=1):
    return np.random.default_rng(seed).standard_normal((rows, columns))


def symmetric(d):
    half = normals(d, d)
    return np.asfortranarray(half + half.T)


@pytest.fixture(params=[0, unlocked.LITTLE])
def _little(request, monkeypatch):
    """Small products by either way."""
    monkeypatch.setattr(unlocked, "LITTLE", request.param)


def test_small_products_let_no_other_thread_in(monkeypatch):
    """Each of the thousands in an audit would wait for another thread's turn of 5 ms to end."""
    monkeypatch.setattr(unlocked, "_call", lambda *_: pytest.fail("let go"))
    moved(np.asfortranarray(normals(50, 50)), normals(50, 50), 0.3, 0.5)
    add_gram(np.zeros((5, 5), order="F"), normals(40, 5))
    with pytest.raises(pytest.fail.Exception):
        moved(np.asfortranarray(normals(230, 230)), normals(230, 230), 0.3, 0.5)


@pytest.mark.usefixtures("_little")
@pytest.mark.parametrize("d", SIZES)
def test_a_step_along_a_matrix(d):
    M, V = normals(d, d), np.asfortranarray(normals(d, d, seed=2))
    kept = V.copy()
    found = moved(V, M, 0.3, 0.5)
    np.testing.assert_allclose(found, 0.3 * M @ V + 0.5 * V, atol=1e-12)
    assert found.flags.f_contiguous
    np.testing.assert_array_equal(V, kept)


@pytest.mark.usefixtures("_little")
@pytest.mark.parametrize("d", SIZES)
def test_a_gram_matrix_is_added_to(d):
    rows, gram = normals(40, d), np.asfortranarray(np.ones((d, d)))
    add_gram(gram, rows)
    syrk = linalg.get_blas_funcs("syrk", dtype=np.float64)
    np.testing.assert_array_equal(gram, syrk(1.0, rows.T, 1.0, np.ones((d, d), order="F"), lower=1))
    np.testing.assert_allclose(np.tril(gram), np.tril(1 + rows.T @ rows), atol=1e-12)


@pytest.mark.parametrize("d", SIZES)
def test_all_eigenvectors_by_way_of_a_tridiagonal_matrix(d):
    S = symmetric(d)
    sytrd, stevd = linalg.get_lapack_funcs(("sytrd", "stevd"), dtype=np.float64)
    reduced = sytrd(S, lower=1, lwork=64 * d)[:4]
    for ours, theirs in zip(tridiagonal(S.copy(order="F")), reduced, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    for ours, theirs in zip(tridiagonal_eigen(*reduced[1:3]), stevd(*reduced[1:3])[:2], strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("d", SIZES)
def test_the_last_eigenvectors(d):
    S, k = symmetric(d), max(1, d // 3)
    found = last_eigenvectors(S, k)
    for ours, theirs in zip(found, linalg.eigh(S, subset_by_index=(d - k, d - 1), driver="evr"), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_what_is_no_number_is_told():
    with pytest.raises(np.linalg.LinAlgError, match="do not converge"):
        tridiagonal_eigen(np.full(5, np.nan), np.ones(4))


def test_an_array_of_another_order_is_refused():
    """Its numbers would be read as those of another matrix."""
    with pytest.raises(ValueError, match="lie together"):
        add_gram(np.zeros((3, 3)).T.copy(order="F"), np.asfortranarray(normals(5, 3)))
    with pytest.raises(ValueError, match="lie together"):
        moved(normals(3, 3), normals(3, 3), 1.0, 1.0)
    with pytest.raises(ValueError, match="lie together"):
        tridiagonal(np.ones((3, 3), dtype=np.float32, order="F"))


@pytest.mark.parametrize(
    ("routine", "given"),
    [
        (tridiagonal, lambda: (symmetric(1200),)),
        (last_eigenvectors, lambda: (symmetric(700), 3)),
        (add_gram, lambda: (np.zeros((900, 900), order="F"), normals(20_000, 900))),
        (moved, lambda: (symmetric(1800), normals(1800, 1800), 1.0, 1.0)),
        (tridiagonal_eigen, lambda: (np.ones(1500), np.ones(1499))),
    ],
)
def test_other_threads_work_meanwhile(routine, given):
    """SciPy's own wrappers hold them up from the beginning to the end, each time; a busy machine does now and then."""
    assert any(longest_wait(routine, given()) < 0.5 for _ in range(5))


def longest_wait(routine, given):
    """The longest time that a thread has no turn while a routine runs in another, as a share of the whole."""
    worker = threading.Thread(target=routine, args=given)
    longest, last = 0.0, time.perf_counter()
    began = last
    worker.start()
    while worker.is_alive():
        time.sleep(0)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    return longest / (time.perf_counter() - began)
