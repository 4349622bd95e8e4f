"""A data set from bytes that someone sent: the readers of folder files, under lower limits, and nothing on disk."""

import re
import unicodedata
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.files import dataset_of
from dpgep_core.datasets.readers import idx
from dpgep_core.datasets.readers.columns import Columns, parquet_columns, text_columns
from dpgep_core.datasets.readers.formats import READERS, check_start, read_table
from dpgep_core.datasets.readers.remedies import for_the_form
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.readers.source import Content, limit_memory, name_the_file
from dpgep_core.datasets.readers.table import Table
from dpgep_core.datasets.readers.text import MOST_TEXT_COLUMNS, Written
from dpgep_core.errors import DataError

MOST_BYTES = 200_000_000
MOST_UNPACKED = 1 << 30
MOST_MEMBERS = 1_000
LONGEST_UPLOAD_NAME = 80
# What a name may end in, and what the same file is called in a folder.
UPLOAD_ENDINGS = {
    **dict.fromkeys((".csv", ".tsv", ".txt", ".data"), ".csv"),
    **{f"{ending}.gz": ".csv.gz" for ending in (".csv", ".tsv", ".txt", ".data")},
    **{ending: ending for ending in READERS if not ending.startswith(idx.IMAGES)},  # an IDX pair is two files
}
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # control and format characters, marks of direction among them


@dataclass(frozen=True)
class Upload:
    """A file as it was sent.

    Parameters
    ----------
    name : str
        Its name made harmless: no folders, nothing that cannot be seen, not long.
    ending : str
        Which format it is in, as a folder file would be called.
    content : Content
        Its bytes.
    source, licence : str
        Where it comes from, if that is known.
    """

    name: str
    ending: str
    content: Content
    source: str = ""
    licence: str = ""

    @property
    def tabular(self) -> bool:
        """Whether it has columns with names, of numbers or words."""
        return self.ending in (".csv", ".csv.gz", ".parquet")

    @property
    def slug(self) -> str:
        """A short name of plain letters, for addresses, menus and files."""
        stem = self.name[: len(self.name) - len(_known_ending(self.name))]
        plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
        return re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")[:40].strip("_") or "data"


def receive(file_name: str, data: bytes) -> Upload:
    """Check the name and the size of what was sent, and that its first bytes fit its name."""
    name = shown_name(file_name)
    ending = UPLOAD_ENDINGS.get(_known_ending(name), "")
    if not ending:
        raise DataError(name, "its ending tells no known format", f"one of {', '.join(UPLOAD_ENDINGS)} is needed")
    if not data:
        raise DataError(name, "the file is empty", "rows are needed")
    if len(data) > MOST_BYTES:
        raise DataError(name, f"{len(data) / 1e6:,.1f} MB", f"at most {MOST_BYTES / 1e6:,.0f} MB can be uploaded")
    hidden = ending.endswith(".gz") and not name.lower().endswith(".gz")
    content = Content.in_memory(f"{name}.gz" if hidden else name, data)
    check_start(content, ending)
    if ending == ".npz" and data.count(b"PK\x01\x02") > MOST_MEMBERS:
        raise DataError(name, "an archive of very many members", f"at most {MOST_MEMBERS:,} arrays")
    return Upload(name, ending, content)


def shown_name(file_name: str) -> str:
    """A file name that is only a name: its last part, without what cannot be seen, cut in the middle if long."""
    last = re.split(r"[/\\]", file_name)[-1]
    seen = "".join(c for c in unicodedata.normalize("NFC", last) if unicodedata.category(c) not in _UNSEEN)
    line = " ".join(seen.split()).strip(". ") or "data"
    return line if len(line) <= LONGEST_UPLOAD_NAME else f"{line[: LONGEST_UPLOAD_NAME - 25]}…{line[-24:]}"


def read_upload(upload: Upload, sidecar: Sidecar, *, key: str) -> Dataset:
    """The data set of an upload as declared: the same as a folder's file with this sidecar beside it. ``key`` names it.

    Raises
    ------
    DataError
        The file cannot be used so; names the file, what is wrong and what is allowed.
    """
    with _guard(upload):
        dataset = dataset_of(upload.name, key, table_of_upload(upload, sidecar), sidecar)
        if dataset.d > MOST_TEXT_COLUMNS:
            raise DataError(upload.name, f"{dataset.d:,} columns", f"at most {MOST_TEXT_COLUMNS:,} columns")
    return dataset if dataset.title != key else replace(dataset, title=upload.name)


def columns_of(upload: Upload, sidecar: Sidecar) -> tuple[Columns, Written | None]:
    """The columns of a table, before anything is chosen."""
    with _guard(upload):
        if upload.ending == ".parquet":
            return parquet_columns(upload.content), None
        return text_columns(upload.content, sidecar)


def table_of_upload(upload: Upload, sidecar: Sidecar) -> Table:
    """Rows and labels, before they are a data set."""
    with _guard(upload):
        return read_table(upload.content, upload.ending, sidecar)


@contextmanager
def _guard(upload: Upload) -> Generator[None]:
    with limit_memory(MOST_UNPACKED), name_the_file(upload.name), for_the_form():
        yield


def _known_ending(name: str) -> str:
    """The longest that is known; "" where none is."""
    return max((ending for ending in UPLOAD_ENDINGS if name.lower().endswith(ending)), key=len, default="")
