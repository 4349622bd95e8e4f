"""A data set as it is stored, with everything about it that is public by declaration."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.arrays import BLOCK_ROWS, check_codes, codes_of, reals_of, response_of, rows_of
from dpgep_core.datasets.preprocessing import Preprocessing, Views, checked_views, part_all
from dpgep_core.datasets.slices import Response, check_edges, check_edges_mu, quantile_edges, slice_codes, slice_names
from dpgep_core.datasets.sparse_rows import SparseRows
from dpgep_core.datasets.summed_rows import SummedRows
from dpgep_core.errors import DataError, ParameterError, show_value
from dpgep_core.params import DeclaredRows, definition
from dpgep_core.privacy.query import Array
from dpgep_core.wording import plural


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows and what is public about them.

    ``n``, the class set, the column bounds and the views are public by declaration: nothing in a private run is
    learnt from the rows. Arrays may be given as lists, pandas or polars objects, Arrow or sparse tables too; they are
    taken by position. Rows keep the number type they are stored in; `prepared_blocks` streams them.

    Parameters
    ----------
    name, title, licence, source : str
        Key, and what is said about it on screen.
    X : array (n, d)
        Rows as stored, any real number type; of a folder too large for memory, something with their shape alone.
        SciPy's sparse matrices of many columns stay sparse, as `SparseRows`.
    y : int array (n,) or None
        Class codes 0 … K − 1 into ``classes``; None where there are no classes.
    X_test, y_test : arrays or None
        The published test split. None: split 80/20 by the seed, whatever the labels.
    classes : tuple of str
        Names of the K classes, in the order of the codes.
    classes_declared : bool
        False where the class set was read off the rows, which the guarantee does not cover.
    preprocessing : Preprocessing
        What happens to each row before anything else.
    image_shape : tuple of int or None
        (height, width), or (channels, height, width), if rows are images.
    feature_names : tuple of str
        One per column, or empty.
    truth : array (d, k) or None
        Directions known by construction, of synthetic sets.
    response, response_test : float array (n,), (m,) or None
        A real-valued target. Cut at ``edges``, its slices are the classes.
    edges : tuple of float
        Increasing cut points of the response, public by declaration; empty where it is not cut.
    edges_declared : bool
        False where the edges were read off the rows: private methods then refuse the slices.
    edges_mu : float
        μ that edges released from these very rows with noise have cost: a private run with slices counts it in. 0: the
        edges were chosen without looking at the rows.
    views : pair of tuples of int, or None
        Columns of the first and of the second view; each column belongs to one. None: no views are declared.
    declared_n : int or None
        Number of rows of ``X`` by public declaration, where records may be added or removed; None: not declared.
    learnt : tuple of str
        What else was read off the rows on the way here, in words: the guarantee covers none of it.
    notes : tuple of str
        What nobody declared, in sentences: a label that was guessed, columns left out by their name. No row was read
        for them.
    """

    name: str
    title: str
    X: NDArray[Any] = field(repr=False)
    y: NDArray[np.intp] | None = field(default=None, repr=False)
    X_test: NDArray[Any] | None = field(default=None, repr=False)
    y_test: NDArray[np.intp] | None = field(default=None, repr=False)
    classes: tuple[str, ...] = ()
    classes_declared: bool = True
    preprocessing: Preprocessing = field(default_factory=Preprocessing)
    image_shape: tuple[int, ...] | None = None
    feature_names: tuple[str, ...] = ()
    truth: Array | None = field(default=None, repr=False)
    licence: str = ""
    source: str = ""
    response: Response | None = field(default=None, repr=False)
    response_test: Response | None = field(default=None, repr=False)
    edges: tuple[float, ...] = ()
    edges_declared: bool = True
    edges_mu: float = 0.0
    views: Views | None = None
    declared_n: int | None = None
    learnt: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, words in (("classes", self.classes), ("feature_names", self.feature_names)):
            # Lists and indexes too; halves of characters, which arrays may hold, are spelled out.
            written = (str(word).encode("utf-8", "backslashreplace").decode("utf-8") for word in words)
            object.__setattr__(self, name, tuple(written))
        if self.views is not None:
            object.__setattr__(self, "views", checked_views("views", self.views))
        object.__setattr__(self, "declared_n", declared_rows(self.name, self.declared_n))
        self._make_plain(self.name, "")
        if self.X_test is not None:
            self._make_plain(f"{self.name}, test split", "_test")
            if self.X_test.shape[1] != self.d:
                found = plural(self.X_test.shape[1], "column")
                raise DataError(self.name, f"the test split has {found}", f"{self.d} needed")
        elif self.y_test is not None or self.response_test is not None:
            raise DataError(self.name, "labels of a test split without its rows", "X_test is needed")
        self._slice()
        for where, codes in ((self.name, self.y), (f"{self.name}, test split", self.y_test)):
            if codes is not None:
                check_codes(where, codes, self.n_classes)
        self.preprocessing.check_columns(self.d)
        if self.feature_names and len(self.feature_names) != self.d:
            found = plural(len(self.feature_names), "feature name")
            raise DataError(self.name, found, f"one for each of {self.d} columns")
        if self.views is not None and not (len(self.views) == 2 and part_all(self.views, self.d)):
            raise DataError(self.name, f"views = {self.views}", f"two lists that share out columns 0 to {self.d - 1}")

    @property
    def n(self) -> int:
        """Rows, before any split."""
        return self.X.shape[0]

    @property
    def d(self) -> int:
        """Columns."""
        return self.X.shape[1]

    @property
    def streamed(self) -> bool:
        """Whether the rows are read from files block by block; ``X`` then has a shape and no entries in memory."""
        return isinstance(self.X, SummedRows)

    @property
    def sparse(self) -> bool:
        """Whether the rows are in memory in sparse form; ``X`` is then a `SparseRows`."""
        return isinstance(self.X, SparseRows)

    @property
    def n_classes(self) -> int:
        """K, the number of classes."""
        return len(self.classes)

    def _make_plain(self, where: str, part: str) -> None:
        """Rows, labels and responses of one part as plain arrays, whatever they were given as."""
        X = rows_of(where, getattr(self, f"X{part}"))
        object.__setattr__(self, f"X{part}", X)
        for name, convert in (("y", codes_of), ("response", response_of)):
            if (given := getattr(self, name + part)) is not None:
                object.__setattr__(self, name + part, convert(where, given, X.shape[0]))

    def _slice(self) -> None:
        """Make classes of a response that is cut."""
        object.__setattr__(self, "edges", reals_of(self.name, "edges", self.edges))
        check_edges(self.name, self.edges)
        check_edges_mu(self.name, self.edges_mu, self.edges)
        if not self.edges:
            return
        if self.response is None or (self.X_test is None) != (self.response_test is None):
            raise DataError(self.name, "edges without a response", "a response for every row is needed")
        cut = [None if part is None else slice_codes(part, self.edges) for part in (self.response, self.response_test)]
        for name, codes in zip(("y", "y_test"), cut, strict=True):
            given = getattr(self, name)
            if given is not None and (codes is None or not np.array_equal(given, codes)):
                raise DataError(self.name, f"{name} beside edges of the response", "labels or edges, not both")
            object.__setattr__(self, name, codes)
        if not self.classes:
            object.__setattr__(self, "classes", slice_names(self.edges))

    def with_edges(self, edges: Sequence[float], *, mu: float = 0.0) -> "Dataset":
        """The response cut at public edges: chosen without looking at the rows, or the guarantee does not hold.

        ``mu`` is what edges from `dpgep_core.release_edges` have cost: every private run with them counts it in.
        """
        return self._cut(reals_of(self.name, "edges", edges), declared=True, mu=mu)

    def with_quantile_slices(self, slices: int) -> "Dataset":
        """The response cut into parts of about equal size, for methods without privacy: private ones refuse them."""
        if self.response is None:
            raise ParameterError("slices", slices, f"of a data set with a response; {show_value(self.name)} has none")
        return self._cut(quantile_edges(self.response, slices), declared=False)

    def _cut(self, edges: tuple[float, ...], *, declared: bool, mu: float = 0.0) -> "Dataset":
        return replace(self, edges=edges, edges_declared=declared, edges_mu=mu, y=None, y_test=None, classes=())


