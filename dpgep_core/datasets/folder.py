"""The data files of a folder, by data set name."""

import os
from collections.abc import Collection, Hashable
from dataclasses import dataclass
from pathlib import Path

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.files import files_of, name_and_ending, read_file
from dpgep_core.datasets.readers.formats import READERS
from dpgep_core.datasets.readers.idx import IMAGES
from dpgep_core.datasets.readers.sidecar import Sidecar, read_sidecar
from dpgep_core.datasets.readers.source import check_file
from dpgep_core.errors import DataError, ParameterError, one_line

FOLDER_VARIABLE = "DPGEP_DATA_DIR"


@dataclass(frozen=True)
class DataFile:
    """One data file, and what it is called as a data set."""

    name: str
    path: Path

    @property
    def stamp(self) -> Hashable:
        """Changes when a file that the set is made of does."""
        return tuple(_stamp(file) for file in files_of(self.path))

    @property
    def title(self) -> str:
        """The declared title, or the name where none can be read."""
        try:
            return self._sidecar().title or self.name
        except DataError:  # a menu shows the set all the same; loading says what is wrong
            return self.name

    @property
    def problem(self) -> str:
        """Why the set cannot be used, as far as that shows without reading its rows; "" where nothing does."""
        try:
            check_file(self.path)
            self._sidecar()
        except DataError as error:
            return str(error)
        return ""

    def _sidecar(self) -> Sidecar:
        stem, _ = name_and_ending(self.path)
        return read_sidecar(self.path.with_name(f"{stem}.toml"))

    def load(self) -> Dataset:
        """The data set."""
        return read_file(self.path, name=self.name)


def folder_entries(taken: Collection[str]) -> dict[str, DataFile]:
    """The data files of the folder that the environment names, by data set name; none where it names none.

    ``NAME`` is the file's name without its ending. Where that is ``taken``, the set is called ``NAME_folder``; where
    several files share it, those after the first are called ``NAME_csv`` and so on, after their endings. What is named
    like a data file and is none, such as a folder, is listed too, after the files: loading it says what is wrong.
    """
    found = [(_plain(stem), ending, file) for file in _files() for stem, ending in [name_and_ending(file)]]
    order = list(READERS)
    names: dict[str, Path] = {}
    second: list[tuple[str, str, Path]] = []
    known = (each for each in found if each[1])
    for stem, ending, file in sorted(known, key=lambda each: (not os.path.isfile(each[2]), order.index(each[1]))):
        if stem in taken or stem in names:
            second.append((stem, ending, file))  # named last, so that it takes no other file's own name
        else:
            names[stem] = file
    for stem, ending, file in second:
        name = f"{stem}_folder" if stem in taken else stem
        while name in names or name in taken:
            name += ending.replace(IMAGES, "_idx").replace(".", "_")
        names[name] = file
    return {name: DataFile(name, names[name]) for name in sorted(names)}


def _plain(stem: str) -> str:
    """A name that any terminal and page can show: control characters and bytes that are no text are written out."""
    return stem if stem.isprintable() else one_line(stem)


def _files() -> list[Path]:
    value = os.environ.get(FOLDER_VARIABLE, "")
    if not value:
        return []
    try:
        return sorted(file for file in Path(value).iterdir() if not file.name.startswith("."))
    except OSError as error:
        raise ParameterError(FOLDER_VARIABLE, value, "an existing folder that can be read") from error


def _stamp(file: Path) -> Hashable:
    try:
        status = file.stat()
    except OSError:
        return str(file), None
    return str(file), status.st_mtime_ns, status.st_size
