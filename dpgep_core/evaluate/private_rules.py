"""Classifiers from moments alone: of a release they are private to the end, since nothing else is read to make them.

With μ the mean row, μ_c the mean of class c, π_c its share, W the within-class scatter and Σ the covariance, all from
the moments, and B₊ a matrix without its negative eigenvalues, which only noise can make:

- ``lda``: Fisher 1936. Linear discriminant analysis with priors π among all columns, W₊ + ξI as the common covariance.
- ``lda_projected``: the same on the components.
- ``nearest_centroid``: the class whose mean is nearest.
- ``ridge``: multi-response least squares on class indicators with the ridge ξ: (Σ₊ + ξI)^-1 π_c(μ_c − μ), with the
  intercept π_c.
- ``pca_regression``: the same on the leading principal components alone, as many as there are components.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from dpgep_core.errors import DataError, UnknownNameError
from dpgep_core.evaluate.classify import LinearRule, lda_rule
from dpgep_core.models.moments import Moments
from dpgep_core.numerics import Spectrum, leading_eigenvectors, unit_columns
from dpgep_core.privacy.query import Array


@dataclass(frozen=True, slots=True, eq=False)
class RuleParts:
    """Parts that a classifier is made from: released moments, (d, k) components, and the effective ridge ξ."""

    moments: Moments
    components: Array
    xi: float

    @property
    def shares(self) -> Array:
        """(K,) shares of the classes."""
        return self.moments.counts / self.moments.n

    @property
    def responses(self) -> Array:
        """(d, K) covariances of the rows with the class indicators: π_c(μ_c − μ)."""
        return self.moments.offsets * self.shares

    def present(self, offsets: Array) -> Array:
        """Offsets under which a class without rows is never chosen."""
        return np.where(self.moments.counts > 0, offsets, -np.inf)


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """A classifier from moments, under its key; ``probabilistic`` where its scores are logarithms of probabilities."""

    title: str
    make: Callable[[RuleParts], LinearRule]
    probabilistic: bool = False


def released_lda(moments: Moments, spectrum: Spectrum, components: Array, xi: float) -> LinearRule:
    """LDA on (d, k) components, from released moments and the spectrum of their within-class scatter."""
    V = unit_columns(components)
    turned = spectrum.coordinates(V)
    spread = turned.T @ (np.maximum(spectrum.values, 0.0)[:, None] * turned)
    return lda_rule(moments, spread + xi * (V.T @ V), components)


def private_rule(kind: str, moments: Moments, components: Array, xi: float) -> LinearRule:
    """A classifier of `PRIVATE_RULES` for prepared rows (m, d).

    Parameters
    ----------
    kind : str
    moments : Moments
        Released moments, with a column of sums for each class.
    components : array (d, k)
        Released components.
    xi : float
        Effective ridge ξ.

    Raises
    ------
    UnknownNameError, DataError
        If there is no such classifier, or there are no classes to tell apart.
    """
    if kind not in PRIVATE_RULES:
        raise UnknownNameError("classifier", kind, PRIVATE_RULES)
    if moments.counts.size < 2:
        raise DataError("the released moments", "no class sums", "a release of model fda or sir is needed to classify")
    return PRIVATE_RULES[kind].make(RuleParts(moments, components, xi))


def probabilities(scores: Array) -> Array:
    """(m, K) class probabilities from their logarithms, up to a constant for each row."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def _lda(parts: RuleParts) -> LinearRule:
    offsets = parts.moments.offsets
    inward = _solved(Spectrum.of(parts.moments.within), offsets, parts.xi)
    with np.errstate(divide="ignore"):
        priors = np.log(parts.shares)
    return LinearRule(parts.moments.mean, inward, priors - 0.5 * np.einsum("ij,ij->j", offsets, inward))


def _lda_projected(parts: RuleParts) -> LinearRule:
    moments, V = parts.moments, unit_columns(parts.components)
    rule = released_lda(moments, Spectrum.of(moments.within), parts.components, parts.xi)
    return LinearRule(moments.mean, V @ rule.weights, rule.offsets)


def _nearest_centroid(parts: RuleParts) -> LinearRule:
    offsets = parts.moments.offsets
    return LinearRule(parts.moments.mean, offsets, parts.present(-0.5 * (offsets**2).sum(axis=0)))


def _ridge(parts: RuleParts) -> LinearRule:
    weights = _solved(Spectrum.of(parts.moments.covariance), parts.responses, parts.xi)
    return LinearRule(parts.moments.mean, weights, parts.present(parts.shares))


def _pca_regression(parts: RuleParts) -> LinearRule:
    covariance = parts.moments.covariance
    V = leading_eigenvectors(covariance, parts.components.shape[1])
    variances = np.einsum("ij,ij->j", V, covariance @ V)
    floored = np.maximum(variances, parts.xi)[:, None]  # below the noise a variance tells nothing
    return LinearRule(parts.moments.mean, V @ ((V.T @ parts.responses) / floored), parts.present(parts.shares))


def _solved(spectrum: Spectrum, sides: Array, xi: float) -> Array:
    """(B₊ + ξI)^-1 of the columns of ``sides``."""
    return spectrum.combine(spectrum.coordinates(sides) / spectrum.scales(xi)[:, None] ** 2)


PRIVATE_RULES: Mapping[str, RuleEntry] = {
    "lda": RuleEntry("Linear discriminant analysis, all columns", _lda, probabilistic=True),
    "lda_projected": RuleEntry("Linear discriminant analysis, projected", _lda_projected, probabilistic=True),
    "nearest_centroid": RuleEntry("Nearest class mean", _nearest_centroid),
    "ridge": RuleEntry("Least squares on class indicators", _ridge),
    "pca_regression": RuleEntry("Least squares on principal components", _pca_regression),
}
