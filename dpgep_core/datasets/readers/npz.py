"""NumPy archives ``NAME.npz`` with the arrays X, y and, where there is a published split, X_test, y_test.

In the place of X there may be the arrays of SciPy's compressed sparse rows, as ``scipy.sparse.save_npz`` writes them;
those of a test split then end in ``_test``.
"""

from dataclasses import dataclass
from math import prod
from typing import IO, Any
from zipfile import ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from dpgep_core.datasets.readers.sidecar import Sidecar, refuse_table_keys
from dpgep_core.datasets.readers.source import Content, check_size
from dpgep_core.datasets.readers.table import Table, first_names
from dpgep_core.datasets.sparse_rows import SPARSE_COLUMNS, SparseRows
from dpgep_core.errors import DataError, show_value

CSR_ARRAYS = ("data", "indices", "indptr", "shape")
CSR_NAMES = (*CSR_ARRAYS, "format")
CSR_ALLOWED = "data, indices, indptr and shape of a csr_array are needed, as scipy.sparse.save_npz writes them"
_CHUNK = 1 << 22


def read_npz(content: Content, sidecar: Sidecar) -> Table:
    """The arrays as they are stored; none that holds Python objects, since loading those runs code."""
    refuse_table_keys(content.name, sidecar, "NPZ arrays")
    if isinstance(sidecar.label, int):
        raise DataError(content.name, f"label = {sidecar.label}: arrays have names, not numbers", "an array's name")
    label = "y" if sidecar.label is None else sidecar.label
    wanted = {"X": "X", "X_test": "X_test", "feature_names": "feature_names"}
    if label:
        wanted |= {"y": label, "y_test": f"{label}_test"}
    found = _arrays(content, wanted)
    for name, suffix in (("X", ""), ("X_test", "_test")):
        if name not in found and f"indptr{suffix}" in found:
            found[name] = _rows_of_csr(content.name, found, suffix)
    _check_pairs(content.name, found, label, declared=sidecar.label is not None)
    names = found.get("feature_names")
    return Table(
        found["X"],
        found.get("y"),
        found.get("X_test"),
        found.get("y_test"),
        feature_names=() if names is None else tuple(str(name) for name in names.ravel()),
    )


def _arrays(content: Content, wanted: dict[str, str]) -> dict[str, NDArray[Any]]:
    """The wanted arrays that are there. What is checked is what is read: one member for each name, by one handle."""
    with content.open() as stream, ZipFile(stream) as archive:
        members = _members(content.name, archive)
        if "X" not in members and "indptr" not in members:
            there = first_names(sorted(members))
            raise DataError(content.name, f"there is no array 'X' among [{there}]", "X and y are needed")
        if "X" not in members:
            wanted = wanted | {f"{name}{suffix}": f"{name}{suffix}" for suffix in ("", "_test") for name in CSR_NAMES}
        chosen = {key: members[name] for key, name in wanted.items() if name in members}
        headers = {key: _header(content.name, archive, info) for key, info in chosen.items()}
        check_size(content.name, sum(max(headers[key].size, info.file_size) for key, info in chosen.items()))
        return {key: _array(content.name, archive, info, headers[key]) for key, info in chosen.items()}


def _members(where: str, archive: ZipFile) -> dict[str, ZipInfo]:
    """Members by the name of their array. Of two that share one, another reader might take the other."""
    members: dict[str, ZipInfo] = {}
    for info in archive.infolist():
        name = info.filename.removesuffix(".npy")
        if name in members:
            raise DataError(where, f"two members are called {show_value(name)}", "each array once is needed")
        members[name] = info
    return members


@dataclass(frozen=True)
class _Header:
    """Header of a stored array: what its beginning says about the rest."""

    shape: tuple[int, ...]
    columns_first: bool
    dtype: np.dtype[Any]

    @property
    def size(self) -> int:
        """Bytes."""
        return prod(self.shape) * self.dtype.itemsize


def _array_name(info: ZipInfo) -> str:
    return show_value(info.filename.removesuffix(".npy"))


def _header(where: str, archive: ZipFile, info: ZipInfo) -> _Header:
    with archive.open(info) as file:
        header = _read_header(file)
    if header.dtype.hasobject:
        raise DataError(where, f"array {_array_name(info)} holds pickled objects", "arrays of numbers are allowed")
    return header


def _read_header(file: IO[bytes]) -> _Header:
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    return _Header(*read(file))


def _array(where: str, archive: ZipFile, info: ZipInfo, header: _Header) -> NDArray[Any]:
    """An array of exactly the size that its header says, whatever follows."""
    data = bytearray(header.size)
    with archive.open(info) as file:
        if _read_header(file) != header:
            raise DataError(where, f"array {_array_name(info)} changed while it was read", "a file at rest")
        view, filled = memoryview(data), 0
        while filled < header.size and (part := file.read(min(_CHUNK, header.size - filled))):
            view[filled : filled + len(part)] = part
            filled += len(part)
        if filled < header.size or file.read(1):
            rest = "fewer" if filled < header.size else "more"
            problem = f"array {_array_name(info)} has {rest} bytes than its header says"
            raise DataError(where, problem, "a whole archive is needed")
    flat = np.frombuffer(data, header.dtype)
    return flat.reshape(header.shape, order="F" if header.columns_first else "C")


def _rows_of_csr(where: str, arrays: dict[str, NDArray[Any]], suffix: str) -> Any:
    """Rows from the arrays of a CSR table: sparse where there are many columns, else dense."""
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


def _check_pairs(where: str, found: dict[str, NDArray[Any]], label: str, *, declared: bool) -> None:
    if "X_test" in found and ("y" in found) != ("y_test" in found):
        missing = label if "y" not in found else f"{label}_test"
        raise DataError(where, f"there is no array {show_value(missing)}", "labels of both splits, or of neither")
    if "X_test" not in found and "y_test" in found:
        raise DataError(where, f"array '{label}_test' without 'X_test'", "both or neither")
    if label and declared and "y" not in found:
        raise DataError(where, f"there is no label array {show_value(label)}", "the name given as label in the sidecar")
