"""Rows of many columns, most of them zero: they stay sparse, and only blocks of them are ever made dense."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from dpgep_core.datasets.readers.source import check_size
from dpgep_core.errors import DataError

if TYPE_CHECKING:
    from dpgep_core.datasets.preprocessing import Preprocessing

DENSE_NUMBERS = 16  # for each column, of any model of such rows: sums, directions and their products
SPARSE_COLUMNS = 5000  # columns from which sparse rows stay sparse: a public number, whatever the rows hold
Csr = Any  # scipy.sparse.csr_array, which has no types
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SparseRows:
    """Rows (n, d) in compressed form (CSR), with what readers of rows need of an array.

    Slices and choices of rows are sparse again; a product with a (d, k) matrix is dense. ``np.asarray`` makes the rows
    dense, and is refused where they would not fit into memory, so whoever needs all rows dense says so or has few.
    """

    csr: Csr  # as SciPy keeps the rows: to read, and not to change
    ndim = 2

    @classmethod
    def of(cls, where: str, value: Any) -> "SparseRows":
        """Rows of any SciPy sparse matrix, each entry once and in order; numbers keep their type.

        Raises
        ------
        DataError
            Entries that are no finite real numbers, or so many columns that no model of them fits into memory.
        """
        csr = sparse.csr_array(value)
        check_size(where, DENSE_NUMBERS * csr.shape[1] * np.dtype(float).itemsize)
        if csr.dtype.kind not in "biuf":
            raise DataError(where, f"entries of type {csr.dtype}", "real numbers are needed")
        if csr.dtype.itemsize > 8:
            csr = csr.astype(np.float64)
        if not csr.has_canonical_format:
            csr = csr.copy()  # what was given stays as it is
            csr.sum_duplicates()
        if csr.dtype.kind == "f" and (bad := np.flatnonzero(~np.isfinite(csr.data))).size:
            row = int(np.searchsorted(csr.indptr, bad[0], side="right")) - 1
            problem = f"row {row}, column {csr.indices[bad[0]]} is {csr.data[bad[0]]}"
            raise DataError(where, problem, "finite numbers are needed")
        return cls(csr)

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        return self.csr.shape

    @property
    def size(self) -> int:
        """n·d, zeros counted."""
        return self.shape[0] * self.shape[1]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Number type of the entries."""
        return self.csr.dtype

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return sum(part.nbytes for part in self.parts)

    @property
    def parts(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Entries, their columns, and where each row begins: all there is."""
        return self.csr.data, self.csr.indices, self.csr.indptr

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        """Sparse rows for a slice, a mask or positions of rows; dense entries for ``rows, columns``."""
        if isinstance(key, tuple):
            found = self.csr[key]
            return found.toarray() if sparse.issparse(found) else found
        if isinstance(key, slice) and key == slice(None):
            return self
        found = self.csr[key]
        return SparseRows(found) if found.ndim == 2 else found.toarray()

    def __matmul__(self, other: Array) -> Array:
        return np.asarray(self.csr @ other)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        wanted = self.dtype if dtype is None else np.dtype(dtype)
        check_size(
            f"{self.shape[0]:,} sparse rows of {self.shape[1]:,} columns made dense", self.size * wanted.itemsize
        )
        return self.csr.astype(wanted).toarray()

    def with_entries(self, entries: NDArray[Any]) -> "SparseRows":
        """Other entries in the same places."""
        csr = self.csr
        return SparseRows(sparse.csr_array((entries, csr.indices, csr.indptr), shape=csr.shape, copy=False))


def is_sparse(value: Any) -> bool:
    """Whether rows are given so that they stay sparse: a SciPy sparse table of at least `SPARSE_COLUMNS` columns."""
    return isinstance(value, SparseRows) or (
        sparse.issparse(value) and value.ndim == 2 and value.shape[1] >= SPARSE_COLUMNS
    )


def prepare_sparse(rows: SparseRows, preprocessing: "Preprocessing") -> SparseRows:
    """Prepared rows, of norm at most 1: what `Preprocessing.apply` makes of each, and as sparse as before.

    Every step takes zero to zero, so only the entries that are there are touched: the logarithm does; a column goes to
    its public bounds by (v − lower)/(upper − lower) where lower ≥ 0, after a 0 was clipped to lower, and by a division
    otherwise; the length of a row is a factor.
    """
    _, columns, starts = rows.parts
    x = rows.csr.data.astype(np.float64)
    if preprocessing.log1p is not False:
        chosen = slice(None) if preprocessing.log1p is True else np.isin(columns, preprocessing.log1p)
        x[chosen] = np.sign(x[chosen]) * np.log1p(np.abs(x[chosen]))
    if preprocessing.lower is not None:
        x = _bounded(x, columns, preprocessing, rows.shape[1])
    of_row = np.repeat(np.arange(rows.shape[0]), np.diff(starts))
    if not preprocessing.views:
        return rows.with_entries(_shortened(x, of_row, rows.shape[0], preprocessing))
    preprocessing.check_columns(rows.shape[1])
    views = len(preprocessing.views)
    view_of = np.empty(rows.shape[1], dtype=np.intp)
    for number, view in enumerate(preprocessing.views):
        view_of[list(view)] = number
    found = _shortened(x, of_row * views + view_of[columns], rows.shape[0] * views, preprocessing)
    return rows.with_entries(found / np.sqrt(views))


def _bounded(x: Array, columns: NDArray[Any], preprocessing: "Preprocessing", d: int) -> Array:
    low, end = preprocessing.limits(d)
    start = np.where(low >= 0, low, 0.0)
    width = end - start
    clipped = np.clip(x, low[columns], end[columns]) - start[columns]
    scaled = clipped / np.where(width > 0, width, 1.0)[columns]
    return np.clip(np.where(width[columns] > 0, scaled, 0.0), -1.0, 1.0)


def _shortened(x: Array, part: NDArray[np.intp], parts: int, preprocessing: "Preprocessing") -> Array:
    """Entries of rows (or of parts of rows) of norm at most 1; the largest entry is divided by first, so that no
    square leaves the number range."""
    largest = np.zeros(parts)
    np.maximum.at(largest, part, np.abs(x))
    scale = np.where(largest > 0, largest, 1.0)
    x = x / scale[part]
    norms = np.sqrt(np.bincount(part, weights=x * x, minlength=parts))
    if preprocessing.rows == "unit":
        return x / np.where(norms > 0, norms, 1.0)[part]
    with np.errstate(over="ignore"):  # a radius far above a tiny row: the row becomes zero
        return x / np.maximum(norms, preprocessing.radius / scale)[part]
