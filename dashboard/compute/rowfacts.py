"""Facts about the rows of a data set, and which of them are public. No streamlit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dashboard.scenario import Scenario
from dpgep_core.datasets import Dataset
from dpgep_core.datasets.dataset import BLOCK_ROWS
from dpgep_core.datasets.files import BOUNDS_LEARNT
from dpgep_core.evaluate import Reference
from dpgep_core.privacy.query import Array
from dpgep_core.protocols import facts_of
from dpgep_core.release import Setting
from dpgep_core.solve import plan
from dpgep_core.wording import plural

SLIDER = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)  # of ε
MOST_SPECTRUM = 2_000  # columns: larger matrices take too long to look at
FREE, OPEN, COUNTED = "free: declared, public", "not covered: learnt from the rows", "public by declaration"
HEAVY = 0.5  # share of the squared length above which one column drowns the others
PREVIEW_ROWS, PREVIEW_COLUMNS = 8, 24


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Counts and sizes, read off every row.

    Parameters
    ----------
    stored, bounded, final : array (n,)
        Row norms as stored, after the columns' step, and after the rows' step.
    clipped : array (d,)
        Share of the values of each column that its bounds clip.
    shortened : float
        Share of rows longer than the radius, where rows are clipped.
    constant : tuple of int
        Columns with one value.
    duplicates, empty : int
        Rows that repeat an earlier one; rows that end as zero.
    class_means : array (classes, d)
        Mean of the rows of each class as stored; without rows where there are no classes or a class is empty.
    """

    stored: Array = field(repr=False)
    bounded: Array = field(repr=False)
    final: Array = field(repr=False)
    clipped: Array = field(repr=False)
    shortened: float = 0.0
    constant: tuple[int, ...] = ()
    duplicates: int = 0
    empty: int = 0
    class_means: Array = field(default_factory=lambda: np.zeros((0, 0)), repr=False)


@dataclass(frozen=True)
class Step:
    """One step of the preprocessing, or one known fact about the rows, with what it costs in privacy."""

    what: str
    how: str
    privacy: str


@dataclass(frozen=True, kw_only=True)
class Spectra:
    """Eigenvalues of A and B, falling, and the edge below which the noise of the sums drowns them at every ε of a grid
    that has the scenario's in it."""

    target: Array = field(repr=False)
    constraint: Array | None = field(repr=False)
    edges: Mapping[float, float] = field(repr=False)


def facts(data: Dataset) -> Facts:
    """Look at every row of the training part once."""
    preprocessing, n = data.preprocessing, data.n
    low, high = preprocessing.limits(data.d)
    clipped, smallest, largest = np.zeros(data.d), np.full(data.d, np.inf), np.full(data.d, -np.inf)
    stored, bounded, final = np.zeros(n), np.zeros(n), np.zeros(n)
    seen: set[int] = set()
    sums = np.zeros((data.n_classes, data.d))
    for where, block in _blocks(data.X):
        wide = block.astype(np.float64)
        smallest, largest = np.minimum(smallest, wide.min(axis=0)), np.maximum(largest, wide.max(axis=0))
        stored[where] = norms(wide)
        if data.y is not None:
            sums += np.eye(data.n_classes)[data.y[where]].T @ wide
        moved = _after_columns(wide, data, bounds=False)
        clipped += ((moved < low) | (moved > high)).sum(axis=0)
        bounded[where] = norms(_after_columns(wide, data, bounds=True))
        final[where] = norms(preprocessing.apply(block))
        seen.update(hash(row.tobytes()) for row in np.ascontiguousarray(block))
    longer = bounded > preprocessing.radius if preprocessing.rows == "clip" else np.zeros(0)
    return Facts(
        stored=stored,
        bounded=bounded,
        final=final,
        clipped=clipped / n,
        shortened=float(longer.mean()) if longer.size else 0.0,
        constant=tuple(int(j) for j in np.flatnonzero(smallest == largest)),
        duplicates=n - len(seen),
        empty=int((final == 0).sum()),
        class_means=_means(sums, data),
    )


def _means(sums: Array, data: Dataset) -> Array:
    if data.y is None:
        return np.zeros((0, data.d))
    counts = np.bincount(data.y, minlength=data.n_classes)
    return sums / counts[:, None] if counts.all() else np.zeros((0, data.d))


def norms(rows: Array) -> Array:
    """Norms (m,) of rows, computed without overflow. A norm above the largest number is infinite."""
    sizes = np.abs(rows).max(axis=1, initial=0.0)
    scale = np.where(sizes > 0, sizes, 1.0)
    with np.errstate(over="ignore"):
        return scale * np.sqrt(np.einsum("ij,ij->i", rows / scale[:, None], rows / scale[:, None]))


def _after_columns(rows: Array, data: Dataset, *, bounds: bool) -> Array:
    """Rows after the logarithm and, with ``bounds``, after the columns' bounds; not yet scaled as rows."""
    declared = data.preprocessing
    if not bounds or declared.lower is None:
        if declared.log1p is False:
            return rows
        columns = slice(None) if declared.log1p is True else list(declared.log1p)
        moved = rows.copy()
        moved[:, columns] = np.sign(moved[:, columns]) * np.log1p(np.abs(moved[:, columns]))
        return moved
    wide = 2.0 * sqrt(data.d)  # no bounded row is longer, so this radius clips none
    return replace(declared, rows="clip", radius=wide, views=()).apply(rows) * wide


