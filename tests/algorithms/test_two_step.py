"""The two-step release spends its grant exactly, is exact without noise, and beats one step where both are compared."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpgep_core.algorithms.ssp import SufficientStatistics
from dpgep_core.datasets import resolve_dataset
from dpgep_core.errors import ParameterError
from dpgep_core.evaluate.measures import score_of
from dpgep_core.evaluate.threshold import reference_for
from dpgep_core.models.centred_queries import CENTRED_GRAM, CLASS_SUMS
from dpgep_core.privacy import Grant, NoisePlan
from dpgep_core.privacy.query import Array
from dpgep_core.release import Setting
from dpgep_core.reuse import keeping_one, release_of
from dpgep_core.solve import Plan, plan, run
from dpgep_core.two_step import TwoSteps

MODELS = ("pca", "fda", "cca", "sir")
RELATIONS = ("replace_one", "add_remove")


def setting_of(model: str = "fda", **changes: Any) -> Setting:
    params = tuple(sorted({"steps": 2, **changes.pop("params", {})}.items()))
    return Setting(model=model, params=params, split_seed=0, **changes)


def planned(setting: Setting, name: str = "wine") -> Plan:
    return plan(resolve_dataset(name), setting)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 8.0])
def test_two_answers_leave_and_spend_the_grant_exactly(model: str, relation: str, epsilon: float) -> None:
    declared = 178 if relation == "add_remove" else None
    made = planned(setting_of(model, relation=relation, epsilon=epsilon, declared_n=declared))
    release = run(made)
    assert [entry.query for entry in release.ledger] == [CLASS_SUMS, CENTRED_GRAM]
    spent = math.hypot(*(entry.sensitivity / entry.sigma for entry in release.ledger))
    assert spent == pytest.approx(made.grant.mu, rel=1e-9)
    assert spent <= made.grant.mu
    assert release.accounted.epsilon == pytest.approx(epsilon, rel=1e-6)


@pytest.mark.parametrize("steps", [2, 3])
@pytest.mark.parametrize("model", MODELS)
def test_ridge_sparsity_and_k_stay_free(model: str, steps: int) -> None:
    data, once = resolve_dataset("wine"), keeping_one()
    first = release_of(data, setting_of(model, params={"steps": steps}), once)
    for params in ({"xi": 0.5}, {"sparsity": 3}, {"floor": False}):
        changed = setting_of(model, params={"steps": steps, **params}, n_components=1)
        reworked = release_of(data, changed, once)
        assert reworked.ledger is first.ledger
        assert np.allclose(reworked.components, run(plan(data, changed)).components)


@pytest.mark.parametrize("model", MODELS)
def test_the_released_moments_are_plausible(model: str) -> None:
    moments = run(planned(setting_of(model, epsilon=0.05))).moments
    assert moments is not None
    assert (moments.counts > 0).all()
    assert moments.counts.sum() == pytest.approx(moments.n)
    assert np.linalg.eigvalsh(moments.covariance).min() > -1e-9
    assert np.linalg.eigvalsh(moments.within).min() > -1e-9


def test_without_noise_means_and_counts_are_exact_and_unit_rows_make_the_scatter() -> None:
    made = planned(setting_of("fda", noise=False))
    released, exact = run(made).moments, made.problem.moments
    assert released is not None
    assert np.allclose(released.counts, exact.counts, rtol=1e-6)
    assert np.allclose(released.class_means, exact.class_means, atol=0.02)  # lengths are lost in the second step
    sample = made.problem.sample
    assert sample.y is not None
    about = made.problem.preprocessing.apply(sample.X) - exact.class_means.T[sample.y]
    square = (about**2).sum() / len(about)
    unit = about / np.linalg.norm(about, axis=1, keepdims=True)
    assert np.allclose(released.within, square * unit.T @ unit / len(unit), atol=1e-6)


def halved(made: NoisePlan, which: int) -> NoisePlan:
    return tuple(replace(answer, sigma=answer.sigma / 2) if i == which else answer for i, answer in enumerate(made))


@pytest.mark.parametrize("which", [0, 1])
def test_half_the_noise_in_either_step_is_refused(which: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = planned(setting_of())
    assert made.noise is not None
    honest = TwoSteps(made.public, made.grant).plan
    monkeypatch.setattr(TwoSteps, "plan", property(lambda _: halved(honest, which)))
    with pytest.raises(PermissionError, match="noise plan"):
        run(made)


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_split_depends_on_public_numbers_alone(share: float) -> None:
    public = planned(setting_of("pca" if share < 0.5 else "fda", epsilon=0.01)).public
    assert TwoSteps(public, Grant(epsilon=0.01, delta=1e-5)).share == share


def test_products_take_one_step_and_say_so() -> None:
    made = planned(setting_of("pca", params={"memory": "products"}))
    assert made.noise is not None
    assert len(made.noise) == 1
    assert made.facts["steps_used"] == run(made).facts["steps_used"] == 1
    assert planned(setting_of("pca")).facts["steps_used"] == 2


def test_two_steps_with_the_ridge_by_the_noise_are_the_default() -> None:
    method = SufficientStatistics()
    assert (method.steps, method.xi) == (2, 0.0)
    plain = plan(resolve_dataset("wine"), Setting(split_seed=0))
    assert plain.noise == planned(setting_of()).noise


@pytest.mark.parametrize("steps", [1, 2])
def test_by_the_noise_is_no_ridge_of_zero_with_the_floor_off(steps: int) -> None:
    edge, off = 0.2, SufficientStatistics(steps=steps, floor=False)
    assert off.ridge_facts(edge) == SufficientStatistics(steps=steps).ridge_facts(edge)
    assert replace(off, xi=0.001).ridge_facts(edge)["xi_effective"] == 0.001


@pytest.mark.parametrize("value", [0, 4, 1.5, True])
def test_other_numbers_of_steps_are_refused(value: Any) -> None:
    with pytest.raises(ParameterError, match="steps"):
        SufficientStatistics(steps=value)


def mean_over_seeds(model: str, steps: int, value: Callable[[Plan, Array], float]) -> float:
    plans = (planned(setting_of(model, seed=seed, params={"steps": steps}), "digits") for seed in range(8))
    return float(np.mean([value(made, run(made).components) for made in plans]))


def test_two_steps_classify_digits_better_than_one() -> None:
    reference = reference_for(resolve_dataset("digits"), setting_of(), "accuracy")

    def accuracy(made: Plan, _: Array) -> float:
        return score_of("accuracy", reference, run(made))

    assert mean_over_seeds("fda", 2, accuracy) > mean_over_seeds("fda", 1, accuracy) + 0.01


def test_two_steps_capture_more_variance_of_digits_than_one() -> None:
    def captured(made: Plan, components: Array) -> float:
        frame, covariance = np.linalg.qr(components)[0], made.problem.moments.covariance
        return float(np.trace(frame.T @ covariance @ frame) / np.trace(covariance))

    assert mean_over_seeds("pca", 2, captured) > mean_over_seeds("pca", 1, captured) + 0.03


@pytest.mark.parametrize("weight", [1e-300, 1e-160, 1e300])
@pytest.mark.parametrize("model", ["fda", "sir"])
def test_weights_far_from_one_are_no_overflow(model: str, weight: float) -> None:
    found = run(plan(resolve_dataset("wine"), Setting(model=model, seed=0, params=(("weight", weight),))))
    assert np.isfinite(found.components).all()


def test_a_weight_that_no_number_holds_is_refused() -> None:
    with pytest.raises(ParameterError, match="1e\\+300"):
        plan(resolve_dataset("wine"), Setting(model="fda", seed=0, params=(("weight", 1e308),)))
