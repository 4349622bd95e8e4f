"""Views of a table of results: a measure along an axis, in lines and panels, and the slopes that theory states."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from dashboard.compute.axes import AXES
from dashboard.compute.titles import TITLED, setting_text, title_of
from dashboard.scenario import as_text
from dpgep_core.evaluate.measures import SWEEP_MEASURES, Measure
from dpgep_core.experiments.grid import Sweep, known_axes, setting_columns
from dpgep_core.params import Knob
from dpgep_core.privacy.accountant import mu_of

MOST_LINES, MOST_PANELS = 10, 6
NO_FACET = "none"
LABELS = {
    "dataset": "Data set", "model": "Model", "algorithm": "Method", "classifier": "Classifier", "rows": "Rows n",
}  # fmt: skip


def offered_measures(table: pd.DataFrame, sweep: Sweep) -> list[str]:
    """Measures that the table has."""
    return [key for key, measure in SWEEP_MEASURES.items() if not long_table(table, sweep, measure).empty]


def long_table(table: pd.DataFrame, sweep: Sweep, measure: Measure) -> pd.DataFrame:
    """One row for each cell and classifier: its settings, the value, and the levels it lies between."""
    if "first_cosine_similarity" in table:
        table = table.assign(sine=1 - table["first_cosine_similarity"] ** 2)
    names = sweep.classifiers if measure.by_classifier else ("",)
    settings = [name for name in setting_columns(sweep) if name in table]
    parts: list[pd.DataFrame] = []
    for name in names:
        if (column := measure.column.format(name)) in table:
            levels = {words: c.format(name) for c, words in (*measure.floor, *measure.ceiling)}
            found = {words: table[c] for words, c in levels.items() if c in table}
            value = pd.to_numeric(table[column], errors="coerce")
            parts.append(table[settings].assign(classifier=name or None, value=value, **found))
    if not parts:
        return pd.DataFrame(columns=[*settings, "classifier", "value"])
    whole = pd.concat(parts, ignore_index=True)
    return whole[whole["value"].notna()].reset_index(drop=True)


def varying(rows: pd.DataFrame, sweep: Sweep) -> list[str]:
    """Settings with more than one value, seeds apart."""
    names = [name for name in (*setting_columns(sweep), "classifier") if name in rows and name != "seed"]
    return [name for name in names if rows[name].nunique(dropna=True) > 1]


def axes(rows: pd.DataFrame, sweep: Sweep) -> list[str]:
    """Settings that a curve can run along: numbers that vary; failing that, the methods side by side."""
    numbers = [name for name in varying(rows, sweep) if numeric(name)]
    return [*numbers, "algorithm"]


def numeric(name: str) -> bool:
    """Whether a setting is a number."""
    return isinstance(known_axes().get("n" if name == "rows" else name), Knob)


def label(name: str) -> str:
    """A setting for a person."""
    found = AXES[name].parameter if name in AXES else known_axes().get(name)
    return LABELS.get(name) or (name if found is None else found.label)


def value_title(name: str, value: Any) -> str:
    """The value of a setting in a legend."""
    if pd.isna(value):
        return ""
    if name in TITLED:
        return title_of(name, str(value))
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return setting_text(name, as_text(float(value)) if number else str(value))


@dataclass(frozen=True, slots=True)
class Line:
    """One curve: values by seed at each place. Where the axis does not concern a method, its only place is NaN."""

    title: str
    points: Mapping[Any, Sequence[float]]

    @property
    def level(self) -> bool:
        """Whether it is the same at every place."""
        return len(self.points) == 1 and pd.isna(next(iter(self.points)))

    @property
    def seeds(self) -> int:
        return max(map(len, self.points.values()), default=0)


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves that share a pair of axes, and horizontal levels by name."""

    title: str
    lines: Sequence[Line]
    levels: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """Choice of what a chart shows: an axis, one panel for each value of a setting, and other settings at one value."""

    axis: str
    facet: str = NO_FACET
    fixed: tuple[tuple[str, Any], ...] = ()


def held_rows(rows: pd.DataFrame, view: View) -> pd.DataFrame:
    """The rows at the values that are held; methods that do not have a setting stay."""
    for name, value in view.fixed:
        if name in rows:
            rows = rows[(rows[name] == value) | rows[name].isna()]
    return rows


