"""The third step of `ssp` is paid for, follows from what was released, and helps where columns differ much in scale."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from test_two_step import MODELS, RELATIONS, halved, planned
from test_two_step import setting_of as of_two

from dpgep_core.algorithms.ssp import SufficientStatistics
from dpgep_core.datasets import Dataset, Preprocessing, resolve_dataset
from dpgep_core.evaluate.measures import score_of
from dpgep_core.evaluate.threshold import reference_for
from dpgep_core.models.centred_queries import CENTRED_GRAM, CLASS_SUMS, WHITENED_GRAM
from dpgep_core.release import Setting
from dpgep_core.solve import plan, run
from dpgep_core.three_step import ThreeSteps
from dpgep_core.two_step import TwoSteps


def setting_of(model: str = "fda", **changes: Any) -> Setting:
    return of_two(model, params={"steps": 3, **changes.pop("params", {})}, **changes)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 8.0])
def test_three_answers_leave_and_spend_the_grant_exactly(model: str, relation: str, epsilon: float) -> None:
    declared = 178 if relation == "add_remove" else None
    made = planned(setting_of(model, relation=relation, epsilon=epsilon, declared_n=declared))
    release = run(made)
    assert [entry.query for entry in release.ledger] == [CLASS_SUMS, CENTRED_GRAM, WHITENED_GRAM]
    spent = math.hypot(*(entry.sensitivity / entry.sigma for entry in release.ledger))
    assert spent == pytest.approx(made.grant.mu, rel=1e-9)
    assert spent <= made.grant.mu
    assert release.accounted.epsilon == pytest.approx(epsilon, rel=1e-6)
    third = release.ledger.entries[2]
    assert (third.sensitivity / third.sigma / made.grant.mu) ** 2 == pytest.approx(0.4)
    assert third.sensitivity == pytest.approx(math.sqrt(2) if relation == "replace_one" else 1.0)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("epsilon", [1e-4, 0.05, 100.0])
def test_the_released_moments_are_plausible(model: str, epsilon: float) -> None:
    moments = run(planned(setting_of(model, epsilon=epsilon))).moments
    assert moments is not None
    assert (moments.counts > 0).all()
    assert np.linalg.eigvalsh(moments.covariance).min() > -1e-9
    assert np.linalg.eigvalsh(moments.within).min() > -1e-9


@pytest.mark.parametrize("which", [0, 1, 2])
def test_half_the_noise_in_any_step_is_refused(which: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = planned(setting_of())
    assert made.noise is not None
    honest = ThreeSteps(made.public, made.grant)
    steps, plan_of = (ThreeSteps, honest.plan) if which == 2 else (TwoSteps, honest.two.plan)
    monkeypatch.setattr(steps, "plan", property(lambda _: halved(plan_of, which)))
    with pytest.raises(PermissionError, match="noise plan"):
        run(made)


def test_the_whitening_follows_from_the_first_two_answers_alone() -> None:
    """Other rows with the same answers are whitened alike: what decides a question has left before it is asked."""
    made = planned(setting_of())
    release = run(made)
    assert release.answers is not None
    steps = SufficientStatistics(steps=3).in_steps(made.public, made.grant)
    assert isinstance(steps, ThreeSteps)
    about = steps.whitened(release.answers[:2]).about
    sample, problem = made.problem.sample, made.problem
    assert sample.y is not None
    u = about.rows(problem.preprocessing.apply(sample.X), sample.y)
    assert np.linalg.norm(u, axis=1).max() <= 1 + 1e-12
    d = made.public.d
    noise = release.answers[2][:d, :d] - u.T @ u
    expected = steps.plan[2].sigma * math.sqrt((d + d * (d - 1) / 2) / d**2)  # half the variance off the diagonal
    assert np.sqrt((noise**2).mean()) == pytest.approx(expected, rel=0.25)


@pytest.mark.parametrize("model", ["pca", "fda"])
def test_without_noise_the_scatter_is_that_of_the_rows_but_for_their_lengths(model: str) -> None:
    made = planned(setting_of(model, noise=False))
    released, exact = run(made).moments, made.problem.moments
    assert released is not None
    there, truth = (m.within if model == "fda" else m.covariance for m in (released, exact))
    values, vectors = np.linalg.eigh(truth)
    assert values[-1] > 20 * values[0]
    back = np.diag(vectors.T @ there @ vectors) / values
    assert 0.5 < back.min() < back.max() < 2  # no direction is lost


def scales(spread: float) -> Dataset:
    """Two classes that differ in a column of little spread, beside columns of much."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=12_000)
    X = rng.standard_normal((12_000, 12)) * np.geomspace(1, spread, 12)
    X[:, -1] += (2 * y - 1) * 0.5 * spread
    made = resolve_dataset("wine")
    return replace(
        made, name="scales", X=X[:9000], y=y[:9000], X_test=X[9000:], y_test=y[9000:], classes=("a", "b"),
        feature_names=tuple(f"x{i}" for i in range(12)), preprocessing=Preprocessing(), response=None, truth=None,
    )  # fmt: skip


def mean_accuracy(data: Dataset, steps: int) -> float:
    reference = reference_for(data, setting_of(epsilon=0.3), "accuracy")
    runs = (run(plan(data, setting_of(epsilon=0.3, seed=seed, params={"steps": steps}))) for seed in range(6))
    return float(np.mean([score_of("accuracy", reference, one) for one in runs]))


def test_three_steps_see_a_column_of_little_spread_that_two_do_not() -> None:
    data = scales(0.03)
    assert mean_accuracy(data, 3) > mean_accuracy(data, 2) + 0.02
