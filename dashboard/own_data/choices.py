"""Answers of a form about an upload → the sidecar that declares it. No streamlit."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dpgep_core.datasets import Preprocessing
from dpgep_core.datasets.glance import EMPTY, TEXT, ColumnGlance, Glance
from dpgep_core.datasets.preprocessing import ColumnBound
from dpgep_core.datasets.readers.options import DeclaredResponse, Reading, TextColumn, categories_of
from dpgep_core.datasets.readers.sidecar import Sidecar
from dpgep_core.datasets.slices import check_edges, check_edges_mu
from dpgep_core.errors import DataError, show_value

PURPOSES: Mapping[str, str] = {
    "classes": "classes, from a label column",
    "response": "a real-valued response, cut at public edges",
    "none": "no label",
}
BOUNDS: Mapping[str, str] = {
    "none": "none: rows alone are scaled",
    "declared": "declared here, from what the quantity can be: free",
    "learnt": "smallest and largest value, rounded outwards: learnt from the rows, not covered",
}


@dataclass(frozen=True, kw_only=True)
class Choices:
    """The form. Columns are positions in the file; texts are as typed.

    Parameters
    ----------
    purpose : str
        One of `PURPOSES`.
    label : int or None
        The column of the label or response.
    classes, edges : str
        Parted by commas; no classes: read off the rows.
    edges_mu : float
        μ that released edges have cost.
    drop, read_off : tuple of int
        Columns to leave out; columns of words whose categories are read off the rows.
    categories : mapping of int to str
        Columns of words with declared categories, separated by commas.
    bounds : str
        One of `BOUNDS`; ``lower`` and ``upper`` then hold one number, or one for each column of numbers.
    log1p, first_view : tuple of int
        Columns of numbers; without a first view, views are not declared.
    radius : float or None
        Clip rows to it; None: unit rows.
    """

    purpose: str = "classes"
    label: int | None = None
    classes: str = ""
    edges: str = ""
    edges_mu: float = 0.0
    drop: tuple[int, ...] = ()
    read_off: tuple[int, ...] = ()
    categories: Mapping[int, str] = field(default_factory=dict[int, str])
    bounds: str = "none"
    lower: str = ""
    upper: str = ""
    log1p: tuple[int, ...] = ()
    first_view: tuple[int, ...] = ()
    radius: float | None = None
    title: str = ""


@dataclass(frozen=True)
class Feature:
    """Column of numbers that the form makes: its column of the file, and whether it marks a category."""

    name: str
    origin: int
    category: bool = False


def sidecar_of(where: str, glance: Glance, reading: Reading, choices: Choices) -> Sidecar:
    """The declaration; errors name the field of the form."""
    made = features(where, glance, choices)
    classes = tuple(words(choices.classes)) if choices.purpose == "classes" else ()
    response = None
    if choices.purpose == "response":
        edges = tuple(numbers(where, "edges", choices.edges))
        check_edges(where, edges)
        check_edges_mu(where, choices.edges_mu, edges)
        column = _column(glance, choices.label)
        response = DeclaredResponse(column=column, edges=edges, edges_mu=choices.edges_mu)
    return Sidecar(
        title=choices.title,
        label="" if choices.purpose == "none" else _column(glance, choices.label),
        classes=classes,
        preprocessing=_preprocessing(where, glance, reading, choices, made),
        response=response,
        views=_views(where, choices, made),
        reading=reading,
        drop=tuple(_name(glance, j) for j in choices.drop),
        text=(
            *(TextColumn(column=_name(glance, j)) for j in choices.read_off),
            *(
                TextColumn(column=_name(glance, j), categories=categories_of(where, words(text)))
                for j, text in choices.categories.items()
            ),
        ),
        learnt=choices.bounds == "learnt",
    )


def features(where: str, glance: Glance, choices: Choices) -> tuple[Feature, ...]:
    """The columns of numbers that the choices make, in their order."""
    if not glance.columns:
        return tuple(Feature(f"column {j}", j) for j in range(glance.d))
    label = choices.label if choices.purpose != "none" else None
    out = {label, *choices.drop}
    kept = [column for column in glance.columns if column.position not in out]
    if not kept:
        raise DataError(where, "every column is the label or left out", "at least 1 column of numbers is needed")
    return tuple(feature for column in kept for feature in _features_of(where, column, choices))


def _features_of(where: str, column: ColumnGlance, choices: Choices) -> list[Feature]:
    if column.position in choices.categories:
        declared = words(choices.categories[column.position])
        if not declared:
            raise DataError(
                where, f"column {show_value(column.name)} has no categories", "words separated by commas are needed"
            )
        return [Feature(f"{column.name}={word}", column.position, category=True) for word in declared]
    if column.position in choices.read_off:
        found = sorted(column.categories)
        return [Feature(f"{column.name}={word}", column.position, category=True) for word in found]
    if column.kind in (TEXT, EMPTY):
        holds = "words" if column.kind == TEXT else "nothing"
        raise DataError(
            where, f"column {show_value(column.name)} holds {holds}", "declare its categories, or leave it out"
        )
    return [Feature(column.name, column.position)]


def _preprocessing(
    where: str, glance: Glance, reading: Reading, choices: Choices, made: Sequence[Feature]
) -> Preprocessing:
    log1p = tuple(j for j, each in enumerate(made) if each.origin in choices.log1p and not each.category)
    rows = Preprocessing() if choices.radius is None else Preprocessing(rows="clip", radius=choices.radius)
    lower, upper = _bounds(where, glance, reading, choices, made)
    every = bool(made) and len(log1p) == len(made)
    return replace(rows, lower=lower, upper=upper, log1p=every or log1p or False)


def _bounds(
    where: str, glance: Glance, reading: Reading, choices: Choices, made: Sequence[Feature]
) -> tuple[ColumnBound | None, ColumnBound | None]:
    plain = [feature for feature in made if not feature.category]
    if choices.bounds == "none":
        return None, None
    if choices.bounds == "learnt":
        if not glance.columns:
            raise DataError(where, "bounds from the rows of a file without named columns", "declare the bounds")
        pairs = [_learnt(glance.columns[each.origin], reading, each.origin in choices.log1p) for each in plain]
        lower, upper = [low for low, _ in pairs], [high for _, high in pairs]
    else:
        lower = numbers(where, "lower", choices.lower, len(plain))
        upper = numbers(where, "upper", choices.upper, len(plain))
    for feature, low, high in zip(plain, lower, upper, strict=True):
        if low >= high and choices.bounds != "learnt":
            raise DataError(
                where, f"lower = {low:g} of column {show_value(feature.name)}", f"a number below upper = {high:g}"
            )
    ends = iter(zip(lower, upper, strict=True))
    all_ends = [(0.0, 1.0) if feature.category else next(ends) for feature in made]
    if len(set(all_ends)) == 1:
        return all_ends[0]
    return tuple(low for low, _ in all_ends), tuple(high for _, high in all_ends)


def bounds_by_column(where: str, glance: Glance, reading: Reading, choices: Choices) -> dict[int, tuple[float, float]]:
    """Bounds of each column of numbers, by its position in the file; empty where there are none yet, or wrong ones."""
    try:
        made = features(where, glance, choices)
        lower, upper = _bounds(where, glance, reading, choices, made)
    except DataError:
        return {}
    if lower is None or upper is None:
        return {}
    low, high = (ends if isinstance(ends, tuple) else (ends,) * len(made) for ends in (lower, upper))
    ends = zip(made, low, high, strict=True)
    return {feature.origin: (one, other) for feature, one, other in ends if not feature.category}


def _learnt(column: ColumnGlance, reading: Reading, logarithm: bool) -> tuple[float, float]:
    ends = [column.low or 0.0, column.high or 0.0]
    ends += [float(reading.missing)] if column.gaps and isinstance(reading.missing, float) else []
    if logarithm:
        ends = [math.copysign(math.log1p(abs(end)), end) for end in ends]
    return outward(min(ends), down=True), outward(max(ends), down=False)


def outward(value: float, *, down: bool) -> float:
    """Round a bound outwards to two digits."""
    if value == 0 or not math.isfinite(value):
        return value
    unit = 10.0 ** (math.floor(math.log10(abs(value))) - 1)
    if unit == 0:  # too small a number to have two digits
        return value
    steps = value / unit
    rounded = float(f"{(math.floor(steps) if down else math.ceil(steps)) * unit:.3g}")
    inside = rounded > value if down else rounded < value
    return value if inside or not math.isfinite(rounded) else rounded


def numbers(where: str, name: str, text: str, wanted: int | None = None) -> list[float]:
    """Parse numbers between commas or blanks. With ``wanted``, one number stands for all, or that many are needed."""
    found: list[float] = []
    for word in text.replace(",", " ").replace(";", " ").split():
        try:
            found.append(float(word))
        except ValueError:
            raise DataError(
                where, f"{name} holds {show_value(word)}", "numbers separated by commas are needed"
            ) from None
    if not np.isfinite(found).all():
        raise DataError(where, f"{name} holds a number that is not finite", "finite numbers are needed")
    if wanted is None:
        return found
    if len(found) == 1:
        return found * wanted
    if len(found) != wanted:
        raise DataError(where, f"{name} holds {len(found)} numbers", f"one, or one for each of the {wanted} columns")
    return found


def columns_from_text(where: str, glance: Glance, text: str) -> tuple[int, ...]:
    """Columns by name, number or range of numbers, separated by commas: ``age, 3, 5-9``."""
    named = {name: position for position, name in enumerate(glance.names) if glance.times[name] == 1}
    found: list[int] = []
    for word in words(text):
        first, dash, last = word.partition("-")
        if word in named:
            found.append(named[word])
        elif (low := _whole(first)) is not None and (high := _whole(last) if dash else low) is not None:
            if not low <= high < len(glance.names):
                raise DataError(where, f"there are no columns {word[:40]}", f"0 to {len(glance.names) - 1} are there")
            found += range(low, high + 1)
        else:
            raise DataError(where, f"there is no column {show_value(word)}", "names, numbers from 0, and ranges as 5-9")
    return tuple(dict.fromkeys(found))


def text_from_columns(columns: Sequence[int]) -> str:
    """Column numbers as `columns_from_text` reads them, neighbours as ranges."""
    ranges: list[list[int]] = []
    for column in sorted(columns):
        if ranges and column == ranges[-1][1] + 1:
            ranges[-1][1] = column
        else:
            ranges.append([column, column])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in ranges)


def _whole(word: str) -> int | None:
    plain = word.strip()
    return int(plain) if plain.isdecimal() and len(plain) < 10 else None


def words(text: str) -> list[str]:
    """Words separated by commas or line ends."""
    return [word.strip() for line in text.splitlines() for word in line.split(",") if word.strip()]


def _views(where: str, choices: Choices, made: Sequence[Feature]) -> tuple[tuple[int, ...], ...] | None:
    if not choices.first_view:
        return None
    first = tuple(j for j, each in enumerate(made) if each.origin in choices.first_view)
    second = tuple(j for j, each in enumerate(made) if each.origin not in choices.first_view)
    if not first or not second:
        raise DataError(where, f"{len(first)} and {len(second)} columns in the two views", "at least 1 in each")
    return first, second


def _column(glance: Glance, position: int | None) -> str | int | None:
    return None if position is None or not glance.columns else _name(glance, position)


def _name(glance: Glance, position: int) -> str | int:
    """Name of a column where no other column has it, else its number."""
    name = glance.columns[position].name
    return name if name and glance.reading.header is not False and glance.times[name] == 1 else position
