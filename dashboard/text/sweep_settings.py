"""The caption of a sweep's figure: how values are drawn, and every setting that docs/sharing.md promises."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from dashboard.compute.sweeps.views import value_title
from dashboard.compute.titles import title_of
from dashboard.text.words import READS, SEED_KNOWN
from dpgep_core.experiments.grid import Sweep
from dpgep_core.params import USUAL_DELTA
from dpgep_core.release import COMMON_PARAMETERS, VERSION
from dpgep_core.wording import number_text, plural

LISTED = 4  # values of a setting; more numbers are told by their ends
SIZES = ("n", "d", "k")
TOLD_APART = ("relation", "n", "n_components")  # in other words, or as a size
USUAL_RELATION = "replace_one"
SAID = {
    "quantiles": "Median over seeds, with soft 50 % and 90 % bands from 5 seeds on.",
    "mean": "Mean over seeds with Student's 95 % interval of the mean, which is not a band of single results.",
}
SEEDS = "Seeds draw noise, starts, and the split where none is published; the rows are the same."
COSINES = "Cosines and angles are to the exact solution at the same ξ and sparsity."
BEST = "The line without privacy is the best of the settings drawn."


def sweep_caption(
    table: pd.DataFrame, sweep: Sweep, *, band: str, seeds: int, by_classifier: bool, level: bool
) -> str:  # fmt: skip
    """Caption of a figure of the cells in ``table``; ``level`` where a line without privacy is drawn."""
    drawn = [SAID[band], SEEDS, *([] if by_classifier else [COSINES]), *([BEST] if level else [])]
    settings = _settings(table, sweep, seeds=seeds, by_classifier=by_classifier)
    return f"{' '.join(drawn)} {settings}. {READS.capitalize()}; {SEED_KNOWN}."


def _settings(table: pd.DataFrame, sweep: Sweep, *, seeds: int, by_classifier: bool) -> str:
    """Settings of the cells in a table, which are those that a figure draws."""
    apart = {name: _owners(table, sweep, name) for name, _ in sweep.axes if name not in TOLD_APART}
    shared = [name for name, owners in apart.items() if owners is None]
    relations = _values(table, "relation") or [USUAL_RELATION]
    parts = [
        *(_with(title_of("dataset", key), _sizes(table, key)) for key in _drawn(table, "dataset", sweep.datasets)),
        _titles(table, "model", sweep.models),
        *([_titles(table, "classifier", sweep.classifiers)] if by_classifier else []),
        *(text for name in shared if (text := _text(table, name))),
        *([] if "delta" in apart else [f"δ = {USUAL_DELTA}"]),
        ", ".join(str(relation).replace("_", "-") for relation in relations),
        *(_method(table, key, apart) for key in _drawn(table, "algorithm", sweep.algorithms)),
        plural(seeds, "seed"),
    ]
    return f"{'; '.join(parts)}. DP-GEP Lab {VERSION}"


def _method(table: pd.DataFrame, key: str, apart: dict[str, list[str] | None]) -> str:
    """A method with the parameters that only some of the drawn methods have: alone, they read as those of all."""
    own = table[table["algorithm"] == key]
    names = [name for name, owners in apart.items() if owners is not None and key in owners]
    return _with(title_of("algorithm", key), [_text(own, name) for name in names])


def _owners(table: pd.DataFrame, sweep: Sweep, name: str) -> list[str] | None:
    """Methods that have a parameter; None where all have it, or where it is a setting of the whole sweep."""
    if name in COMMON_PARAMETERS or name not in table:
        return None
    keys = _drawn(table, "algorithm", sweep.algorithms)
    owners = [key for key in keys if table.loc[table["algorithm"] == key, name].notna().any()]
    return None if owners == keys else owners


def _drawn(table: pd.DataFrame, setting: str, asked: Sequence[str]) -> list[str]:
    """Keys that a figure draws, in the order in which they were asked for."""
    return [key for key in asked if setting not in table or (table[setting] == key).any()]


def _titles(table: pd.DataFrame, setting: str, asked: Sequence[str]) -> str:
    return ", ".join(title_of(setting, key) for key in _drawn(table, setting, asked))


def _sizes(table: pd.DataFrame, key: str) -> list[str]:
    own = table[table["dataset"] == key]
    found = {name: _values(own, name) for name in SIZES}
    return [f"{name} = {_ends(list(map(number_text, sizes)))}" for name, sizes in found.items() if sizes]


def _text(table: pd.DataFrame, name: str) -> str:
    """A setting with its values: "ε = 0.1 to 10", "steps = 2"; "" where the cells have none."""
    first, *more = [value_title(name, _plain(value)) for value in _values(table, name)] or [""]
    return _ends([first, *(text.split(" = ")[-1] for text in more)])


def _ends(texts: list[str]) -> str:
    return ", ".join(texts) if len(texts) <= LISTED else f"{texts[0]} to {texts[-1]}"


def _values(table: pd.DataFrame, name: str) -> list[Any]:
    """Distinct values, numbers by size."""
    found: list[Any] = list(table[name].dropna().unique()) if name in table else []
    return sorted(found) if all(isinstance(value, int | float | np.number) for value in found) else found


def _plain(value: Any) -> Any:
    return ("on" if value else "off") if isinstance(value, bool | np.bool_) else value


def _with(name: str, settings: list[str]) -> str:
    return f"{name} with {', '.join(settings)}" if settings else name
