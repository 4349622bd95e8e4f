"""Estimators give what `solve` gives, say what no ε covers, and fit into scikit-learn's own machinery."""

import io
import warnings
from typing import Any

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from dpgep_core import DataError, Dataset, ParameterError, Preprocessing, UnknownNameError, load_dataset, solve
from dpgep_core.estimators import DPCCA, DPFDA, DPPCA, DPSIR, PrivacyLeakWarning
from dpgep_core.estimators.declared import sound_algorithms
from dpgep_core.estimators.leaks import TUNING
from dpgep_core.evaluate.private_rules import PRIVATE_RULES, private_rule

DIGITS = load_dataset("digits")
X, y = DIGITS.X, DIGITS.y
BOUNDS, CLASSES = (0, 16), range(10)
PREPARED = Preprocessing(lower=0.0, upper=16.0)
RESPONSE = X[:, 20].astype(float)


def fda(**changes: Any) -> DPFDA:
    return DPFDA(**{"bounds": BOUNDS, "classes": CLASSES, "random_state": 3, **changes})


def same_rows(**declared: Any) -> Dataset:
    return Dataset("same rows", "", X, preprocessing=PREPARED, **declared)


LABELLED = {"y": y, "classes": tuple(map(str, CLASSES))}
TWINS = {
    "pca": (DPPCA(bounds=BOUNDS, random_state=3), {}),
    "cca": (DPCCA(bounds=BOUNDS, random_state=3), {}),
    "fda": (fda(), LABELLED),
    "sir": (DPSIR(bounds=BOUNDS, classes=CLASSES, random_state=3), LABELLED),
}


@pytest.mark.parametrize(("model", "algorithm"), [(m, a) for m in TWINS for a in sound_algorithms(m)])
def test_equal_to_solve_to_the_last_bit(model: str, algorithm: str) -> None:
    estimator, declared = TWINS[model]
    fitted = clone(estimator).set_params(algorithm=algorithm, epsilon=2.0, n_components=2).fit(X, y)
    other = solve(same_rows(**declared), model, algorithm, epsilon=2.0, n_components=2, seed=3, test_size=0)
    assert np.array_equal(fitted.components_, other.components.T)
    assert fitted.ledger_ == other.ledger
    assert (fitted.epsilon_, fitted.delta_) == (other.accounted.epsilon, other.accounted.delta)
    assert fitted.claimed_epsilon_ == 2.0
    assert np.array_equal(fitted.transform(X), PREPARED.apply(X) @ other.components)


def test_parameters_of_the_model_and_the_algorithm_arrive() -> None:
    fitted = DPPCA(algorithm="dprf", params={"n_iterations": 3}, centred=False, bounds=BOUNDS, random_state=0).fit(X)
    other = solve(same_rows(), "pca", "dprf", n_iterations=3, centred=False, seed=0, test_size=0)
    assert np.array_equal(fitted.components_, other.components.T)
    assert fitted.ledger_.entries[0].count == 3


def test_views_are_prepared_apart_when_transformed() -> None:
    fitted = DPCCA(bounds=BOUNDS, params={"norm": "separate"}, view_columns=32, random_state=0).fit(X)
    rows = fitted.preprocessing_.apply(X)
    assert np.allclose((rows[:, :32] ** 2).sum(axis=1), 0.5)
    assert np.array_equal(fitted.transform(X), rows @ fitted.components_.T)


def test_a_response_is_cut_at_public_edges() -> None:
    fitted = DPSIR(bounds=BOUNDS, edges=[4, 8, 12], random_state=1).fit(X, RESPONSE)
    other = solve(same_rows(response=RESPONSE, edges=(4, 8, 12)), "sir", seed=1, test_size=0)
    assert np.array_equal(fitted.components_, other.components.T)
    assert len(fitted.classes_) == 4


def test_the_system_draws_the_noise_where_no_seed_is_given() -> None:
    one, two = (DPPCA(bounds=BOUNDS).fit(X) for _ in range(2))
    assert not np.array_equal(one.components_, two.components_)
    assert one.leaks_ == ()
    assert "random_state" in DPPCA(random_state=0).fit(X).leaks_[0]


