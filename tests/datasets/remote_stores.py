"""A store in memory that fsspec knows as ``fake://``: it tells of changes what a test says, and fails where it says."""

from collections import Counter
from typing import Any, ClassVar

import fsspec
from fsspec.implementations.memory import MemoryFileSystem

ADDRESS = "fake://large/rows"
SIDECAR = 'label = ""\ndrop = ["number"]\n[columns]\nlower = 0\nupper = 40\n'


class FakeStore(MemoryFileSystem):
    """Files apart from those of ``memory://``; the class holds what all instances share."""

    protocol = "fake"
    cachable = False
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]
    fails: ClassVar[dict[str, Exception]] = {}  # by the ending of a path
    told: ClassVar[dict[str, object]] = {}  # of every file, in place of a time of change
    opened: ClassVar[Counter[str]] = Counter()  # names of the files that were read

    @classmethod
    def _strip_protocol(cls, path):
        return super()._strip_protocol(path.removeprefix("fake://"))

    def info(self, path, **options):
        self._fail(path)
        found = super().info(path, **options)
        found.pop("created", None)
        return {**found, **self.told}

    def cat_file(self, path, start=None, end=None, **options):
        self._fail(path)
        return super().cat_file(path, start, end, **options)

    def _open(self, path, mode="rb", **options):
        if mode == "rb":
            self.opened[path.rsplit("/", 1)[-1]] += 1
        return super()._open(path, mode, **options)

    def _fail(self, path):
        for ending, error in self.fails.items():
            if path.endswith(ending):
                raise error


def fake_store() -> FakeStore:
    """The store, with two files of rows and their sidecar and nothing else."""
    fsspec.register_implementation("fake", FakeStore, clobber=True)
    for held in (FakeStore.store, FakeStore.fails, FakeStore.told, FakeStore.opened):
        held.clear()
    FakeStore.pseudo_dirs[:] = [""]
    system = FakeStore()
    for part in range(2):
        system.pipe(f"/large/rows/{part}.csv", rows_of_csv(part))
    system.pipe("/large/rows.toml", SIDECAR.encode())
    return system


def rows_of_csv(first: int) -> bytes:
    """A file of rows, one column of which names a person. Any two have the same size."""
    lines = [f"{100 + i},{(i + first) % 10},{(7 * i + first) % 10}" for i in range(40)]
    return "\n".join(["number,a,b", *lines, ""]).encode()
