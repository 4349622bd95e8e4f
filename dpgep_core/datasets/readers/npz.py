"""NumPy archives ``NAME.npz`` with the arrays X, y and, where there is a published split, X_test, y_test."""

from math import prod
from typing import IO, Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.readers.declared import refuse_table_keys
from dpgep_core.datasets.readers.limits import check_size
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.source import Content
from dpgep_core.datasets.readers.table import Table
from dpgep_core.errors import DataError, shown


def read(content: Content, sidecar: Sidecar) -> Table:
    """The arrays as they are stored; none that holds Python objects, since loading those runs code."""
    refuse_table_keys(content.name, sidecar, "NPZ arrays")
    if isinstance(sidecar.label, int):
        raise DataError(content.name, f"label = {sidecar.label}: arrays have names, not numbers", "an array's name")
    label = "y" if sidecar.label is None else sidecar.label
    wanted = {"X": "X", "X_test": "X_test", "feature_names": "feature_names"}
    if label:
        wanted |= {"y": label, "y_test": f"{label}_test"}
    with content.open() as stream:
        _check_members(content.name, stream, wanted)
        stream.seek(0)
        with np.load(stream, allow_pickle=False) as archive:
            found: dict[str, NDArray[Any]] = {
                key: archive[name] for key, name in wanted.items() if name in archive.files
            }
    _check_pairs(content.name, found, label, declared=sidecar.label is not None)
    names = found.get("feature_names")
    return Table(
        found["X"],
        found.get("y"),
        found.get("X_test"),
        found.get("y_test"),
        feature_names=() if names is None else tuple(str(name) for name in names.ravel()),
    )


def _check_members(where: str, stream: IO[bytes], wanted: dict[str, str]) -> None:
    """Types and sizes by the headers alone, before anything is unpacked."""
    total = 0
    with ZipFile(stream) as archive:
        members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
        if "X" not in members:
            raise DataError(where, f"there is no array 'X' among {sorted(members)[:12]}", "X and y are needed")
        for name in set(wanted.values()) & set(members):
            with archive.open(members[name]) as file:
                shape, dtype = _header(file)
            if dtype.hasobject:
                raise DataError(where, f"array {shown(name)} holds pickled objects", "arrays of numbers are allowed")
            total += max(prod(shape) * dtype.itemsize, members[name].file_size)
    check_size(where, total)


def _header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    version = np.lib.format.read_magic(file)
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read_header(file)
    return shape, dtype


def _check_pairs(where: str, found: dict[str, NDArray[Any]], label: str, *, declared: bool) -> None:
    if "X_test" in found and ("y" in found) != ("y_test" in found):
        missing = label if "y" not in found else f"{label}_test"
        raise DataError(where, f"there is no array {shown(missing)}", "labels of both splits, or of neither")
    if "X_test" not in found and "y_test" in found:
        raise DataError(where, f"array '{label}_test' without 'X_test'", "both or neither")
    if label and declared and "y" not in found:
        raise DataError(where, f"there is no label array {shown(label)}", "the name given as label in the sidecar")
