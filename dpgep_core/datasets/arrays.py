"""Arrays as users have them, made plain on entry: NumPy arrays of numbers, by position, in memory once.

Anything that stands for an array or a table is taken: lists, pandas and polars, Arrow, SciPy's sparse matrices, and
whatever has ``to_numpy`` or ``__array__``. Sparse rows of many columns stay sparse. Index labels of pandas mean nothing
here: row j is the j-th. What has gaps, a mask, words or complex numbers is refused with the row where it is.
"""

from collections.abc import Sequence
from numbers import Real
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from dpgep_core.datasets.readers.source import check_size
from dpgep_core.datasets.readers.table import side_by_side
from dpgep_core.datasets.sparse_rows import SparseRows, is_sparse
from dpgep_core.datasets.summed_rows import SummedRows
from dpgep_core.errors import DataError, DpgepError, reason_of, show_value

BLOCK_ROWS = 4096
NUMBER_KINDS = "real numbers are needed; encode text columns first"
FINITE = "finite numbers are needed"


def rows_of(where: str, value: Any) -> NDArray[Any]:
    """(n, d) finite numbers, in the number type they are stored in: images of bytes stay bytes."""
    as_it_is = isinstance(value, SummedRows | SparseRows)
    if is_sparse(value) and not as_it_is:
        value, as_it_is = SparseRows.of(where, value), True
    X = cast("NDArray[Any]", value) if as_it_is else _numbers(where, "entries", value)
    if X.ndim != 2 or X.shape[0] < 2 or X.shape[1] < 1:
        raise DataError(where, f"shape {X.shape}", "a table of at least 2 rows and 1 column is needed")
    if not as_it_is and X.dtype.kind == "f":
        _check_finite(where, X)
    return X


def codes_of(where: str, value: Any, rows: int) -> NDArray[np.intp]:
    """(n,) class codes in the type that indexes: with narrower ones, sums such as 17 · 17 would overflow."""
    y = _numbers(where, "labels", value)
    if y.shape != (rows,):
        raise DataError(where, f"{y.shape} labels for {rows} rows", "one label for each row is needed")
    if y.dtype.kind == "f":
        y = y.astype(np.float64)
        wrong = np.flatnonzero(~(y == np.rint(y)) | (np.abs(y) > 2**53))
    else:
        wrong = np.flatnonzero(y.astype(np.intp) != y)  # whole numbers that only an unsigned type holds
    if wrong.size:
        row = int(wrong[0])
        raise DataError(where, f"the label of row {row} is {y[row]}", "class codes are needed: 0, 1, 2, …")
    return y.astype(np.intp, copy=False)


def check_codes(where: str, y: NDArray[np.intp], K: int) -> None:
    """Raise `DataError` where a code stands for none of K classes."""
    if not K:
        raise DataError(where, "labels without classes", "the names of the classes are needed, one for each code")
    outside = np.flatnonzero((y < 0) | (y >= K))
    if outside.size:
        row = int(outside[0])
        problem = f"labels outside the class set: {y[row]} in row {row}"
        raise DataError(where, problem, f"codes 0 to {K - 1} are allowed")


def response_of(where: str, value: Any, rows: int) -> NDArray[np.float64]:
    """(n,) finite numbers, one for each row."""
    response = _numbers(where, "a response", value)
    if response.shape != (rows,):
        raise DataError(where, f"a response of shape {response.shape}", f"one number for each of {rows} rows is needed")
    bad = np.flatnonzero(~np.isfinite(response))
    if bad.size:
        raise DataError(where, f"the response of row {bad[0]} is {response[bad[0]]}", FINITE)
    return response.astype(np.float64, copy=False)


def reals_of(where: str, name: str, value: Any) -> tuple[float, ...]:
    """A list of finite numbers that is declared, such as edges or bounds."""
    try:
        found = _numbers(where, name, value)
    except DataError:
        found = np.zeros((0, 0))
    if found.ndim != 1 or found.dtype.kind == "b" or not np.isfinite(found.astype(np.float64)).all():
        raise DataError(where, f"{name} = {show_value(value)}", "a list of numbers is needed, all of them finite")
    return tuple(float(each) + 0.0 for each in found)  # + 0.0: −0 and 0 are one


