"""Every step changes by no more than its stated sensitivity, whatever the centres, and the bounds are reached."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dpgep_core.datasets import Preprocessing
from dpgep_core.models import Fda, Pca
from dpgep_core.models.centred_queries import centred_gram, class_sums
from dpgep_core.models.centring import Centring
from dpgep_core.models.problem import Problem, Sample
from dpgep_core.models.public import PublicFacts
from dpgep_core.privacy import Curator, Grant
from dpgep_core.privacy.calibration import exact
from dpgep_core.privacy.query import Array, Query
from dpgep_core.privacy.randomness import Isotropic

RELATIONS = ("replace_one", "add_remove")
D, K, N = 4, 3, 6
ROUNDING = 1e-9


def problem_of(X: Array, y: NDArray[Any], *, model: Fda | Pca | None = None) -> Problem:
    codes = y.astype(np.intp)
    return Problem(Sample(X, codes, K, Preprocessing(rows="clip")), model or Fda(), declared_n=N)


def public_of(relation: str, model: Fda | Pca | None = None) -> PublicFacts:
    return problem_of(np.zeros((N, D)), np.zeros(N), model=model).public(k=1, relation=relation, seed=0)


def change(query: Query[Problem], one: Problem, other: Problem) -> float:
    return float(np.linalg.norm(query.evaluate(one) - query.evaluate(other)))


def neighbours(X: Array, y: NDArray[Any], row: Array, label: int, relation: str) -> tuple[Problem, Problem]:
    """Data sets that differ in their first record: replaced by another, or taken away."""
    if relation == "add_remove":
        return problem_of(X, y), problem_of(X[1:], y[1:])
    Z, labels = X.copy(), y.copy()
    Z[0], labels[0] = row, label
    return problem_of(X, y), problem_of(Z, labels)


def rows_at_random(rng: np.random.Generator, count: int) -> Array:
    rows = rng.standard_normal((count, D)) * rng.choice([0.0, 1e-13, 1e-3, 1.0, 9.0], (count, 1))
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1.0)


def centres_at_random(rng: np.random.Generator, X: Array) -> Array:
    """Centres inside, far outside, on a row, and a hair beside one."""
    kind = rng.integers(4)
    if kind < 2:
        return rng.standard_normal((D, K)) * (0.5, 1e6)[kind]
    return np.repeat(X[:1].T, K, axis=1) + (0.0 if kind == 2 else 1e-9 * rng.standard_normal((D, K)))


def whitening_at_random(rng: np.random.Generator) -> Array | None:
    """None, well-conditioned, of very different stretches, of rank one, and zero: whatever somebody may have chosen."""
    kind = rng.integers(5)
    stretches = ([1.0] * D, [1.0] * D, [1e6, 1.0, 1e-3, 1e-6], [7.0, 0, 0, 0], [0.0] * D)[kind]
    return rng.standard_normal((D, D)) @ np.diag(stretches) if kind else None


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("radius", [0.0, 0.3, 2.0])
def test_no_neighbour_moves_the_centred_gram_further_than_stated(relation: str, radius: float) -> None:
    rng, public = np.random.default_rng(0), public_of(relation)
    for _ in range(600):
        X, y = rows_at_random(rng, N), rng.integers(K, size=N)
        weight = float(rng.choice([0.0, 0.1, 0.5, 1.0, 2.0]))
        about = Centring(centres_at_random(rng, X), radius, whitening_at_random(rng))
        query = centred_gram(about, weight, public)
        pair = neighbours(X, y, rows_at_random(rng, 1)[0], int(rng.integers(K)), relation)
        assert change(query, *pair) <= query.sensitivity * (1 + ROUNDING)


@pytest.mark.parametrize("relation", RELATIONS)
def test_no_neighbour_moves_the_class_sums_further_than_stated(relation: str) -> None:
    rng, public = np.random.default_rng(1), public_of(relation)
    for _ in range(400):
        X, y, b = rows_at_random(rng, N), rng.integers(K, size=N), float(rng.choice([0.0, 0.25, 1.0, 3.0]))
        pair = neighbours(X, y, rows_at_random(rng, 1)[0], int(rng.integers(K)), relation)
        query = class_sums(b, public)
        assert change(query, *pair) <= query.sensitivity * (1 + ROUNDING)
        positive = neighbours(abs(X), y, abs(rows_at_random(rng, 1)[0]), int(rng.integers(K)), relation)
        tighter = class_sums(b, public, non_negative=True)
        assert change(tighter, *positive) <= tighter.sensitivity * (1 + ROUNDING)


def first_row(row: Array) -> Array:
    return np.vstack([row, np.zeros((N - 1, D))])


@pytest.mark.parametrize("weight", [0.25, 0.5, 1.0])
@pytest.mark.parametrize("same_class", [True, False])
def test_extremal_rows_reach_the_bound_of_the_centred_gram(weight: float, same_class: bool) -> None:
    """About u·u' = −w² in one class, and about orthogonal u in two, the centres being anywhere."""
    centres = np.random.default_rng(2).standard_normal((D, K)) * 0.1
    cosine = -weight if same_class else 0.0
    u, v = np.eye(D)[0], cosine * np.eye(D)[0] + math.sqrt(1 - cosine**2) * np.eye(D)[1]
    label = 0 if same_class else 1
    pair = neighbours(
        first_row(centres[:, 0] + 0.3 * u), np.zeros(N), centres[:, label] + 0.3 * v, label, "replace_one"
    )
    query = centred_gram(Centring(centres), weight, public_of("replace_one"))
    assert change(query, *pair) == pytest.approx(query.sensitivity, rel=1e-9)


