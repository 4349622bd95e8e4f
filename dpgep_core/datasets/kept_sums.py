"""Sums of a pass that are kept on disk, so that a pass that is killed goes on from its last whole file.

They are sums over private rows: the files are readable by their owner alone, and never lie in the folder of the data.
"""

import hashlib
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from zipfile import BadZipFile

import numpy as np
from platformdirs import user_cache_path

from dpgep_core.paths import path_of
from dpgep_core.privacy.query import Integers

KEEP_VARIABLE = "DPGEP_PASSES_DIR"
REVISION = 1  # to be raised whenever the same files and settings give other sums than before
MOST_PASSES = 16  # kept; older ones are removed
SECONDS_BETWEEN = 1.0  # between two writes of sums that grow quickly


def passes_folder() -> Path | None:
    """Folder where sums are kept; None where the environment variable is set to nothing."""
    named = os.environ.get(KEEP_VARIABLE)
    if named is None:
        return user_cache_path("dpgep-lab", False) / "passes"
    return path_of(KEEP_VARIABLE, named) if named else None


class KeptSums:
    """The sums of the files that are done, in memory and, as far as the disk allows it, in one file.

    Parameters
    ----------
    identity : str
        Everything that the sums depend on: the files as they were listed, and what is summed over which rows.
    on_disk : bool
        Whether they may be kept on disk: not where nobody could tell that the files have changed since.
    """

    def __init__(self, identity: str, *, on_disk: bool = True) -> None:
        self.done: set[int] = set()
        self.total: tuple[Integers, ...] = ()
        self._written = 0.0
        self._changed = False
        folder = passes_folder() if on_disk else None
        key = hashlib.blake2b(f"{REVISION} {identity}".encode(), digest_size=16).hexdigest()
        self._file = None if folder is None else folder / f"{key}.npz"
        if self._file is not None:
            with suppress(OSError, ValueError, KeyError, EOFError, BadZipFile):  # not there or cut short: from nothing
                self._read(self._file)

    def add(self, number: int, sums: tuple[Integers, ...]) -> None:
        """Count the sums of a file in; a file without a row that is taken has none."""
        if sums:
            self.total = tuple(old + new for old, new in zip(self.total, sums, strict=True)) if self.total else sums
        self.done.add(number)
        self._changed = True
        if time.monotonic() - self._written > SECONDS_BETWEEN:
            self._write()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: TracebackType | None) -> None:
        self._write()

    def _read(self, file: Path) -> None:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            done = {int(number) for number in stored["done"]}
            total = tuple(stored[f"sum{k}"] for k in range(len(stored.files) - 1))
        self.done, self.total = done, total
        os.utime(file)  # the last to be removed

    def _write(self) -> None:
        """Write the sums whole or not at all. A disk that does not take them costs the way back, and nothing else."""
        if self._file is None or not self._changed:
            return
        with suppress(OSError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._file.parent, suffix=".tmp")  # readable by its owner alone
            try:
                with os.fdopen(handle, "wb") as stream:
                    arrays: dict[str, Any] = {f"sum{k}": each for k, each in enumerate(self.total)}
                    np.savez(stream, done=np.array(sorted(self.done), dtype=np.int64), **arrays)
                os.replace(name, self._file)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            self._written, self._changed = time.monotonic(), False
            kept = sorted(self._file.parent.glob("*.npz"), key=lambda file: file.stat().st_mtime, reverse=True)
            for older in kept[MOST_PASSES:]:
                older.unlink(missing_ok=True)
