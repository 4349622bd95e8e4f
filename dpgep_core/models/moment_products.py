"""Second moments and scatters that are known by their products with few directions, exact or released."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from dpgep_core.models.moments import ClassAverages, Moments
from dpgep_core.models.prepared_rows import PreparedRows
from dpgep_core.privacy.query import Array, Indices


class MomentProducts(ClassAverages):
    """Class averages and products with scatters: all a model needs for its pencil where no d × d matrix is formed."""

    @property
    def d(self) -> int:
        """Columns."""
        return self.sums.shape[0]

    @property
    def most_rank(self) -> int | None:
        """Largest rank that a scatter can have, where that is known to be less than d."""
        return None

    @abstractmethod
    def second_moment_times(self, directions: Array) -> Array:
        """(d, k) M V, M = Σ x xᵀ / n."""

    def covariance_times(self, directions: Array) -> Array:
        """(d, k) Σ V, Σ about the mean of the rows that are there, over the public n."""
        return self.second_moment_times(directions) - np.outer(self.mean, self.mean @ directions) * self.excess

    def within_times(self, directions: Array) -> Array:
        """(d, k) W V, W the within-class scatter."""
        centres = self.class_means * np.sqrt(self.counts / self.n)
        return self.second_moment_times(directions) - centres @ (centres.T @ directions)


@dataclass(frozen=True, eq=False)
class ReleasedProducts(MomentProducts):
    """Products with a noisy Gram matrix that is revealed along directions, and the class sums and counts beside it.

    Parameters
    ----------
    n : float
        Public number of rows.
    sums : array (d, K)
    counts : array (K,)
    gram_times : callable
        From (d, k) directions to the product of the noisy Σ x xᵀ with them.
    """

    n: float
    sums: Array
    counts: Array
    gram_times: Callable[[Array], Array] = field(repr=False)

    def second_moment_times(self, directions: Array) -> Array:
        """(d, k) M V, M noisy."""
        return self.gram_times(directions) / self.n


@dataclass(frozen=True, eq=False)
class RowProducts(MomentProducts):
    """Products with second moments of the rows themselves, each in one pass. Private.

    Parameters
    ----------
    rows : PreparedRows
    n : float
        Public number of rows, which averages are divided by.
    """

    rows: PreparedRows
    n: float

    @property
    def most_rank(self) -> int | None:
        """One less than there are rows, where there are no more than columns."""
        return self.rows.shape[0] - 1 if self.rows.shape[0] <= self.d else None

    @property
    def sums(self) -> Array:  # pyright: ignore[reportIncompatibleVariableOverride]
        """(d, K) sum of the rows of each class."""
        return self.rows.sums

    @property
    def counts(self) -> Array:  # pyright: ignore[reportIncompatibleVariableOverride]
        """(K,) rows of each class."""
        return self.rows.counts

    def second_moment_times(self, directions: Array) -> Array:
        """(d, k) M V, M = Σ x xᵀ / n."""
        return self.rows.gram_times(directions) / self.n

    def covariance_times(self, directions: Array) -> Array:
        """(d, k) Σ V from centred projections."""
        return self.rows.scatter_times(directions, by_class=False) / self.n

    def within_times(self, directions: Array) -> Array:
        """(d, k) W V from projections centred class by class."""
        return self.rows.scatter_times(directions, by_class=True) / self.n

    def moments_along(self, directions: Array) -> Moments:
        """Moments of the rows projected on (d, k) directions."""
        return self._over(self.rows.moments_along(directions))

    def moments_on(self, columns: Indices) -> Moments:
        """Moments of some of the columns alone."""
        return self._over(self.rows.moments_on(columns))

    @property
    def variances(self) -> Array:
        """(d,) the diagonal of the covariance."""
        return np.maximum(self.rows.squares / self.n - self.mean**2 * self.excess, 0.0)

    def _over(self, found: Moments) -> Moments:
        return Moments(self.n, found.gram, found.sums, found.counts, found.scatter)
