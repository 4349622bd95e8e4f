"""A sweep as a declaration: lists of settings, and the cells they span."""

import hashlib
import itertools
import json
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, cast

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.datasets import dataset_names
from dpgep_core.datasets.registry import is_path
from dpgep_core.errors import ParameterError, UnknownNameError, reason_of
from dpgep_core.evaluate.classify import CLASSIFIER_NAMES
from dpgep_core.former import key_parameters
from dpgep_core.knobs import Knob, Parameter, whole_number
from dpgep_core.models import MODELS
from dpgep_core.params import offers
from dpgep_core.release import (
    COMMON_PARAMETERS,
    VERSION,
    Setting,
    all_parameters,
    default_parameters,
    known_parameters,
)

MOST_CELLS = 1_000_000
MOST_SWEEP_SEEDS = 100_000
ROWS_KNOB = Knob(
    symbol="n", label="Rows", integer=True, low=4, soft=(100, 100_000), doc="First rows, before any split."
)
NAME_LISTS = ("datasets", "models", "algorithms", "classifiers")


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Lists of settings; every combination that makes sense is a cell.

    Parameters
    ----------
    datasets, models, algorithms : tuple of str
        Keys. A pair of model and algorithm that does not exist is left out; that some pair exists is required.
    axes : tuple of (name, values)
        Lists of further settings: ``epsilon``, ``delta``, ``n_components``, ``relation``, ``as_if``, ``noise``,
        ``bounds``, ``n`` (the first n rows, before any split), and any parameter of a model or an algorithm. A method
        that does not have a parameter is run once for all its values; one without noise, once for all ε and δ.
    classifiers : tuple of str
        Trained in every cell on data with labels.
    seeds : int
        Seeds 0 … seeds − 1. A seed fixes noise, start, and the split where the data set publishes none.
    """

    datasets: tuple[str, ...]
    models: tuple[str, ...] = ("fda",)
    algorithms: tuple[str, ...] = ("ssp",)
    axes: tuple[tuple[str, tuple[Any, ...]], ...] = (("epsilon", (1.0,)),)
    classifiers: tuple[str, ...] = ("lda",)
    seeds: int = 1

    @property
    def combinations(self) -> int:
        """Number of combinations, with those that make no sense."""
        lists = (self.datasets, self.models, self.algorithms, *(values for _, values in self.axes))
        return self.seeds * math.prod(map(len, lists))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One point of a sweep: everything its numbers depend on but the rows themselves."""

    dataset: str
    setting: Setting
    n: int | None
    classifiers: tuple[str, ...]

    def content(self) -> dict[str, Any]:
        """Settings of the cell as plain values, by name: the columns of a table of results."""
        found = {
            f.name: getattr(self.setting, f.name) for f in fields(Setting) if f.name not in ("params", "split_seed")
        }
        if not ALGORITHMS[self.setting.algorithm].private:
            found |= {"epsilon": None, "delta": None}  # nothing depends on them
        return {"dataset": self.dataset, **found, "rows": self.n, **dict(self.setting.params)}

    def key(self, fingerprint: str) -> str:
        """Key of the cell in a store, from its content, the rows' fingerprint and the version."""
        model, algorithm = self.setting.model, self.setting.algorithm
        code = ALGORITHMS[algorithm].digest  # of an algorithm from outside, which has no version here
        params = key_parameters(model, algorithm, dict(self.setting.params), default_parameters(model, algorithm))
        lasting = replace(self, setting=replace(self.setting, params=tuple(sorted(params.items()))))
        text = json.dumps(
            [lasting.content(), self.classifiers, fingerprint, VERSION, *([code] if code else [])], sort_keys=True
        )
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def read_sweep(path: Path) -> Sweep:
    """A sweep from a TOML file."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ParameterError("SPEC", str(path), f"a TOML file that can be read ({reason_of(error)})") from error
    return parse_sweep(table, paths=True)


def parse_sweep(table: Mapping[str, Any], *, paths: bool = False) -> Sweep:
    """A sweep from its tables; every name and value is checked here, before anything is computed.

    ``paths`` lets data sets be paths of files and folders beside names: for the command line, not for pages.
    """
    known = {"datasets": dataset_names(), "models": list(MODELS), "algorithms": list(ALGORITHMS),
             "classifiers": list(CLASSIFIER_NAMES)}  # fmt: skip
    axes, found = known_axes(), {}
    for name in table:
        if name not in (*NAME_LISTS, *axes, "seeds"):
            raise UnknownNameError("sweep setting", name, (*NAME_LISTS, *axes, "seeds"))
    for name in NAME_LISTS:
        if name in table:
            given = _list(name, table[name])
            more = [word for word in given if paths and name == "datasets" and isinstance(word, str) and is_path(word)]
            found[name] = _distinct(name, [_check_name(name, word, (*known[name], *more)) for word in given])
    if not found.get("datasets"):
        raise ParameterError("datasets", table.get("datasets"), f"a list of some of {', '.join(known['datasets'])}")
    lists = {name: _distinct(name, [parameter.check(name, value) for value in _list(name, table[name])])
             for name, parameter in axes.items() if name in table}  # fmt: skip
    sweep = Sweep(
        **found,
        axes=tuple({"epsilon": (1.0,), **lists}.items()),
        seeds=int(whole_number(1, MOST_SWEEP_SEEDS).check("seeds", table.get("seeds", 1))),
    )
    if not any(_fits(model, algorithm) for model in sweep.models for algorithm in sweep.algorithms):
        raise ParameterError("algorithms", ", ".join(sweep.algorithms), f"some that solve {', '.join(sweep.models)}")
    return sweep


def known_axes() -> dict[str, Parameter]:
    """Every setting a sweep may run over, by name; the seed is counted, not listed."""
    return (
        {name: axis for name, axis in COMMON_PARAMETERS.items() if name != "seed"} | {"n": ROWS_KNOB} | all_parameters()
    )


def cells_of(sweep: Sweep) -> tuple[Cell, ...]:
    """The cells, each once, those that share work beside each other."""
    found = dict.fromkeys(_all(sweep))
    if not found:
        raise ParameterError("sweep", "no cell", "some combination that exists")
    return tuple(found)


def _all(sweep: Sweep) -> Iterator[Cell]:
    names = [name for name, _ in sweep.axes]
    if sweep.combinations > MOST_CELLS:
        raise ParameterError("sweep", f"{sweep.combinations} combinations", f"at most {MOST_CELLS}")
    # Free parameters run innermost: one release serves all their values.
    for dataset, model, seed, algorithm in itertools.product(
        sweep.datasets, sweep.models, range(sweep.seeds), sweep.algorithms
    ):
        if _fits(model, algorithm):
            for values in itertools.product(*(values for _, values in sweep.axes)):
                cell = _cell(sweep, dataset, model, algorithm, seed, dict(zip(names, values, strict=True)))
                if cell is not None:
                    yield cell


def _cell(sweep: Sweep, dataset: str, model: str, algorithm: str, seed: int, values: Mapping[str, Any]) -> Cell | None:
    entry = ALGORITHMS[algorithm]
    own = known_parameters(model, algorithm)
    params = {name: value for name, value in values.items() if name in own}
    if not all(offers(own[name], value) for name, value in params.items()):
        return None  # a value that only another method knows
    common = {name: value for name, value in values.items() if name in COMMON_PARAMETERS}
    if not entry.private:
        common = {name: value for name, value in common.items() if name not in ("epsilon", "delta", "as_if", "noise")}
    setting = Setting(model=model, algorithm=algorithm, seed=seed, params=tuple(sorted(params.items())), **common)
    return Cell(dataset=dataset, setting=setting, n=values.get("n"), classifiers=sweep.classifiers)


def _fits(model: str, algorithm: str) -> bool:
    return model in ALGORITHMS[algorithm].models


def _list(name: str, value: object) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise ParameterError(name, value, "a list with at least one value")
    return cast(list[Any], value)


def _distinct(name: str, values: Sequence[Any]) -> tuple[Any, ...]:
    if len(set(values)) != len(values):
        raise ParameterError(name, list(values), "each value once")
    return tuple(values)


def _check_name(name: str, word: object, known: Sequence[str]) -> str:
    if not isinstance(word, str) or word not in known:
        raise UnknownNameError(name, word, known)
    return word


def setting_columns(sweep: Sweep) -> tuple[str, ...]:
    """The settings that a table of results shows, in order: those every table has, then those the sweep runs over."""
    always = ("dataset", "model", "algorithm", "epsilon", "seed")
    more = [name for name, _ in sweep.axes if name not in always and name != "n"]
    return (*always, *more, *(("rows",) if any(name == "n" for name, _ in sweep.axes) else ()))
