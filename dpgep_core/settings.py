"""Every setting by its name: those that all runs have, and those of a model or an algorithm."""

from collections.abc import Mapping
from typing import Any

from dpgep_core.algorithms import ALGORITHMS
from dpgep_core.models import MODELS
from dpgep_core.params import Parameter, defaults, parameters, wider
from dpgep_core.release import Setting

COMMON: Mapping[str, Parameter] = {
    name: parameter for name, parameter in parameters(Setting).items() if name != "split_seed"
}  # of every run, whatever the method


def known_parameters(model: str, algorithm: str) -> dict[str, Parameter]:
    """Parameters of a model and an algorithm, by name."""
    return {**parameters(MODELS[model].make), **parameters(ALGORITHMS[algorithm].make)}


def default_parameters(model: str, algorithm: str) -> dict[str, Any]:
    """Default parameters of a model and an algorithm, by name."""
    return {**defaults(MODELS[model].make), **defaults(ALGORITHMS[algorithm].make)}


def all_parameters() -> dict[str, Parameter]:
    """Parameters of every model and algorithm. Where two share a name, the one that allows more stands for both."""
    found: dict[str, Parameter] = {}
    for entry in (*MODELS.values(), *ALGORITHMS.values()):
        for name, parameter in parameters(entry.make).items():
            found[name] = wider(found.get(name, parameter), parameter)
    return found
