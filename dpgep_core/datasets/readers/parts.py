"""Files of a folder that together are one table, on disk or wherever fsspec reaches."""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from dpgep_core.datasets.readers.source import Content
from dpgep_core.datasets.readers.stores import file_system, store_reason
from dpgep_core.errors import DataError, show_value

PART_ENDINGS = (".parquet", ".csv.gz", ".csv")
REMOTE = "://"
_HIDDEN = (".", "_")  # how Spark and others name what is no part, such as _SUCCESS
_TIMES = ("LastModified", "last_modified", "Last-Modified")  # in whole seconds: two writes in one look the same
_COPIED = "mtime"  # what a copy may take over from another file
_UNSURE = (*_TIMES, _COPIED)  # may be the same after a change
_CHANGES = ("ETag", "etag", *_TIMES, "updated", "created", _COPIED)  # of fsspec's file systems


@dataclass(frozen=True)
class Part:
    """One file of a folder, as it was when the folder was listed.

    Parameters
    ----------
    address : str
        Path or URL.
    size : int
        Bytes as stored.
    changed : str
        Differs when the file was written again: its time of change, or what a remote store has for that.
    """

    address: str
    size: int
    changed: str

    @property
    def name(self) -> str:
        """The file's name: never a path."""
        return self.address.rstrip("/").rsplit("/", 1)[-1] if REMOTE in self.address else Path(self.address).name

    @cached_property
    def ending(self) -> str:
        """The format, as its name tells it; "" for none."""
        return part_ending(self.name)

    @property
    def written(self) -> str | None:
        """Text that differs after every change of the file on this machine; None where its store has none.

        A size and a time of change are not enough: a copy that keeps times can take over both, and a time in whole
        seconds is that of every write in its second. Workers elsewhere may see other inodes, so that this is no part
        of what they compare.
        """
        if REMOTE in self.address:
            return self.changed if self.changed and not self.changed.startswith(_UNSURE) else None
        status = os.stat(self.address)
        return f"{status.st_ino} {status.st_ctime_ns}"

    @property
    def content(self) -> Content:
        """The bytes, to be opened."""
        if REMOTE in self.address:
            return Content(self.name, self.size, lambda: file_system(self.address)[0].open(self.address, "rb"))
        return Content(self.name, self.size, lambda: open(self.address, "rb"))

    def check_unchanged(self) -> None:
        """Raise `DataError` where the file is no longer what was listed."""
        try:
            now = _remote_part(self.address) if REMOTE in self.address else _local_part(Path(self.address))
        except DataError:
            raise
        except Exception as error:  # of a file system that someone else wrote
            raise _changed(self.name, f"it can no longer be read ({store_reason(error)})") from error
        if now != self:
            raise _changed(self.name, "it changed while the folder was read")


def part_ending(name: str) -> str:
    """Format of a part by its name; "" where it is none."""
    lowered = name.lower()
    found = next((ending for ending in PART_ENDINGS if lowered.endswith(ending) and lowered != ending), "")
    return "" if name.startswith(_HIDDEN) else found


def holds_parts(path: Path) -> bool:
    """Whether a local folder holds at least one file that is a part of a table."""
    try:
        with os.scandir(path) as entries:
            return any(part_ending(entry.name) and entry.is_file() for entry in entries)
    except OSError:
        return False


def parts_of(address: str) -> tuple[Part, ...]:
    """The files of the folder at a path, or at a URL that fsspec knows, in the order of their names.

    Raises
    ------
    DataError
        If it holds no files of a known format, files of two formats, or folders of such files.
    """
    where = address.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]
    try:
        found, folders = _remote_parts(address) if REMOTE in address else _local_parts(Path(address))
    except DataError:
        raise
    except Exception as error:  # of a file system that someone else wrote
        raise DataError(where, f"cannot be read ({store_reason(error)})", "a folder of files is needed") from error
    if folders and not found:
        raise DataError(where, f"it holds the folder {show_value(folders[0])} and no files", _needed())
    if not found:
        raise DataError(where, "it holds no data files", _needed())
    endings = sorted({part.ending.removesuffix(".gz") for part in found})
    if len(endings) > 1:
        raise DataError(where, f"it holds {' and '.join(endings)} files", "files of one format are needed")
    return tuple(sorted(found, key=lambda part: part.name))


def check_unchanged(parts: tuple[Part, ...]) -> None:
    """Raise `DataError` naming the first file that is no longer what was listed."""
    for part in parts:
        part.check_unchanged()


def writes_of(parts: tuple[Part, ...]) -> str | None:
    """Text that differs after every change of the files; None where a store of theirs tells nothing of changes.

    Raises
    ------
    DataError
        Naming a file that is no longer there.
    """
    found: list[str] = []
    for part in parts:
        try:
            told = part.written
        except OSError as error:
            raise _changed(part.name, f"it can no longer be read ({store_reason(error)})") from error
        if told is None:
            return None
        found.append(told)
    return "; ".join(found)


def _needed() -> str:
    return f"files that end in one of {', '.join(PART_ENDINGS)} are needed, all in this folder itself"


def _changed(name: str, problem: str) -> DataError:
    return DataError(name, problem, "leave the files alone until the pass is over, and start it again")


def _local_parts(folder: Path) -> tuple[list[Part], list[str]]:
    files = [file for file in folder.iterdir() if not file.name.startswith(_HIDDEN)]
    found = [_local_part(file) for file in files if part_ending(file.name) and file.is_file()]
    return found, sorted(file.name for file in files if file.is_dir())


def _local_part(file: Path) -> Part:
    status = file.stat()
    return Part(str(file), status.st_size, str(status.st_mtime_ns))


def _remote_parts(address: str) -> tuple[list[Part], list[str]]:
    system, path = file_system(address)
    entries: list[dict[str, Any]] = system.ls(path, detail=True, refresh=True)
    files = {str(entry["name"]).rstrip("/").rsplit("/", 1)[-1]: entry for entry in entries}
    found = [
        _remote_part(system.unstrip_protocol(entry["name"]))  # what a list says may differ in form
        for name, entry in files.items()
        if entry["type"] == "file" and part_ending(name)
    ]
    return found, sorted(name for name, entry in files.items() if entry["type"] == "directory" and name)


def _remote_part(address: str) -> Part:
    system, path = file_system(address)
    system.invalidate_cache()
    entry: dict[str, Any] = system.info(path)
    told = next((f"{key} {entry[key]}" for key in _CHANGES if entry.get(key) is not None), "")
    return Part(address, int(entry["size"]), told)
