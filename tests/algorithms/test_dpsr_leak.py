"""DPSR as published gives B away: its output is V(Λ_B + ξI)^-½V′ with an exact Λ_B = diag(VᵀBV).

The thin singular value decomposition of a square output, W = U S Rᵀ, has U = V up to order and sign and
S⁻² − ξ = diag(UᵀBU), to rounding, whatever noise was added to the gradients.
"""

import math

import numpy as np
import pytest

from dpgep_core import ALGORITHMS, Dataset, Preprocessing, solve
from dpgep_core.privacy.accountant import epsilon_of
from dpgep_core.privacy.query import Array

N, D, XI = 400, 5, 0.01


def data(changed: bool = False, constant: bool = False) -> Dataset:
    """Two classes; ``changed`` moves one row across the ball, its label kept; ``constant`` has no spread in a class."""
    rng = np.random.default_rng(4)
    y = np.arange(N) % 2
    X = 0.2 * rng.standard_normal((N, D)) * (not constant) + np.where(y[:, None] == 0, 0.3, -0.3) * np.eye(D)[0]
    if changed:
        X[0] = -np.eye(D)[1]
    clip = Preprocessing(rows="clip", radius=1.0)
    return Dataset("leak", "Leak", X, y, X[:20], y[:20], ("a", "b"), preprocessing=clip)


def within(dataset: Dataset) -> Array:
    x, y = dataset.preprocessing.apply(dataset.X), dataset.y
    spread = np.zeros((D, D))
    for k in (0, 1):
        centred = x[y == k] - x[y == k].mean(axis=0)
        spread += centred.T @ centred / N
    return spread


def output(dataset: Dataset, algorithm: str = "dpsr", k: int = D, seed: int = 0, **more: object) -> Array:
    with_ridge = {"xi": XI, **more}
    return solve(dataset, "fda", algorithm, n_components=k, seed=seed, delta=N**-1.1, **with_ridge).components


def forms(W: Array) -> tuple[Array, Array]:
    """Directions u, and the number that must be uᵀBu for each if the identity holds."""
    U, S, _ = np.linalg.svd(W, full_matrices=False)
    return U, 1 / S**2 - XI


def residual(W: Array, B: Array) -> float:
    U, quadratic = forms(W)
    return float(np.abs((np.einsum("ij,ij->j", U, B @ U) + XI) / (quadratic + XI) - 1).max())


@pytest.mark.parametrize("calibration", ["published", "unit", "forgetful"])
@pytest.mark.parametrize("epsilon", [0.01, 1.0])
def test_the_output_holds_exact_quadratic_forms_of_b(calibration: str, epsilon: float) -> None:
    dataset = data()
    B = within(dataset)
    U, quadratic = forms(output(dataset, calibration=calibration, epsilon=epsilon))
    np.testing.assert_allclose(quadratic, np.einsum("ij,ij->j", U, B @ U), rtol=1e-8, atol=1e-10)


def test_a_single_row_is_told_apart_every_time() -> None:
    """100 of 100 outputs: no (ε, δ) with δ < 1 can hold. The smallest ε compatible with so many runs is above 3."""
    one, other = data(), data(changed=True)
    B, B_other = within(one), within(other)
    for seed in range(50):
        W, W_other = (output(dataset, seed=seed) for dataset in (one, other))
        assert residual(W, B) < 1e-9 < 1e-4 < residual(W, B_other)
        assert residual(W_other, B_other) < 1e-9 < 1e-4 < residual(W_other, B)


def test_four_outputs_give_all_of_b() -> None:
    """⌈(d + 2)/2⌉ outputs have enough equations uᵀBu for every entry of B."""
    dataset = data()
    pairs = np.triu_indices(D)
    twice = np.where(pairs[0] == pairs[1], 1.0, 2.0)
    equations, values = [], []
    for seed in range(math.ceil((D + 2) / 2)):
        U, quadratic = forms(output(dataset, seed=seed))
        equations.extend(u[pairs[0]] * u[pairs[1]] * twice for u in U.T)
        values.extend(quadratic)
    entries, _, rank, _ = np.linalg.lstsq(np.array(equations), np.array(values), rcond=None)
    B = within(dataset)
    assert rank == len(entries) == D * (D + 1) // 2
    assert np.abs(entries - B[pairs]).max() / np.abs(B).max() < 1e-8


