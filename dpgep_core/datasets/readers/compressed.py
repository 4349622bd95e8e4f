"""SciPy's compressed sparse rows (CSR) among the arrays of an NPZ archive, as ``scipy.sparse.save_npz`` writes them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from dpgep_core.datasets.readers.source import check_size
from dpgep_core.datasets.sparse_rows import SPARSE_COLUMNS, SparseRows
from dpgep_core.errors import DataError, show_value

CSR_ARRAYS = ("data", "indices", "indptr", "shape")
CSR_ALLOWED = "data, indices, indptr and shape of a csr_array are needed, as scipy.sparse.save_npz writes them"


def sparse_names(suffix: str) -> dict[str, str]:
    """Names of the arrays of one table, and of its format."""
    return {f"{name}{suffix}": f"{name}{suffix}" for name in (*CSR_ARRAYS, "format")}


def rows_of_csr(where: str, arrays: dict[str, NDArray[Any]], suffix: str = "") -> Any:
    """Rows from the arrays of a CSR table: sparse where there are many columns, else dense.

    Raises
    ------
    DataError
        Arrays that are no such table.
    """
    found = {name: arrays.get(f"{name}{suffix}") for name in CSR_ARRAYS}
    if missing := [name for name, array in found.items() if array is None]:
        raise DataError(where, f"there is no array {show_value(missing[0] + suffix)}", CSR_ALLOWED)
    kind = arrays.get(f"format{suffix}")
    if kind is not None and (written := kind.item() if kind.size == 1 else b"") not in (b"csr", "csr"):
        raise DataError(where, f"a sparse table of format {show_value(written)}", "csr is needed: X.tocsr()")
    shape = np.asarray(found["shape"]).ravel()
    if shape.size != 2 or shape.dtype.kind not in "iu" or not (shape > 0).all():
        raise DataError(where, f"shape = {show_value(shape.tolist())}", "two whole numbers above 0 are needed")
    rows, columns = int(shape[0]), int(shape[1])
    try:
        csr: Any = sparse.csr_array((found["data"], found["indices"], found["indptr"]), shape=(rows, columns))
        csr.check_format(full_check=True)
    except (ValueError, TypeError, IndexError) as error:
        raise DataError(where, f"the sparse table does not hold together ({error})", CSR_ALLOWED) from error
    if columns >= SPARSE_COLUMNS:
        return SparseRows.of(where, csr)
    check_size(where, rows * columns * csr.dtype.itemsize)
    return csr.toarray()
