"""The two answers of two steps in whole steps: as large, to rounding, as those of fractions, and no more sensitive."""

from dataclasses import replace

import numpy as np
import pytest
from test_centred_queries import (
    RELATIONS,
    D,
    K,
    N,
    centres_at_random,
    neighbours,
    problem_of,
    public_of,
    rows_at_random,
    whitening_at_random,
)

from dpgep_core.models import Pca
from dpgep_core.models.centred_queries import centred_gram, class_sums
from dpgep_core.models.centring import Centring
from dpgep_core.models.problem import Problem
from dpgep_core.privacy import Curator, Grant, discrete
from dpgep_core.privacy.discrete import entries_variation, total_variation
from dpgep_core.privacy.query import Array, Integers, Query
from dpgep_core.privacy.randomness import Independent, Isotropic


def whole(query: Query[Problem], problem: Problem) -> Integers:
    assert query.integers is not None
    return query.integers.evaluate(problem)


def change(query: Query[Problem], one: Problem, other: Problem) -> float:
    """In units of 1: the differences are whole numbers, so nothing is rounded before the norm."""
    assert query.integers is not None
    return float(np.linalg.norm((whole(query, one) - whole(query, other)).astype(float))) / query.integers.steps


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("radius", [0.0, 0.3])
def test_no_neighbour_moves_whole_answers_further_than_stated(relation: str, radius: float) -> None:
    rng, public = np.random.default_rng(0), public_of(relation)
    for _ in range(200):
        X, y = rows_at_random(rng, N), rng.integers(K, size=N)
        pair = neighbours(X, y, rows_at_random(rng, 1)[0], int(rng.integers(K)), relation)
        positive = neighbours(abs(X), y, abs(rows_at_random(rng, 1)[0]), int(rng.integers(K)), relation)
        weight = float(rng.choice([0.0, 0.5, 1.0]))
        about = Centring(centres_at_random(rng, X), radius, whitening_at_random(rng))
        gram = centred_gram(about, weight, public)
        for query, data in (
            (gram, pair),
            (class_sums(0.25, public), pair),
            (class_sums(0.25, public, non_negative=True), positive),
        ):
            assert change(query, *data) <= query.sensitivity * (1 + 1e-15)


@pytest.mark.parametrize("same_class", [True, False])
def test_the_bounds_are_reached_in_whole_steps_too(same_class: bool) -> None:
    first, label = np.vstack([np.eye(D)[0], np.zeros((N - 1, D))]), 0 if same_class else 1
    sums = class_sums(0.25, public_of("replace_one"), non_negative=not same_class)
    row = -np.eye(D)[0] if same_class else np.eye(D)[1]
    assert change(sums, *neighbours(first, np.zeros(N), row, label, "replace_one")) == sums.sensitivity
    gram = centred_gram(Centring(np.zeros((D, K))), 0.25, public_of("replace_one"))
    v = np.eye(D)[1] if not same_class else -0.25 * np.eye(D)[0] + np.sqrt(1 - 0.25**2) * np.eye(D)[1]
    found = change(gram, *neighbours(first, np.zeros(N), v, label, "replace_one"))
    assert gram.sensitivity * (1 - 1e-5) < found <= gram.sensitivity


def test_whole_answers_are_those_of_fractions_to_rounding_and_no_order_changes_a_bit() -> None:
    rng, public = np.random.default_rng(1), public_of("replace_one")
    X, y = rows_at_random(rng, 400), rng.integers(K, size=400)
    problem, turned = problem_of(X, y), problem_of(X[::-1].copy(), y[::-1].copy())
    about = Centring(0.1 * rng.standard_normal((D, K)))
    white = replace(about, whitening=rng.standard_normal((D, D)))
    for query in (class_sums(0.25, public), centred_gram(about, 0.5, public), centred_gram(white, 0.0, public)):
        assert query.integers is not None
        numbers = whole(query, problem)
        assert numbers.dtype == np.int64
        assert np.array_equal(numbers, whole(query, turned))
        assert np.allclose(query.integers.decode(numbers), query.evaluate(problem), atol=400 * 2.0**-17)


def test_without_classes_there_is_one_sum_and_no_weight() -> None:
    public = public_of("replace_one", Pca())
    problem = problem_of(rows_at_random(np.random.default_rng(2), N), np.arange(N) % K, model=Pca())
    gram = centred_gram(Centring(np.zeros((D, 1)), 1.0), 0.0, public)
    assert gram.integers is not None
    assert whole(class_sums(0.0, public), problem).shape == (D + 1, 1)
    assert np.allclose(gram.integers.decode(whole(gram, problem)), gram.evaluate(problem), atol=N * 2.0**-17)


def exactly(query: Query[Problem], law: Independent | Isotropic) -> Array:
    problem = problem_of(np.eye(N, D), np.arange(N) % K)
    curator = Curator(problem, Grant(enforced=False), seed=None, exact=True)
    return curator.ask(query, sigma=2.0, law=law)


def test_discrete_noise_has_the_scale_that_was_paid_for() -> None:
    public = public_of("replace_one")
    sums, gram = class_sums(0.25, public), centred_gram(Centring(np.zeros((D, K))), 0.5, public)
    exact = sums.evaluate(problem_of(np.eye(N, D), np.arange(N) % K))
    noise = np.concatenate([(exactly(sums, Independent()) - exact).ravel() for _ in range(60)])
    assert abs(noise.std() / 2.0 - 1) < 5 / np.sqrt(2 * noise.size)
    with pytest.raises(TypeError, match="Isotropic"):
        exactly(sums, Isotropic())
    drawn = exactly(gram, Isotropic())
    assert np.array_equal(drawn, drawn.T)
    assert sums.integers is not None
    assert gram.integers is not None
    assert sums.integers.distance(2.0) == entries_variation((D + 1) * K, 2.0 * sums.integers.steps)
    assert gram.integers.distance(2.0) == total_variation(D + K, 2.0 * gram.integers.steps)
    with pytest.raises(ValueError, match="from 8 to"):
        discrete.draw_entries((3,), 7.0)
