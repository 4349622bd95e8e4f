"""What keeps a bad file from doing harm: a size limit checked before loading, and one kind of error."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from dpgep_core.errors import DataError, DpgepError

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
    """What a container still allows; its files are absent or say "max" where there is no such limit."""
    folder = Path("/sys/fs/cgroup")
    try:
        most, taken = (float((folder / name).read_text()) for name in ("memory.max", "memory.current"))
        fields = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        return most - taken + float(fields.get("file", 0))  # cached files give way
    except (OSError, ValueError):
        return float("inf")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
