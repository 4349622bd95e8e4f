"""What the papers' guarantees are worth: the budget that Hu et al.'s rules spend, and a false claim by Shang et al."""

import math

import pytest
from losses import epsilon_of_pair

from dpgep_core import MODELS, Dataset, Preprocessing, solve
from dpgep_core.audit.pairs import PAIRS
from dpgep_core.models.public import Sensitivity
from dpgep_core.privacy import Entry, Grant, Ledger
from dpgep_core.privacy.accountant import epsilon_of, root_rho_zcdp

N, M = 100_000, 15
ONE = Grant(epsilon=1.0, delta=N**-1.1)
RHO = root_rho_zcdp(ONE.epsilon, ONE.delta) ** 2

# Hu et al. bound n‖ΔA‖ and n‖ΔB‖ by C₁ and C₂; what they can be, in the limit of many rows. Their FDA takes the
# uncentred between-class scatter as A; the centred one is the product's.
FDA_CONSTANTS, UNCENTRED = (4.0, 7.0), {"add_remove": (4.0, 4.0), "replace_one": (3 * math.sqrt(2), 4 * math.sqrt(2))}


def spent_by_start(true: tuple[float, float], constants: tuple[float, float]) -> float:
    """ρ of their Algorithm 2, σ_i² = C_i²/(2n²ρ), as a multiple of the ρ it is said to spend."""
    ledger = Ledger(
        tuple(
            Entry(f"start {i}", bound / N, constant / (N * math.sqrt(2 * RHO)))
            for i, (bound, constant) in enumerate(zip(true, constants, strict=True))
        )
    )
    return ledger.mu**2 / 2 / RHO


def spent_by_flow(true: tuple[float, float], constants: tuple[float, float]) -> float:
    """ρ of their Algorithm 1, σ_i² = C_i² m/(n²ρ) in each of m steps."""
    ledger = Ledger(
        tuple(
            Entry(f"step {i}", bound / N, constant * math.sqrt(M / RHO) / N, M)
            for i, (bound, constant) in enumerate(zip(true, constants, strict=True))
        )
    )
    return ledger.mu**2 / 2 / RHO


def tight(model: str) -> tuple[float, float]:
    found: Sensitivity = MODELS[model].make().sensitivity("replace_one", N)
    return N * found.target, N * found.constraint


class TestHu:
    def test_the_start_costs_twice_what_is_said(self) -> None:
        """ρ for A and ρ for B where the constants are met; three ρ with the flow."""
        assert spent_by_start((1.0, 1.0), (1.0, 1.0)) == pytest.approx(2.0)
        assert spent_by_flow((1.0, 1.0), (1.0, 1.0)) == pytest.approx(1.0)

    @pytest.mark.parametrize(("relation", "start"), [("add_remove", 1.33), ("replace_one", 1.78)])
    def test_start_on_fda(self, relation: str, start: float) -> None:
        assert spent_by_start(UNCENTRED[relation], FDA_CONSTANTS) == pytest.approx(start, abs=0.005)

    def test_start_on_the_other_models(self) -> None:
        separate = 4 * math.sqrt(2)  # x and y in unit balls, as in the paper
        assert spent_by_start((separate, separate), (12.0, 12.0)) == pytest.approx(0.44, abs=0.005)
        assert spent_by_start(tight("sir"), (13.0, 6.0)) == pytest.approx(0.82, abs=0.005)
        assert MODELS["sir"].make().published(N) == Sensitivity(target=13 / N, constraint=6 / N)
        assert MODELS["cca"].make().published(N) == Sensitivity(target=12 / N, constraint=12 / N)

    @pytest.mark.parametrize(("relation", "flow"), [("add_remove", 0.66), ("replace_one", 0.89)])
    def test_flow_on_fda(self, relation: str, flow: float) -> None:
        assert spent_by_flow(UNCENTRED[relation], FDA_CONSTANTS) == pytest.approx(flow, abs=0.005)

    def test_flow_on_fda_with_a_and_b_as_their_equation_5_prints_them(self) -> None:
        within, between = UNCENTRED["replace_one"][1], UNCENTRED["replace_one"][0]
        assert spent_by_flow((within, between), FDA_CONSTANTS) == pytest.approx(1.18, abs=0.005)

    def test_pca_leaves_half_of_the_budget(self) -> None:
        release = solve(_rows(), "pca", "dprf", n_components=1)
        rho = root_rho_zcdp(1.0, release.accounted.delta) ** 2
        ratio = release.public.sensitivity.target / release.public.published.target
        assert release.ledger.mu**2 / 2 == pytest.approx(ratio**2 * rho / 2)

    def test_the_product_says_so(self) -> None:
        """The published start and flow together pass what is claimed: that is in the release, as a warning."""
        release = solve(_rows(), "fda", "dprf", n_components=1, start="private")
        assert release.accounted.epsilon is not None
        assert release.accounted.epsilon > 1
        assert any("may spend up to" in warning for warning in release.warnings)


# DP-VRPCA, T = n = 60,000, ε = .1, δ = 1e-3, σ = .1073 G √m: [epochs, drift r, ε of an explicit pair], and the grid.
VRPCA = [
    (1, 0.1, 0.067, 2e-5, 16),
    (1, 0.25, 0.261, 1e-3, 64),
    (1, 0.5, 19.4, 1e-3, 64),
    (1, 1.0, 180, 2e-3, 400),
    (1, 2.0, 858, 5e-3, 1500),
    (5, 0.5, 0.218, 2e-5, 16),
    (5, 1.0, 22.4, 1e-3, 64),
    (20, 1.0, 0.437, 2e-5, 16),
    (20, 2.0, 45.5, 1e-3, 128),
]
QUICK = ((1, 0.25), (1, 0.5), (5, 1.0))


@pytest.mark.parametrize(
    ("epochs", "drift", "epsilon", "step", "reach"),
    [pytest.param(*row, marks=() if row[:2] in QUICK else pytest.mark.slow) for row in VRPCA],
)
def test_vrpca_is_not_what_it_claims(epochs: int, drift: float, epsilon: float, step: float, reach: float) -> None:
    """Each step shows the full gradient, moved by G/n, and with probability 1/n a difference of the size G r."""
    n, delta = 60_000, 1e-3
    sigma = math.sqrt(epochs * math.log(1 / delta) / n) / 0.1  # in units of G
    assert sigma == pytest.approx(0.1073 * math.sqrt(epochs), rel=1e-3)
    found = epsilon_of_pair(sigma / drift, 1 / n, 1 / (n * drift), n * epochs, delta, step, reach)
    assert found == pytest.approx(epsilon, rel=0.01)


def test_vrpca_full_gradient_alone_would_do() -> None:
    mu = 0.1 / math.sqrt(math.log(1e3))
    assert mu == pytest.approx(0.0380, abs=5e-5)
    assert epsilon_of(mu, 1e-3) == pytest.approx(0.059, abs=5e-4)


def _rows() -> Dataset:
    pair = PAIRS["generic"].build(400, 5, 0)
    assert pair.one.preprocessing == Preprocessing(rows="clip", radius=1.0)
    return pair.one