def _numbers(where: str, what: str, value: Any) -> NDArray[Any]:
    """A NumPy array of real numbers in native byte order, no wider than what is computed with."""
    try:
        array = _plain(where, what, value)
    except DpgepError:
        raise
    except Exception as error:  # whatever someone else's object raises while it turns into an array
        raise DataError(where, f"{what} that are no array ({reason_of(error)})", NUMBER_KINDS) from error
    kind = array.dtype.kind
    if kind == "O":
        raise DataError(where, f"{what} of type object{_first_odd(array)}", NUMBER_KINDS)
    if kind not in "biuf":
        raise DataError(where, f"{what} of type {array.dtype}", NUMBER_KINDS)
    if kind == "f" and array.dtype.itemsize > 8:
        with np.errstate(over="ignore"):  # becomes infinite, which is then refused by row and column
            return array.astype(np.float64)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _plain(where: str, what: str, value: Any) -> NDArray[Any]:
    if isinstance(value, np.ma.MaskedArray):
        return _refuse_mask(where, what, value)
    if isinstance(value, np.ndarray):
        return np.asarray(value)  # a matrix, too
    if sparse.issparse(value):
        check_size(where, int(np.prod(value.shape, dtype=object)) * value.dtype.itemsize)
        return value.toarray()
    if isinstance(value, list | tuple | range):
        return _from_list(where, what, cast("Sequence[Any]", value))
    import pandas as pd  # here, as most processes are given arrays, and both take long to import
    import pyarrow as pa

    if isinstance(value, pd.DataFrame):
        if all(isinstance(kind, np.dtype) and kind.kind in "iuf" for kind in value.dtypes):
            return value.to_numpy()
        return _beside(where, what, [value.iloc[:, j] for j in range(value.shape[1])], len(value))
    if isinstance(value, pa.Table | pa.RecordBatch):
        table: Any = value
        return _beside(where, what, [table.column(j) for j in range(table.num_columns)], table.num_rows)
    if isinstance(value, pd.Series | pd.Index | pd.api.extensions.ExtensionArray):
        return _column(where, what, cast(Any, pd.Series(value)))
    if isinstance(value, pa.Array | pa.ChunkedArray):
        return _column(where, what, value.to_pandas(types_mapper=pd.ArrowDtype))
    if hasattr(value, "to_numpy"):
        return np.asarray(value.to_numpy())
    if hasattr(value, "__arrow_c_stream__"):
        return _plain(where, what, cast(Any, pa).table(value))
    if hasattr(value, "__array__"):
        return np.asarray(value)
    raise DataError(where, f"{what} that are {show_value(value)}", "an array, a list or a table of numbers is needed")


def _refuse_mask(where: str, what: str, value: Any) -> NDArray[Any]:
    mask = np.ma.getmaskarray(value)
    if mask.any():
        place = f", in row {np.argwhere(mask)[0][0]}" if value.ndim else ""
        raise DataError(where, f"{what} that are masked{place}", "fill them or leave their rows out")
    return np.asarray(value.data)


def _beside(where: str, what: str, columns: list[Any], rows: int) -> NDArray[Any]:
    """Columns of a table, each of its own type, side by side in one that fits all."""
    plain = [_numbers(f"{where}, column {j}", what, column) for j, column in enumerate(columns)]
    return side_by_side(plain) if plain else np.empty((rows, 0))


def _column(where: str, what: str, series: Any) -> NDArray[Any]:
    """One pandas column; types that know gaps become plain ones where there are none."""
    import pandas as pd

    kind = series.dtype
    if isinstance(kind, np.dtype):
        return series.to_numpy()
    gaps = np.flatnonzero(series.isna().to_numpy())
    if gaps.size:
        raise DataError(where, f"{what} that are missing, in row {gaps[0]}", "fill gaps or leave their rows out")
    if isinstance(kind, pd.CategoricalDtype | pd.SparseDtype) or not pd.api.types.is_numeric_dtype(kind):
        return np.asarray(series)
    numpy_kind = np.dtype(getattr(kind, "numpy_dtype", object))
    return series.to_numpy(dtype=np.float64 if numpy_kind.kind == "O" else numpy_kind)  # decimals become doubles


def _from_list(where: str, what: str, values: "Sequence[Any]") -> NDArray[Any]:
    parts = [_plain(where, what, part) if hasattr(part, "mask") or hasattr(part, "to_numpy") else part
             for part in values]  # fmt: skip
    try:
        return np.asarray(parts)
    except ValueError as error:
        raise DataError(where, f"{what} in lists of different lengths", "rows of one length are needed") from error


def _first_odd(array: NDArray[Any]) -> str:
    """Where the first entry of a mixed array is that is no real number."""
    for place, value in np.ndenumerate(array):
        if isinstance(value, bool) or not isinstance(value, Real):
            return f" ({show_value(value)} in row {place[0]})" if place else f" ({show_value(value)})"
    return " (a number too large for any other)"


def _check_finite(where: str, X: NDArray[Any]) -> None:
    for first in range(0, X.shape[0], BLOCK_ROWS):
        bad = np.argwhere(~np.isfinite(X[first : first + BLOCK_ROWS]))
        if bad.size:
            row, column = bad[0]
            raise DataError(where, f"row {first + row}, column {column} is {X[first + row, column]}", FINITE)
