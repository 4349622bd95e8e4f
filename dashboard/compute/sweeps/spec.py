"""A sweep as it is asked for: lists typed on the page, its TOML, and the name of its run."""

import hashlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from dashboard.scenario import UPLOAD, WITHOUT_FLAG, Scenario, as_text
from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.errors import ParameterError, reason_of
from dpgep_core.experiments.grid import Cell, Sweep, cells_of, known_axes, parse_sweep
from dpgep_core.former import FORMER, former_defaults
from dpgep_core.params import Choice, Knob, Parameter, Switch, defaults
from dpgep_core.release import COMMON_PARAMETERS, known_parameters, wider
from dpgep_core.wording import toml_value

MOST = 10_000  # cells of a sweep on the page; the command line takes a million
MOST_VALUES = 500
LONGEST = 20_000  # characters of a TOML file

LOG = re.compile(r"(?P<low>\S+?)\s*\.\.\s*(?P<high>\S+?)\s*[x×]\s*(?P<count>\d+)")
PRESETS: Mapping[str, str] = {
    "5 values, 0.1 to 10": "0.1, 0.3, 1, 3, 10",
    "9 values, 0.01 to 10": "0.01 .. 10 x 9",
    "11 powers of two, 1/32 to 32": "0.03125 .. 32 x 11",
}


def parsed_list(name: str, text: str) -> list[Any]:
    """A list of one setting from a line of text: values between commas; numbers also as ``0.01 .. 10 x 7``, evenly
    spaced in the logarithm."""
    parameter, found = known_axes()[name], []
    for part in filter(None, (part.strip() for part in text.split(","))):
        if isinstance(parameter, Knob) and (spread := LOG.fullmatch(part)):
            found += _spread(name, parameter, spread)
        else:
            found.append(parameter.parse(name, part))
    return list(dict.fromkeys(found))


def _spread(name: str, knob: Knob, spread: re.Match[str]) -> list[Any]:
    low, high = (float(knob.parse(name, spread[end])) for end in ("low", "high"))
    count = int(spread["count"][:9])  # no more digits than a number of values has
    if min(low, high) <= 0 or not 2 <= count <= MOST_VALUES:
        raise ParameterError(name, spread[0], f"two positive ends and 2 to {MOST_VALUES} values, as in 0.01 .. 10 x 7")
    values = np.geomspace(low, high, count)
    return [knob.check(name, round(v) if knob.integer else float(f"{v:.4g}")) for v in values]


def from_scenario(scenario: Scenario) -> dict[str, Any]:
    """Where the page starts: the sidebar's data set, model and methods, and its settings as lists of one."""
    table: dict[str, Any] = {
        "datasets": [] if scenario.dataset.startswith(UPLOAD) else [scenario.dataset],
        "models": [scenario.model],
        "algorithms": list(scenario.algorithms),
        "epsilon": [0.1, 0.3, 1.0, 3.0, 10.0],
        "seeds": 5,
        "classifiers": ["lda"],
    }
    plain = Scenario()
    common = {name: getattr(scenario, name) for name in COMMON_PARAMETERS if name != "epsilon"}
    told = {name: value for name, value in common.items() if value != getattr(plain, name)} | dict(scenario.params)
    return table | {name: [value] for name, value in told.items() if name in known_axes()}


def settings_of(models: Sequence[str], algorithms: Sequence[str]) -> dict[str, Parameter]:
    """Settings that all methods have, then those of some of these; where two share a name, the one that allows more."""
    found = {name: parameter for name, parameter in known_axes().items() if name in COMMON_PARAMETERS or name == "n"}
    for model in models:
        for algorithm in algorithms:
            for name, parameter in known_parameters(model, algorithm).items():
                found[name] = wider(found.get(name, parameter), parameter)
    return found


def check_sweep(table: Mapping[str, Any]) -> tuple[Sweep, tuple[Cell, ...]]:
    """The sweep of a table and its cells.

    Raises
    ------
    DpgepError
        In one line, if a name or a value cannot be used or there are too many cells.
    """
    sweep = parse_sweep(table)
    fewer = f"at most {MOST:,} cells on the page; for more there is  dpgep sweep"
    if sweep.combinations > 2 * MOST:
        raise ParameterError("sweep", f"{sweep.combinations:,} combinations", fewer)
    found = _cells(sweep)
    if len(found) > MOST:
        raise ParameterError("sweep", f"{len(found):,} cells", fewer)
    return sweep, found


_cells = lru_cache(8)(cells_of)  # of a form that is drawn again and again


def toml(sweep: Sweep) -> str:
    """The sweep as the file that ``dpgep sweep`` reads."""
    lists = {"datasets": sweep.datasets, "models": sweep.models, "algorithms": sweep.algorithms, **dict(sweep.axes)}
    table = {**lists, "seeds": sweep.seeds, "classifiers": sweep.classifiers}
    return "".join(f"{name} = {toml_value(value, as_text)}\n" for name, value in table.items())


def kept_text(sweep: Sweep) -> str:
    """The sweep as a server keeps it: with the steps of `ssp` said, so that a file without them is from before."""
    told = [defaults(ALGORITHMS[key].make)["steps"] for key in sweep.algorithms if "steps" in FORMER.get(key, {})]
    unsaid = {"steps": told[0]} if told else {}
    return toml(replace(sweep, axes=tuple({**_lists_of_one(unsaid), **dict(sweep.axes)}.items())))


def kept_sweep(text: str) -> Sweep:
    """The sweep that a server kept; one from before two steps were the default of `ssp` is what it was then."""
    table = table_of(text)
    sweep, _ = check_sweep(table)
    former = {} if "steps" in table else former_defaults(sweep.algorithms)
    return check_sweep({**_lists_of_one(former), **table})[0] if former else sweep


def _lists_of_one(values: Mapping[str, Any]) -> dict[str, Any]:
    """Lists of one value each."""
    return {name: [value] for name, value in values.items()}


def table_of(text: str) -> dict[str, Any]:
    """The tables of a TOML text."""
    if len(text) > LONGEST:
        raise ParameterError("TOML", f"{len(text):,} characters", f"at most {LONGEST:,}")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ParameterError("TOML", text, f"text that can be read as TOML ({reason_of(error)})") from error


def run_id(sweep: Sweep) -> str:
    """The name of its run: the same sweep has the same."""
    return hashlib.blake2b(toml(sweep).encode(), digest_size=6).hexdigest()


def command(store: str) -> str:
    """The command that computes the same, into the same store, so that no cell is computed twice."""
    return f"dpgep sweep sweep.toml --out results.parquet --store {store}"


def scenario_of(row: Mapping[str, Any]) -> Scenario:
    """The scenario of a cell's content."""
    common = {name: row[name] for name in ("delta", "n_components", *WITHOUT_FLAG)}
    own = known_parameters(row["model"], row["algorithm"])
    params = tuple(sorted((name, row[name]) for name in own if row.get(name) is not None))
    return Scenario(
        dataset=row["dataset"], model=row["model"], algorithms=(row["algorithm"],), params=params,
        epsilon=1.0 if row["epsilon"] is None else row["epsilon"], seed=row["seed"], **common,
    )  # fmt: skip


def text_of(values: Sequence[Any]) -> str:
    """A list as a line of text."""
    return ", ".join(as_text(value) for value in values)


def choices(parameter: Parameter) -> tuple[Any, ...]:
    """Values that a setting may have that is no number."""
    if isinstance(parameter, Choice):
        return tuple(parameter.options)
    assert isinstance(parameter, Switch)
    return (True, False)
