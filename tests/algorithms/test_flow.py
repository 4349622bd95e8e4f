"""The step of Rayleigh flow, alone and truncated, with noise and without."""

from typing import Any

import numpy as np
import pytest
from battery import rows

from dpgep_core import ALGORITHMS, solve
from dpgep_core.flow import separate, sparse_columns, step
from dpgep_core.models.problem import Problem, Sample

FLOWS = ("rayleigh_flow", "truncated_rayleigh_flow", "dprf", "dptrf")
TRUNCATED = ("truncated_rayleigh_flow", "dptrf")


def exact_pencil(model: str) -> Any:
    from dpgep_core import MODELS

    data = rows()
    return Problem(Sample(data.X, data.y, data.n_classes, data.preprocessing), MODELS[model].make()).pencil


def test_one_step_by_hand() -> None:
    """A = diag(2, 1), B = I, v = (1, 1)/√2: ρ = 3/2, so (I + (η/ρ)(A − ρB)) v ∝ (1 + 1/3, 1 − 1/3) at η = 1."""
    A, v = np.diag([2.0, 1.0]), np.full((2, 1), np.sqrt(0.5))
    moved = step(v, A @ v, v, 1.0)
    np.testing.assert_allclose(moved[:, 0], np.array([4.0, 2.0]) / np.sqrt(20), rtol=1e-12)
    np.testing.assert_allclose(step(v, A @ v, v, 1.0, 1)[:, 0], [1.0, 0.0], rtol=1e-12)


def test_rotation_leaves_uncorrelated_columns() -> None:
    rng = np.random.default_rng(3)
    root = rng.standard_normal((5, 5))
    A, B, V = np.diag([5.0, 4, 3, 2, 1]), root @ root.T + np.eye(5), rng.standard_normal((5, 3))
    W, AW, BW, quotients = separate(V, A @ V, B @ V)
    below = W.T @ BW
    np.testing.assert_allclose(below, np.diag(np.diag(below)), atol=1e-9)
    np.testing.assert_allclose(np.diag(W.T @ AW) / np.diag(below), quotients, rtol=1e-9)
    assert (np.diff(quotients) <= 0).all()


def test_no_truncation_keeps_every_bit() -> None:
    V = np.random.default_rng(0).standard_normal((4, 2))
    assert sparse_columns(V, 0) is V


@pytest.mark.parametrize("model", ["pca", "fda"])
def test_enough_steps_reach_the_exact_answer(model: str) -> None:
    found = solve(rows(), model, "rayleigh_flow", n_iterations=4000, n_components=2, xi=0.01)
    exact = solve(rows(), model, "exact", n_components=2, xi=0.01)
    cosines = [
        abs(v @ w) / np.linalg.norm(v) / np.linalg.norm(w)
        for v, w in zip(found.components.T, exact.components.T, strict=True)
    ]
    assert min(cosines) > 1 - 1e-6


@pytest.mark.parametrize("key", TRUNCATED)
@pytest.mark.parametrize("s", [1, 2, 4])
def test_each_step_is_sparse(key: str, s: int) -> None:
    release = solve(rows(), "fda", key, sparsity=s, n_components=2)
    for basis in release.history:
        assert ((basis != 0).sum(axis=0) <= s).all()
        np.testing.assert_allclose(np.linalg.norm(basis, axis=0), 1.0)


@pytest.mark.parametrize(("truncated", "plain"), [("truncated_rayleigh_flow", "rayleigh_flow"), ("dptrf", "dprf")])
@pytest.mark.parametrize("s", [0, 6, 30])
def test_keeping_all_entries_is_the_flow_without_truncation(truncated: str, plain: str, s: int) -> None:
    one, other = solve(rows(), "fda", truncated, sparsity=s, seed=4), solve(rows(), "fda", plain, seed=4)
    assert (one.components == other.components).all()


@pytest.mark.parametrize(("noisy", "quiet"), [("dprf", "rayleigh_flow"), ("dptrf", "truncated_rayleigh_flow")])
@pytest.mark.parametrize("model", ["pca", "fda"])
def test_without_noise_it_is_the_non_private_flow(noisy: str, quiet: str, model: str) -> None:
    one, other = solve(rows(), model, noisy, noise=False), solve(rows(), model, quiet)
    for mine, theirs in zip(one.history, other.history, strict=True):
        np.testing.assert_allclose(mine, theirs, atol=1e-9)


def test_both_private_flows_draw_the_same_noise_scale() -> None:
    """Algorithms 1 and 3 differ in the truncation alone."""
    for calibration in ("published", "printed", "unit", "exact", "forgetful"):
        facts = [dict(solve(rows(), "fda", key, calibration=calibration).facts) for key in ("dprf", "dptrf")]
        assert facts[0] == facts[1]


@pytest.mark.parametrize(
    ("model", "constants"), [("pca", (1, None)), ("cca", (12, 12)), ("fda", (4, 7)), ("sir", (13, 6))]
)
def test_the_printed_constants_are_those_of_hu(model: str, constants: tuple[float, float | None]) -> None:
    """Hu et al., proof of Theorem 1; C scales σ."""
    facts, unit = (dict(solve(rows(), model, "dprf", calibration=rule).facts) for rule in ("printed", "unit"))
    for name, constant in zip(("sigma_A", "sigma_B"), constants, strict=True):
        assert facts.get(name) == (None if constant is None else pytest.approx(constant * unit[name]))


@pytest.mark.parametrize(("model", "spent"), [("pca", 2.210), ("fda", 1.073), ("cca", 0.176)])
def test_printed_constants_below_what_a_row_can_change_overdraw(model: str, spent: float) -> None:
    """The centred covariance changes by 4/n and not by 1/n, the between scatter by 8/n and not by 4/n."""
    release = solve("digits", model, "dprf", calibration="printed")
    assert release.claimed.epsilon == 1.0
    assert release.accounted.epsilon == pytest.approx(spent, abs=0.003)


def test_the_defaults_are_the_papers() -> None:
    for key in FLOWS:
        method = ALGORITHMS[key].make()
        assert (method.step_size, method.n_iterations) == (1.0, 15)
    assert all(ALGORITHMS[key].make().sparsity == 30 for key in TRUNCATED)
