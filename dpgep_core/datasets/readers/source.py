"""What a data file holds, on disk or in memory. An upload is never written to disk."""

import gzip
import io
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

from dpgep_core.datasets.readers.limits import check_size
from dpgep_core.errors import DataError

_CHUNK = 1 << 22


def check_file(path: Path) -> None:
    """Refuse what is no plain file. A pipe would be waited for without end."""
    if os.path.isfile(path):  # unlike Path.is_file it raises nothing
        return
    if not os.path.lexists(path):
        raise DataError(path.name, "cannot be read: it is not there", "a file is needed")
    kind = "a folder" if path.is_dir() else "a link that leads to no file" if path.is_symlink() else "no plain file"
    raise DataError(path.name, f"cannot be read: it is {kind}", "a file is needed")


@dataclass(frozen=True)
class Content:
    """Bytes with the name they go by in messages.

    Parameters
    ----------
    name : str
        The file's name: never a path.
    size : int
        Bytes as stored.
    open : callable
        A new binary stream, from its beginning.
    beside : Content or None
        What belongs to it: the labels of images, the test split of LIBSVM text.
    """

    name: str
    size: int
    open: Callable[[], IO[bytes]] = field(repr=False)
    beside: "Content | None" = None

    @classmethod
    def of(cls, path: Path, beside: Path | None = None) -> "Content":
        """The content of a file, and of the one that belongs to it."""
        other = None if beside is None else cls.of(beside)
        return cls(path.name, path.stat().st_size, lambda: path.open("rb"), other)

    @classmethod
    def in_memory(cls, name: str, data: bytes) -> "Content":
        """Bytes in memory."""
        return cls(name, len(data), lambda: io.BytesIO(data))

    @property
    def packed(self) -> bool:
        """Whether its name says that it is a gzip file."""
        return self.name.lower().endswith(".gz")

    def unpack(self) -> bytes:
        """Whole content, unzipped where its name ends in ``.gz``; what would not fit is refused on the way."""
        check_size(self.name, 2 * self.size)
        with self.open() as stored:
            return self._join(cast(IO[bytes], gzip.GzipFile(fileobj=stored)) if self.packed else stored)

    def _join(self, stream: IO[bytes]) -> bytes:
        parts: list[bytes] = []
        total = 0
        while chunk := self._next(stream):
            total += len(chunk)
            check_size(self.name, 2 * total)  # twice: the parts are joined below; the file may have grown
            parts.append(chunk)
        return b"".join(parts)

    def _next(self, stream: IO[bytes]) -> bytes:
        try:
            return stream.read(_CHUNK)
        except (EOFError, OSError) as error:
            reason = str(error) or type(error).__name__
            raise DataError(self.name, f"cannot be unpacked ({reason})", "a whole gzip file is needed") from error
