"""A released projection as a scikit-learn transformer, and a released classifier."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.validation import check_array

from dpgep_core.datasets import Preprocessing
from dpgep_core.datasets.dataset import prepared_blocks
from dpgep_core.errors import DataError
from dpgep_core.estimators.column_names import by_position
from dpgep_core.estimators.declared import labels_of_names
from dpgep_core.evaluate.classify import LinearRule
from dpgep_core.evaluate.private_rules import probabilities
from dpgep_core.privacy.query import Array


class _Released(BaseEstimator):  # pyright: ignore[reportUntypedBaseClass]
    """Estimator that was fitted when it was released; rows are prepared as the released rows were."""

    preprocessing: dict[str, Any]
    feature_names: tuple[str, ...]

    @property
    @abstractmethod
    def n_features_in_(self) -> int:
        """Number of columns."""

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Return the estimator as it is: it was fitted when it was released."""
        return self

    def _applied(self, X: Any, compute: Callable[[Array], Array]) -> Array:
        """A function of prepared rows, block by block. An array goes by position, a table by the names it has."""
        rows = np.asarray(check_array(by_position(X, self.feature_names)))
        if rows.shape[1] != self.n_features_in_:
            raise DataError("X", f"{rows.shape[1]} columns", f"the {self.n_features_in_} released ones are needed")
        made = Preprocessing(**self.preprocessing)
        return np.vstack([compute(block) for _, block in prepared_blocks(rows, made)])


@dataclass(eq=False, repr=False)
class ReleasedTransformer(TransformerMixin, _Released):  # pyright: ignore[reportUntypedBaseClass]
    """Prepares rows as the released rows were prepared, and projects them on released components.

    Parameters
    ----------
    components : array (d, k)
        Released components.
    preprocessing : dict
        Fields of `Preprocessing`, all of them public.
    feature_names : tuple of str
        Names of the d columns, or empty.
    """

    components: Array
    preprocessing: dict[str, Any]
    feature_names: tuple[str, ...] = ()

    @property
    def components_(self) -> Array:
        """(k, d) the components as rows, as scikit-learn has them."""
        return self.components.T

    @property
    def n_features_in_(self) -> int:
        """Number of columns."""
        return self.components.shape[0]

    def transform(self, X: Any) -> Array:
        """(m, k) prepared rows on the components."""
        return self._applied(X, lambda block: block @ self.components)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the k columns that come out."""
        names = [f"released{j}" for j in range(self.components.shape[1])]
        return np.array(names, dtype=object)


@dataclass(eq=False, repr=False)
class ReleasedClassifier(ClassifierMixin, _Released):  # pyright: ignore[reportUntypedBaseClass]
    """Classifies rows by a rule that was made from a release alone.

    Parameters
    ----------
    rule : LinearRule
        Scores of prepared rows.
    preprocessing : dict
        Fields of `Preprocessing`, all of them public.
    classes : tuple of str
        Names of the classes, in the order of the scores.
    probabilistic : bool
        Whether the scores are logarithms of probabilities.
    feature_names : tuple of str
        Names of the d columns, or empty.
    """

    rule: LinearRule
    preprocessing: dict[str, Any]
    classes: tuple[str, ...]
    probabilistic: bool = False
    feature_names: tuple[str, ...] = ()

    @property
    def classes_(self) -> Any:
        """(K,) labels of the classes, as the estimators have them: whole numbers where all names are, else words."""
        return labels_of_names(self.classes)

    @property
    def n_features_in_(self) -> int:
        """Number of columns."""
        return self.rule.weights.shape[0]

    def decision_function(self, X: Any) -> Array:
        """(m, K) a score for each class."""
        return self._applied(X, self.rule.scores)

    def predict(self, X: Any) -> Any:
        """(m,) labels of the classes."""
        return self.classes_[self.decision_function(X).argmax(axis=1)]

    def predict_proba(self, X: Any) -> Array:
        """(m, K) probabilities of the classes; of linear discriminant analysis alone."""
        if not self.probabilistic:
            raise DataError("classifier", "scores that are no probabilities", "kind lda or lda_projected is needed")
        return probabilities(self.decision_function(X))
