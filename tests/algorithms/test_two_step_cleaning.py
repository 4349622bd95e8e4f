"""Post-processing of the two steps: each part is free, apart, does what it says, and the ridge follows the noise."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpgep_core.algorithms.ssp import SufficientStatistics
from dpgep_core.datasets import resolve_dataset
from dpgep_core.evaluate.diagnostic import diagnose
from dpgep_core.evaluate.reference import Reference
from dpgep_core.models.moments import Moments
from dpgep_core.release import CLEANING, POSTPROCESSING, Release, Setting
from dpgep_core.reuse import keeping_one, release_of
from dpgep_core.solve import plan, run

SWITCHED = {"clean_eigenvalues": False, "shrink_counts": False, "shrink_means": True}
WINE = resolve_dataset("wine")


def setting_of(**params: Any) -> Setting:
    changed = {name: params.pop(name) for name in ("model", "epsilon", "noise", "n_components") if name in params}
    return Setting(split_seed=0, params=tuple(sorted({"steps": 2, **params}.items())), **changed)


def released(**params: Any) -> tuple[Release, Moments]:
    release = run(plan(WINE, setting_of(**params)))
    assert release.moments is not None
    return release, release.moments


def test_every_switch_is_free() -> None:
    assert set(SWITCHED) == set(CLEANING) <= set(POSTPROCESSING)


@pytest.mark.parametrize("model", ["fda", "cca"])
@pytest.mark.parametrize(("name", "value"), SWITCHED.items())
def test_a_switch_spends_nothing_and_gives_what_a_new_run_gives(model: str, name: str, value: bool) -> None:
    once = keeping_one()
    first = release_of(WINE, setting_of(model=model), once)
    changed = setting_of(model=model, **{name: value})
    reworked, anew = release_of(WINE, changed, once), run(plan(WINE, changed))
    assert reworked.ledger is first.ledger
    assert reworked.answers is first.answers
    assert all(np.array_equal(one, other) for one, other in zip(reworked.answers, anew.answers, strict=True))
    assert reworked.facts == pytest.approx(anew.facts)
    assert np.allclose(reworked.components, anew.components)


def test_each_switch_changes_its_own_part_and_no_other() -> None:
    usual = released(epsilon=0.3)[1]
    found = {name: released(epsilon=0.3, **{name: value})[1] for name, value in SWITCHED.items()}

    def same(part: str) -> set[str]:
        return {name for name, moments in found.items() if np.allclose(getattr(moments, part), getattr(usual, part))}

    assert same("counts") == {"clean_eigenvalues", "shrink_means"}
    assert same("class_means") == {"clean_eigenvalues"}  # counts divide the sums, so means follow them
    assert same("within") == {"shrink_counts", "shrink_means"}


def test_eigenvalues_that_are_not_cleaned_are_those_that_were_released() -> None:
    made = plan(WINE, setting_of(epsilon=1.0, clean_eigenvalues=False))
    release = run(made)
    assert release.moments is not None
    assert isinstance(made.method, SufficientStatistics)
    scatter = made.method.in_steps(made.public, made.grant).scatter(release.answers)
    assert np.allclose(release.moments.within, scatter, atol=1e-12)
    assert np.linalg.eigvalsh(scatter).min() < 0  # the noise is there
    assert np.linalg.eigvalsh(released(epsilon=1.0)[1].within).min() > -1e-12


def test_shrunk_means_lie_nearer_together() -> None:
    def spread(moments: Moments) -> float:
        means = moments.class_means
        return float(np.linalg.norm(means - means.mean(axis=1, keepdims=True)))

    assert spread(released(epsilon=0.3, shrink_means=True)[1]) < 0.9 * spread(released(epsilon=0.3)[1])


@pytest.mark.parametrize(("counts", "empty"), [(True, 0), (False, 2)])
def test_without_shrinking_a_class_below_the_noise_is_empty(counts: bool, empty: int) -> None:
    """Its released mean is zero, and nothing is divided by its count."""
    bound = plan(WINE, setting_of(epsilon=1.0, shrink_counts=counts))
    release, method = run(bound), bound.method
    assert isinstance(method, SufficientStatistics)
    rare = release.answers[0].copy(), release.answers[1].copy()
    d, b, w = bound.public.d, 0.25, 0.5
    rare[0][-1] = b * np.array([140.0, 1.0, 1.0])
    rare[1][[d, d + 1, d + 2], [d, d + 1, d + 2]] = w * np.array([140.0, 1.0, 1.0])
    moments = method.tidied(rare, bound.public, bound.grant).moments
    gone = moments.counts == 0
    assert gone.sum() == empty
    assert np.isfinite(moments.sums).all()
    assert not moments.sums[:, gone].any()
    assert moments.counts.sum() == pytest.approx(moments.n)


def test_the_ridge_by_the_noise_carries_the_length_of_the_rows() -> None:
    """ξ = 0: 0.4 of the edge ρ²s√(2d)/n, and ρ² is that of the released centres."""
    made = plan(WINE, setting_of(epsilon=1.0, xi=0.0))
    assert isinstance(made.method, SufficientStatistics)
    release, two = run(made), made.method.in_steps(made.public, made.grant)
    square = two.centres(release.answers[0]).distance ** 2
    edge = square * release.ledger.entries[1].sigma * math.sqrt(2 * made.public.d) / made.public.n
    assert 0.02 <= square < 0.9
    assert release.facts["xi_effective"] == pytest.approx(0.4 * edge)
    assert release.facts["xi_effective"] < made.facts["xi_effective"]  # what is known before is a bound from above


@pytest.mark.parametrize(("xi", "effective"), [(5.0, 5.0), (1e-9, None)])
def test_a_ridge_that_is_asked_for_is_kept_where_it_is_above_the_noise(xi: float, effective: float | None) -> None:
    by_noise = released(xi=0.0)[0].facts["xi_effective"]
    assert released(xi=xi)[0].facts["xi_effective"] == pytest.approx(effective or by_noise)


@pytest.mark.parametrize("model", ["fda", "cca", "sir"])
def test_no_ridge_asked_for_is_compared_at_the_one_that_was_used(model: str) -> None:
    """The exact B of digits is singular, so there is no exact answer at ξ = 0."""
    digits = resolve_dataset("digits")
    setting = setting_of(model=model, epsilon=4.0, xi=0.0)
    release = run(plan(digits, setting))
    reference = Reference.of(digits, setting)
    found = diagnose(reference, release, ("lda",))
    at_used = reference.exact(release.public.k, release.facts["xi_effective"])
    assert np.array_equal(found.reference, at_used)
    one = run(plan(digits, replace(setting, params=(("steps", 1), ("xi", 0.0)))))
    assert np.isfinite(diagnose(reference, one, ()).mean_cosine_similarity)


def test_one_step_is_compared_at_the_ridge_that_was_asked_for() -> None:
    release = run(plan(WINE, replace(setting_of(epsilon=0.5), params=(("steps", 1), ("xi", 0.01)))))
    assert release.facts["xi_effective"] > release.facts["xi_compared"] == 0.01