def _blocks(X: NDArray[Any]) -> Iterator[tuple[slice, NDArray[Any]]]:
    rows = max(1, min(BLOCK_ROWS, 4_000_000 // max(X.shape[1], 1)))
    for first in range(0, X.shape[0], rows):
        where = slice(first, min(first + rows, X.shape[0]))
        yield where, X[where]


def steps(data: Dataset, found: Facts) -> list[Step]:
    """Steps done to the rows and facts known about them, in order, with what each costs in privacy."""
    declared = data.preprocessing
    taken = [Step("Number of rows n", f"{data.n:,}", COUNTED)]
    if data.n_classes:
        cut = f"slices of the response at {', '.join(f'{edge:g}' for edge in data.edges)}" if data.edges else "labels"
        known = data.edges_declared if data.edges else data.classes_declared
        taken.append(Step("Class set", f"{data.n_classes} {cut if data.edges else 'classes'}", FREE if known else OPEN))
    if declared.log1p is not False:
        which = "all columns" if declared.log1p is True else f"{plural(len(declared.log1p), 'column')}"
        taken.append(Step("Signed logarithm", which, FREE))
    if declared.lower is None:
        taken.append(Step("Column bounds", "none: a wide column may drown the others", "free"))
    else:
        share = 100 * float(found.clipped.mean())
        how = f"columns to a bounded range; {share:.2g} % of all values are clipped"
        taken.append(Step("Column bounds", how, OPEN if BOUNDS_LEARNT in data.learnt else FREE))
    if declared.rows == "unit":
        taken.append(Step("Rows", f"to unit norm; {found.empty:,} rows are zero and stay so", "free: row by row"))
    else:
        how = f"clipped to radius {declared.radius:g}; {100 * found.shortened:.2g} % of the rows are shortened"
        taken.append(Step("Rows", how, FREE))
    taken += [Step(what.capitalize(), "", OPEN) for what in data.learnt if what != BOUNDS_LEARNT]
    return taken


def spectra(scenario: Scenario, data: Dataset, reference: Reference) -> Spectra | None:
    """Spectra of the current model's matrices; None where they are too large to look at."""
    if data.d > MOST_SPECTRUM:
        return None
    pencil = reference.problem.pencil
    setting: Setting = replace(scenario.setting("ssp"), params=scenario.params_of("ssp"), n_components=None)
    places = sorted({*SLIDER, scenario.epsilon})
    return Spectra(
        target=_falling(pencil.target),
        constraint=None if pencil.constraint is None else _falling(pencil.constraint),
        edges={epsilon: _edge(data, replace(setting, epsilon=epsilon)) for epsilon in places},
    )


def _edge(data: Dataset, setting: Setting) -> float:
    """Noise edge of a setting; no noise is drawn."""
    bound = plan(data, setting)
    return facts_of(bound.method, bound.public, bound.grant)["noise_edge"]


def _falling(matrix: Array) -> Array:
    return np.asarray(np.linalg.eigvalsh(matrix)[::-1], dtype=np.float64)


def column_table(data: Dataset, names: Sequence[str], shares: Array) -> pd.DataFrame:
    """One line for each column: its public bounds, and its share of the squared length of the prepared rows."""
    low, high = data.preprocessing.limits(data.d)
    logged = data.preprocessing.log1p
    chosen = set(range(data.d)) if logged is True else set(logged or ())
    return pd.DataFrame(
        {"column": list(names), "lower": low, "upper": high, "logarithm": [j in chosen for j in range(data.d)],
         "share of the rows' length": shares}
    )  # fmt: skip


def heavy_column(data: Dataset, names: Sequence[str], shares: Array, *, bounds: bool = True) -> str:
    """Name the column that drowns the others, with the remedy; "" where none carries most of the rows.

    ``bounds`` is whether the scenario applies the declared bounds.
    """
    most = int(np.argmax(shares))
    if data.d < 2 or not shares[most] > HEAVY:
        return ""
    declared = data.preprocessing.lower is not None
    remedy = ", with its bounds" if declared and bounds else ": switch bounds on" if declared else ": give it a bound"
    return f"{names[most]} carries {100 * shares[most]:.0f} % of the rows{remedy}."


def class_counts(data: Dataset) -> pd.DataFrame:
    """Rows of each class."""
    assert data.y is not None
    return pd.DataFrame({"class": data.classes, "rows": np.bincount(data.y, minlength=data.n_classes)})


def first_rows(data: Dataset) -> pd.DataFrame:
    """The first rows as stored, with names and labels."""
    shown = min(data.d, PREVIEW_COLUMNS)
    names = list(data.feature_names[:shown]) or [f"column {j}" for j in range(shown)]
    frame = pd.DataFrame(np.asarray(data.X[:PREVIEW_ROWS, :shown]))
    # Names that repeat get a number: a table on screen cannot hold two of a name.
    frame.columns = pd.Index([n if names.count(n) == 1 else f"{n} [{j}]" for j, n in enumerate(names)])
    if data.y is not None:
        frame.insert(0, _new("label", names), [data.classes[code] for code in data.y[:PREVIEW_ROWS]])
    elif data.response is not None:
        frame.insert(0, _new("response", names), data.response[:PREVIEW_ROWS])
    return frame


def _new(name: str, taken: list[str]) -> str:
    while name in taken:
        name = f"({name})"
    return name
