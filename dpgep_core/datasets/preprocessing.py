"""Public, per-record preprocessing. Nothing in it is learnt from the rows, so it costs no privacy."""

import math
from dataclasses import dataclass, replace
from numbers import Real
from typing import Annotated, Any, cast

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.arrays import reals_of
from dpgep_core.errors import DataError, ParameterError
from dpgep_core.params import Checked, Choice, Knob
from dpgep_core.privacy.query import Array
from dpgep_core.wording import plural

_TINY, _HUGE = 1e-140, 1e140  # norms between these have squares that neither vanish nor overflow

ColumnBound = float | tuple[float, ...]
Views = tuple[tuple[int, ...], ...]
RowRule = Annotated[
    str,
    Choice(label="Rows", doc="What is done to each row so that its norm is at most 1.",
           options={"unit": "each row is divided by its own norm",
                    "clip": "rows longer than the radius are shortened to it, then all are divided by it"}),
]  # fmt: skip
Radius = Annotated[
    float,
    Knob(symbol="R", label="Radius R", low=0, low_open=True, soft=(0.1, 100), scale="log",
         doc="Public bound on the norm of a row; used where rows are clipped."),
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Preprocessing(Checked):
    """Columns to a public range, then rows into the unit ball.

    Parameters
    ----------
    lower, upper : float, tuple of float or None
        Public bounds of the columns: one number for all or one per column. A column goes to [0, 1] by
        (v − lower)/(upper − lower) where lower ≥ 0, else to [−1, 1] by v/max(|lower|, |upper|), and is clipped.
        None leaves the columns as they are.
    log1p : bool or tuple of int
        Signed logarithm sign(v)·log(1 + |v|) first, of all columns or of those listed (counted from 0); the bounds
        are then bounds on its result.
    rows : {"unit", "clip"}
        Rows to unit norm (a zero row stays zero), or clipped to ``radius`` and divided by it.
    radius : float
        Public bound on the norm of a row.
    views : tuple of tuples of int
        Groups of columns, each column in one. Where given, the part of a row in each of the V groups is brought to
        norm 1/√V (clipped: to at most that, at ``radius`` for each part), so the whole row keeps norm 1 at most.
    """

    lower: ColumnBound | None = None
    upper: ColumnBound | None = None
    log1p: bool | tuple[int, ...] = False
    rows: RowRule = "unit"
    radius: Radius = 1.0
    views: Views = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("lower", "upper"):
            object.__setattr__(self, name, default_bound(getattr(self, name), name))
        object.__setattr__(self, "log1p", log1p_of(self.log1p, "log1p"))
        object.__setattr__(self, "views", checked_views("views", self.views))
        self._check_bounds()

    def _check_bounds(self) -> None:
        lower, upper = self.lower, self.upper
        if lower is None and upper is None:
            return
        if lower is None or upper is None:
            raise ParameterError("lower and upper", (lower, upper), "given together or not at all")
        if isinstance(lower, tuple) and isinstance(upper, tuple) and len(lower) != len(upper):
            raise ParameterError("upper", upper, f"one number, or a list as long as lower, {len(lower)}")
        if not (np.asarray(upper) >= np.asarray(lower)).all():
            raise ParameterError("lower", lower, "at most upper, column by column")

    def check_columns(self, d: int) -> None:
        """Raise `ParameterError` where a per-column setting does not fit ``d`` columns."""
        for name, bound in (("lower", self.lower), ("upper", self.upper)):
            if isinstance(bound, tuple) and len(bound) != d:
                raise ParameterError(
                    name, plural(len(bound), "number"), f"one number, or one for each of the {d} columns"
                )
        if isinstance(self.log1p, tuple) and any(not 0 <= column < d for column in self.log1p):
            raise ParameterError("log1p", self.log1p, f"column numbers from 0 to {d - 1}")
        if self.views and not part_all(self.views, d):
            raise ParameterError("views", self.views, f"lists that share out the columns 0 to {d - 1}")

    def apply(self, block: NDArray[Any]) -> Array:
        """Rows (m, d) of any number type → float64 rows of norm at most 1."""
        x = self.bounded(block)
        if not self.views:
            self._shorten(x)
            return x
        self.check_columns(x.shape[1])  # a column in no view would keep its length
        for columns in self.views:
            part = x[:, columns]
            self._shorten(part)
            x[:, columns] = part / math.sqrt(len(self.views))
        return x

    def bounded(self, block: NDArray[Any]) -> Array:
        """Rows (m, d) of any number type → float64 rows after the logarithm and the column bounds, at any norm."""
        x = np.array(block, dtype=np.float64, order="C")  # one layout, or sums would depend on the file's format
        if self.log1p is not False:
            columns = slice(None) if self.log1p is True else list(self.log1p)
            x[:, columns] = np.sign(x[:, columns]) * np.log1p(np.abs(x[:, columns]))
        if self.lower is not None and self.upper is not None:
            self._bound(x, None if self.log1p is not False else block.dtype)
        return x

    def of_columns(self, columns: NDArray[np.intp]) -> "Preprocessing":
        """Preprocessing of rows of which only these columns are there, every other being zero; not with views."""

        def part(bound: ColumnBound | None) -> ColumnBound | None:
            return tuple(bound[column] for column in place) if isinstance(bound, tuple) else bound

        if not any(isinstance(each, tuple) for each in (self.lower, self.upper, self.log1p)):
            return self
        place, log1p = {int(column): place for place, column in enumerate(columns)}, self.log1p
        if isinstance(log1p, tuple):
            log1p = tuple(place[column] for column in log1p if column in place)
        return replace(self, lower=part(self.lower), upper=part(self.upper), log1p=log1p)

    def scales(self, squares: Array) -> tuple[Array, NDArray[np.bool_]]:
        """Factors that bring bounded rows into the unit ball, from squared norms, and whether these norms are told.

        0 for a row whose squares vanish or overflow.
        """
        ordinary = (squares > _TINY**2) & (squares < _HUGE**2)
        norms = np.sqrt(np.where(ordinary, squares, 1.0))
        return np.where(ordinary, 1 / (norms if self.rows == "unit" else np.maximum(norms, self.radius)), 0.0), ordinary

    def _shorten(self, x: Array) -> None:
        norms, scale = self._norms(x)
        if self.rows == "unit":
            x /= np.where(norms > 0, norms, 1.0)[:, None]
        else:
            with np.errstate(over="ignore"):  # a radius far above a tiny row: the row becomes zero
                x /= np.maximum(norms, self.radius / scale)[:, None]

    @staticmethod
    def _norms(x: Array) -> tuple[Array, Array]:
        """Norms of the rows and what they were divided by first: extreme rows, whose squares leave the number range."""
        norms, scale = np.sqrt(np.einsum("ij,ij->i", x, x)), np.ones(len(x))
        extreme = ~((norms > _TINY) & (norms < _HUGE))
        if extreme.any():
            largest = np.abs(x[extreme]).max(axis=1)
            scale[extreme] = np.where(largest > 0, largest, 1.0)
            x[extreme] /= scale[extreme, None]
            norms[extreme] = np.sqrt(np.einsum("ij,ij->i", x[extreme], x[extreme]))
        return norms, scale

    def limits(self, d: int) -> tuple[Array, Array]:
        """(d,) ends that the columns are clipped to, after the logarithm; infinite where no bounds are declared."""
        if self.lower is None or self.upper is None:
            return np.full(d, -np.inf), np.full(d, np.inf)
        lower, upper = (np.broadcast_to(np.asarray(bound, float), (d,)) for bound in (self.lower, self.upper))
        end = np.where(lower >= 0, upper, np.maximum(np.abs(lower), np.abs(upper)))
        return np.where(lower >= 0, lower, -end), end

    def _bound(self, x: Array, stored: np.dtype[Any] | None) -> None:
        """Columns to their bounds, in place; ``stored`` is the number type that the entries come from unchanged."""
        low, end = self.limits(x.shape[1])
        start = np.where(low >= 0, low, 0.0)
        width = end - start
        if not _holds(stored, low, end):
            np.clip(x, low, end, out=x)  # before scaling, which could overflow
        if start.any():
            x -= start
        x /= np.where(width > 0, width, 1.0)  # within [−1, 1], for what is divided is no longer than the width
        if (empty := width <= 0).any():  # a column declared constant carries nothing
            x[:, empty] = 0.0

    @property
    def sentence(self) -> str:
        """Preprocessing in words, for captions."""
        parts: list[str] = []
        if self.log1p is not False:
            some = "" if self.log1p is True else f" of {plural(len(self.log1p), 'column')}"
            parts.append(f"signed logarithm{some}")
        if self.lower is not None:
            parts.append("columns to their bounds")
        rows = "each row's part in each view" if self.views else "rows"
        parts.append(f"{rows} to unit norm" if self.rows == "unit" else f"{rows} clipped to radius {self.radius:g}")
        return ", ".join(parts)


def _holds(stored: np.dtype[Any] | None, low: Array, end: Array) -> bool:
    """Whether a type of whole numbers has none outside the limits, such as bytes from 0 to 255."""
    if stored is None or stored.kind not in "iu":
        return False
    ends = np.iinfo(stored)
    return bool((low <= ends.min).all() and (end >= ends.max).all())


def part_all(views: Views, d: int) -> bool:
    """Whether groups of columns, none of them empty, hold each of ``d`` columns exactly once."""
    return all(views) and sorted(column for view in views for column in view) == list(range(d))


def default_bound(values: object, name: str) -> ColumnBound | None:
    """A bound from a sidecar or form: a number, a list of numbers or None."""
    if values is None:
        return None
    one = isinstance(values, Real)
    try:
        found = reals_of("", name, [values] if one else values)
    except DataError:
        found = ()
    if not found:
        raise ParameterError(name, values, "a finite number or a list of finite numbers, one per column")
    return found[0] if one else found


def log1p_of(value: object, name: str) -> bool | tuple[int, ...]:
    """Columns whose logarithm is taken: all, none, or those listed."""
    columns = (value,) if isinstance(value, bool) else column_numbers(value)
    if columns is None:
        raise ParameterError(name, value, "true, false or a list of column numbers")
    return value if isinstance(value, bool) else columns


def checked_views(name: str, value: object) -> Views:
    """Groups of columns as they are declared."""
    views = (
        [column_numbers(view) for view in cast("list[object]", value)] if isinstance(value, list | tuple) else [None]
    )
    if any(view is None for view in views):
        raise ParameterError(name, value, "lists of column numbers")
    return tuple(view for view in views if view is not None)


def column_numbers(value: object) -> tuple[int, ...] | None:
    """A list of column numbers from 0; None where it is none."""
    columns: list[Any] = list(cast("Any", value)) if isinstance(value, list | tuple | range | np.ndarray) else [None]
    whole = all(not isinstance(each, bool) and isinstance(each, int | np.integer) and each >= 0 for each in columns)
    return tuple(int(column) for column in columns) if whole else None
