"""A data set from a folder of Parquet or CSV files: one table, in the order of the files' names."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.files import build_dataset, dataset_of, name_and_ending
from dpgep_core.datasets.readers.formats import read_parts
from dpgep_core.datasets.readers.parts import REMOTE, Part, check_unchanged, parts_of
from dpgep_core.datasets.readers.sidecar import Sidecar, read_sidecar, stored_sidecar
from dpgep_core.datasets.readers.stores import read_beside
from dpgep_core.datasets.readers.table import DROP
from dpgep_core.datasets.slices import slice_names
from dpgep_core.datasets.streamed import StreamedRows, stream_above
from dpgep_core.errors import DataError, show_value

NEEDED_TO_STREAM = (
    "they are needed to stream rows that do not fit into memory: declare classes = [...], categories = [...], or "
    'label = "" where there are no labels'
)


def read_folder(address: str, *, name: str | None = None) -> Dataset:
    """A data set from a folder: the one that a single file with the same rows in the same order gives.

    Parameters
    ----------
    address : str
        Path of a folder of files ``.parquet``, ``.csv`` or ``.csv.gz``, or a URL of one that fsspec knows. Their order
        is that of their names.
    name : str, optional
        What to call the set; by default the folder's name.

    Returns
    -------
    Dataset
        In memory where its rows take up to `stream_above` bytes there; else streamed. It then needs what must not be
        learnt from the rows: ``classes``, ``edges`` and ``categories``.

    Raises
    ------
    DataError
        A file or the sidecar ``NAME.toml`` beside the folder cannot be used; names it, what is wrong and what is
        allowed.
    """
    from dpgep_core.datasets.readers.batches import bytes_of_part  # here, as pyarrow takes long to import

    where, declared = folder_name(address), folder_sidecar(address)
    parts = parts_of(address)
    if sum(map(bytes_of_part, parts)) > stream_above():
        return _streamed(where, name or where, parts, declared)
    table = read_parts(where, [part.content for part in parts], parts[0].ending, declared)
    check_unchanged(parts)
    return dataset_of(where, name or where, table, declared)


def _streamed(where: str, name: str, parts: tuple[Part, ...], declared: Sidecar) -> Dataset:
    """A data set whose rows stay in the files; one row of each file is read for the names of its columns."""
    from dpgep_core.datasets.readers.batches import part_tables, rows_of_part

    check_declared(f"{folder_name(where)}.toml", declared)
    first = [next(part_tables(part, declared, most_rows=1), None) for part in parts]
    layouts = [(part, table) for part, table in zip(parts, first, strict=True) if table is not None]
    if not layouts:
        raise DataError(where, "there are no rows", "a table of at least 2 rows is needed")
    _, table = layouts[0]
    for part, other in layouts[1:]:
        if other.feature_names != table.feature_names or other.X.shape[1:] != table.X.shape[1:]:
            raise DataError(part.name, "its columns are others", f"those of {layouts[0][0].name} are needed")
    if table.y is not None and declared.response is None and not declared.classes:
        raise DataError(f"{folder_name(where)}.toml", "classes are not declared", NEEDED_TO_STREAM)
    counts = tuple(rows_of_part(part, declared) for part in parts)
    edges = () if declared.response is None else declared.response.edges
    labelled = bool(declared.classes or edges) and table.y is not None
    rows = StreamedRows(where, parts, counts, declared, table.X.shape[1], labelled)
    # The rows' own classes stay in the files: only the names of classes or slices are known.
    classes = declared.class_names or (slice_names(edges) if edges else declared.classes)
    learnt = tuple(dict.fromkeys(fact for _, each in layouts for fact in each.learnt))
    return build_dataset(where, name, replace(table, X=cast(Any, rows), learnt=learnt), declared, {"classes": classes})


def check_declared(where: str, declared: Sidecar) -> None:
    """Refuse declarations that leave something to the rows: streamed rows are not looked at beforehand."""
    undeclared = [each for each in declared.text if each.categories is None]
    if undeclared:
        raise DataError(where, f"the categories of {show_value(undeclared[0].column)} are from rows", NEEDED_TO_STREAM)
    if declared.response is not None and declared.response.edges_mu:
        raise DataError(
            where, "response.edges_mu", "edges chosen without looking at the rows are needed to stream rows"
        )
    if declared.response is not None and declared.response.slices:
        raise DataError(where, "response.slices are quantiles of the rows", "response.edges are needed to stream rows")
    if declared.reading.missing == DROP:
        allowed = "a number for each gap is needed to stream rows: how many are left is not known beforehand"
        raise DataError(where, "reading.missing drops rows", allowed)


def folder_name(address: str) -> str:
    """The name of a folder, without an ending such as the ``.parquet`` that Spark gives it."""
    last = address.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]
    return name_and_ending(Path(last))[0]


def folder_sidecar(address: str) -> Sidecar:
    """Declarations in ``NAME.toml`` beside the folder; empty ones where there is none."""
    name = f"{folder_name(address)}.toml"
    if REMOTE in address:
        return stored_sidecar(name, lambda: remote_sidecar(address))
    return read_sidecar(Path(address).absolute().with_name(name))


def remote_sidecar(address: str) -> bytes | None:
    """The bytes of the sidecar beside a folder at a URL; None where its store says that there is none.

    Raises
    ------
    DataError
        If the store gives no answer.
    """
    return read_beside(f"{address.rstrip('/').rsplit('/', 1)[0]}/{folder_name(address)}.toml")
