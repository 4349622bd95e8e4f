"""Short cuts of linear algebra against the plain way, and the square basis of DPSR against its steps one by one."""

from dataclasses import replace

import numpy as np
import pytest

from dpgep_core import Setting, load_dataset, numerics
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.queries import Whitener
from dpgep_core.numerics import (
    LARGE,
    SMALL,
    Spectrum,
    largest_eigen,
    leading_eigenvectors,
    orthonormalise,
    symmetric_times,
    well_conditioned,
)
from dpgep_core.privacy.randomness import stream
from dpgep_core.reduction import square_basis
from dpgep_core.solve import plan, run

SIZES = pytest.mark.parametrize("d", [1, 2, 7, LARGE - 1, LARGE, LARGE + 30])


def normals(*shape, seed=0):
    return stream(seed, "data").standard_normal(shape)


def symmetric(d, seed=0):
    one = normals(d, d, seed=seed)
    return (one + one.T) / 2


@SIZES
class TestSpectrum:
    def test_is_that_of_the_matrix(self, d):
        S = symmetric(d)
        found = Spectrum.of(S)
        np.testing.assert_allclose((found.vectors * found.values) @ found.vectors.T, S, atol=1e-11)
        np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(d), atol=1e-11)

    def test_coordinates_need_no_vectors(self, d):
        S, X = symmetric(d), normals(d, 3, seed=1)
        before, after = Spectrum.of(S), Spectrum.of(S)
        U = after.vectors
        for one in (before, after):
            np.testing.assert_allclose(one.coordinates(X), U.T @ X, atol=1e-11)
            np.testing.assert_allclose(one.combine(X), U @ X, atol=1e-11)

    def test_a_factor_gives_what_its_product_gives(self, d):
        B, F = symmetric(d), normals(d, 3, seed=2)
        k = min(d, 3)
        one, other = Pencil(F @ F.T, B, F).solve(k, 0.5), Pencil(F @ F.T, B).solve(k, 0.5)
        np.testing.assert_allclose(np.abs(one), np.abs(other), rtol=1e-6, atol=1e-7)


def too_few(*_):
    """What LAPACK's bisection gives now and then where eigenvalues are tied."""
    return np.zeros(0), np.zeros((9, 0))


def fails(*_):
    raise np.linalg.LinAlgError("did not converge")


class TestLargestEigen:
    @pytest.mark.parametrize("d", [3, SMALL, SMALL + 1, 90])
    @pytest.mark.parametrize("few", [None, too_few, fails])
    @pytest.mark.parametrize("paired", [False, True])
    def test_are_those_of_all(self, few, d, paired, monkeypatch):
        """By either way."""
        A, X = symmetric(d), normals(d, d, seed=1)
        B = X @ X.T + np.eye(d) if paired else None
        if few is not None:
            monkeypatch.setattr(numerics, "_few_largest", few)
        values, vectors = largest_eigen(A, 2, B)
        against = vectors if B is None else B @ vectors
        np.testing.assert_allclose(A @ vectors, against * values, atol=1e-11)
        np.testing.assert_allclose(vectors.T @ against, np.eye(2), atol=1e-11)
        whole = np.linalg.eigvals(A if B is None else np.linalg.solve(B, A)).real
        np.testing.assert_allclose(values, np.sort(whole)[-2:], atol=1e-11)

    def test_a_pair_without_an_answer_is_told(self):
        with pytest.raises(np.linalg.LinAlgError):
            largest_eigen(np.eye(3), 1, -np.eye(3))

    @pytest.mark.parametrize("d", [SMALL, SMALL + 1])
    def test_what_is_no_number_stays_none(self, d):
        assert np.isnan(leading_eigenvectors(np.full((d, d), np.nan), 2)).all()

    @pytest.mark.parametrize(
        ("model", "k", "sparsity", "epsilon", "seeds"),
        [
            ("pca", 4, 0, 0.5, (5647, 7681, 10935)),
            ("pca", 1, 6, 0.1, (715, 1065, 3186)),
            ("fda", 2, 6, 0.01, (175, 1093, 1918)),
        ],
    )
    def test_tied_eigenvalues_are_no_error(self, model, k, sparsity, epsilon, seeds):
        """One release in some thousands, one sparse one in some hundreds, ended in an error after it was paid for."""
        params = (("sparsity", sparsity), ("xi", 0.1))
        setting = Setting(
            model=model, epsilon=epsilon, delta=1e-6, n_components=k, seed=0, test_size=0.0, params=params
        )
        made = plan(load_dataset("wine"), setting)
        for seed in seeds:
            found = run(replace(made, setting=replace(made.setting, seed=seed))).components
            assert found.shape[1] == k
            assert np.isfinite(found).all()
            assert (np.count_nonzero(found, axis=0) <= (sparsity or len(found))).all()


def test_products_of_symmetric_matrices():
    S, V = symmetric(60), normals(60, 4, seed=3)
    np.testing.assert_allclose(symmetric_times(S, V), S @ V, atol=1e-12)


@pytest.mark.parametrize("d", [40, 150])  # one block and several, the last one smaller
@pytest.mark.parametrize("spread", [0.0, 3.0, 9.0, 20.0])
def test_well_conditioned_columns_keep_their_gram_schmidt_vectors(spread, d):
    """However badly they are conditioned."""
    V = orthonormalise(normals(d, d)) @ np.triu(np.eye(d) * 10.0 ** -np.linspace(0, spread, d))
    found = well_conditioned(V)
    assert np.linalg.cond(found) < 10 * d
    np.testing.assert_allclose(orthonormalise(found), orthonormalise(V), atol=1e-12)


def test_a_column_that_depends_on_others_is_replaced():
    V = normals(5, 5)
    V[:, 2] = 0
    assert np.linalg.cond(well_conditioned(V)) == pytest.approx(1)


class TestWhitener:
    def test_its_stretch_is_the_largest_scale(self):
        V, scales = orthonormalise(normals(30, 30)), np.linspace(0.1, 4, 30)
        found = Whitener.of(V, scales)
        assert found.norm == pytest.approx(np.linalg.norm(found.matrix, 2), rel=1e-12)

    def test_other_columns_are_refused(self):
        """Or the sensitivity would be told too small."""
        with pytest.raises(ValueError, match="orthonormal"):
            Whitener.of(1.01 * orthonormalise(normals(30, 30)), np.ones(30))

    def test_what_noise_has_driven_out_of_range_tells_nothing(self):
        V = orthonormalise(normals(30, 30))
        V[0, 0] = np.inf
        assert np.isnan(Whitener.of(V, np.ones(30)).matrix).all()


@pytest.mark.parametrize("size", [1e-6, 1e-2, 0.2, 5.0, 1e200])
def test_the_square_basis_is_that_of_steps_one_by_one(size):
    """Decompositions are left out where they may be: small noise, large noise, and noise that would overflow."""
    public = plan(load_dataset("digits"), Setting(algorithm="dpsr")).public
    answers = [np.diag(np.linspace(0, 2, public.d)) + size * normals(public.d, public.d, seed=s) for s in range(15)]
    V = public.frame(public.d, "constraint basis")
    for M in answers:
        V = orthonormalise(V + 0.7 * (M @ V))
    told = iter(answers)
    np.testing.assert_allclose(square_basis(lambda: next(told), 15, 0.7, public), V, atol=1e-10)
