"""DP-SPCA and DP-VRPCA: noise by hand, what drawn rows are worth, and the steps themselves."""

import math
from typing import Any

import numpy as np
import pytest
from battery import ROWS, privacy_warnings, rows

from dpgep_core import ALGORITHMS, Dataset, Preprocessing, solve
from dpgep_core.models import Pca
from dpgep_core.models.public import PublicFacts, Sensitivity
from dpgep_core.models.record_queries import gradient_bound, sampled_difference, sampled_gradient
from dpgep_core.privacy import Grant
from dpgep_core.privacy.ledger import ledger_of, overspends
from dpgep_core.protocols import facts_of
from dpgep_core.stochastic import Ordering, polar

DELTA = ROWS**-1.1
BOTH = ("dp_spca", "dp_vrpca")
ZERO = np.zeros((6, 1))


def public_of(n: int, k: int) -> PublicFacts:
    return PublicFacts(
        n=n, d=20, n_classes=0, k=k, relation="replace_one", sensitivity=Sensitivity(target=1 / n, constraint=0.0),
        published=Sensitivity(target=1 / n, constraint=0.0), identity_constraint=True, joint_columns=1, weight=0.3,
        seed=0, pencil=Pca().pencil,
    )  # fmt: skip


def frames(seed: int, d: int, k: int) -> Any:
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((d, k)))[0]


class TestNoise:
    @pytest.mark.parametrize("epsilon", [0.1, 1.0])
    def test_dp_spca_by_hand(self, epsilon: float) -> None:
        """λ² = 20TαG²/(n²εμ) with T = n, G = 2, μ = 1/2 and α = 2 log(1/δ)/ε + 1."""
        alpha = 2 * math.log(1 / DELTA) / epsilon + 1
        found = solve(rows(), "pca", "dp_spca", epsilon=epsilon, n_iterations=ROWS).facts["sigma"]
        assert found**2 == pytest.approx(20 * alpha * 4 / (ROWS * epsilon * 0.5))

    def test_dp_spca_at_the_papers_setting(self) -> None:
        """n = T = 60,000, ε = 0.1, δ = 0.001: λ = 0.963 G."""
        found = facts_of(ALGORITHMS["dp_spca"].make(), public_of(60_000, 1), Grant(epsilon=0.1, delta=1e-3))
        assert found["sigma"] / 2 == pytest.approx(0.963, abs=0.005)

    @pytest.mark.parametrize("epsilon", [0.1, 1.0])
    def test_dp_vrpca_by_hand(self, epsilon: float) -> None:
        """λ² = G²Tm log(1/δ)/(n²ε²), in two independent parts."""
        facts = solve(rows(), "pca", "dp_vrpca", epsilon=epsilon, n_epochs=3).facts
        assert facts["lambda"] ** 2 == pytest.approx(4 * 3 * math.log(1 / DELTA) / (ROWS * epsilon**2))
        assert facts["sigma_full"] ** 2 + facts["sigma_rows"] ** 2 == pytest.approx(facts["lambda"] ** 2)

    def test_the_papers_defaults(self) -> None:
        assert [e.count for e in solve(rows(), "pca", "dp_spca", n_components=1, centred=False).ledger] == [ROWS]


class TestWorth:
    def test_dp_spca_keeps_its_word_at_the_papers_setting(self) -> None:
        method, grant = ALGORITHMS["dp_spca"].make(), Grant(epsilon=0.1, delta=1e-3)
        assert not overspends(method.noise_plan(public_of(60_000, 1), grant), grant)

    @pytest.mark.parametrize("epsilon", [1.0, 4.0])
    def test_dp_spca_spends_more_at_larger_epsilon(self, epsilon: float) -> None:
        method, grant = ALGORITHMS["dp_spca"].make(), Grant(epsilon=epsilon, delta=1e-5)
        assert overspends(method.noise_plan(public_of(30_000, 10), grant), grant)

    @pytest.mark.parametrize("k", [1, 3])
    def test_dp_vrpca_breaks_its_word(self, k: int) -> None:
        method, grant = ALGORITHMS["dp_vrpca"].make(), Grant(epsilon=0.1, delta=1e-3)
        assert overspends(method.noise_plan(public_of(60_000, k), grant), grant)
        assert ALGORITHMS["dp_vrpca"].guarantee.verdict == "false"

    def test_dp_vrpca_spends_at_least_what_an_explicit_pair_shows(self) -> None:
        """One epoch, ε = 0.1, δ = 0.001, n = 60,000: at drift 2 that pair has ε = 858."""
        method = ALGORITHMS["dp_vrpca"].make(n_epochs=1)
        ledger = ledger_of(method.noise_plan(public_of(60_000, 1), Grant(epsilon=0.1, delta=1e-3)))
        assert 858 <= ledger.epsilon(1e-3) < 3000

    @pytest.mark.parametrize("key", BOTH)
    @pytest.mark.parametrize("more", [{}, {"batch": 12}, {"centred": False}, {"n_components": 1}])
    def test_exact_keeps_to_the_grant(self, key: str, more: dict[str, Any]) -> None:
        release = solve(rows(), "pca", key, calibration="exact", **more)
        assert release.accounted.epsilon is not None
        assert 0.9 < release.accounted.epsilon <= 1.0
        assert not privacy_warnings(release)

    def test_less_drift_needs_less_noise(self) -> None:
        near, far = (solve(rows(), "pca", "dp_vrpca", calibration="exact", drift=r).facts for r in (0.1, 2.0))
        assert near["sigma_rows"] == pytest.approx(far["sigma_rows"] / 20)

    @pytest.mark.parametrize("key", BOTH)
    def test_no_single_mu(self, key: str) -> None:
        assert math.isnan(solve(rows(), "pca", key).ledger.mu)


