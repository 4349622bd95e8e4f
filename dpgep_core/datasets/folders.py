"""A data set from a folder of Parquet or CSV files: one table, in the order of the files' names."""

import tomllib
from pathlib import Path

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.files import dataset_of, name_and_ending
from dpgep_core.datasets.readers.formats import read_parts
from dpgep_core.datasets.readers.parts import REMOTE, check_unchanged, parts_of, read_beside
from dpgep_core.datasets.readers.sidecar import LARGEST_SIDECAR, Sidecar, parse_sidecar, read_sidecar
from dpgep_core.errors import DataError, reason_of


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

    Raises
    ------
    DataError
        A file or the sidecar ``NAME.toml`` beside the folder cannot be used; names it, what is wrong and what is
        allowed.
    """
    where, declared = folder_name(address), folder_sidecar(address)
    parts = parts_of(address)
    table = read_parts(where, [part.content for part in parts], parts[0].ending, declared)
    check_unchanged(parts)
    return dataset_of(where, name or where, table, declared)


def folder_name(address: str) -> str:
    """The name of a folder, without an ending such as the ``.parquet`` that Spark gives it."""
    last = address.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]
    return name_and_ending(Path(last))[0]


def folder_sidecar(address: str) -> Sidecar:
    """Declarations in ``NAME.toml`` beside the folder; empty ones where there is none."""
    if REMOTE not in address:
        return read_sidecar(Path(address).absolute().with_name(f"{folder_name(address)}.toml"))
    where = f"{folder_name(address)}.toml"
    try:
        stored = read_beside(f"{address.rstrip('/').rsplit('/', 1)[0]}/{where}")
        if stored is None:
            return Sidecar()
        if len(stored) > LARGEST_SIDECAR:
            raise ValueError(f"more than {LARGEST_SIDECAR:,} bytes")
        return parse_sidecar(where, tomllib.loads(stored.decode("utf-8-sig").replace("\r\n", "\n")))
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(where, f"cannot be read ({reason_of(error)})", "TOML in UTF-8 is needed") from error
