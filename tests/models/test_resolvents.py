"""(B₊ + ξI)^-1 from shifted systems against eigenvectors, and the pencil that is solved with it."""

import numpy as np
import pytest

from dpgep_core.models.pencil import Pencil
from dpgep_core.numerics import LARGE, Spectrum
from dpgep_core.privacy.randomness import stream
from dpgep_core.resolvents import LEAST_RIDGE, MOST_RIDGE, Resolvents, poles

D = LARGE + 20


def normals(*shape, seed=0):
    return stream(seed, "data").standard_normal(shape)


def matrices():
    wide, thin = normals(D, D), normals(D, 20)
    yield "eigenvalues of both signs", wide + wide.T
    yield "positive", wide @ wide.T + np.eye(D)
    yield "many eigenvalues that are zero", thin @ thin.T
    yield "signal in noise", thin @ thin.T / D + (wide + wide.T) / 100
    yield "diagonal with zeros", np.diag(np.concatenate([np.zeros(20), np.linspace(-1, 1, D - 20)]))


def by_eigenvectors(B, sides, xi):
    values, vectors = np.linalg.eigh(B)
    return vectors @ ((vectors.T @ sides) / (np.maximum(values, 0) + xi)[:, None])


@pytest.mark.parametrize(("low", "high"), [(1e-13, 32.0), (1e-6, 1.0), (0.3, 1.0)])
def test_the_poles_give_the_sign(low, high):
    x = np.geomspace(low, high, 2001)
    shifts, weights = poles(low, high)
    found = (weights * (x[:, None] / (x[:, None] ** 2 + shifts**2))).sum(axis=1)
    np.testing.assert_allclose(found, 1.0, atol=1e-13)
    assert len(shifts) < 120


@pytest.mark.parametrize("share", [1.01 * LEAST_RIDGE, 1e-2, 1.0, 0.99 * MOST_RIDGE])
@pytest.mark.parametrize(("name", "B"), list(matrices()))
def test_is_what_eigenvectors_give(name, B, share):
    sides = normals(D, 4, seed=1)
    spectrum = Spectrum.of(B)
    found = spectrum.resolvents(sides)
    assert found is not None
    xi = share * found.largest
    assert found.serve(xi), name
    expected = by_eigenvectors(B, sides, xi)
    error = np.abs(spectrum.turned_back(found.solved(xi)) - expected).max()
    assert error < 1e-10 * np.abs(expected).max(), name


def test_ridges_beyond_the_poles_are_not_served():
    found = Spectrum.of(normals(D, D)).resolvents(normals(D, 2))
    assert found is not None
    assert not found.serve(0.9 * LEAST_RIDGE * found.largest)
    assert not found.serve(1.1 * MOST_RIDGE * found.largest)


@pytest.mark.parametrize("number", [0.0, np.nan])
def test_a_matrix_without_numbers_has_none(number):
    assert Resolvents.of(np.full(5, number), np.full(4, number), np.ones((5, 1))) is None


@pytest.mark.parametrize("xi", [1e-9, 1e-3, 0.1, 1e4])
@pytest.mark.parametrize("k", [1, 4, 5])
def test_a_large_pencil_is_solved_as_its_matrices_are(k, xi):
    """Served ridges and others; k = 5 is one more than the rank of A, whose last column is then any direction."""
    F = normals(D, 5, seed=2) * np.array([1.0, 0.8, 0.6, 0.4, 0.0])
    noise = normals(D, D)
    B = np.diag(np.linspace(0, 1, D)) + (noise + noise.T) / 100
    one, other = Pencil(None, B, F), Pencil(F @ F.T, B)
    V, W = one.solve(k, xi), other.solve(k, xi)
    told = min(k, 4)
    np.testing.assert_allclose(V[:, :told], W[:, :told], rtol=1e-7, atol=1e-7 * np.abs(W[:, :told]).max())
    values, vectors = np.linalg.eigh(B)
    lifted = (vectors * (np.maximum(values, 0) + xi)) @ vectors.T
    np.testing.assert_allclose(V.T @ lifted @ V, np.eye(k), atol=1e-6)
    np.testing.assert_array_equal(one.target, F @ F.T)


def test_another_ridge_asks_for_no_other_eigenvalues(monkeypatch):
    """The slider of ξ: reduction and poles are those of the first answer."""
    pencil = Pencil(None, np.diag(np.linspace(-0.1, 1, D)), normals(D, 3))
    first = pencil.solve(2, 0.1)
    monkeypatch.setattr(Spectrum, "of", lambda *_: pytest.fail("reduced again"))
    monkeypatch.setattr(Resolvents, "of", lambda *_: pytest.fail("solved again"))
    assert np.abs(pencil.solve(2, 0.2) - first).max() > 0
    assert pencil.solve(3, 0.1).shape == (D, 3)
