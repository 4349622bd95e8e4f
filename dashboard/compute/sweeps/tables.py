"""The numbers of a sweep by setting, and its methods compared over the seeds they share."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from dashboard.compute.sweeps.views import label, value_title, varying
from dashboard.compute.titles import title_of
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.evaluate.compare import Group, SignedRank, as_large_as, compare_methods
from dpgep_core.evaluate.measures import Measure
from dpgep_core.experiments.grid import Sweep
from dpgep_core.wording import number_text


def summary(rows: pd.DataFrame, sweep: Sweep, measure: Measure, *, mean: bool) -> pd.DataFrame:
    """A row for each setting, a column for each method: mean ± sd or median [quartiles], the best private in bold."""
    by = [name for name in varying(rows, sweep) if name != "algorithm"]
    methods = list(dict.fromkeys(rows["algorithm"]))
    table: list[dict[str, str]] = []
    for values, group in _groups_by_setting(rows, by):
        cells = {method: _of(group, method, by, values, rows)["value"].to_numpy(float) for method in methods}
        centre = {m: float(np.mean(v) if mean else np.median(v)) for m, v in cells.items() if len(v)}
        best = _best({m: c for m, c in centre.items() if ALGORITHMS[m].private}, measure.better)
        texts = {title_of("algorithm", m): _statistic_cell(v, mean=mean, bold=m in best) for m, v in cells.items()}
        table.append(
            {label(name): value_title(name, value).split(" = ")[-1] for name, value in zip(by, values, strict=True)}
            | texts
        )
    return pd.DataFrame(table)


def _groups_by_setting(rows: pd.DataFrame, by: list[str]) -> list[tuple[tuple[Any, ...], pd.DataFrame]]:
    """Groups of equal settings; cells of methods that lack one of them are not a setting of their own."""
    if not by:
        return [((), rows)]
    groups = list(rows.groupby(by, sort=False, dropna=False))
    whole = [(values, group) for values, group in groups if not any(pd.isna(v) for v in values)]
    return whole or groups


def _of(group: pd.DataFrame, method: str, by: list[str], values: tuple[Any, ...], rows: pd.DataFrame) -> pd.DataFrame:
    """A method's rows at a setting; one that does not have some of the settings counts wherever the others agree."""
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
    return {method for method, value in centre.items() if as_large_as(better * value, top)}


def _statistic_cell(values: Any, *, mean: bool, bold: bool) -> str:
    if not len(values):
        return ""
    if mean:
        middle, spread = number_text(float(np.mean(values)), 4), ""
        if len(values) > 1:
            spread = f" ± {number_text(float(np.std(values, ddof=1)), 2)}"
    else:
        low, high = np.percentile(values, (25, 75))
        middle = number_text(float(np.median(values)), 4)
        spread = f" [{number_text(low, 4)}, {number_text(high, 4)}]" if len(values) > 1 else ""
    return f"**{middle}**{spread}" if bold else middle + spread


def comparisons(rows: pd.DataFrame, sweep: Sweep) -> tuple[tuple[Group, str, str, SignedRank], ...]:
    """Every two methods at every setting, over the seeds they share."""
    by = [name for name in varying(rows, sweep) if name != "algorithm"]
    methods = list(dict.fromkeys(rows["algorithm"]))
    groups: dict[Group, dict[str, dict[int, float]]] = {}
    for values, group in _groups_by_setting(rows, by):
        found = {m: _of(group, m, by, values, rows).set_index("seed")["value"] for m in methods}
        groups[tuple(map(value_title, by, values))] = {
            m: {int(seed): float(v) for seed, v in s.items()} for m, s in found.items() if len(s) and s.index.is_unique
        }
    return compare_methods(groups)
