"""A data set from one file and its sidecar."""

from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.readers import idx, libsvm
from dpgep_core.datasets.readers.formats import READERS, read_table
from dpgep_core.datasets.readers.labels import class_codes, label_numbers
from dpgep_core.datasets.readers.options import DeclaredResponse, views_of
from dpgep_core.datasets.readers.sidecar import Sidecar, read_sidecar
from dpgep_core.datasets.readers.source import Content, check_file, name_the_file
from dpgep_core.datasets.readers.table import Table, check_finite, without_gaps
from dpgep_core.datasets.smooth import smoothed
from dpgep_core.datasets.sparse_rows import SparseRows
from dpgep_core.datasets.summed_rows import SummedRows
from dpgep_core.errors import DataError, ParameterError, declared_by, show_value
from dpgep_core.wording import plural

BOUNDS_LEARNT = "the column bounds"


def read_file(path: Path, *, name: str | None = None) -> Dataset:
    """A data set from one file, and from what ``NAME.toml`` beside it declares.

    Parameters
    ----------
    path : Path
        A file in one of the known formats, which its ending tells.
    name : str, optional
        What to call the set; by default the file's name without its ending.

    Returns
    -------
    Dataset
        Rows in the type they are stored in.

    Raises
    ------
    DataError
        The file or its sidecar cannot be used; names the file, what is wrong and what is allowed.
    """
    stem, ending = name_and_ending(path)
    if not ending:
        raise DataError(path.name, "its ending tells no known format", f"one of {', '.join(READERS)} is needed")
    check_file(path)
    declared = read_sidecar(path.with_name(f"{stem}.toml"))
    with name_the_file(path.name):
        content = Content.of(path, idx.label_path(path) or libsvm.test_part(path))
    return dataset_of(path.name, name or stem, read_table(content, ending, declared), declared)


def dataset_of(where: str, name: str, table: Table, declared: Sidecar) -> Dataset:
    """A data set from what a reader found and what is declared; errors name ``where``."""
    with declared_by(where):
        try:
            whole = without_gaps(where, table, declared.reading.missing)
            for part, X in ((where, whole.X), (f"{where}, test split", whole.X_test)):
                if X is not None:
                    _check_gaps(part, X, table.feature_names)
            return _dataset(where, name, whole, declared)
        except ParameterError as error:
            given = error.value if isinstance(error.value, str) else show_value(error.value)  # words say it as they are
            raise DataError(where, f"{error.name} = {given}", f"{error.allowed} is needed") from error


def _check_gaps(where: str, X: NDArray[Any], names: Sequence[str]) -> None:
    """Refuse a column with gaps by its name, and with what can be done about them."""
    if isinstance(X, SparseRows) or X.ndim != 2 or X.dtype.kind != "f":  # sparse entries are checked by their reader
        return
    for j in np.flatnonzero([not np.isfinite(X[:, j]).all() for j in range(X.shape[1])]).tolist():
        called = f"column {show_value(names[j])}" if j < len(names) else f"column {j}, counted from 0,"
        check_finite(where, called, X[:, j], gaps_too=True)


def _dataset(where: str, name: str, table: Table, declared: Sidecar) -> Dataset:
    if declared.response is not None:
        return _with_response(where, name, table, declared, declared.response)
    parts = [part for part in (table.y, table.y_test) if part is not None]
    if not parts and (declared.classes or declared.class_names):
        key = "classes" if declared.classes else "class_names"
        raise DataError(where, f"{key} are declared, and there are no labels", "labels, or no classes, are needed")
    codes, classes = class_codes(where, parts, declared.classes) if parts else ([], ())
    if declared.class_names and len(declared.class_names) != len(classes):
        raise DataError(
            where, plural(len(declared.class_names), "class name"), f"one for each of {len(classes)} classes"
        )
    labels = {
        "y": codes[0] if codes else None,
        "y_test": codes[1] if len(codes) > 1 else None,
        "classes": declared.class_names or classes,
        "classes_declared": bool(declared.classes) or not codes,
    }
    return build_dataset(where, name, table, declared, labels)


def _with_response(where: str, name: str, table: Table, declared: Sidecar, response: DeclaredResponse) -> Dataset:
    if table.y is None:
        raise DataError(where, "there is no response", "a column or array of numbers, as [response] says, is needed")
    values = [None if part is None else label_numbers(where, part) for part in (table.y, table.y_test)]
    cut = {"edges": response.edges, "edges_mu": response.edges_mu}
    dataset = build_dataset(where, name, table, declared, {"response": values[0], "response_test": values[1], **cut})
    return dataset.with_quantile_slices(response.slices) if response.slices else dataset


def build_dataset(where: str, name: str, table: Table, declared: Sidecar, target: dict[str, Any]) -> Dataset:
    """A data set from rows and what is declared; ``target`` holds its labels or response, and the classes."""
    if declared.declared_d is not None and table.X.ndim == 2 and table.X.shape[1] != declared.declared_d:
        raise DataError(
            where, plural(table.X.shape[1], "column"), f"declared_d = {declared.declared_d} columns are needed"
        )
    image_shape = declared.image_shape or table.image_shape
    if image_shape and table.X.ndim == 2 and prod(image_shape) != table.X.shape[1]:
        raise DataError(where, f"image_shape {image_shape} for {table.X.shape[1]} columns", "one pixel for each column")
    try:
        made = Dataset(
            name,
            declared.title or name,
            _rows(table.X),
            X_test=None if table.X_test is None else _rows(table.X_test),
            **target,
            preprocessing=declared.preprocessing,
            image_shape=image_shape,
            feature_names=declared.feature_names or table.feature_names,
            views=views_of(where, declared.views, table.X.shape),
            licence=declared.licence,
            source=declared.source or f"file {where}",
            declared_n=declared.declared_n,
            learnt=(*table.learnt, *((BOUNDS_LEARNT,) if declared.learnt else ())),
            notes=table.notes,
        )
        return made if declared.smooth is None else _smoothed(where, made, declared.smooth)
    except DataError as error:  # names the file, which is what there is to mend
        raise DataError(where + error.where.removeprefix(name), error.problem, error.allowed) from error


def _smoothed(where: str, dataset: Dataset, side: int) -> Dataset:
    try:
        return smoothed(dataset, side)
    except ParameterError as error:
        raise DataError(where, f"smooth = {side}", f"{error.allowed} is needed") from error


def _rows(X: NDArray[Any]) -> NDArray[Any]:
    """Rows one after the other in memory, in a type no wider than what is computed with."""
    if isinstance(X, SparseRows | SummedRows):
        return X
    wide = X.dtype.kind == "f" and X.dtype.itemsize > 8
    with np.errstate(over="ignore"):  # becomes infinite, which is then refused by row and column
        return np.ascontiguousarray(X, dtype=np.float64 if wide else None)


def name_and_ending(path: Path) -> tuple[str, str]:
    """Name and ending of a data file; no ending for any other file, parts of other sets among them."""
    lowered = path.name.lower()
    ending = next((e for e in READERS if lowered.endswith(e) and lowered != e), "")
    stem = path.name[: len(path.name) - len(ending)]
    return (stem, "") if libsvm.is_test_part(path) else (stem, ending)


def files_of(path: Path) -> list[Path]:
    """The files that a set is made of: the sidecar, there or not, and parts that a format keeps apart."""
    stem, _ = name_and_ending(path)
    parts = (path, path.with_name(f"{stem}.toml"), idx.label_path(path), libsvm.test_part(path))
    return [part for part in parts if part is not None]