class TestSensitivity:
    """A row replaced by another changes an answer by at most the stated amount, which is reached."""

    @pytest.mark.parametrize("k", [1, 2, 4])
    def test_of_the_gradient(self, k: int) -> None:
        rng, V = np.random.default_rng(5), frames(1, 6, k)
        query = sampled_gradient(V, ZERO, 1)
        worst = 0.0
        for _ in range(300):
            mixed = rng.standard_normal((2, k)) @ V.T  # within the span, where it is largest
            x, y = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
            worst = max(worst, float(np.linalg.norm(query.evaluate(x[None]) - query.evaluate(y[None]))))
        assert worst <= query.sensitivity + 1e-12
        ends = (V[:, :1].T, V[:, 1:2].T if k > 1 else np.zeros((1, 6)))
        reached = np.linalg.norm(query.evaluate(ends[0]) - query.evaluate(ends[1]))
        assert reached == pytest.approx(gradient_bound(k))

    @pytest.mark.parametrize("k", [1, 3])
    @pytest.mark.parametrize("batch", [1, 4])
    def test_of_the_difference(self, k: int, batch: int) -> None:
        rng, drift = np.random.default_rng(5), frames(1, 6, k) - frames(2, 6, k)
        query = sampled_difference(drift, ZERO, batch)
        for _ in range(300):
            one = rng.standard_normal((batch, 6))
            one /= np.linalg.norm(one, axis=1, keepdims=True)
            other = one.copy()
            other[0] = frames(int(rng.integers(1000)), 6, 1)[:, 0]
            assert np.linalg.norm(query.evaluate(one) - query.evaluate(other)) <= query.sensitivity + 1e-12


class TestSteps:
    def test_polar_is_the_nearest_orthonormal_basis(self) -> None:
        V = np.random.default_rng(0).standard_normal((7, 3))
        U, _, Wt = np.linalg.svd(V, full_matrices=False)
        np.testing.assert_allclose(polar(V), U @ Wt, atol=1e-10)
        assert np.linalg.norm(polar(np.ones((4, 2)))[:, 0]) == pytest.approx(1)  # rank 1: any orthonormal basis

    def test_columns_come_in_order(self) -> None:
        A, V = np.diag([4.0, 3, 2, 1]), np.eye(4)[:, [2, 0, 1]]
        order = Ordering(memory=10)
        order.see(V, 2 * A @ V)
        np.testing.assert_allclose(np.abs(order.apply(V)), np.eye(4)[:, :3], atol=1e-12)

    @pytest.mark.parametrize("key", BOTH)
    def test_without_noise_many_steps_find_the_subspace(self, key: str) -> None:
        exact = solve(rows(), "pca", "exact", n_components=2).components
        found = solve(rows(), "pca", key, noise=False, n_components=2, n_iterations=4000, step_size=2.0).components
        assert np.linalg.svd(exact.T @ found, compute_uv=False).min() > 0.98

    @pytest.mark.parametrize("key", BOTH)
    def test_with_the_whole_data_as_batch_it_is_gradient_ascent(self, key: str) -> None:
        settings = {"batch": ROWS, "n_iterations": 60, "step_size": 4.0, "noise": False, "n_components": 2}
        one, other = (solve(rows(), "pca", key, seed=seed, **settings).components for seed in (1, 2))
        assert np.linalg.svd(one.T @ other, compute_uv=False).min() > 1 - 1e-6

    @pytest.mark.parametrize("key", BOTH)
    def test_a_run_yields_few_bases(self, key: str) -> None:
        assert len(solve(rows(), "pca", key, n_iterations=3000).history) <= 110

    @pytest.mark.parametrize("key", BOTH)
    def test_centring_follows_the_model(self, key: str) -> None:
        """Rows far from zero: about zero the first direction is the mean, about the mean it is not."""
        rng = np.random.default_rng(1)
        X = np.array([0.8, 0, 0]) + rng.standard_normal((400, 3)) * [0.02, 0.2, 0.02]
        data = Dataset("far", "Far", X, X_test=X[:9], preprocessing=Preprocessing(rows="clip", radius=1.5))
        first = [
            solve(
                data, "pca", key, noise=False, n_components=1, n_iterations=3000, step_size=20.0, centred=c
            ).components[:, 0]
            for c in (True, False)
        ]
        assert abs(first[0][1]) > 0.95
        assert abs(first[1][0]) > 0.95