@pytest.mark.parametrize(("b", "row", "label"), [(0.25, -np.eye(D)[0], 0), (2.0, np.eye(D)[1], 1)])
def test_extremal_rows_reach_the_bound_of_the_class_sums(b: float, row: Array, label: int) -> None:
    pair = neighbours(first_row(np.eye(D)[0]), np.zeros(N), row, label, "replace_one")
    query = class_sums(b, public_of("replace_one"))
    assert change(query, *pair) == pytest.approx(query.sensitivity, rel=1e-12)


def test_the_tighter_bound_of_non_negative_rows_is_broken_by_signed_rows() -> None:
    pair = neighbours(first_row(np.eye(D)[0]), np.zeros(N), -np.eye(D)[0], 0, "replace_one")
    query = class_sums(0.25, public_of("replace_one"), non_negative=True)
    assert change(query, *pair) > query.sensitivity * 1.3


def test_the_search_notices_centres_that_follow_the_rows() -> None:
    """A centre that is computed without noise moves every row of its class: the stated bound then fails."""
    public = public_of("replace_one")
    X = np.vstack([np.eye(D)[0], *([1e-3 * np.eye(D)[1]] * (N - 1))])
    one, other = neighbours(X, np.zeros(N), -np.eye(D)[0], 0, "replace_one")

    def leaking(problem: Problem) -> Array:
        return centred_gram(Centring(problem.moments.class_means), 0.5, public).evaluate(problem)

    stated = centred_gram(Centring(np.zeros((D, K))), 0.5, public).sensitivity
    assert np.linalg.norm(leaking(one) - leaking(other)) > stated


def test_the_search_notices_a_whitening_that_follows_the_rows() -> None:
    """One row that stretches the exact scatter turns every whitened row: the stated bound then fails."""
    public = public_of("replace_one")
    rng = np.random.default_rng(7)
    X, y = 0.01 * rng.standard_normal((N, D)), np.zeros(N)
    one, other = neighbours(X, y, np.eye(D)[0], 0, "replace_one")

    def leaking(problem: Problem) -> Array:
        whitening = np.linalg.inv(np.linalg.cholesky(problem.moments.within + 1e-6 * np.eye(D))).T
        about = Centring(np.zeros((D, K)), whitening=whitening)
        return centred_gram(about, 0.0, public).evaluate(problem)

    stated = centred_gram(Centring(np.zeros((D, K)), whitening=np.eye(D)), 0.0, public).sensitivity
    assert np.linalg.norm(leaking(one) - leaking(other)) > stated


def test_models_without_classes_have_one_centre_and_one_sum() -> None:
    public = public_of("replace_one", Pca())
    X, y = rows_at_random(np.random.default_rng(3), N), np.arange(N) % K
    problem = problem_of(X, y, model=Pca())
    sums = class_sums(0.25, public).evaluate(problem)
    assert np.allclose(sums[:, 0], [*X.sum(axis=0), 0.25 * N])
    assert class_sums(9.0, public).sensitivity == 2.0  # no other class to go to: the count cannot change
    gram = centred_gram(Centring(np.zeros((D, 1)), 1.0), 0.5, public).evaluate(problem)
    assert np.allclose(gram[:D, :D], X.T @ X)


