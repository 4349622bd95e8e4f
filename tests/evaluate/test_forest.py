"""A random forest gives the same answer each time, however its threads take turns."""

import time

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from dpgep_core.evaluate.classify import CLASSIFIERS
from dpgep_core.evaluate.forest import OrderedForest


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    return rng.normal(size=(400, 3)).round(1), rng.integers(3, size=400)


def shares(forest, X):
    """Mean shares of the trees, added up in their order."""
    total = np.zeros((len(X), 3))
    for tree in forest.estimators_:
        total += tree.predict_proba(X.astype(np.float32))
    return total / len(forest.estimators_)


def fitted(kind, rows):
    """A forest whose trees all see every row, with shares in their leaves, and whose first tree takes its time."""
    forest = kind(30, max_depth=3, random_state=0, n_jobs=2).fit(*rows)
    first = forest.estimators_[0]
    quick = first.predict_proba

    def slow(X, check_input=True):
        time.sleep(0.05)
        return quick(X, check_input)

    first.predict_proba = slow
    return forest


def test_the_trees_vote_in_their_order(rows):
    forest = fitted(OrderedForest, rows)
    for _ in range(3):
        np.testing.assert_array_equal(forest.predict_proba(rows[0]), shares(forest, rows[0]))
    assert forest.n_jobs == 2  # threads fit the next one


def test_threads_would_change_the_last_digit(rows):
    """The test above finds what it looks for."""
    forest = fitted(RandomForestClassifier, rows)
    assert not np.array_equal(forest.predict_proba(rows[0]), shares(forest, rows[0]))


def test_the_classifier_of_all_pages_is_that_forest():
    assert isinstance(CLASSIFIERS["random_forest"].make(0), OrderedForest)
