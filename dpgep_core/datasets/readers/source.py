"""Content of a data file, on disk or in memory, and what keeps a bad file from doing harm.

A limit on size is checked before loading, and whatever a parser raises becomes one kind of error. An upload is never
written to disk.
"""

import gzip
import io
import os
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from errno import ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR
from pathlib import Path
from typing import IO, cast

from dpgep_core.errors import DataError, DpgepError, reason_of

_ceiling: ContextVar[float] = ContextVar("ceiling", default=float("inf"))
_SHARE = 0.5  # of the free memory: what is fitted, split and drawn needs room beside the rows


def memory_limit() -> int:
    """Bytes that the rows of one file may take."""
    return int(min(_ceiling.get(), _SHARE * min(_free_memory(), _free_in_control_group())))


@contextmanager
def limit_memory(size: float) -> Generator[None]:
    """A lower limit than memory sets, for data that come from someone else."""
    token = _ceiling.set(size)
    try:
        yield
    finally:
        _ceiling.reset(token)


def check_size(where: str, size: int) -> None:
    """Raise `DataError` where ``size`` bytes would not fit."""
    limit = memory_limit()
    if size > limit:
        raise DataError(
            where, f"would take {_megabytes(size)} in memory", f"at most {_megabytes(limit)} is allowed on this machine"
        )


@contextmanager
def name_the_file(where: str) -> Generator[None]:
    """Turn whatever a parser raises into a `DataError` that names the file.

    Parsers of four libraries meet broken files here, and what they raise is not documented; the cause stays attached,
    and their words, which name no remedy, are not repeated.
    """
    try:
        yield
    except DpgepError:
        raise
    except MemoryError as error:
        raise DataError(where, "does not fit in memory", "a smaller file is needed") from error
    except Exception as error:
        system = isinstance(error, OSError) and error.strerror
        reason = f" ({error.strerror})" if isinstance(error, OSError) and system else ": it is damaged or cut short"
        raise DataError(where, f"cannot be read{reason}", "a whole file of the format in its name is needed") from error


def _free_memory() -> float:
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            kilobytes = next(line.split()[1] for line in lines if line.startswith("MemAvailable"))
        return float(kilobytes) * 1024
    except (OSError, StopIteration):
        return _physical_memory()


def _physical_memory() -> float:
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return float(8 << 30)  # a system that tells nothing: what a small laptop has


def _free_in_control_group() -> float:
    """Memory that a container still allows; its files are absent or say "max" where there is no such limit."""
    folder = Path("/sys/fs/cgroup")
    try:
        most, taken = (float((folder / name).read_text()) for name in ("memory.max", "memory.current"))
        fields = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        return most - taken + float(fields.get("file", 0))  # cached files give way
    except (OSError, ValueError):
        return float("inf")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


_CHUNK = 1 << 22


_NOTHING = (ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP)  # all other errors leave open what is there


def look_up(path: Path, *, follow: bool = True) -> int | None:
    """The mode of what is at a path, or of what a link there leads to; None where there is nothing.

    Raises
    ------
    DataError
        If the system cannot tell, as in a folder that may not be searched.
    """
    try:
        return os.stat(path, follow_symlinks=follow).st_mode
    except ValueError:  # a zero byte, which no name holds
        return None
    except OSError as error:
        if error.errno in _NOTHING:
            return None
        allowed = "a file that can be looked up, or none, is needed"
        raise DataError(path.name, f"cannot be looked up ({reason_of(error)})", allowed) from error


def is_file(path: Path) -> bool:
    """Whether there is a file; raises `DataError` where the system cannot tell."""
    return stat.S_ISREG(look_up(path) or 0)


def check_file(path: Path) -> None:
    """Refuse what is no plain file. A pipe would be waited for without end."""
    mode = look_up(path) or 0
    if stat.S_ISREG(mode):
        return
    own = look_up(path, follow=False)
    if own is None:
        raise DataError(path.name, "cannot be read: it is not there", "a file is needed")
    linked = "a link that leads to no file" if stat.S_ISLNK(own) else "no plain file"
    kind = "a folder" if stat.S_ISDIR(mode) else linked
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

    @contextmanager
    def unpacked(self) -> Generator[IO[bytes]]:
        """A stream of the content, unzipped where its name says that it is a gzip file."""
        with self.open() as stored:
            packed = self.name.lower().endswith(".gz")
            yield cast(IO[bytes], gzip.GzipFile(fileobj=stored)) if packed else stored

    def unpack(self) -> bytes:
        """Whole content, unzipped where its name ends in ``.gz``; what would not fit is refused on the way."""
        check_size(self.name, 2 * self.size)
        parts: list[bytes] = []
        total = 0
        with self.unpacked() as stream:
            try:
                while chunk := stream.read(_CHUNK):
                    total += len(chunk)
                    check_size(self.name, 2 * total)  # twice: the parts are joined below; the file may have grown
                    parts.append(chunk)
            except (EOFError, OSError) as error:
                reason = str(error) or type(error).__name__
                raise DataError(self.name, f"cannot be unpacked ({reason})", "a whole gzip file is needed") from error
        return b"".join(parts)