def panels(rows: pd.DataFrame, sweep: Sweep, measure: Measure, view: View) -> list[Panel]:
    """The curves of a view. There may be more than can be drawn: `MOST_LINES`, `MOST_PANELS`."""
    rows = held_rows(rows, view)
    apart = [name for name in varying(rows, sweep) if name not in (view.axis, view.facet)]
    by = list(dict.fromkeys(["algorithm", *apart])) if view.axis != "algorithm" else apart
    found: list[Panel] = []
    parts = [("", rows)] if view.facet not in rows else list(rows.groupby(view.facet, sort=False, dropna=False))
    for value, part in parts:
        title = "" if view.facet not in rows else value_title(view.facet, value)
        found.append(Panel(title, _lines(part, by, view.axis), _levels(part, measure)))
    return found


def _levels(part: pd.DataFrame, measure: Measure) -> dict[str, float]:
    """Means over the cells; none where the panel mixes what has levels of its own.

    Without privacy each setting has its own ridge, and the best of them is the level: a private curve above a mean of
    them would look like a mistake.
    """
    if any(part[name].nunique() > 1 for name in ("dataset", "model", "classifier") if name in part):
        return {}
    floors = {words: _mean(part[words]) for _, words in measure.floor if words in part}
    known = {"seed", "value", *(words for _, words in (*measure.floor, *measure.ceiling))}
    settings = [name for name in part if name not in known]
    ceilings = {
        words: part.groupby(settings, dropna=False)[words].agg(_mean).max()
        for _, words in measure.ceiling
        if words in part
    }
    return {words: float(value) for words, value in (floors | ceilings).items() if not pd.isna(value)}


def _mean(values: "pd.Series[float]") -> float:
    """The mean; the value itself where all are equal, since the sum of equal numbers is rounded."""
    return float(values.iloc[0] if values.nunique(dropna=False) == 1 else values.mean())


def _lines(part: pd.DataFrame, by: list[str], axis: str) -> list[Line]:
    if not by:
        return [Line("", _points(part, axis))]
    return [
        Line(", ".join(filter(None, map(value_title, by, values))), _points(group, axis))
        for values, group in part.groupby(by, sort=False, dropna=False)
    ]


def _points(group: pd.DataFrame, axis: str) -> dict[Any, list[float]]:
    found = {at: list(map(float, one["value"])) for at, one in group.groupby(axis, sort=numeric(axis), dropna=False)}
    real = {title_of(axis, at) if axis in TITLED else at: v for at, v in found.items() if not pd.isna(at)}
    return real or found


# Powers at which theory bounds the squared error; the constants before them are unknown. A bound d/(n²ρ) is drawn
# against ε as μ^-2 and not as ε^-2: ρ is μ²/2, and μ grows more slowly than ε. The d/n of sampling is left out: it is
# no part of a distance to the exact answer of the same rows.
NOISE: Mapping[str, float] = {"epsilon": -2.0, "n": -2.0, "rows": -2.0, "as_if": -2.0}


@dataclass(frozen=True, slots=True)
class Rate:
    """A bound of a paper, by the power of each setting in it, and what to know of it."""

    powers: Mapping[str, float]
    said: str


RATES: Mapping[str, Rate] = {
    "at most d/(n²ρ), Hu Thm 4": Rate(
        NOISE, "Hu et al., Theorem 4: an upper bound, for a start close enough to the answer."
    ),
    "at most s·log d/(n²ρ), Hu Thm 8": Rate(
        NOISE | {"sparsity": 1.0},
        "Hu et al., Theorem 8: an upper bound, for a sparse start close enough to the answer.",
    ),
    "at most d/(n²ε²ξ²), Chen Thm 16": Rate(
        NOISE | {"xi": -2.0},
        "Chen et al., Theorem 16: an upper bound. It rests on Theorem 14, which analyses another iteration than the "
        "one of Algorithm 2.",
    ),
    "at most s·log d/(n²ε²), Chen Thm 17": Rate(
        NOISE | {"sparsity": 1.0},
        "Chen et al., Theorem 17: proved only where the bound is larger than a constant, so where it says nothing.",
    ),
    "at least d/(n²ρ), Hu Thm 9 and 11": Rate(
        NOISE, "Hu et al., Theorems 9 (PCA) and 11 (SIR): for each method some data are as bad as that."
    ),
    "at least s·log d/(n²ρ), Hu Thm 10 and 12": Rate(
        NOISE | {"sparsity": 1.0},
        "Hu et al., Theorems 10 (sparse PCA) and 12 (sparse SIR): for each method some data are as bad as that.",
    ),
}


def power(name: str, axis: str) -> float:
    """The power of an axis in a bound on 1 − cos²; 0 where it does not occur."""
    return RATES[name].powers.get(axis, 0.0)


def place_on(axis: str, delta: float) -> Callable[[float], float]:
    """Base of the power: μ for ε, at this δ; the setting itself otherwise."""
    return (lambda epsilon: mu_of(epsilon, delta)) if axis == "epsilon" else lambda value: value
