"""What a table of results says: a measure along an axis, in lines and panels, and its summary by setting."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from dashboard.axes import AXES
from dashboard.measures import METRICS
from dashboard.scenario import as_text
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.evaluate.compare import Group, SignedRank, compared
from dpgep_core.experiments.grid import Sweep, columns, known_axes
from dpgep_core.params import Knob

MOST_LINES, MOST_PANELS = 10, 6
NO_FACET = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A column of the table, or one made of it, with its words.

    Parameters
    ----------
    column : str
        With ``{}`` for the name of a classifier.
    floor, ceiling : tuple of (column, words)
        What knows nothing and what has no privacy reach.
    better : int
        1: more is better; -1: less is; 0: neither.
    rate : float
        The power of d/(n²ρ) that theory bounds it by; 0 where it is none of the errors that theory speaks of.
    """

    key: str
    label: str
    column: str
    axis: str
    limits: tuple[float, float] | None = None
    floor: tuple[tuple[str, str], ...] = ()
    ceiling: tuple[tuple[str, str], ...] = ()
    better: int = 1
    rate: float = 0.0

    @property
    def by_classifier(self) -> bool:
        return "{}" in self.column


def _score(name: str, label: str) -> Measure:
    return Measure(
        key=name, label=label, column=f"{{}}_{name}", axis=f"{label} on held-out rows",
        floor=((f"{{}}_{name}_random", "random projection"), *((("majority", "majority"),) * (name == "accuracy"))),
        ceiling=((f"{{}}_{name}_non_private", "no privacy"),),
    )  # fmt: skip


CHANCE = (("chance_cosine", "a random direction"),)
MEASURES: Mapping[str, Measure] = {
    measure.key: measure
    for measure in (
        _score("accuracy", "Accuracy"),
        Measure(
            key="angle", label="Principal angle", column="mean_principal_angle", axis=METRICS["angle"].axis,
            limits=METRICS["angle"].limits, better=-1,
        ),
        Measure(
            key="cosine", label="Cosine", column="mean_cosine_similarity", axis=METRICS["cosine"].axis,
            limits=METRICS["cosine"].limits, floor=CHANCE,
        ),
        Measure(
            key="first_cosine", label="First cosine", column="first_cosine_similarity",
            axis=METRICS["first_cosine"].axis, limits=METRICS["first_cosine"].limits, floor=CHANCE,
        ),
        Measure(
            key="sine", label="1 − cos² (error)", column="sine", axis="1 − cos² of the first component to exact",
            better=-1, rate=1.0,
        ),
        Measure(
            key="subspace_distance", label="Subspace distance", column="subspace_distance",
            axis="‖VVᵀ − V̂V̂ᵀ‖_F to exact", better=-1, rate=0.5,
        ),
        Measure(key="shang_distance", label="‖V − V̂‖²_F", column="shang_distance", axis="‖V − V̂‖²_F, signs aligned",
                better=-1),
        Measure(key="explained", label="Explained", column="explained", axis="Share of the exact objective"),
        _score("precision", "Precision"),
        _score("recall", "Recall"),
        _score("f1", "F1"),
        Measure(
            key="all_private", label="Accuracy, all private", column="{}_accuracy_all_private",
            axis="Accuracy, the classifier private too", floor=(("majority", "majority"),),
            ceiling=(("{}_accuracy_non_private", "no privacy"),),
        ),
        Measure(key="accounted", label="Accounted ε", column="accounted_epsilon", axis="ε accounted by the ledger",
                better=0),
        Measure(key="mu", label="μ", column="mu", axis="μ accounted by the ledger", better=0),
        Measure(key="sigma", label="σ", column="sigma", axis="σ of the noise, first answer", better=0),
    )
}  # fmt: skip


def offered(table: pd.DataFrame, sweep: Sweep) -> list[str]:
    """Measures that the table has."""
    return [key for key, measure in MEASURES.items() if not long(table, sweep, measure).empty]


