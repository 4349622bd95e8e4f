"""Passes over prepared rows that never form a matrix of their columns: projections, and sums of rows with weights."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.dataset import prepared_blocks
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.datasets.sparse_rows import SparseRows, prepare_sparse
from dpgep_core.models.moments import Moments, projected_moments
from dpgep_core.privacy.query import Array, Indices

NUMBERS_AT_ONCE = 2**22  # of a block of dense rows
KEPT_NUMBERS = 2**26  # of dense rows that are prepared once and kept; more are prepared in each pass
Block = Any  # dense or sparse rows: what has ``@`` and ``.T``


class PreparedRows:
    """Rows in the unit ball with their class codes.

    Sparse rows are prepared once and kept sparse. Dense rows are prepared block by block in each pass, or kept where
    they are few. A pass takes time that grows with the entries that are there, times k.

    Parameters
    ----------
    X : array or SparseRows (n, d)
        Rows as stored.
    y : int array (n,) or None
        Class codes.
    n_classes : int
        K; 0 where there are no classes.
    preprocessing : Preprocessing
        What brings each row into the unit ball.
    """

    def __init__(self, X: Any, y: NDArray[np.intp] | None, n_classes: int, preprocessing: Preprocessing) -> None:
        self._X, self._preprocessing = X, preprocessing
        self.codes = np.zeros(X.shape[0], dtype=np.intp) if y is None else y
        self.classes = max(n_classes, 1)

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        return self._X.shape

    @cached_property
    def counts(self) -> Array:
        """(K,) rows of each class."""
        return np.bincount(self.codes, minlength=self.classes).astype(float)

    @cached_property
    def sums(self) -> Array:
        """(d, K) sum of the rows of each class."""
        found = np.zeros((self.shape[1], self.classes))
        for where, block in self.blocks():
            found += block.T @ np.eye(self.classes)[self.codes[where]]
        return found

    def gram_times(self, directions: Array) -> Array:
        """(d, k) Σ x xᵀV."""
        found = np.zeros((self.shape[1], directions.shape[1]))
        for _, block in self.blocks():
            found += block.T @ (block @ directions)
        return found

    def scatter_times(self, directions: Array, *, by_class: bool) -> Array:
        """(d, k) Σ (x − μ)(x − μ)ᵀV about the mean row, or about the mean of each row's class.

        Projections are centred, and not the rows, which stay sparse. What rounding leaves of the means of the centred
        projections is taken off, so that columns far from zero lose no digits.
        """
        codes = self.codes if by_class else np.zeros(self.shape[0], dtype=np.intp)
        counts = self.counts if by_class else self.counts.sum(keepdims=True)
        means = (self.sums if by_class else self.sums.sum(axis=1, keepdims=True)) / np.where(counts > 0, counts, np.inf)
        along = means.T @ directions
        found, rest = np.zeros((self.shape[1], directions.shape[1])), np.zeros(along.shape)
        for where, block in self.blocks():
            about = block @ directions - along[codes[where]]
            found += block.T @ about
            rest += np.eye(len(counts))[codes[where]].T @ about
        return found - means @ rest

    def moments_along(self, directions: Array) -> Moments:
        """Moments of the rows projected on (d, k) directions."""
        projected = np.empty((self.shape[0], directions.shape[1]))
        for where, block in self.blocks():
            projected[where] = block @ directions
        return projected_moments(projected, self.codes, self.classes)

    def moments_on(self, columns: Indices) -> Moments:
        """Moments of some of the columns alone."""
        gram = np.zeros((len(columns), len(columns)))
        for _, block in self.blocks():
            few = block[:, columns]
            product: Any = few.T @ few
            gram += product if isinstance(product, np.ndarray) else product.toarray()
        return Moments(float(self.shape[0]), gram, self.sums[columns], self.counts)

    @cached_property
    def squares(self) -> Array:
        """(d,) sum of the squares of each column."""
        found = np.zeros(self.shape[1])
        for _, block in self.blocks():
            found += np.asarray((block * block).sum(axis=0)).ravel()
        return found

    @cached_property
    def _kept(self) -> Block | None:
        if isinstance(self._X, SparseRows):
            return prepare_sparse(self._X, self._preprocessing).csr
        if self._X.size > KEPT_NUMBERS:
            return None
        return self._preprocessing.apply(self._X)

    def blocks(self) -> Iterator[tuple[slice, Block]]:
        """The prepared rows block by block, with the slice they come from; those that are kept are one block."""
        if self._kept is not None:
            yield slice(None), self._kept
            return
        yield from prepared_blocks(self._X, self._preprocessing, max(1, NUMBERS_AT_ONCE // self.shape[1]))
