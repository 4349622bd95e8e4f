"""Data sets by name: those that come with the package, and the data files of a folder."""

import os
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from weakref import WeakValueDictionary

from dpgep_core.datasets.bundled import BUNDLED, installed_sets
from dpgep_core.datasets.dataset import Bundle, Dataset
from dpgep_core.datasets.entries import FOLDER_VARIABLE as FOLDER_VARIABLE
from dpgep_core.datasets.entries import UNTOLD, DataFile, DataFolder, entry_at, folder_entries
from dpgep_core.datasets.entries import data_folder as data_folder
from dpgep_core.datasets.synthetic import SYNTHETIC
from dpgep_core.errors import ParameterError, UnknownNameError

Entry = Bundle | DataFile | DataFolder


@dataclass(frozen=True, slots=True)
class DatasetSizes:
    """Rows before any split, columns, classes, and whether a test split comes with the rows."""

    n: int
    d: int
    classes: int
    is_split: bool


_COMES_WITH_US: dict[str, Entry] = {bundle.name: bundle for bundle in (*BUNDLED, *SYNTHETIC)}


def dataset_names() -> list[str]:
    """Names that `load_dataset` knows. Nothing is loaded.

    Returns
    -------
    list of str
        The bundled sets, then the data files of the folder that the environment variable ``DPGEP_DATA_DIR`` names (or
        of the user's own folder, see `data_folder`). A file whose name a bundled set has already is called
        ``NAME_folder``. Last come sets that packages of the operating system have installed.

    Raises
    ------
    ParameterError
        ``DPGEP_DATA_DIR`` names no folder that can be read.
    """
    return list(_entries())


def dataset_title(name: str) -> str:
    """The title of one of `dataset_names`, for menus. Nothing is loaded."""
    return _entry(name).title


def dataset_titles() -> dict[str, str]:
    """The titles of all of `dataset_names`, in their order. The folder is looked at once, and nothing is loaded."""
    return {name: entry.title for name, entry in _entries().items()}


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
    entry = _entry(name)
    return _loaded(name, entry, entry.stamp)


def dataset_sizes(name: str) -> DatasetSizes:
    """Rows, columns and classes of one of `dataset_names`. The rows are loaded the first time, and not held for it.

    Raises
    ------
    UnknownNameError, DataError
        As `load_dataset`.
    """
    entry = _entry(name)
    known, stamp = _sizes.get(name), entry.stamp
    if known is None or stamp == UNTOLD or known[0] != stamp:
        data = _loaded(name, entry, stamp)
        found = DatasetSizes(data.n, data.d, data.n_classes, is_split=data.X_test is not None)
        known = _sizes[name] = stamp, found
    return known[1]


def open_dataset(name_or_path: str) -> Dataset:
    """A data set by its name, or else by the path of a data file or of a folder of Parquet or CSV files.

    For those who may read every file anyway: the command line, sweeps and Python. Pages take names alone.

    Parameters
    ----------
    name_or_path : str
        One of `dataset_names`, or a path: with a separator in it, or of what is there. A folder may also be a URL that
        fsspec knows. It is loaded anew each time where its store does not tell whether files have changed.

    Raises
    ------
    UnknownNameError
        Neither a name nor a path of something that is there.
    DataError
        What is there cannot be used.
    """
    entry = _entry_or_path(name_or_path)
    return _loaded(name_or_path, entry, entry.stamp)


def check_stored(name_or_path: str) -> None:
    """Raise what `open_dataset` raises about files and their declarations. No rows are read."""
    entry = _entry_or_path(name_or_path)
    if not isinstance(entry, Bundle):
        entry.check()


def is_path(name_or_path: str) -> bool:
    """Whether a text names a file or folder and no known data set."""
    if any(mark in name_or_path for mark in ("/", os.sep)):
        return True
    return bool(name_or_path) and os.path.exists(name_or_path) and name_or_path not in dataset_names()


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


def _entries() -> dict[str, Entry]:
    """Every data set with a name: what comes with the package, the folder's files, and what is installed."""
    named = _COMES_WITH_US | folder_entries(_COMES_WITH_US)
    return named | {name: bundle for name, bundle in installed_sets().items() if name not in named}


def _entry_or_path(name_or_path: str) -> Entry:
    return entry_at(name_or_path) if is_path(name_or_path) else _entry(name_or_path)


def _entry(name: str) -> Entry:
    if name in _COMES_WITH_US:  # also where the folder cannot be read
        return _COMES_WITH_US[name]
    entries = _entries()
    if name not in entries:
        raise UnknownNameError("dataset", name, entries)
    return entries[name]


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


def _loaded(name: str, entry: Entry, stamp: Hashable) -> Dataset:
    """The data set of an entry: the one that was loaded before, where it is known to be what is stored now."""
    return entry.load() if stamp == UNTOLD else _cache.get((name, stamp), entry.load)


_cache = _Cache(recent=8)
_sizes: dict[str, tuple[Hashable, DatasetSizes]] = {}  # small: kept for every set, with the stamp it was read at