def long(table: pd.DataFrame, sweep: Sweep, measure: Measure) -> pd.DataFrame:
    """One row for each cell and classifier: its settings, the value, and the levels it lies between."""
    table = (
        table.assign(sine=1 - table["first_cosine_similarity"] ** 2) if "first_cosine_similarity" in table else table
    )
    names = sweep.classifiers if measure.by_classifier else ("",)
    settings = [name for name in columns(sweep) if name in table]
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
    names = [name for name in (*columns(sweep), "classifier") if name in rows and name != "seed"]
    return [name for name in names if rows[name].nunique(dropna=True) > 1]


def axes(rows: pd.DataFrame, sweep: Sweep) -> list[str]:
    """What a curve can run along: settings that are numbers and vary; failing that, the methods side by side."""
    numbers = [name for name in varying(rows, sweep) if numeric(name)]
    return [*numbers, "algorithm"]


def numeric(name: str) -> bool:
    """Whether a setting is a number."""
    return isinstance(known_axes().get("n" if name == "rows" else name), Knob)


def label(name: str) -> str:
    """A setting for a person."""
    words = {
        "dataset": "Data set",
        "model": "Model",
        "algorithm": "Method",
        "classifier": "Classifier",
        "rows": "Rows n",
    }
    found = AXES[name].parameter if name in AXES else known_axes().get(name)
    return words.get(name) or (name if found is None else found.label)


def titled(name: str, value: Any) -> str:
    """The value of a setting in a legend."""
    if name in ("dataset", "model", "classifier", "algorithm"):
        return str(value)
    if pd.isna(value):
        return ""
    text = (
        as_text(float(value)) if isinstance(value, int | float | np.number) and not isinstance(value, bool) else value
    )
    symbols = {"epsilon": "ε", "delta": "δ", "xi": "ξ", "sparsity": "s", "n_iterations": "m", "step_size": "η",
               "n_components": "k", "rows": "n", "as_if": "n ×"}  # fmt: skip
    return f"{symbols.get(name, name)} = {text}"


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
    """Curves that share a pair of axes, with levels by name."""

    title: str
    lines: Sequence[Line]
    levels: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """What is looked at: an axis, panels by one setting, and other settings held at a value."""

    axis: str
    facet: str = NO_FACET
    fixed: tuple[tuple[str, Any], ...] = ()


def held(rows: pd.DataFrame, view: View) -> pd.DataFrame:
    """The rows at the values that are held; methods that do not have a setting stay."""
    for name, value in view.fixed:
        if name in rows:
            rows = rows[(rows[name] == value) | rows[name].isna()]
    return rows


def panels(rows: pd.DataFrame, sweep: Sweep, measure: Measure, view: View) -> list[Panel]:
    """The curves of a view. There may be more than can be drawn: `MOST_LINES`, `MOST_PANELS`."""
    rows = held(rows, view)
    apart = [name for name in varying(rows, sweep) if name not in (view.axis, view.facet)]
    by = list(dict.fromkeys(["algorithm", *apart])) if view.axis != "algorithm" else apart
    found: list[Panel] = []
    parts = [("", rows)] if view.facet not in rows else list(rows.groupby(view.facet, sort=False, dropna=False))
    for value, part in parts:
        title = "" if view.facet not in rows else titled(view.facet, value)
        levels = {
            words: float(part[words].mean())
            for _, words in (*measure.floor, *measure.ceiling)
            if words in part and part[words].notna().any()
        }
        found.append(Panel(title, _lines(part, by, view.axis), levels))
    return found


def _lines(part: pd.DataFrame, by: list[str], axis: str) -> list[Line]:
    if not by:
        return [Line("", _points(part, axis))]
    return [
        Line(", ".join(filter(None, map(titled, by, values))), _points(group, axis))
        for values, group in part.groupby(by, sort=False, dropna=False)
    ]


