"""Fisher discriminants, and a classifier that is a function of their release alone, with no further budget."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray
from sklearn.metrics import accuracy_score
from sklearn.utils import ClassifierTags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from dpgep_core.errors import ParameterError, UnknownNameError
from dpgep_core.estimators.labelled import LabelledProjection
from dpgep_core.evaluate.private_rules import PRIVATE_RULES, private_rule, probabilities
from dpgep_core.method import ALGORITHMS
from dpgep_core.privacy.query import Array
from dpgep_core.release import Release, Setting


def releases_moments(estimator: Any) -> bool:
    """Whether the algorithm releases the class sums that a classifier is made of."""
    entry = ALGORITHMS.get(estimator.algorithm) if isinstance(estimator.algorithm, str) else None
    return entry is not None and entry.spends_once


def gives_probabilities(estimator: Any) -> bool:
    """Whether the classifier's scores are logarithms of probabilities."""
    kind = PRIVATE_RULES.get(estimator.classifier) if isinstance(estimator.classifier, str) else None
    return releases_moments(estimator) and kind is not None and kind.probabilistic


@dataclass(kw_only=True, eq=False, repr=False)
class DPFDA(LabelledProjection):
    """Private Fisher discriminants; with ``ssp`` also a classifier that is private to the end.

    ``predict``, ``predict_proba`` and ``score`` are of a classifier that is a function of the one release, so it spends
    nothing more. Other algorithms release too little for one and give a transformer alone.

    Parameters
    ----------
    n_components : int, optional
        k; K − 1 by default, 10 at most.
    algorithm : str
        One whose guarantee holds for this model: ``ssp``, ``dprf``, ``dptrf``, ``sr_dp``, ``dpsr_corrected``.
    classes : list, optional
        Labels that may occur, declared without looking at the rows. Left out, they are read off y, and a
        `PrivacyLeakWarning` says so. ``classes_`` has them sorted, as the columns of ``predict_proba`` are.
    classifier : str
        ``lda_projected`` (linear discriminant analysis with priors on the components), ``lda`` (in all columns),
        ``nearest_centroid``, ``ridge`` or ``pca_regression``. The first two give probabilities.
    epsilon, delta, bounds, norm, relation, declared_n, xi, sparsity, params, random_state
        As in `PrivateProjection`, which also lists the attributes.
    """

    _model = "fda"

    classifier: str = "lda_projected"

    def _setting(self) -> Setting:
        if not isinstance(self.classifier, str) or self.classifier not in PRIVATE_RULES:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UnknownNameError("classifier", self.classifier, PRIVATE_RULES)
        return super()._setting()

    def _use(self, release: Release) -> None:
        """Make the classifier from the release alone."""
        self.__dict__.pop("rule_", None)
        if release.moments is not None:
            xi = release.facts["xi_effective"]
            self.rule_ = private_rule(self.classifier, release.moments, release.components, xi)

    @available_if(releases_moments)  # pyright: ignore[reportUntypedFunctionDecorator]
    def predict(self, X: Any) -> NDArray[Any]:
        """(m,) label of each row."""
        best = self._scores(X).argmax(axis=1)
        return self.classes_[best]

    @available_if(gives_probabilities)  # pyright: ignore[reportUntypedFunctionDecorator]
    def predict_proba(self, X: Any) -> Array:
        """(m, K) probability of each class, in the order of ``classes_``; 0 for an empty one."""
        return probabilities(self._scores(X))

    @available_if(releases_moments)  # pyright: ignore[reportUntypedFunctionDecorator]
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of right predictions. It reads these rows without noise, and no ε covers the number."""
        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self)
        if not hasattr(self, "rule_"):
            allowed = '{"memory": "whole"} to classify: a release by products keeps no moments to make a rule of'
            raise ParameterError("params", self.params, allowed)
        return self._applied(X, lambda block: self.rule_.scores(block))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if releases_moments(self):
            tags.estimator_type = "classifier"
            tags.classifier_tags = ClassifierTags(poor_score=True)  # noise on few rows costs accuracy
        return tags
