"""The one reader of each format, for files of a folder, uploads and the command line."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from dpgep_core.datasets.readers import idx, libsvm, npz
from dpgep_core.datasets.readers.sidecar import Sidecar, refuse_reading, refuse_text_keys
from dpgep_core.datasets.readers.source import Content, name_the_file
from dpgep_core.datasets.readers.table import Table
from dpgep_core.datasets.readers.utf8 import check_magic
from dpgep_core.errors import DataError

if TYPE_CHECKING:
    from dpgep_core.datasets.readers.columns import Columns

_STARTS = {".parquet": b"PAR1", ".npz": b"PK"}


def read_table(content: Content, ending: str, sidecar: Sidecar) -> Table:
    """Rows and labels as stored, before they are a data set, from a file whose format is one of `READERS`.

    Raises
    ------
    DataError
        The file cannot be used as it is declared; names the file, what is wrong and what is allowed.
    """
    with name_the_file(content.name):
        check_start(content, ending)
        return READERS[ending](content, sidecar)


def check_start(content: Content, ending: str) -> None:
    """Refuse an empty file, and one whose first bytes are not those of its format."""
    if content.size == 0:
        raise DataError(content.name, "the file is empty", "rows are needed")
    start = _STARTS.get(ending, b"\x1f\x8b" if ending.endswith(".gz") else b"")
    with content.open() as stream:
        first = stream.read(16)
    if not first.startswith(start):
        check_magic(content.name, first)
        wanted = f"a {ending} file is needed"
        raise DataError(content.name, "its first bytes are not those of the format in its name", wanted)
    if not start:
        check_magic(content.name, first)


def read_parts(where: str, contents: Sequence[Content], ending: str, sidecar: Sidecar) -> Table:
    """Rows and labels of several files of one format, as one file with these rows in this order gives them.

    Messages about rows name ``where``. The format is ``.parquet``, ``.csv`` or ``.csv.gz``.
    """
    from dpgep_core.datasets.readers.columns import joined_columns  # here, as pyarrow takes long to import
    from dpgep_core.datasets.readers.to_numbers import numbers_table

    columns = [part_columns(content, ending, sidecar) for content in contents]
    with name_the_file(where):
        return numbers_table(joined_columns(where, columns), sidecar)


def part_columns(content: Content, ending: str, sidecar: Sidecar) -> "Columns":
    """The columns of one table, before anything is made of them."""
    with name_the_file(content.name):
        check_start(content, ending)
        return _columns(content, sidecar, ending)


def _columns(content: Content, sidecar: Sidecar, ending: str) -> "Columns":
    from dpgep_core.datasets.readers.columns import parquet_columns, text_columns

    if ending == ".parquet":
        refuse_text_keys(content.name, sidecar)
        return parquet_columns(content)
    refuse_reading(content.name, sidecar, "a table", ("zero_based",))
    return text_columns(content, sidecar)[0]


def _table(content: Content, sidecar: Sidecar, ending: str = ".csv") -> Table:
    from dpgep_core.datasets.readers.to_numbers import numbers_table

    return numbers_table(_columns(content, sidecar, ending), sidecar)


# In this order, one of several files of the same name gets the plain name.
READERS: dict[str, Callable[[Content, Sidecar], Table]] = {
    ".npz": npz.read_npz,
    ".parquet": partial(_table, ending=".parquet"),
    ".csv": _table,
    ".csv.gz": _table,
    ".libsvm": libsvm.read_libsvm,
    ".svm": libsvm.read_libsvm,
    ".libsvm.gz": libsvm.read_libsvm,
    ".svm.gz": libsvm.read_libsvm,
    idx.IMAGES: idx.read_idx,
    f"{idx.IMAGES}.gz": idx.read_idx,
}
