"""Data sets by name: those that come with the package, and the data files of a folder."""

import os
from collections import deque
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from weakref import WeakValueDictionary

from dpgep_core.datasets.bundled import BUNDLED
from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.files import files_of, name_and_ending, read_file
from dpgep_core.datasets.readers.formats import READERS
from dpgep_core.datasets.readers.idx import IMAGES
from dpgep_core.datasets.readers.sidecar import Sidecar, read_sidecar
from dpgep_core.datasets.readers.source import check_file
from dpgep_core.datasets.synthetic import SYNTHETIC
from dpgep_core.errors import DataError, ParameterError, UnknownNameError, one_line

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


_COMES_WITH_US = {**BUNDLED, **SYNTHETIC}


@dataclass(frozen=True)
class NamedData:
    """Where a named data set comes from. ``stamp`` changes when what is stored there changes."""

    stamp: Hashable
    title: Callable[[], str]
    load: Callable[[], Dataset]


def dataset_names() -> list[str]:
    """Names that `load_dataset` knows. Nothing is loaded.

    Returns
    -------
    list of str
        The bundled sets, then the data files of the folder that the environment variable ``DPGEP_DATA_DIR`` names. A
        file whose name a bundled set has already is called ``NAME_folder``.

    Raises
    ------
    ParameterError
        ``DPGEP_DATA_DIR`` names no folder that can be read.
    """
    return [*_COMES_WITH_US, *folder_entries(_COMES_WITH_US)]


def dataset_title(name: str) -> str:
    """The title of a data set, for menus. Nothing is loaded.

    Parameters
    ----------
    name : str
        One of `dataset_names`.
    """
    return _source(name).title()


def load_dataset(name: str) -> Dataset:
    """A data set by name.

    Loading the same name again returns the same object as long as what is stored has not changed, so a `Dataset`
    can key caches.

    Parameters
    ----------
    name : str
        One of `dataset_names`.

    Returns
    -------
    Dataset
        Rows as they are stored, with all that is public about them.

    Raises
    ------
    UnknownNameError
        No such name; the message lists the known ones.
    DataError
        A file of the folder, or its sidecar, cannot be used.
    """
    source = _source(name)
    return _cache.get((name, source.stamp), source.load)


def dataset_problems() -> dict[str, str]:
    """The data sets of the folder that cannot be used, each with its reason. No rows are read."""
    entries = folder_entries(_COMES_WITH_US)
    return {name: problem for name, entry in entries.items() if (problem := entry.problem)}


def resolve_dataset(dataset: Dataset | str) -> Dataset:
    """A data set that was given itself or by its name.

    Raises
    ------
    ParameterError
        What was given is neither, such as a table of rows.
    """
    if isinstance(dataset, str):
        return load_dataset(dataset)
    if not isinstance(dataset, Dataset):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ParameterError(
            "dataset", dataset, "a Dataset or the name of one; Dataset(name, title, X, y, …) makes one"
        )
    return dataset


def _source(name: str) -> NamedData:
    if name in _COMES_WITH_US:  # also where the folder cannot be read
        return _bundled_source(name)
    entries = folder_entries(_COMES_WITH_US)
    if name not in entries:
        raise UnknownNameError("dataset", name, [*_COMES_WITH_US, *entries])
    entry = entries[name]
    return NamedData(entry.stamp, lambda: entry.title, entry.load)


def _bundled_source(name: str) -> NamedData:
    bundle = _COMES_WITH_US[name]
    return NamedData(None, lambda: bundle.title, lambda: bundle.load(name, bundle.title))


class _Cache:
    """Loaded sets: the most recent ones, and any that is still in use somewhere."""

    def __init__(self, recent: int) -> None:
        self._in_use: WeakValueDictionary[Hashable, Dataset] = WeakValueDictionary()
        self._recent: deque[Dataset] = deque(maxlen=recent)
        self._lock = Lock()  # two threads that ask at once get one object

    def get(self, key: Hashable, load: Callable[[], Dataset]) -> Dataset:
        with self._lock:
            dataset = self._in_use.get(key)
            if dataset is None:
                dataset = self._in_use[key] = load()
            if dataset in self._recent:
                self._recent.remove(dataset)
            self._recent.append(dataset)
            return dataset


_cache = _Cache(recent=8)
