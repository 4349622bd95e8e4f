"""Classifiers from moments are those that scikit-learn trains on the rows, and read nothing else."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline

from dpgep_core import DataError, UnknownNameError, load_dataset
from dpgep_core.datasets import Preprocessing
from dpgep_core.evaluate.private_rules import PRIVATE_RULES, private_rule, probabilities
from dpgep_core.models.moments import Moments, moments_of

AS_THEY_ARE = Preprocessing(rows="clip", radius=1.0)
XI = 0.01


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray, Moments]:
    data = load_dataset("digits")
    assert data.y is not None
    X = data.preprocessing.apply(data.X)[:, 10:40]
    return X, data.y, moments_of(X, data.y, 10, AS_THEY_ARE)


def test_least_squares_is_ridge_on_class_indicators(rows: tuple[np.ndarray, np.ndarray, Moments]) -> None:
    X, y, moments = rows
    rule = private_rule("ridge", moments, np.eye(30)[:, :5], XI)
    trained = Ridge(alpha=XI * len(X)).fit(X, np.eye(10)[y])
    assert np.allclose(rule.scores(X), trained.predict(X), atol=1e-8)


def test_principal_component_regression(rows: tuple[np.ndarray, np.ndarray, Moments]) -> None:
    X, y, moments = rows
    rule = private_rule("pca_regression", moments, np.eye(30)[:, :5], 1e-9)
    trained = make_pipeline(PCA(5), LinearRegression()).fit(X, np.eye(10)[y])
    assert np.allclose(rule.scores(X), trained.predict(X), atol=1e-6)


@pytest.mark.filterwarnings("ignore:self.within_class_std_dev_")
def test_nearest_class_mean(rows: tuple[np.ndarray, np.ndarray, Moments]) -> None:
    X, y, moments = rows
    found = private_rule("nearest_centroid", moments, np.eye(30)[:, :5], XI).predict(X)
    assert np.array_equal(found, NearestCentroid().fit(X, y).predict(X))


def test_discriminant_analysis_with_priors_and_probabilities(rows: tuple[np.ndarray, np.ndarray, Moments]) -> None:
    X, y, moments = rows
    few = np.flatnonzero((y < 3) | (np.arange(len(y)) % 4 == 0))  # unequal classes: priors matter
    moments = moments_of(X[few], y[few], 10, AS_THEY_ARE)
    trained = LinearDiscriminantAnalysis(solver="lsqr").fit(X[few], y[few])
    for kind in ("lda", "lda_projected"):
        rule = private_rule(kind, moments, np.eye(30), 1e-12)
        assert np.array_equal(rule.predict(X), trained.predict(X))
        assert np.allclose(probabilities(rule.scores(X)), trained.predict_proba(X), atol=1e-3)


def test_a_class_without_rows_is_never_chosen(rows: tuple[np.ndarray, np.ndarray, Moments]) -> None:
    X, y, _ = rows
    kept = y != 4
    moments = moments_of(X[kept], y[kept], 10, AS_THEY_ARE)
    for kind in PRIVATE_RULES:
        assert 4 not in private_rule(kind, moments, np.eye(30)[:, :5], XI).predict(X), kind


def test_without_class_sums_there_is_no_classifier(rows: tuple[np.ndarray, np.ndarray, Moments]) -> None:
    alone = moments_of(rows[0], None, 0, AS_THEY_ARE)
    with pytest.raises(DataError, match="no class sums"):
        private_rule("lda", alone, np.eye(30)[:, :5], XI)
    with pytest.raises(UnknownNameError, match="classifier must be one of lda"):
        private_rule("svm", rows[2], np.eye(30)[:, :5], XI)
