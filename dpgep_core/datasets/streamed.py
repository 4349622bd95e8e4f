"""Rows of a folder that is too large for memory: never an array, but blocks of rows, file by file.

They stand where a data set has its array of rows. What is asked of sums goes through a pass over the files; what needs
single rows is refused, with what works.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.digests import digest_of_blocks
from dpgep_core.datasets.kept_sums import KeptSums
from dpgep_core.datasets.passes import PassClock, Rows, RowSum, Sums, pass_sums
from dpgep_core.datasets.readers.parts import Part, check_unchanged, writes_of
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.split import STRETCH, drawn_positions, held_out_between, held_out_rows
from dpgep_core.datasets.summed_rows import SummedRows
from dpgep_core.errors import DataError
from dpgep_core.knobs import whole_number
from dpgep_core.privacy.query import Indices

STREAM_VARIABLE = "DPGEP_STREAM_BYTES"
STREAM_ABOVE = 1 << 30  # bytes of rows in memory above which a folder is streamed
MOST_DRAWN, NUMBERS_DRAWN = 20_000, 1 << 24  # rows that stand for all where classifiers are scored, and their numbers


def stream_above() -> int:
    """Bytes of rows above which a folder is streamed and not loaded: public, and the same on every machine."""
    given = os.environ.get(STREAM_VARIABLE)
    return STREAM_ABOVE if not given else int(whole_number(0, 1 << 62).parse(STREAM_VARIABLE, given))


@dataclass(frozen=True)
class FittedRows:
    """Choice of the fitted rows of a table: all those that the seed does not hold out."""

    seed: int
    test_size: float
    rows: int

    def between(self, first: int, last: int) -> NDArray[np.bool_]:
        """(last − first,) whether each of these rows is fitted."""
        return ~held_out_between(self.seed, self.rows, self.test_size, first, last)


@dataclass(frozen=True)
class PartRows:
    """The rows of one file that are summed over; it is sent to workers.

    Parameters
    ----------
    part : Part
    declared : Sidecar
    first, rows : int
        Number of its first row in the whole table, and how many it has.
    fitted : FittedRows or None
        Which of them are taken; None takes all.
    """

    part: Part
    declared: Sidecar = field(repr=False)
    first: int
    rows: int
    fitted: FittedRows | None

    def blocks(self) -> Iterator[Rows]:
        """Blocks of the rows that are taken, as stored, with the class of each."""
        for where, X, codes in self.numbered_blocks():
            if self.fitted is None:
                yield X, codes
            else:
                taken = self.fitted.between(where, where + len(X))
                yield X[taken], codes[taken]

    def numbered_blocks(self) -> Iterator[tuple[int, NDArray[Any], Indices]]:
        """Blocks of all its rows, each with the number of its first row in the whole table.

        Raises
        ------
        DataError
            If the file is not what was listed, before the first block or after the last.
        """
        from dpgep_core.datasets.readers.batches import part_blocks  # here, as pyarrow takes long to import

        self.part.check_unchanged()
        seen = 0
        for X, codes in part_blocks(self.part, self.declared):
            yield self.first + seen, X, codes
            seen += len(X)
        self.part.check_unchanged()
        if seen != self.rows:
            wanted = f"the {self.rows:,} that it says it has are needed"
            raise DataError(self.part.name, f"{seen:,} rows were read", wanted)


@dataclass(eq=False, repr=False)
class StreamedRows(SummedRows):
    """Rows of a folder, or those of them that are fitted, with the shape of an array and none of its entries.

    Parameters
    ----------
    where : str
        Name of the data set, for messages.
    parts, counts : tuple of Part, tuple of int
        The files, and how many rows each has.
    declared : Sidecar
        How rows are read.
    columns : int
        d.
    labelled : bool
        Whether each row has a class.
    fitted : FittedRows or None
        Which rows are meant; None: all.
    reading : callable
        Makes the context in which files are read: it may word errors that tell of their rows.
    """

    where: str
    parts: tuple[Part, ...]
    counts: tuple[int, ...]
    declared: Sidecar
    columns: int
    labelled: bool
    fitted: FittedRows | None = None
    reading: Callable[[], AbstractContextManager[None]] = nullcontext
    _last: tuple[str, Sums] | None = field(default=None, init=False)

    @cached_property
    def rows(self) -> int:
        """All rows of the files."""
        return sum(self.counts)

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d), n being the rows that are meant."""
        out = 0 if self.fitted is None else held_out_rows(self.rows, self.fitted.test_size)
        return self.rows - out, self.columns

    def fitted_for(self, seed: int, test_size: float) -> "StreamedRows":
        """The rows that a split by the seed leaves to fit; all of them for a test size of 0."""
        return replace(self, fitted=FittedRows(seed, test_size, self.rows) if test_size else None)

    @property
    def identity(self) -> str:
        """Text that differs where the rows, their classes or the choice among them could."""
        return repr((self.parts, self.counts, self.declared, self.fitted, STRETCH if self.fitted else 0))

    def sums(self, what: str, row_sum: RowSum) -> Sums:
        """Sums over the rows, by one pass over the files; the last ones are remembered.

        Raises
        ------
        DataError
            A file cannot be read, or changed during the pass; it is named.
        """
        writes = writes_of(self.parts)
        identity = f"{self.identity} {writes} {row_sum.identity}"
        if self._last is None or self._last[0] != identity:
            with self.reading():
                self._last = (
                    identity,
                    pass_sums(what, self._readers(), row_sum, KeptSums(identity, on_disk=writes is not None)),
                )
        check_unchanged(self.parts)
        return self._last[1]

    def content_digest(self) -> bytes:
        """Digest of all rows: the one that the same rows in memory have."""
        with self.reading():
            return digest_of_blocks((self.rows, self.columns), self._told_blocks())

    def _told_blocks(self) -> Iterator[NDArray[Any]]:
        clock = PassClock("a digest of the rows", self.rows)
        for reader in self._readers():
            for _, X, _ in reader.numbered_blocks():
                yield X
                clock.tick(len(X))

    def drawn(self, seed: int, test_size: float) -> tuple[Rows, Rows]:
        """Some fitted and some held-out rows with their classes, drawn by the seed: `MOST_DRAWN` of each at most."""
        most = max(1, min(MOST_DRAWN, NUMBERS_DRAWN // self.columns))
        wanted = drawn_positions(seed, self.rows, test_size, most)
        found: tuple[list[Rows], list[Rows]] = ([], [])
        clock = PassClock("rows for the classifiers", self.rows)
        for reader in self._readers():
            for first, X, codes in reader.numbered_blocks():
                for positions, rows in zip(wanted, found, strict=True):
                    places = positions[(positions >= first) & (positions < first + len(X))] - first
                    if places.size:
                        rows.append((X[places], codes[places]))
                clock.tick(len(X))
        return _joined(found[0], self.columns), _joined(found[1], self.columns)

    def _readers(self) -> list[PartRows]:
        firsts = np.cumsum([0, *self.counts]).tolist()
        return [
            PartRows(part, self.declared, first, count, self.fitted)
            for part, first, count in zip(self.parts, firsts, self.counts, strict=False)
        ]

    def refuse(self) -> NoReturn:
        """Say how many rows are streamed, and what works."""
        size = f"{8e-9 * self.rows * self.columns:,.1f} GB as numbers"
        raise DataError(
            self.where,
            f"its {self.rows:,} rows ({size}) are streamed from {len(self.parts)} files, and this needs them in memory",
            f"what sums alone decide works, such as ssp; a larger {STREAM_VARIABLE} (bytes) loads the folder whole",
        )


def _joined(found: list[Rows], columns: int) -> Rows:
    if not found:
        return np.zeros((0, columns)), np.zeros(0, np.intp)
    return np.concatenate([X for X, _ in found]), np.concatenate([codes for _, codes in found])
