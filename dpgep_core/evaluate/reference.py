"""The private rows of one data set, model and split, with everything about them that no noise changes."""

from collections.abc import Callable, Hashable
from functools import cached_property
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from dpgep_core.algorithms.ssp import SufficientStatistics
from dpgep_core.datasets import Dataset, Split, split
from dpgep_core.datasets.dataset import prepared_blocks
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.datasets.sparse_rows import SparseRows, prepare_sparse
from dpgep_core.datasets.streamed import StreamedRows
from dpgep_core.evaluate import classify
from dpgep_core.evaluate.private_rules import released_lda
from dpgep_core.models import sparse
from dpgep_core.models.problem import Problem
from dpgep_core.numerics import Spectrum, unit_columns
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import orthonormal_frame
from dpgep_core.release import Release, Setting
from dpgep_core.solve import plan

NO_CLASSES_REASON = "there are no classes to tell apart"
MOST_EXACT_KEPT = 64  # exact solutions and scores remembered
_test_rows: WeakKeyDictionary[Dataset, WeakValueDictionary[Preprocessing, Array]] = WeakKeyDictionary()
_sharing = Lock()
BASELINE_SEED = 0  # one random projection for all seeds: the floor should not move while one looks


class Reference:
    """Exact answers and scores on the private rows. No guarantee covers what is returned.

    Exact solutions, and the scores of the exact and the random projection, are computed once and kept. Safe to share
    between threads.
    """

    def __init__(self, dataset: Dataset, problem: Problem, setting: Setting) -> None:
        self.dataset, self.problem, self._setting = dataset, problem, setting
        self._kept: dict[Hashable, Any] = {}
        self._lock = Lock()
        self._test_rows: Array | SparseRows | None = None
        self._last_projected: tuple[Array, Array, Array] | None = None

    @classmethod
    def of(cls, dataset: Dataset, setting: Setting) -> "Reference":
        """The reference of the rows and the problem of a setting."""
        return cls(dataset, plan(dataset, setting).problem, setting)

    @cached_property
    def parts(self) -> Split:
        """Fitted and held-out rows; of streamed rows, some of each, drawn by the seed."""
        seed, test_size, X = self._setting.row_seed, self._setting.test_size, self.dataset.X
        if not isinstance(X, StreamedRows):
            return split(self.dataset, seed, test_size)
        fitted, held_out = X.drawn(seed, test_size)
        labelled = X.labelled
        return Split(fitted[0], fitted[1] if labelled else None, held_out[0], held_out[1] if labelled else None)

    @property
    def drawn_note(self) -> str:
        """How many rows the scores are about, where that is not all of them; empty where it is."""
        if not self.dataset.streamed or self.unscored:
            return ""
        few, of = len(self.parts.X), self.problem.sample.X.shape[0]
        held, out_of = len(self.parts.X_test), self.dataset.n - of
        if (few, held) == (of, out_of):
            return ""
        return (
            f"The rows are streamed: accuracies are of {held:,} of {out_of:,} held-out rows, drawn by the seed. lda is "
            f"trained on all {of:,} fitted rows, other classifiers on {few:,} of them."
        )

    @property
    def unscored(self) -> str:
        """Why no classifier can be scored, for a sentence after "because"; empty where one can."""
        if self.dataset.n_classes < 2 or self.parts.y is None:
            return NO_CLASSES_REASON
        if not len(self.parts.X_test):
            return "all rows are fitted (test_size = 0) and no test split is published"
        return "" if self.parts.y_test is not None else "the published test split has no labels"

    @property
    def scorable(self) -> bool:
        """Whether a classifier can be scored: there are classes, and held-out rows whose class is known."""
        return not self.unscored

    @property
    def test_labels(self) -> NDArray[np.intp]:
        """(m,) class codes of the held-out rows."""
        assert self.parts.y_test is not None
        return self.parts.y_test

    @property
    def majority(self) -> float | None:
        """Accuracy of the commonest class; None without labels, or without held-out rows."""
        train, test = self.parts.y, self.parts.y_test
        return None if train is None or test is None or not test.size else classify.majority_accuracy(train, test)

    @property
    def drawn(self) -> str:
        """Name of the rows in a picture of projected rows: held-out rows, or fitted ones where none are held out."""
        return "held-out" if len(self.parts.X_test) else "fitted"

    def drawn_rows(self, most: int) -> tuple[Array | SparseRows, NDArray[np.intp] | None]:
        """The first ``most`` prepared rows of a picture, with their class codes; sparse rows stay sparse."""
        if len(self.parts.X_test):
            labels = self.parts.y_test
            return self.test_rows[:most], None if labels is None else labels[:most]
        labels, some = self.parts.y, self.parts.X[:most]
        sparse = isinstance(some, SparseRows)
        rows = prepare_sparse(some, self.problem.preprocessing) if sparse else self.problem.preprocessing.apply(some)
        return rows, None if labels is None else labels[:most]

    @property
    def test_rows(self) -> Array | SparseRows:
        """(m, d) prepared held-out rows, kept: every move of a slider projects them. Sparse rows stay sparse.

        In double precision: single precision has no digits for classes 1e-7 of their distance from zero apart.
        """
        if self._test_rows is None:
            self._test_rows = self._shared_test_rows()
        return self._test_rows

    def _shared_test_rows(self) -> Array | SparseRows:
        """The prepared held-out rows, of which references to the same rows hold one copy: 63 MB with MNIST."""
        X, preprocessing = self.parts.X_test, self.problem.preprocessing
        if isinstance(X, SparseRows):
            return prepare_sparse(X, preprocessing)
        if self.dataset.X_test is None:
            return _prepared(X, preprocessing)
        with _sharing:
            kept = _test_rows.setdefault(self.dataset, WeakValueDictionary())
            rows = kept.get(preprocessing)
            if rows is None:
                rows = kept[preprocessing] = _prepared(X, preprocessing)
        return rows

    def exact(self, k: int, xi: float, sparsity: int = 0) -> Array:
        """(d, k) exact components at ridge ``xi``, with ``sparsity`` entries each (0: all)."""
        return self.remember(
            ("exact", k, xi, sparsity), lambda: sparse.components(self.problem.pencil, k, xi, sparsity)
        )

    def random(self, k: int, seed: int = BASELINE_SEED) -> Array:
        """(d, k) a random projection: the floor."""
        return orthonormal_frame(seed, self.problem.sample.X.shape[1], k, "baseline")

    def score(self, components: Array, name: str, most_rows: int | None = -1) -> classify.Score:
        """A classifier trained on rows projected on ``components``, on the held-out rows."""
        if name == classify.INSTANT:
            return self._score_rule(self._exact_rule(components), self._project(components))
        train, test = self._projected_rows(components)
        assert self.parts.y is not None
        return classify.trained_score(name, (train, self.parts.y), (test, self.test_labels), most_rows=most_rows)

    def exact_score(self, k: int, xi: float, sparsity: int, name: str, most_rows: int | None = -1) -> classify.Score:
        """`score` of the exact components: the ceiling."""
        return self.remember(
            ("exact score", k, xi, sparsity, name, most_rows),
            lambda: self.score(self.exact(k, xi, sparsity), name, most_rows),
        )

    def random_score(self, k: int, name: str, most_rows: int | None = -1) -> classify.Score:
        """`score` of a random projection: the floor."""
        return self.remember(("random score", k, name, most_rows), lambda: self.score(self.random(k), name, most_rows))

    def instant_scores(self, release: Release) -> tuple[classify.Score, classify.Score | None]:
        """Linear discriminant analysis on a release's projection: trained on the rows, and made from the release alone.

        The second is private to the end; None where too little was released for it.
        """
        projected = self._project(release.components)
        trained = self._score_rule(self._exact_rule(release.components), projected)
        rule = _released_rule(release)
        return trained, None if rule is None else self._score_rule(rule, projected)

    def _projected_rows(self, components: Array) -> tuple[Array, Array]:
        """Fitted and held-out rows on ``components``; several classifiers of one release, in turn, share them."""
        kept = self._last_projected
        if kept is None or not np.array_equal(kept[0], components):
            train, test = (
                classify.project(X, self.problem.preprocessing, components) for X in (self.parts.X, self.parts.X_test)
            )
            kept = self._last_projected = components.copy(), train, test
        return kept[1], kept[2]

    def _project(self, components: Array) -> Array:
        V, rows = unit_columns(components), self.test_rows
        if isinstance(rows, SparseRows):
            return rows @ V
        return (V.T @ rows.T).T  # in this order BLAS reads the rows a third faster

    def _exact_rule(self, components: Array) -> classify.LinearRule:
        V = unit_columns(components)
        return classify.exact_lda_rule(self.problem.moments_along(V))

    def _score_rule(self, rule: classify.LinearRule, projected: Array) -> classify.Score:
        assert self.parts.y is not None
        return classify.score(rule.predict(projected), self.test_labels, self.parts.y.size)

    def remember(self, key: Hashable, compute: Callable[[], Any]) -> Any:
        """Result of ``compute``, computed once for each key."""
        with self._lock:
            if key in self._kept:
                return self._kept[key]
        value = compute()
        with self._lock:
            while len(self._kept) >= MOST_EXACT_KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = value
        return value


def _prepared(X: NDArray[Any], preprocessing: Preprocessing) -> Array:
    rows = np.empty(X.shape)
    for where, block in prepared_blocks(X, preprocessing):
        rows[where] = block
    return rows


def _released_rule(release: Release) -> classify.LinearRule | None:
    moments, pencil = release.moments, release.pencil
    if moments is None or pencil is None or pencil.constraint is None or moments.counts.size < 2:
        return None
    components = release.components
    if release.setting.model == "fda" and isinstance(release.method, SufficientStatistics) and release.method.dense:
        spread = np.diag(1 / (components**2).sum(axis=0))  # components V of the pencil have Vᵀ(B₊ + ξI)V = I
        return classify.lda_rule(moments, spread, components)
    spectrum = pencil.constraint_spectrum if release.setting.model == "fda" else Spectrum.of(moments.within)
    return released_lda(moments, spectrum, components, release.facts["xi_effective"])
