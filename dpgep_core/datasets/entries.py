"""The data files of the folder that the environment names, and folders of files that are one table."""

import hashlib
import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from platformdirs import user_data_path

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.files import files_of, name_and_ending, read_file
from dpgep_core.datasets.folders import folder_name, folder_sidecar, read_folder, remote_sidecar
from dpgep_core.datasets.readers.formats import READERS
from dpgep_core.datasets.readers.idx import IMAGES
from dpgep_core.datasets.readers.parts import REMOTE, holds_parts, parts_of, writes_of
from dpgep_core.datasets.readers.sidecar import Sidecar, read_sidecar
from dpgep_core.datasets.readers.source import check_file
from dpgep_core.errors import DataError, ParameterError, one_line
from dpgep_core.paths import path_of

FOLDER_VARIABLE = "DPGEP_DATA_DIR"
UNTOLD: Hashable = ("untold",)  # a stamp: nobody can tell whether what is stored has changed
PARTS = "/"  # stands in the place of an ending for a folder of files that are one table


def data_folder() -> Path:
    """The folder of data files: the one that the environment names, or else the user's own, there or not.

    Raises
    ------
    ParameterError
        If the environment names a path that cannot be looked up.
    """
    value = os.environ.get(FOLDER_VARIABLE, "")
    return path_of(FOLDER_VARIABLE, value) if value else user_data_path("dpgep-lab", False) / "data"


class _OnDisk(ABC):
    """Data that are stored under a name: what is declared about them, and whether it can be used."""

    name: str

    @abstractmethod
    def _declared(self) -> Sidecar:
        """Declarations beside the data."""

    @abstractmethod
    def _check(self) -> None:
        """Raise `DataError` where the files cannot be used, as far as that shows without reading rows."""

    def check(self) -> None:
        """Raise `DataError` where files or declarations cannot be used, as far as that shows without reading rows."""
        self._check()
        self._declared()

    @property
    def title(self) -> str:
        """The declared title, or the name where none can be read."""
        try:
            return self._declared().title or self.name
        except DataError:  # a menu shows the set all the same; loading says what is wrong
            return self.name

    @property
    def problem(self) -> str:
        """Why the set cannot be used, as far as that shows without reading its rows; "" where nothing does."""
        try:
            self.check()
        except DataError as error:
            return str(error)
        return ""


@dataclass(frozen=True)
class DataFolder(_OnDisk):
    """A folder of files that are one table, and what it is called as a data set."""

    name: str
    address: str

    @property
    def stamp(self) -> Hashable:
        """Changes when a file of the folder, or the sidecar, does; `UNTOLD` where a store does not tell of changes."""
        parts = parts_of(self.address)
        writes = writes_of(parts)
        if REMOTE not in self.address:
            sidecar = Path(self.address).absolute().with_name(f"{folder_name(self.address)}.toml")
            return (parts, writes, _stamp(sidecar))
        if writes is None:
            return UNTOLD
        declared = remote_sidecar(self.address)  # the content itself: it is small, and tells every change
        return (parts, None if declared is None else hashlib.sha256(declared).digest())

    def _declared(self) -> Sidecar:
        return folder_sidecar(self.address)

    def _check(self) -> None:
        parts_of(self.address)

    def load(self) -> Dataset:
        """The data set."""
        return read_folder(self.address, name=self.name)


@dataclass(frozen=True)
class DataFile(_OnDisk):
    """One data file, and what it is called as a data set."""

    name: str
    path: Path

    @property
    def stamp(self) -> Hashable:
        """Changes when a file that the set is made of does."""
        return tuple(_stamp(file) for file in files_of(self.path))

    def _declared(self) -> Sidecar:
        return _sidecar_of(self.path, self.stamp)

    def _check(self) -> None:
        check_file(self.path)

    def load(self) -> Dataset:
        """The data set."""
        return read_file(self.path, name=self.name)


@lru_cache(maxsize=1024)
def _sidecar_of(path: Path, _stamp: Hashable) -> Sidecar:
    """Declarations of a sidecar, read again once a file of the set has changed: menus ask at each run of a page."""
    stem, _ = name_and_ending(path)
    return read_sidecar(path.with_name(f"{stem}.toml"))


def folder_entries(taken: Collection[str]) -> dict[str, DataFile | DataFolder]:
    """The data files of the folder that the environment names, by data set name; none where it names none.

    ``NAME`` is the file's name without its ending. Where that is ``taken``, the set is called ``NAME_folder``; where
    several files share it, those after the first are called ``NAME_csv`` and so on, after their endings. A folder that
    holds Parquet or CSV files is one set, after the files, and ``NAME_parts`` beside a file of its name. What is named
    like a data file and is none, such as an empty folder, is listed too: loading it says what is wrong.
    """
    found = [(_plain(stem), ending, file) for file in _files() for stem, ending in [_name_and_kind(file)]]
    order = [*READERS, PARTS]
    named: dict[str, DataFile | DataFolder] = {}
    second: list[tuple[str, str, Path]] = []
    known = (each for each in found if each[1])
    for stem, ending, file in sorted(known, key=lambda each: (not os.path.isfile(each[2]), order.index(each[1]))):
        if stem in taken or stem in named:
            second.append((stem, ending, file))  # named last, so that it takes no other file's own name
        else:
            named[stem] = _entry(stem, ending, file)
    for stem, ending, file in second:
        name = f"{stem}_folder" if stem in taken else stem
        while name in named or name in taken:
            name += "_parts" if ending == PARTS else ending.replace(IMAGES, "_idx").replace(".", "_")
        named[name] = _entry(name, ending, file)
    return dict(sorted(named.items()))


def _name_and_kind(file: Path) -> tuple[str, str]:
    """Name and ending of a data file or of a folder of parts, whose ending is `PARTS`; no ending for anything else."""
    if os.path.isdir(file) and holds_parts(file):
        return folder_name(str(file)), PARTS
    return name_and_ending(file)


def _entry(name: str, ending: str, path: Path) -> DataFile | DataFolder:
    return DataFolder(name, str(path)) if ending == PARTS else DataFile(name, path)


def entry_at(address: str) -> DataFile | DataFolder:
    """The data file or folder at a path, or the folder at a URL."""
    if REMOTE in address:
        return DataFolder(folder_name(address), address)
    path = path_of("dataset", address)
    if not path.name:
        raise ParameterError("dataset", address, "a file or a folder with a name")
    if path.is_dir():
        return DataFolder(folder_name(str(path)), str(path))
    return DataFile(name_and_ending(path)[0] or path.name, path)


def _plain(stem: str) -> str:
    """A name that any terminal and page can show: control characters and bytes that are no text are written out."""
    return stem if stem.isprintable() else one_line(stem)


def _files() -> list[Path]:
    folder, named = data_folder(), bool(os.environ.get(FOLDER_VARIABLE))
    if not named and not folder.is_dir():
        return []
    try:
        return sorted(file for file in folder.iterdir() if not file.name.startswith("."))
    except OSError as error:
        raise ParameterError(FOLDER_VARIABLE, str(folder), "an existing folder that can be read") from error


def _stamp(file: Path) -> Hashable:
    try:
        status = file.stat()
    except OSError as error:  # nothing there, a look that fails and a broken link are three things
        return str(file), error.errno, os.path.islink(file)
    # A copy that keeps times can leave the time and the size as they were.
    return str(file), status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns
