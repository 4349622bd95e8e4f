"""The private start: Hu et al., Algorithm 2, what it finds and what it costs."""

import math

import numpy as np
import pytest
from battery import privacy_warnings, rows

from dpgep_core import ParameterError, solve
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.relaxation import clipped_spectrum, relaxed_components
from dpgep_core.privacy.accountant import root_rho_zcdp

FLOWS = ("dprf", "dptrf")


def symmetric(seed: int, d: int) -> np.ndarray:
    root = np.random.default_rng(seed).standard_normal((d, d))
    return root + root.T


class TestRelaxation:
    @pytest.mark.parametrize("k", [1, 2, 3])
    def test_projection_is_the_nearest_point(self, k: int) -> None:
        """Inside the set, and no small move inside the set is nearer."""
        matrix = 2 * symmetric(k, 6)
        near = clipped_spectrum(matrix, k)
        sizes = np.linalg.svd(near, compute_uv=False)
        assert sizes.max() <= 1 + 1e-12
        assert sizes.sum() == pytest.approx(k)
        for seed in range(20):
            inside = clipped_spectrum(symmetric(100 + seed, 6), k)
            assert ((matrix - near) * (inside - near)).sum() <= 1e-9

    def test_a_point_of_the_set_stays(self) -> None:
        matrix = np.diag([0.5, -0.3, 0.0])
        np.testing.assert_allclose(clipped_spectrum(matrix, 1), matrix, atol=1e-15)

    @pytest.mark.parametrize("k", [1, 2])
    @pytest.mark.parametrize("identity", [True, False])
    def test_without_penalty_it_is_the_eigenvectors(self, k: int, identity: bool) -> None:
        """The relaxation is tight: P = Σ vvᵀ of the leading generalized eigenvectors."""
        A, root = symmetric(1, 5) + 6 * np.eye(5), np.random.default_rng(2).standard_normal((5, 5))
        B = None if identity else root @ root.T + np.eye(5)
        found = relaxed_components(A, B, k, 0.0, 0.0)
        exact = np.linalg.qr(Pencil(A, B).solve(k, 0.0))[0]
        np.testing.assert_allclose(found @ found.T, exact @ exact.T, atol=1e-6)

    def test_a_common_scale_means_nothing(self) -> None:
        A, B = symmetric(1, 5) + 6 * np.eye(5), np.diag([1.0, 2, 3, 4, 5])
        one = relaxed_components(A, B, 2, 0.1, 0.5)
        other = relaxed_components(100 * A, 10 * B, 2, 1.0, 50.0)
        np.testing.assert_allclose(np.abs(one), np.abs(other), atol=1e-6)

    def test_the_penalty_finds_the_support(self) -> None:
        """A spike of 3 entries under symmetric noise: the penalty removes most of what the eigenvector gets wrong."""
        d, spike = 40, np.zeros(40)
        spike[:3] = 1 / math.sqrt(3)
        noise = 0.1 * symmetric(5, d)
        A = 2 * np.outer(spike, spike) + noise
        dense, sparse = (relaxed_components(A, None, 1, 0.0, penalty)[:, 0] for penalty in (0.0, 0.3))
        assert abs(sparse @ spike) > max(0.98, abs(dense @ spike))

    def test_a_singular_matrix_needs_a_ridge(self) -> None:
        with pytest.raises(ParameterError, match="xi"):
            relaxed_components(np.eye(3), np.diag([1.0, -1.0, 1.0]), 1, 0.0, 0.0)


class TestCost:
    @pytest.mark.parametrize(("model", "share"), [("pca", 1.0), ("fda", 1.0 + (4 * math.sqrt(2) / 6) ** 2)])
    @pytest.mark.parametrize("key", FLOWS)
    def test_as_published_it_costs_rho_for_each_matrix(self, key: str, model: str, share: float) -> None:
        """ρ on A, whose constant is tight, and ρ on B, whose constant 6 is above the tight 4√2."""
        release = solve(rows(), model, key, start="private")
        n, rho = release.public.n, root_rho_zcdp(1.0, release.accounted.delta) ** 2
        start = [entry for entry in release.ledger if entry.query in ("A", "B")]
        shrink = [(n - 1) / n] * len(start)
        assert math.hypot(*(e.mu for e in start)) ** 2 / 2 == pytest.approx(rho * share * shrink[0] ** 2)
        assert all(entry.count == 1 for entry in start)
        assert [e.query for e in release.ledger][: len(start)] == [e.query for e in start]

    @pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
    def test_as_published_it_overspends_with_the_flow(self, epsilon: float) -> None:
        """2ρ and ρ: the zCDP conversion gives away less than that at ε of 1 and more."""
        release = solve(rows(), "fda", "dprf", start="private", epsilon=epsilon)
        assert release.accounted.epsilon is not None
        assert (release.accounted.epsilon > epsilon) == bool(release.warnings)
        if epsilon >= 1:
            assert release.warnings

    @pytest.mark.parametrize("model", ["pca", "fda"])
    @pytest.mark.parametrize("key", FLOWS)
    def test_exact_accounting_shares_the_grant(self, key: str, model: str) -> None:
        release = solve(rows(), model, key, start="private", calibration="exact")
        assert release.accounted.epsilon == pytest.approx(1.0, rel=1e-9)
        assert not privacy_warnings(release)
        alone = solve(rows(), model, key, calibration="exact")
        assert release.facts["sigma_A"] == pytest.approx(math.sqrt(2) * alone.facts["sigma_A"])
        assert set(release.facts) - set(alone.facts) == {
            "start_sigma_A",
            *(["start_sigma_B"] if model == "fda" else []),
        }


@pytest.mark.parametrize("model", ["pca", "fda"])
def test_with_little_noise_it_starts_near_the_answer(model: str) -> None:
    near, far = (
        solve(rows(), model, "dprf", start=start, epsilon=1e6, n_iterations=1, step_size=1e-9, n_components=2)
        for start in ("private", "random")
    )
    exact = np.linalg.qr(solve(rows(), model, "exact", n_components=2).components)[0]
    angles = [np.linalg.svd(exact.T @ np.linalg.qr(r.components)[0], compute_uv=False).min() for r in (near, far)]
    assert angles[0] > 0.999 > angles[1]


def test_noise_that_makes_b_negative_is_no_error() -> None:
    assert solve(rows(), "fda", "dprf", start="private", epsilon=2.0**-10).status == "ok"


def test_the_non_private_flow_has_no_private_start() -> None:
    with pytest.raises(ParameterError, match="start"):
        solve(rows(), "pca", "rayleigh_flow", start="private")