class TestPrivateClassifier:
    def test_its_answers_are_a_function_of_the_release(self) -> None:
        fitted = fda(epsilon=4.0).fit(X, y)
        moments = fitted.release_.moments
        assert moments is not None
        xi = fitted.release_.facts["xi_effective"]
        rule = private_rule("lda_projected", moments, fitted.release_.components, xi)
        assert np.array_equal(fitted.predict(X), rule.predict(PREPARED.apply(X)))
        assert len(fitted.ledger_) == 2  # class sums, then the rows about their noisy centres
        assert fitted.score(X, y) > 0.85
        chances = fitted.predict_proba(X)
        assert chances.shape == (len(X), 10)
        assert np.allclose(chances.sum(axis=1), 1)
        assert np.array_equal(chances.argmax(axis=1), fitted.predict(X))

    @pytest.mark.parametrize("kind", PRIVATE_RULES)
    def test_every_kind_classifies(self, kind: str) -> None:
        fitted = fda(classifier=kind, epsilon=4.0).fit(X, y)
        assert fitted.score(X, y) > 0.8
        assert hasattr(fitted, "predict_proba") is PRIVATE_RULES[kind].probabilistic

    def test_a_declared_class_without_rows_gets_no_prediction(self) -> None:
        fitted = fda(classes=range(11), epsilon=4.0).fit(X, y)
        assert fitted.predict_proba(X)[:, 10].max() == 0

    def test_labels_come_back_as_they_were(self) -> None:
        words = np.array(["even", "odd"])[y % 2]
        fitted = fda(classes=["odd", "even"], epsilon=4.0).fit(X, words)
        assert fitted.classes_.tolist() == ["even", "odd"]
        assert fitted.score(X, words) > 0.7

    def test_only_an_algorithm_that_releases_sums_gives_one(self) -> None:
        assert is_classifier(fda())
        assert not is_classifier(fda(algorithm="dprf"))
        assert not hasattr(fda(algorithm="dprf").fit(X, y), "predict")


class TestRefused:
    @pytest.mark.parametrize(
        ("changes", "error", "words"),
        [
            ({"epsilon": 0}, ParameterError, "epsilon must be a finite number > 0"),
            ({"delta": 1.0}, ParameterError, "delta must be"),
            ({"n_components": 65}, ParameterError, "at most the number of columns, 64"),
            ({"algorithm": "dpsr"}, ParameterError, "algorithm must be one of .*verdict on this one: false"),
            ({"algorithm": "exact"}, ParameterError, "algorithm must be one of .*ssp"),
            ({"bounds": 16}, ParameterError, "bounds must be None or a pair"),
            ({"bounds": (16, 0)}, ParameterError, "bounds: lower must be at most upper"),
            ({"bounds": ([0, 0], 16)}, ParameterError, "one for each of the 64 columns"),
            ({"norm": -1.0}, ParameterError, "norm must be a finite number > 0"),
            ({"classes": [0, 0]}, ParameterError, "classes must be a list of at least 2 labels, each once"),
            ({"random_state": -1}, ParameterError, "random_state must be a whole number"),
            ({"relation": "swap"}, UnknownNameError, "relation must be one of replace_one, add_remove"),
            ({"classifier": "svm"}, UnknownNameError, "classifier must be one of lda, "),
            ({"classifier": ["lda"]}, UnknownNameError, "classifier must be one of lda, "),
            ({"algorithm": ["ssp"]}, ParameterError, "algorithm must be one of .*ssp"),
            ({"classes": [1, None]}, ParameterError, "classes must be a list of labels of one type"),
            ({"params": [1]}, ParameterError, "params must be None or parameters of the algorithm by name"),
            ({"params": {1: 2, "xi": 3}}, ParameterError, "params must be None or parameters of the algorithm by name"),
            ({"params": {"n_iterations": 3}}, UnknownNameError, "parameter must be one of .*xi"),
            ({"params": {"xi": 1.0}, "xi": 1.0}, ParameterError, "params must be without"),
        ],
    )
    def test_parameter_value_and_what_is_allowed(self, changes: Any, error: type[Exception], words: str) -> None:
        with pytest.raises(error, match=words):
            fda(**changes).fit(X, y)

    def test_an_undeclared_label_is_not_shown(self) -> None:
        labels = y.copy()
        labels[17] = 4711
        with pytest.raises(DataError, match="none of the declared classes") as found:
            fda().fit(X, labels)
        assert "4711" not in str(found.value)
        assert "17" not in str(found.value)

    def test_a_response_without_edges(self) -> None:
        with pytest.raises(ParameterError, match="edges must be public cut points"):
            DPSIR().fit(X, RESPONSE + 0.5)

    def test_a_fit_that_fails_leaves_nothing_of_the_one_before(self) -> None:
        fitted = fda().fit(X, y)
        with pytest.raises(ParameterError):
            fitted.set_params(classes=["a", "b"], epsilon=-1).fit(X, np.array(["a", "b"])[y % 2])
        with pytest.raises(NotFittedError):
            fitted.predict(X)

    def test_nothing_is_transformed_before_a_fit(self) -> None:
        with pytest.raises(NotFittedError):
            fda().predict_proba(X)


