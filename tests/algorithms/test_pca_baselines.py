"""PPI, MOD-SULQ, the Wishart mechanism and the local Gaussian mechanism: formulas by hand and what they prove."""

import math

import numpy as np
import pytest
from battery import COLUMNS, ROWS, privacy_warnings, rows

from dpgep_core import ALGORITHMS, solve
from dpgep_core.privacy.accountant import mu_classical, mu_of

DELTA = ROWS**-1.1
BASELINES = ("ppi", "mod_sulq", "wishart", "local_gaussian")
UNCENTRED = {"centred": False}


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_private_power_iteration_by_hand(epsilon: float) -> None:
    """σ = Δ√(4 m log(1/δ))/ε with Δ = √2/n for the second moment; μ = ε/√(4 log(1/δ)) for the whole."""
    release = solve(rows(), "pca", "ppi", epsilon=epsilon, n_iterations=8, **UNCENTRED)
    expected = math.sqrt(2) / ROWS * math.sqrt(4 * 8 * math.log(1 / DELTA)) / epsilon
    assert release.facts["sigma_A"] == pytest.approx(expected)
    assert release.ledger.mu == pytest.approx(epsilon / math.sqrt(4 * math.log(1 / DELTA)))
    assert [entry.count for entry in release.ledger] == [8]


def test_power_iteration_without_noise_finds_the_eigenvectors() -> None:
    found = solve(rows(), "pca", "ppi", noise=False, n_iterations=400, n_components=3).components
    exact = solve(rows(), "pca", "exact", n_components=3).components
    np.testing.assert_allclose(np.abs((found * exact).sum(axis=0)), 1, atol=1e-6)


def test_mod_sulq_by_hand() -> None:
    """β = (d + 1)/(nε) √(2 log((d² + d)/(2√(2π)δ))) + 1/(n√ε), with d = 6."""
    release = solve(rows(), "pca", "mod_sulq", epsilon=0.5, **UNCENTRED)
    log_term = math.log(42 / (2 * math.sqrt(2 * math.pi) * DELTA))
    expected = 7 / (ROWS * 0.5) * math.sqrt(2 * log_term) + 1 / (ROWS * math.sqrt(0.5))
    assert COLUMNS == 6
    assert release.facts["sigma_A"] == pytest.approx(expected)
    assert release.accounted.epsilon is not None
    assert release.accounted.epsilon < 0.25  # of 0.5: about d times the noise it needs


class TestWishart:
    def test_scale_by_hand(self) -> None:
        release = solve(rows(), "pca", "wishart", epsilon=0.5)
        assert release.facts["scale"] == pytest.approx(3 / (2 * ROWS * 0.5))

    def test_nothing_is_accounted(self) -> None:
        release = solve(rows(), "pca", "wishart")
        assert release.accounted.epsilon is None
        assert release.ledger.unprotected == ("A",)
        assert release.claimed is not None
        assert ALGORITHMS["wishart"].guarantee.verdict == "false"

    @pytest.mark.parametrize("epsilon", [0.5, 1.0, 3.0])
    def test_an_output_that_the_neighbour_cannot_give(self, epsilon: float) -> None:
        """A + W is below A′ = A + vvᵀ/n with probability 1 − e^(−ε/3), and A′ + W′ never is."""
        from dpgep_core.privacy.randomness import Wishart, stream

        n, d, runs = 100, 4, 4000
        law, rng = Wishart(), stream(2, "noise")
        step = np.zeros((d, d))
        step[0, 0] = 1 / n
        W = np.array([law.draw(rng, (d, d), 3 / (2 * n * epsilon)) for _ in range(runs)])
        impossible = (np.linalg.eigvalsh(W - step)[:, 0] < 0).mean()
        expected = 1 - math.exp(-epsilon / 3)
        assert abs(impossible - expected) < 5 * math.sqrt(expected * (1 - expected) / runs)
        assert (np.linalg.eigvalsh(W)[:, 0] > 0).all()


class TestLocal:
    @pytest.mark.parametrize("epsilon", [0.1, 1.0])
    def test_noise_by_hand(self, epsilon: float) -> None:
        """σ = √(2 log(1.25/δ))/ε on each report, σ/√n on their mean."""
        release = solve(rows(), "pca", "local_gaussian", epsilon=epsilon)
        sigma = math.sqrt(2 * math.log(1.25 / DELTA)) / epsilon
        assert release.facts["sigma"] == pytest.approx(sigma)
        assert release.facts["noise_of_mean"] == pytest.approx(sigma / math.sqrt(ROWS))

    def test_each_person_pays_once_with_the_diameter(self) -> None:
        release = solve(rows(), "pca", "local_gaussian")
        (entry,) = release.ledger
        assert (entry.count, entry.sensitivity) == (1, pytest.approx(math.sqrt(2)))

    @pytest.mark.parametrize("epsilon", [0.05, 0.1, 0.5, 1.0, 4.0])
    def test_the_published_bound_of_one_is_covered_by_slack_only_while_it_lasts(self, epsilon: float) -> None:
        release = solve(rows(), "pca", "local_gaussian", epsilon=epsilon)
        covered = math.sqrt(2) * mu_classical(epsilon, DELTA) <= mu_of(epsilon, DELTA)
        assert bool(privacy_warnings(release)) == (not covered)

    def test_exact_accounting_spends_the_grant(self) -> None:
        release = solve(rows(), "pca", "local_gaussian", calibration="exact")
        assert release.accounted.epsilon == pytest.approx(1.0)

    def test_the_relation_does_not_matter(self) -> None:
        one, other = (solve(rows(), "pca", "local_gaussian", relation=r) for r in ("replace_one", "add_remove"))
        assert (one.components == other.components).all()


@pytest.mark.parametrize("key", BASELINES)
def test_they_are_for_pca(key: str) -> None:
    assert ALGORITHMS[key].models == ("pca",)


@pytest.mark.parametrize("key", ["mod_sulq", "wishart"])
def test_a_huge_epsilon_is_the_exact_answer(key: str) -> None:
    exact = solve(rows(), "pca", "exact", n_components=3).components
    found = solve(rows(), "pca", key, epsilon=1e6, n_components=3).components
    np.testing.assert_allclose(np.abs((found * exact).sum(axis=0)), 1, atol=1e-3)
