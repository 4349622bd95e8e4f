"""Defaults that have changed: what a record means that was made before and does not name them."""

from collections.abc import Iterable, Mapping
from typing import Any

FORMER: Mapping[str, Mapping[str, Any]] = {"ssp": {"steps": 1, "xi": 0.01}}  # before two steps were its default
WITHOUT_RIDGE = ("pca", "xi")
UNSAID = ("steps", 1)  # in keys of results: exhibits had none when their results were stored


def former_defaults(algorithms: Iterable[str]) -> dict[str, Any]:
    """Defaults of some algorithms that have changed since, by name of the parameter, as they were."""
    return {name: value for key in algorithms for name, value in FORMER.get(key, {}).items()}


def key_parameters(model: str, algorithm: str, params: Mapping[str, Any], today: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as the key of a stored result names them: the key of a computation outlives a change of defaults.

    A default of ``today`` that was another one is named, but for ξ beside PCA, which knows no ridge. One step goes
    unsaid, as it did before there were two.
    """
    changed = {
        name: today[name]
        for name, was in FORMER.get(algorithm, {}).items()
        if name not in params and today[name] != was and (model, name) != WITHOUT_RIDGE
    }
    return {name: value for name, value in {**changed, **params}.items() if (name, value) != UNSAID}
