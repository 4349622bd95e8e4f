"""Cost of a projection to a classifier. Everything here reads the rows and says so."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.dataset import prepared_blocks
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.datasets.sparse_rows import SparseRows, prepare_sparse
from dpgep_core.models.moments import Moments
from dpgep_core.numerics import unit_columns
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import permutation
from dpgep_core.typed_scipy import ndtri

ACCURACY_CONFIDENCE = 0.95
CLASSIFIER_SEED = 0  # one for all scores: they should not move while the noise does not
RULE_RIDGE = 1e-9  # ridge of exact rules, as a share of the spread of each projected column


@dataclass(frozen=True, slots=True)
class Score:
    """How a classifier did on held-out rows. Precision, recall and F1 are averaged over classes by their size.

    ``low`` and ``high`` are the 95 % Wilson interval of the accuracy over test rows, the trained classifier held fixed.
    """

    accuracy: float
    low: float
    high: float
    precision: float
    recall: float
    f1: float
    n_train: int
    n_test: int


@dataclass(frozen=True, slots=True)
class Classifier:
    """A classifier that is trained on projected rows. ``most_rows`` bounds the training rows, where time demands it."""

    title: str
    make: Callable[[int], Any]
    most_rows: int | None = None


CLASSIFIERS: Mapping[str, Classifier] = {
    "linear_svm": Classifier("Linear SVM", lambda seed: _linear_svm(seed)),
    "rbf_svm": Classifier("RBF SVM", lambda seed: _rbf_svm(seed), most_rows=10_000),
    "random_forest": Classifier("Random forest", lambda seed: _forest(seed), most_rows=20_000),
}
INSTANT = "lda"
CLASSIFIER_NAMES = (INSTANT, *CLASSIFIERS)


def project(X: NDArray[Any], preprocessing: Preprocessing, components: Array) -> Array:
    """(m, k) prepared rows on unit columns, streamed."""
    V = unit_columns(components)
    if isinstance(X, SparseRows):
        return prepare_sparse(X, preprocessing) @ V
    out = np.empty((X.shape[0], V.shape[1]))
    for where, block in prepared_blocks(X, preprocessing):
        out[where] = block @ V
    return out


def trained_score(
    name: str,
    train: tuple[Array, NDArray[np.intp]],
    test: tuple[Array, NDArray[np.intp]],
    most_rows: int | None = -1,
) -> Score:
    """Train a classifier of `CLASSIFIERS` on projected rows and score it on held-out ones.

    ``most_rows`` overrides the classifier's own bound; None trains on every row.
    """
    classifier = CLASSIFIERS[name]
    bound = classifier.most_rows if most_rows == -1 else most_rows
    rows, labels = train
    if bound is not None and bound < labels.size:
        chosen = permutation(CLASSIFIER_SEED, labels.size, "classifier", "rows")[:bound]
        rows, labels = rows[chosen], labels[chosen]
    if np.unique(labels).size < 2:
        predicted = np.full(test[1].shape, labels[0])
    else:
        predicted = classifier.make(CLASSIFIER_SEED).fit(rows, labels).predict(test[0])
    return score(predicted, test[1], labels.size)


@dataclass(frozen=True, eq=False)
class LinearRule:
    """argmax of (x − centre)·weights + offsets, for rows projected on k components."""

    centre: Array
    weights: Array
    offsets: Array

    def scores(self, projected: Array) -> Array:
        """(m, K) a score for each class of (m, k) projected rows."""
        return (projected - self.centre) @ self.weights + self.offsets

    def predict(self, projected: Array) -> NDArray[np.intp]:
        """(m,) class codes of (m, k) projected rows."""
        return self.scores(projected).argmax(axis=1)


def lda_rule(moments: Moments, spread: Array, components: Array) -> LinearRule:
    """Linear discriminant analysis in the projected space, in closed form from moments.

    ``spread`` is the (k, k) within-class scatter of the rows projected on unit columns. With exact moments this is the
    classifier trained on projected rows; with released ones it is private to the end. Everything is about the mean row,
    which changes no decision and keeps the digits of classes that are far from zero for their width.
    """
    V = unit_columns(components)
    means = V.T @ moments.offsets
    size = np.sqrt(np.where(np.diag(spread) > 0, np.diag(spread), 1.0))  # no unit of measurement decides what is cut
    even = np.linalg.pinv(spread / np.outer(size, size), rcond=1e-12, hermitian=True)
    inward = (even @ (means / size[:, None])) / size[:, None]
    present = moments.counts > 0
    with np.errstate(divide="ignore"):
        priors = np.where(present, np.log(np.where(present, moments.counts, 1.0) / moments.n), -np.inf)
    return LinearRule(V.T @ moments.mean, inward, priors - 0.5 * np.einsum("ij,ij->j", means, inward))


def exact_lda_rule(projected: Moments) -> LinearRule:
    """`lda_rule` of the exact moments of projected rows, of which its components are then the axes.

    Each column is measured by its own spread, and gets a ridge of `ROUNDING` of that: columns that are empty, or
    constant in each class, have an answer, and no unit of measurement changes one.
    """
    spread, between = projected.within, projected.between_factor
    total = np.diag(spread) + (between**2).sum(axis=1)
    ridge = np.diag(RULE_RIDGE * np.where(total > 0, total, 1.0))
    return lda_rule(projected, spread + ridge, np.eye(len(total)))


def score(predicted: NDArray[np.intp], truth: NDArray[np.intp], n_train: int) -> Score:
    """Accuracy with its interval, and precision, recall and F1 averaged over classes by their size.

    A class that is never predicted has precision and F1 of 0. Counted by hand: scikit-learn's own takes longer than
    the prediction, and every move of a slider asks for three.
    """
    predicted, truth = predicted.astype(np.intp), truth.astype(np.intp)  # in bytes, truth · K would overflow
    K = int(max(predicted.max(), truth.max())) + 1
    table = np.bincount(truth * K + predicted, minlength=K * K).reshape(K, K).astype(float)
    right, size, named = np.diag(table), table.sum(axis=1), table.sum(axis=0)
    precision, recall = right / np.maximum(named, 1), right / np.maximum(size, 1)
    f1 = 2 * right / np.maximum(named + size, 1)
    hits = int(right.sum())
    low, high = wilson_interval(hits, truth.size)
    return Score(
        accuracy=hits / truth.size,
        low=low,
        high=high,
        precision=float(size @ precision) / truth.size,  # weights are whole numbers: no share passes 1
        recall=float(size @ recall) / truth.size,
        f1=float(size @ f1) / truth.size,
        n_train=n_train,
        n_test=truth.size,
    )


def wilson_interval(hits: int, trials: int) -> tuple[float, float]:
    """95 % interval of a share (Wilson 1927), without the third of a second that ``scipy.stats`` takes to import."""
    z = ndtri(0.5 + ACCURACY_CONFIDENCE / 2)
    middle, width = 2 * hits + z * z, z * math.sqrt(4 * hits * (1 - hits / trials) + z * z)
    low, high = ((middle + sign * width) / (2 * (trials + z * z)) for sign in (-1, 1))
    return max(0.0, low) if hits else 0.0, min(1.0, high) if hits < trials else 1.0


def majority_accuracy(train: NDArray[np.intp], test: NDArray[np.intp]) -> float:
    """Accuracy of always answering the commonest class of the training rows: the floor."""
    return float((test == np.bincount(train).argmax()).mean())


# scikit-learn is imported where a classifier is made: half a second that most processes save.


def _linear_svm(seed: int) -> Any:
    from sklearn.svm import LinearSVC

    return _after_scaling(LinearSVC(dual=False, random_state=seed))


def _rbf_svm(seed: int) -> Any:
    from dpgep_core.evaluate.rbf import RbfSvm

    return _after_scaling(RbfSvm(random_state=seed, cache_size=500))


def _after_scaling(machine: Any) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), machine)


def _forest(seed: int) -> Any:
    from dpgep_core.evaluate.forest import OrderedForest

    return OrderedForest(100, random_state=seed, n_jobs=2)