def test_a_pretended_size_keeps_the_averages() -> None:
    X, y = rows_at_random(np.random.default_rng(4), N), np.arange(N) % K
    problem, centres = problem_of(X, y), np.full((D, K), 0.1)
    larger = replace(problem, as_if=3.0)
    public = public_of("replace_one")
    for query in (class_sums(0.25, public), centred_gram(Centring(centres), 0.5, public)):
        assert np.allclose(3 * query.evaluate(problem), query.evaluate(larger))


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
def test_two_entries_of_the_ledger_add_up_to_the_grant(relation: str, share: float) -> None:
    public, grant = public_of(relation), Grant(epsilon=1.0, delta=1e-5)
    curator = Curator(problem_of(np.eye(N, D), np.arange(N) % K), grant, seed=0)
    first = class_sums(0.25, public)
    sums = curator.ask(first, sigma=exact(first.sensitivity, grant, share=share))
    second = centred_gram(Centring(sums[:-1] / N), 0.5, public)
    curator.ask(second, sigma=exact(second.sensitivity, grant, share=1 - share), law=Isotropic())
    spent = [entry.sensitivity / entry.sigma for entry in curator.ledger]
    assert len(spent) == 2
    assert math.hypot(*spent) == pytest.approx(grant.mu, rel=1e-9)


@pytest.mark.parametrize("centres", [np.zeros((D, K + 1)), np.full((D, K), np.nan), np.full((D, K), np.inf)])
def test_unfit_centres_are_refused(centres: Array) -> None:
    with pytest.raises(ValueError, match="centres"):
        centred_gram(Centring(centres), 0.5, public_of("replace_one"))


@pytest.mark.parametrize("whitening", [np.eye(D + 1), np.full((D, D), np.nan)])
def test_an_unfit_whitening_is_refused(whitening: Array) -> None:
    with pytest.raises(ValueError, match="whitening"):
        Centring(np.zeros((D, K)), whitening=whitening)


def test_extremal_rows_reach_the_bound_of_whitened_rows() -> None:
    """Rows that are orthogonal once they are whitened, whatever lies between them before."""
    T = np.diag([1.0, 50.0, 3.0, 1.0])
    u, v = 0.9 * np.eye(D)[0] + 0.004 * np.eye(D)[1], 0.9 * np.eye(D)[0] - 0.081 * np.eye(D)[1]
    pair = neighbours(first_row(u), np.zeros(N), v, 0, "replace_one")
    query = centred_gram(Centring(np.zeros((D, K)), whitening=T), 0.0, public_of("replace_one"))
    assert query.sensitivity == math.sqrt(2)
    assert change(query, *pair) == pytest.approx(query.sensitivity, rel=1e-4)


def test_whitened_rows_are_the_same_bits_wherever_they_stand() -> None:
    """What a row becomes must not depend on how many others there are: a released sum in whole steps relies on it."""
    rng = np.random.default_rng(6)
    d, rows = 37, rng.standard_normal((300, 37)) / 9
    about = Centring(
        0.1 * rng.standard_normal((d, 2)), whitening=rng.standard_normal((d, d)) * 10.0 ** rng.uniform(-3, 3, d)
    )
    codes = rng.integers(2, size=300)
    whole = about.rows(rows, codes)
    for part in (np.arange(1), np.arange(7, 300), np.arange(299, -1, -2), rng.permutation(300)):
        assert (about.rows(rows[part], codes[part]) == whole[part]).all()
    plain = (rows - about.centres.T[codes]) @ about.whitening
    assert np.abs(whole - plain / np.linalg.norm(plain, axis=1, keepdims=True)).max() < 1e-4


@pytest.mark.parametrize("radius", [-1.0, math.nan, math.inf])
def test_an_unfit_radius_is_refused(radius: float) -> None:
    with pytest.raises(ValueError, match="radius"):
        centred_gram(Centring(np.zeros((D, K)), radius), 0.5, public_of("replace_one"))