class TestWarned:
    def test_of_n_where_rows_come_and_go(self) -> None:
        with pytest.warns(PrivacyLeakWarning, match="n, the number of rows"):
            DPPCA(relation="add_remove", bounds=BOUNDS).fit(X)
        assert DPPCA(relation="add_remove", declared_n=1800, bounds=BOUNDS).fit(X).leaks_ == ()

    def test_of_an_epsilon_that_the_ledger_does_not_prove(self) -> None:
        with pytest.warns(PrivacyLeakWarning, match="ledger proves"):
            fitted = DPPCA(algorithm="dprf", params={"calibration": "forgetful"}, random_state=0).fit(X)
        assert fitted.epsilon_ > fitted.claimed_epsilon_

    @pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
    def test_once_that_a_search_reads_the_rows(self, jobs: int) -> None:
        search = GridSearchCV(fda(), {"xi": [0.01, 0.1], "epsilon": [1.0, 4.0]}, cv=2, n_jobs=jobs)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            search.fit(X, y)
        told = [str(each.message) for each in caught if issubclass(each.category, PrivacyLeakWarning)]
        assert told == [TUNING]
        assert search.best_params_["epsilon"] == 4.0

    def test_of_a_search_over_a_pipeline(self) -> None:
        search = GridSearchCV(make_pipeline(fda(), LinearSVC()), {"dpfda__xi": [0.01, 0.1]}, cv=2)
        with pytest.warns(PrivacyLeakWarning, match="A search fits and scores"):
            search.fit(X, y)


class TestInPlace:
    def test_tables_in_and_out(self) -> None:
        names = [f"pixel {j}" for j in range(64)]
        plain = fda().fit(X, y)
        for table, output in (
            (pd.DataFrame(X, columns=names), "pandas"),
            (pl.DataFrame(X, schema=names), "polars"),
        ):
            fitted = fda().set_output(transform=output).fit(table, y)
            assert fitted.feature_names_in_.tolist() == names
            assert np.array_equal(fitted.components_, plain.components_)
            out = fitted.transform(table)
            assert isinstance(out, type(table))
            assert list(out.columns) == fitted.get_feature_names_out().tolist() == [f"dpfda{j}" for j in range(9)]
            assert np.array_equal(out.to_numpy(), plain.transform(X))

    def test_a_pickle_and_a_clone(self) -> None:
        fitted = fda().fit(X, y)
        file = io.BytesIO()
        joblib.dump(fitted, file)
        file.seek(0)
        again = joblib.load(file)
        assert np.array_equal(again.predict_proba(X), fitted.predict_proba(X))
        assert again.ledger_ == fitted.ledger_
        assert np.array_equal(clone(fitted).fit(X, y).components_, fitted.components_)

    def test_a_pickle_holds_no_rows(self) -> None:
        file = io.BytesIO()
        joblib.dump(DPPCA(n_components=2, random_state=0).fit(X[:, :6].repeat(50, axis=0)), file)
        assert len(file.getvalue()) < 20_000

    def test_metadata_is_routed_past_it(self) -> None:
        with sklearn.config_context(enable_metadata_routing=True):
            last = LinearSVC().set_fit_request(sample_weight=True)
            pipeline = make_pipeline(fda(), last).fit(X, y, sample_weight=np.ones(len(y)))
        assert pipeline.score(X, y) > 0.8


def test_a_release_by_products_projects_and_says_why_it_does_not_classify() -> None:
    fitted = fda(params={"memory": "products"}).fit(X, y)
    assert fitted.transform(X).shape == (len(X), 9)
    with pytest.raises(ParameterError, match=r'params must be {"memory": "whole"} to classify'):
        fitted.predict(X)
