"""Sufficient statistics of every model here: second moments, class sums and class counts."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.dataset import prepared
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.privacy.query import Array


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over the prepared rows x with class codes y.

    Parameters
    ----------
    n : float
        Number of rows (public).
    gram : array (d, d)
        Σ x xᵀ.
    sums : array (d, K)
        Σ of x over each class; one column where there are no classes.
    counts : array (K,)
        Rows of each class.
    """

    n: float
    gram: Array
    sums: Array
    counts: Array

    @property
    def mean(self) -> Array:
        """(d,) mean row."""
        return self.sums.sum(axis=1) / self.n

    @property
    def second_moment(self) -> Array:
        """(d, d) M = Σ x xᵀ / n."""
        return self.gram / self.n

    @property
    def covariance(self) -> Array:
        """(d, d) Σ = M − μμᵀ."""
        return self.second_moment - np.outer(self.mean, self.mean)

    @property
    def class_means(self) -> Array:
        """(d, K) mean row of each class; zero for an empty one, which keeps every scatter continuous."""
        return self.sums / np.where(self.counts > 0, self.counts, np.inf)

    @property
    def between_factor(self) -> Array:
        """(d, K) F with F Fᵀ = Σ_k n_k (μ_k − μ)(μ_k − μ)ᵀ / n, the between-class scatter."""
        return (self.class_means - self.mean[:, None]) * np.sqrt(self.counts / self.n)

    @property
    def within(self) -> Array:
        """(d, d) Σ_k Σ_{i∈k} (x_i − μ_k)(x_i − μ_k)ᵀ / n, the within-class scatter."""
        centres = self.class_means * np.sqrt(self.counts / self.n)
        return self.second_moment - centres @ centres.T

    def scaled(self, factor: float) -> "Moments":
        """The same averages with ``factor`` times the rows."""
        if factor == 1.0:
            return self
        return Moments(self.n * factor, self.gram * factor, self.sums * factor, self.counts * factor)


def moments_of(X: NDArray[Any], y: NDArray[np.intp] | None, n_classes: int, preprocessing: Preprocessing) -> Moments:
    """Moments in one streamed pass, O(n d² + d K) time and O(d²) memory beside the stored rows."""
    d, K = X.shape[1], max(n_classes, 1)
    gram, sums = np.zeros((d, d)), np.zeros((d, K))
    codes = np.zeros(X.shape[0], dtype=np.intp) if y is None else y
    for where, block in prepared(X, preprocessing):
        gram += block.T @ block
        sums += block.T @ np.eye(K)[codes[where]]
    return Moments(float(X.shape[0]), gram, sums, np.bincount(codes, minlength=K).astype(float))
