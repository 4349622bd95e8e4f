"""The corrected DPSR: what each answer costs, and that what DPSR gives away stays hidden."""

import math
from typing import Any

import numpy as np
import pytest
from battery import rows

from dpgep_core import ALGORITHMS, MODELS, ParameterError, solve
from dpgep_core.models.public import PublicFacts
from dpgep_core.privacy import Grant
from dpgep_core.protocols import facts_of

VARIANTS = ("whiten_after", "drop_in")


def public_of(n: int, model: Any = None) -> PublicFacts:
    model = model or MODELS["fda"].make()
    return PublicFacts(
        n=n, d=20, n_classes=4, k=3, relation="replace_one", sensitivity=model.sensitivity("replace_one", n),
        published=model.published(n), identity_constraint=model.identity_constraint, joint_columns=4,
        weight=model.weight, seed=0, pencil=model.pencil,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("n", "scales"),
    [
        (5000, (3.39e-2, 5.22e-3, 2.14e-3)),
        (32561, (6.73e-3, 9.70e-4, 3.76e-4)),
        (60000, (3.92e-3, 5.56e-4, 2.12e-4)),
    ],
)
def test_drop_in_noise_on_the_eigenvalues_by_hand(n: int, scales: tuple[float, ...]) -> None:
    """σ_L = Δ_B/√(μ² − ε²/(2 log(1.25/δ)) · ((2nΔ_B/12)² + 1)/2) for FDA, δ = n^-1.1, ε = 0.1, 1 and 4."""
    method = ALGORITHMS["dpsr_corrected"].make(variant="drop_in")
    for epsilon, scale in zip((0.1, 1.0, 4.0), scales, strict=True):
        found = facts_of(method, public_of(n), Grant(epsilon=epsilon, delta=n**-1.1))
        assert found["sigma_L"] == pytest.approx(scale, rel=5e-3)


def test_drop_in_keeps_the_published_noise() -> None:
    published, kept = (solve(rows(), "fda", key, **more).facts for key, more in (
        ("dpsr", {}), ("dpsr_corrected", {"variant": "drop_in"}),
    ))  # fmt: skip
    for name in ("sigma_1", "sigma_2"):
        assert kept[name] == pytest.approx(published[name], rel=1e-12)


@pytest.mark.parametrize("model", [key for key in MODELS if not MODELS[key].make().identity_constraint])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0, 20.0])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_grant_is_kept(model: str, epsilon: float, variant: str) -> None:
    release = solve(rows(), model, "dpsr_corrected", epsilon=epsilon, variant=variant)
    assert release.accounted.epsilon is not None
    assert release.accounted.epsilon <= epsilon * (1 + 1e-9)
    if variant == "whiten_after":
        assert release.accounted.epsilon == pytest.approx(epsilon, rel=1e-9)
        shares = [entry.mu**2 / release.ledger.mu**2 for entry in release.ledger]
        assert shares == pytest.approx([0.45, 0.10, 0.45])


def test_a_public_constraint_costs_nothing() -> None:
    release = solve(rows(), "pca", "dpsr_corrected")
    assert [(e.query, e.count) for e in release.ledger] == [("A·V", 15)]
    assert release.accounted.epsilon == pytest.approx(1.0)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("model", ["pca", "fda"])
def test_without_noise_it_is_dpsr(model: str, variant: str) -> None:
    """Both span the same space; in whiten_after the columns come in order."""
    mine, theirs = (
        np.linalg.qr(solve(rows(), model, key, noise=False, n_components=2, **more).components)[0]
        for key, more in (("dpsr_corrected", {"variant": variant}), ("dpsr", {}))
    )
    np.testing.assert_allclose(mine @ mine.T, theirs @ theirs.T, atol=1e-8)


def test_output_no_longer_gives_quadratic_forms_of_b() -> None:
    """For square outputs the singular values of W gave uᵀBu exactly: now they are off by the noise on Λ_B."""
    from dpgep_core.models.problem import Problem, Sample

    data = rows()
    B = Problem(Sample(data.X, data.y, 3, data.preprocessing), MODELS["fda"].make()).pencil.constraint_matrix
    errors = {}
    for key in ("dpsr", "dpsr_corrected"):
        W = solve(data, "fda", key, n_components=data.d, epsilon=4.0).components
        U, S, _ = np.linalg.svd(W)
        errors[key] = np.abs(1 / S**2 - 0.01 - np.diag(U.T @ B @ U)).max()
    assert errors["dpsr"] < 1e-10
    assert errors["dpsr_corrected"] > 1e-3


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_ridge_must_be_positive(variant: str) -> None:
    with pytest.raises(ParameterError, match="xi"):
        solve(rows(), "fda", "dpsr_corrected", xi=0.0, variant=variant)


def test_whitening_after_the_noise_never_adds_more_than_before() -> None:
    """Per entry 1/√((ξ+λ_i)(ξ+λ_j)) against 1/(ξ + min λ): the noise that reaches the gradient of drop_in is larger."""
    facts = {v: solve(rows(), "fda", "dpsr_corrected", variant=v).facts for v in VARIANTS}
    assert 2 * facts["whiten_after"]["sigma_A"] / 0.01 < facts["drop_in"]["sigma_2"] * math.sqrt(2)
