"""Classifiers and scores, against scikit-learn."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import precision_recall_fscore_support
from sklearn.svm import SVC

from dpgep_core import evaluate, load_dataset, solve
from dpgep_core.evaluate import Reference, classify
from dpgep_core.evaluate.private_rules import released_lda
from dpgep_core.evaluate.reference import _released_rule
from dpgep_core.numerics import Spectrum
from dpgep_core.release import Setting


@pytest.mark.parametrize("K", [2, 5])
def test_scores_agree_with_scikit_learn(K: int) -> None:
    """A class that is never predicted, and one that never occurs, are among them."""
    rng = np.random.default_rng(K)
    truth, predicted = rng.integers(0, K, 300), rng.integers(0, max(K - 1, 1), 300)
    truth[truth == 0] = K - 1
    found = classify.score(predicted, truth, 7)
    precision, recall, f1, _ = precision_recall_fscore_support(truth, predicted, average="weighted", zero_division=0)
    assert (found.precision, found.recall, found.f1) == pytest.approx((precision, recall, f1))
    assert found.accuracy == pytest.approx((truth == predicted).mean())
    assert found.low <= found.accuracy <= found.high
    assert (found.n_train, found.n_test) == (7, 300)


@pytest.mark.parametrize("name", ["digits", "wine"])
def test_closed_form_lda_agrees_with_scikit_learn_on_the_projected_rows(name: str) -> None:
    data = load_dataset(name)
    reference = Reference.of(data, Setting())
    V = reference.exact(2, 0.01)
    train, test = (
        classify.project(X, reference.problem.preprocessing, V) for X in (reference.parts.X, reference.parts.X_test)
    )
    theirs = LinearDiscriminantAnalysis().fit(train, reference.parts.y).score(test, reference.parts.y_test)
    assert reference.score(V, "lda").accuracy == pytest.approx(theirs, abs=1.5 / len(test))


def test_lda_from_the_release_alone_approaches_the_trained_one_as_noise_vanishes() -> None:
    digits = load_dataset("digits")
    scores = evaluate(solve(digits, epsilon=1e6, xi=1e-6), digits, classifiers=("lda",)).accuracy["lda"]
    assert scores.all_private is not None
    assert scores.all_private.accuracy == pytest.approx(scores.private.accuracy, abs=0.01)


def test_lda_of_dense_components_is_that_of_the_released_scatter() -> None:
    """Their scatter is known without a spectrum, since they solve the released pencil; that of sparse ones is not."""
    wine = load_dataset("wine")
    for sparsity in (0, 3):
        release = solve(wine, epsilon=5.0, sparsity=sparsity, n_components=2)
        found, moments = _released_rule(release), release.moments
        assert found is not None
        assert moments is not None
        spectrum = Spectrum.of(moments.within)
        expected = released_lda(moments, spectrum, release.components, release.facts["xi_effective"])
        np.testing.assert_allclose(found.weights, expected.weights, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(found.offsets, expected.offsets, rtol=1e-9)


def test_lda_from_the_release_alone_reads_no_rows() -> None:
    """The rule is the same when the exact moments of the reference are replaced by nonsense."""
    digits = load_dataset("digits")
    release = solve(digits, epsilon=2.0)
    reference, spoilt = Reference.of(digits, release.setting), Reference.of(digits, release.setting)
    moments = reference.problem.moments
    object.__setattr__(spoilt.problem, "moments", replace(moments, sums=moments.sums[:, ::-1]))
    assert reference.instant_scores(release)[1] == spoilt.instant_scores(release)[1]
    assert reference.instant_scores(release)[0] != spoilt.instant_scores(release)[0]


@pytest.mark.parametrize(("name", "rows"), [("linear_svm", "digits"), ("rbf_svm", "digits"), ("random_forest", "wine")])
def test_trained_classifiers_repeat_and_beat_chance(name: str, rows: str) -> None:
    data = load_dataset(rows)
    release = solve(data, algorithm="exact")
    first, second = (evaluate(release, data, classifiers=(name,)).accuracy[name] for _ in range(2))
    assert first == second
    assert first.private.accuracy == first.non_private.accuracy > first.random.accuracy > 0.3
    assert first.private.n_train == release.public.n


def test_bounded_training_rows_are_said() -> None:
    digits = load_dataset("digits")
    scores = evaluate(solve(digits), digits, classifiers=("linear_svm",), most_rows=200).accuracy["linear_svm"]
    assert scores.private.n_train == 200


def test_majority_is_that_of_the_training_rows() -> None:
    assert classify.majority_accuracy(np.array([0, 1, 1]), np.array([1, 0, 0, 0])) == 0.25


@pytest.mark.parametrize(("hits", "trials"), [(0, 1), (1, 1), (0, 36), (36, 36), (7, 36), (35, 36), (59_999, 60_000)])
def test_the_interval_of_an_accuracy_is_that_of_wilson(hits, trials):
    expected = stats.binomtest(hits, trials).proportion_ci(0.95, method="wilson")
    assert classify.wilson_interval(hits, trials) == pytest.approx((expected.low, expected.high), rel=1e-13, abs=1e-16)


@pytest.mark.parametrize(("K", "spread"), [(2, 2.0), (3, 0.3), (7, 1.0)])
def test_labels_of_the_rbf_svm_are_those_that_libsvm_predicts(K: int, spread: float) -> None:
    """Decisions from matrix products: two classes, a few support vectors, many classes with many."""
    rng = np.random.default_rng(K)
    centres, (y, y_test) = rng.standard_normal((K, 4)), rng.integers(0, K, (2, 1500))
    X, X_test = (centres[labels] + spread * rng.standard_normal((1500, 4)) for labels in (y, y_test))
    fitted = classify.CLASSIFIERS["rbf_svm"].make(0).fit(X, y)
    plain = SVC.predict(fitted[-1], fitted[:-1].transform(X_test))
    assert np.array_equal(fitted.predict(X_test), plain)
    assert len(set(plain)) == K


def test_classifiers_of_one_release_share_its_projected_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    release = solve("wine", model="fda", algorithm="exact", n_components=2)
    reference, made = Reference.of(load_dataset("wine"), release.setting), list[int]()
    project = classify.project
    monkeypatch.setattr(classify, "project", lambda *parts: made.append(1) or project(*parts))
    for name in ("linear_svm", "rbf_svm"):
        reference.score(release.components, name)
    assert len(made) == 2  # fitted and held-out rows, once each
    other = reference.score(release.components[:, ::-1], "linear_svm")
    assert len(made) == 4
    assert other == reference.score(release.components[:, ::-1].copy(), "linear_svm")