def declared_rows(where: str, value: object) -> int | None:
    """A declared number of rows; None where there is none.

    Raises
    ------
    DataError
        For what is no number of rows.
    """
    try:
        return None if value is None else cast(int, definition(DeclaredRows).check("declared_n", value))
    except ParameterError as error:
        raise DataError(where, f"declared_n = {show_value(value)}", f"{error.allowed} is needed") from error


def prepared_blocks(
    X: NDArray[Any], preprocessing: Preprocessing, rows: int = BLOCK_ROWS
) -> Iterator[tuple[slice, Array]]:
    """Blocks of prepared float64 rows with the slice they come from: never a float copy of the whole."""
    rows = max(1, min(rows, BLOCK_NUMBERS // X.shape[1]))
    for first in range(0, X.shape[0], rows):
        where = slice(first, min(first + rows, X.shape[0]))
        yield where, preprocessing.apply(X[where])


@dataclass(frozen=True)
class Bundle:
    """A data set that is not in the user's folder: its name, the title in menus, and how to load the rest."""

    name: str
    title: str
    load: Callable[[], Dataset]
    stamp = None  # what is stored does not change


BLOCK_NUMBERS = 2**25  # of a block of prepared rows, at most
FEW_ROWS = 10  # fewer whole numbers differ by chance