@pytest.mark.parametrize("k", [1, 2])
def test_fewer_components_leak_where_classes_are_constant(k: int) -> None:
    """B = 0 gives WᵀW = I/ξ exactly, for every k; one row inside a class ends that."""
    constant, changed = data(constant=True), data(constant=True, changed=True)
    for seed in range(5):
        W, W_changed = (output(dataset, k=k, seed=seed) for dataset in (constant, changed))
        np.testing.assert_allclose(XI * W.T @ W, np.eye(k), atol=1e-9)
        assert np.abs(XI * W_changed.T @ W_changed - np.eye(k)).max() > 1e-6


@pytest.mark.parametrize("algorithm", [key for key in ("dpsr_corrected", "sr_dp") if key in ALGORITHMS])
def test_the_identity_tells_nothing_about_noisy_eigenvalues(algorithm: str) -> None:
    """On algorithms that keep their word, the statistic ranks the two data sets no better than chance."""
    one, other = data(), data(changed=True)
    B, B_other = within(one), within(other)
    runs = 100
    outputs = [
        [output(dataset, algorithm, seed=seed) for seed in range(first, first + runs)]
        for dataset, first in ((one, 0), (other, runs))
    ]
    scores = [[residual(W, B) - residual(W, B_other) for W in of_one] for of_one in outputs]
    wins = np.mean(np.array(scores[0])[:, None] < np.array(scores[1])[None, :])
    assert abs(wins - 0.5) < 4 * math.sqrt(1 / (6 * runs))  # Mann–Whitney


def test_the_registry_says_so() -> None:
    assert ALGORITHMS["dpsr"].guarantee.verdict == "false"


@pytest.mark.parametrize(("n", "worth"), [(1_000, 0.637), (60_000, 0.737)])
def test_what_the_gradients_alone_are_worth_holds_for_all_rows(n: int, worth: float) -> None:
    """μ² log(1.25/δ) = (11.31/24)² + (16/32)² at ε = 1: √m and ξ cancel. No number of the rows at hand is in it."""
    rows = Dataset("ball", "Ball", *_two_points(n), None, None, ("a", "b"), preprocessing=PLAIN)
    release = solve(rows, "fda", "dpsr", n_components=1)
    mu = math.sqrt(sum(entry.mu**2 for entry in release.ledger if entry.protected))
    share = math.hypot(4 * math.sqrt(2) / 12, 0.5) * (1 - 1 / release.public.n)
    fitted = release.public.n
    assert mu == pytest.approx(share / math.sqrt(math.log(1.25 * fitted**1.1)), rel=1e-9)
    at_n = share / math.sqrt(math.log(1.25 * n**1.1))
    assert epsilon_of(at_n, n**-1.1) == pytest.approx(worth, abs=0.001)


def _two_points(n: int) -> tuple[Array, Array]:
    y = np.arange(n) % 2
    return np.where(y[:, None] == 0, 0.5, -0.5) * np.eye(2)[0], y


PLAIN = Preprocessing(rows="clip", radius=1.0)


def test_theorem_12_states_more_noise_than_algorithm_2() -> None:
    dataset = data()
    algorithm, theorem = (solve(dataset, "fda", "dpsr", stated=stated).facts for stated in ("algorithm", "theorem"))
    delta = N**-1.1
    ratio = math.sqrt(2 * math.log(1.25 * 15 / delta) / math.log(1.25 / delta))
    for name in ("sigma_1", "sigma_2"):
        assert theorem[name] / algorithm[name] == pytest.approx(ratio)
    large = math.log(1.25 * 60_000**1.1)
    assert math.sqrt(2 * (large + math.log(15)) / large) == pytest.approx(1.562, abs=5e-4)