def _points(group: pd.DataFrame, axis: str) -> dict[Any, list[float]]:
    found = {at: list(map(float, one["value"])) for at, one in group.groupby(axis, sort=numeric(axis), dropna=False)}
    real = {at: values for at, values in found.items() if not pd.isna(at)}
    return real or found


def summary(rows: pd.DataFrame, sweep: Sweep, measure: Measure, *, mean: bool) -> pd.DataFrame:
    """A row for each setting, a column for each method: mean ± sd or median [quartiles], the best private in bold."""
    by = [name for name in varying(rows, sweep) if name != "algorithm"]
    methods = list(dict.fromkeys(rows["algorithm"]))
    table: list[dict[str, str]] = []
    for values, group in _settings(rows, by):
        cells = {method: _values(group, method, by, values, rows) for method in methods}
        centre = {m: float(np.mean(v) if mean else np.median(v)) for m, v in cells.items() if len(v)}
        best = _best({m: c for m, c in centre.items() if ALGORITHMS[m].private}, measure.better)
        texts = {m: _cell(v, mean=mean, bold=m in best) for m, v in cells.items()}
        table.append(
            {label(name): titled(name, value).split(" = ")[-1] for name, value in zip(by, values, strict=True)} | texts
        )
    return pd.DataFrame(table)


def _settings(rows: pd.DataFrame, by: list[str]) -> list[tuple[tuple[Any, ...], pd.DataFrame]]:
    """Groups of equal settings; cells of methods that lack one of them are not a setting of their own."""
    if not by:
        return [((), rows)]
    groups = list(rows.groupby(by, sort=False, dropna=False))
    whole = [(values, group) for values, group in groups if not any(pd.isna(v) for v in values)]
    return whole or groups


def _values(group: pd.DataFrame, method: str, by: list[str], values: tuple[Any, ...], rows: pd.DataFrame) -> Any:
    """A method's values at a setting; one that does not have some of the settings counts wherever the others agree."""
    return _of(group, method, by, values, rows)["value"].to_numpy(float)


def _of(group: pd.DataFrame, method: str, by: list[str], values: tuple[Any, ...], rows: pd.DataFrame) -> pd.DataFrame:
    own = group[group["algorithm"] == method]
    if len(own):
        return own
    same = rows["algorithm"] == method
    for name, value in zip(by, values, strict=True):
        same &= (rows[name] == value) | rows[name].isna()
    return rows[same]


def _best(centre: Mapping[str, float], better: int) -> set[str]:
    if not centre or not better or len(centre) < 2:
        return set()
    top = max(better * value for value in centre.values())
    return {method for method, value in centre.items() if better * value == top}


def _cell(values: Any, *, mean: bool, bold: bool) -> str:
    if not len(values):
        return ""
    if mean:
        middle, spread = f"{np.mean(values):.4g}", f" ± {np.std(values, ddof=1):.2g}" if len(values) > 1 else ""
    else:
        low, high = np.percentile(values, (25, 75))
        middle, spread = f"{np.median(values):.4g}", f" [{low:.4g}, {high:.4g}]" if len(values) > 1 else ""
    return f"**{middle}**{spread}" if bold else middle + spread


def comparisons(rows: pd.DataFrame, sweep: Sweep) -> tuple[tuple[Group, str, str, SignedRank], ...]:
    """Every two methods at every setting, over the seeds they share."""
    by = [name for name in varying(rows, sweep) if name != "algorithm"]
    methods = list(dict.fromkeys(rows["algorithm"]))
    groups: dict[Group, dict[str, dict[int, float]]] = {}
    for values, group in _settings(rows, by):
        found = {m: _of(group, m, by, values, rows).set_index("seed")["value"] for m in methods}
        groups[tuple(map(titled, by, values))] = {
            m: {int(seed): float(v) for seed, v in s.items()} for m, s in found.items() if len(s) and s.index.is_unique
        }
    return compared(groups)
