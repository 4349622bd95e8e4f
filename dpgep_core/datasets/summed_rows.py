"""Rows that are not in memory, of which sums alone are to be had: streamed from files, or gathered in batches."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.passes import RowSum, Sums
from dpgep_core.errors import DataError
from dpgep_core.privacy.query import Indices


class SummedRows(ABC):
    """Rows with the shape of an array and none of its entries; sums over them are known or can be made."""

    ndim = 2
    dtype = np.dtype(np.float64)
    where: str

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """(n, d)."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """Text that differs where the rows or their classes could."""

    @abstractmethod
    def content_digest(self) -> bytes:
        """(32 bytes) a digest of all rows and classes, by reading them."""

    @abstractmethod
    def fitted_for(self, seed: int, test_size: float) -> "SummedRows":
        """The rows that a split by the seed leaves to fit; all of them for a test size of 0."""

    @abstractmethod
    def sums(self, what: str, row_sum: RowSum) -> Sums:
        """Sums over the rows; ``what`` says what for."""

    @abstractmethod
    def refuse(self) -> NoReturn:
        """Raise `DataError`, which says why there are no entries and what works."""
        raise NotImplementedError

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: object) -> Any:
        self.refuse()

    def __array__(self, *args: object, **options: object) -> Any:
        self.refuse()

    def __iter__(self) -> Iterator[Any]:
        self.refuse()


@dataclass(eq=False, repr=False)
class GatheredRows(SummedRows):
    """Rows that came in batches and are gone: one set of their sums, in whole numbers, is kept until it is released.

    Batches add up to the same bits in any order and any cut. The sums are exact and private. They cannot be pickled or
    deeply copied, and `close` forgets them, for every holder.

    Parameters
    ----------
    where : str
        Name for messages.
    columns : int
        d.
    row_sum : RowSum
        The sums that are kept; no others can be had later.
    closed : bool
        Whether the sums are forgotten.
    """

    where: str
    columns: int
    row_sum: RowSum
    closed: bool = field(default=False, init=False)
    _rows: int = field(default=0, init=False)
    _sums: Sums = field(default=(), init=False)

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d), n being the rows so far."""
        return self._rows, self.columns

    @property
    def identity(self) -> str:
        """Text that differs where the sums or their number of rows do."""
        return f"gathered {self._rows} {self.row_sum.identity}"

    def content_digest(self) -> bytes:
        """Refused: the rows are gone."""
        self.refuse()

    def add(self, X: NDArray[Any], codes: Indices) -> None:
        """Add the sums over a batch of rows as stored, with the class of each; refused once they are closed."""
        if self.closed:
            self.refuse()
        new = self.row_sum.of([(X, codes)])
        self._sums = tuple(old + more for old, more in zip(self._sums, new, strict=True)) if self._sums else new
        self._rows += len(X)

    def close(self) -> None:
        """Forget the sums: they were released, or are not wanted."""
        self._sums, self.closed = (), True

    def fitted_for(self, seed: int, test_size: float) -> "GatheredRows":
        """The rows themselves: nobody is held out."""
        if test_size:
            self.refuse()
        return self

    def sums(self, what: str, row_sum: RowSum) -> Sums:
        """The sums that are kept; others are refused."""
        if self.closed or not self._sums or row_sum.identity != self.row_sum.identity:
            self.refuse()
        return self._sums

    def refuse(self) -> NoReturn:
        """Say that the rows are gone."""
        raise DataError(
            self.where,
            "its rows came in batches and are gone",
            'what their sums decide works, such as ssp with params={"steps": 1}; fit takes rows in memory or a folder',
        )

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise DataError(
            self.where, "it holds exact sums of private rows, which are not written or copied", "call release first"
        )
