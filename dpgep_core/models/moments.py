"""Sufficient statistics of every model here: second moments, class sums and class counts."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.dataset import prepared_blocks
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.datasets.summed_rows import SummedRows
from dpgep_core.models.size import check_memory
from dpgep_core.models.streamed_sums import MomentSum, streamed_sums
from dpgep_core.privacy.query import Array

Answers = tuple[Array, ...]  # every noisy answer of one release, as it left the curator
SAME_NUMBER = 1e-9  # share of n by which released counts may miss it by rounding
CANCELS = 1e4  # second moment of a column over its spread within classes, from which plain sums lose four digits


@dataclass(frozen=True, eq=False)
class Scatter:
    """Sums of the rows about their class means, for columns whose spread plain sums cannot tell from their mean.

    Parameters
    ----------
    within : array (d, d)
        Σ_k Σ_{i∈k} (x_i − μ_k)(x_i − μ_k)ᵀ.
    offsets : array (d, K)
        μ_k − μ for each class; zero for an empty one.
    """

    within: Array
    offsets: Array

    def along(self, directions: Array) -> "Scatter":
        """Sums of the rows projected on (d, k) directions."""
        return Scatter(directions.T @ (self.within @ directions), directions.T @ self.offsets)

    def scaled(self, factor: float) -> "Scatter":
        """Sums with the same averages and ``factor`` times the rows."""
        return Scatter(self.within * factor, self.offsets)


class ClassAverages:
    """Averages from sums and counts of classes, for any record of sums that has these three fields."""

    n: float
    sums: Array
    counts: Array

    @property
    def mean(self) -> Array:
        """(d,) sum of the rows over the public n: the mean row, where that is their number."""
        return self.sums.sum(axis=1) / self.n

    @property
    def excess(self) -> float:
        """The public n over the number of rows that is there: exactly 1 unless another number was declared."""
        rows = float(self.counts.sum())
        return 1.0 if not rows or abs(rows - self.n) <= SAME_NUMBER * self.n else self.n / rows

    def summed(self, columns: int) -> tuple[Array, Array]:
        """(d, K) class sums and (K,) counts; all classes are one where a release has a single column."""
        if columns == self.counts.size:
            return self.sums, self.counts
        return self.sums.sum(axis=1, keepdims=True), self.counts.sum(keepdims=True)

    @property
    def class_means(self) -> Array:
        """(d, K) mean row of each class; zero for an empty one, which keeps every scatter continuous."""
        return self.sums / np.where(self.counts > 0, self.counts, np.inf)

    @property
    def offsets(self) -> Array:
        """(d, K) class means minus the mean row."""
        return self.class_means - self.mean[:, None] * self.excess

    @property
    def between_factor(self) -> Array:
        """(d, K) F with F Fᵀ = Σ_k n_k (μ_k − μ)(μ_k − μ)ᵀ / n, the between-class scatter."""
        return self.offsets * np.sqrt(self.counts / self.n)


@dataclass(frozen=True, eq=False)
class Moments(ClassAverages):
    """Sums over the prepared rows x with class codes y.

    Parameters
    ----------
    n : float
        Public number of rows, which averages are divided by. Where records are added or removed it is declared, and
        the number that is there, ``counts.sum()``, may be another: scatter is then about the mean of the rows that are
        there, over n. So one more record adds one term of at most 4/n, whatever was declared.
    gram : array (d, d)
        Σ x xᵀ.
    sums : array (d, K)
        Σ of x over each class; one column where there are no classes.
    counts : array (K,)
        Rows of each class.
    scatter : Scatter or None
        Where the plain sums would cancel: what spreads are then computed from. None for released moments.
    """

    n: float
    gram: Array
    sums: Array
    counts: Array
    scatter: Scatter | None = field(default=None, repr=False)

    @property
    def second_moment(self) -> Array:
        """(d, d) M = Σ x xᵀ / n."""
        return self.gram / self.n

    @property
    def covariance(self) -> Array:
        """(d, d) Σ = Σ_i (x_i − μ)(x_i − μ)ᵀ / n about the mean μ of the rows: M − μμᵀ where n is their number."""
        if self.scatter is None:
            found = self.second_moment
            found -= np.outer(self.mean, self.mean) * self.excess
            return found
        return self.within + self.between_factor @ self.between_factor.T

    @property
    def offsets(self) -> Array:
        """(d, K) class means minus the mean row."""
        return super().offsets if self.scatter is None else self.scatter.offsets

    @property
    def within(self) -> Array:
        """(d, d) Σ_k Σ_{i∈k} (x_i − μ_k)(x_i − μ_k)ᵀ / n, the within-class scatter."""
        if self.scatter is not None:
            return self.scatter.within / self.n
        centres = self.class_means * np.sqrt(self.counts / self.n)
        found = self.second_moment
        found -= centres @ centres.T  # in place: a fresh matrix costs more than the subtraction
        return found

    def along(self, directions: Array) -> "Moments":
        """Moments of the rows projected on (d, k) directions."""
        gram, sums = directions.T @ (self.gram @ directions), directions.T @ self.sums
        return Moments(
            self.n, gram, sums, self.counts, None if self.scatter is None else self.scatter.along(directions)
        )

    def scaled(self, factor: float) -> "Moments":
        """Sums with the same averages and ``factor`` times the rows."""
        if factor == 1.0:
            return self
        scatter = None if self.scatter is None else self.scatter.scaled(factor)
        return Moments(self.n * factor, self.gram * factor, self.sums * factor, self.counts * factor, scatter)


def moments_of(X: NDArray[Any], y: NDArray[np.intp] | None, n_classes: int, preprocessing: Preprocessing) -> Moments:
    """Moments in one streamed pass, O(n d² + d K) time and O(d²) memory beside the stored rows.

    A second pass sums about the class means where the first loses more than four digits of the spread of a column. The
    plain sums, which private queries are about, stay as they are. Rows that are streamed from files take one pass.
    """
    if isinstance(X, SummedRows):
        return Moments(float(X.shape[0]), *streamed_sums("moments", X, MomentSum(preprocessing, max(n_classes, 1))))
    d, K = X.shape[1], max(n_classes, 1)
    check_memory(d, d)
    gram, sums = np.zeros((d, d)), np.zeros((d, K))
    codes = np.zeros(X.shape[0], dtype=np.intp) if y is None else y
    for where, block in prepared_blocks(X, preprocessing):
        gram += block.T @ block
        sums += block.T @ np.eye(K)[codes[where]]
    found = Moments(float(X.shape[0]), gram, sums, np.bincount(codes, minlength=K).astype(float))
    return replace(found, scatter=_scatter(found, X, codes, preprocessing)) if _cancels(found) else found


def projected_moments(rows: Array, codes: NDArray[np.intp], n_classes: int) -> Moments:
    """Moments of rows (n, k) that are at hand and have few columns; spreads are summed about the class means."""
    member = np.eye(n_classes)[codes]
    found = Moments(float(len(rows)), rows.T @ rows, rows.T @ member, member.sum(axis=0))
    about = rows - found.class_means.T[codes]
    return replace(found, scatter=_corrected(found, about.T @ about, about.T @ member))


def _cancels(plain: Moments) -> bool:
    """Whether a column spreads so little about its class means that plain sums say it with few digits."""
    whole = np.diag(plain.gram)
    about_means = whole - (plain.sums * plain.class_means).sum(axis=1)
    return bool((about_means * CANCELS < whole).any())


def _scatter(plain: Moments, X: NDArray[Any], codes: NDArray[np.intp], preprocessing: Preprocessing) -> Scatter:
    """Sums about the class means of ``plain``, corrected for what rounding left in those."""
    d, K = plain.sums.shape
    centres = plain.class_means
    within, rest = np.zeros((d, d)), np.zeros((d, K))
    for where, block in prepared_blocks(X, preprocessing):
        about = block - centres.T[codes[where]]
        within += about.T @ about
        rest += about.T @ np.eye(K)[codes[where]]
    return _corrected(plain, within, rest)


def _corrected(plain: Moments, within: Array, rest: Array) -> Scatter:
    """Sums about the class means of ``plain``, and what is left of the class sums about these means."""
    centres, mean = plain.class_means, plain.mean
    left = rest / np.where(plain.counts > 0, plain.counts, np.inf)
    offsets = np.where(plain.counts > 0, centres - mean[:, None] + left, 0.0)  # from a centre near the mean row
    offsets -= (offsets @ plain.counts / plain.n)[:, None]
    return Scatter(within - (left * plain.counts) @ left.T, np.where(plain.counts > 0, offsets, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class TidyMoments:
    """Plausible moments made from noisy answers: post-processing.

    Parameters
    ----------
    moments : Moments
    noise_edge : float
        Spectral edge of the noise that the scatter of the averages came with.
    """

    moments: Moments
    noise_edge: float
