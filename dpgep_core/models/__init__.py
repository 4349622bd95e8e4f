"""Statistical models as pencils (A, B), their private problems and their queries."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpgep_core.errors import UnknownNameError
from dpgep_core.models.cca import Cca
from dpgep_core.models.fda import Fda
from dpgep_core.models.model import Model
from dpgep_core.models.pca import Pca
from dpgep_core.models.sir import Sir


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model under its key."""

    key: str
    title: str
    source: str
    sentence: str
    make: type[Any]


MODELS: Mapping[str, ModelEntry] = {
    entry.key: entry
    for entry in (
        ModelEntry("pca", "Principal components", "Chen et al., Section 3", "Directions of most variance.", Pca),
        ModelEntry(
            "fda",
            "Fisher discriminant",
            "Chen et al., Section 3",
            "Directions in which classes lie furthest apart for their width.",
            Fda,
        ),
        ModelEntry(
            "cca",
            "Canonical correlations",
            "Hu et al., Section 3",
            "Pairs of directions, one in each of two views of a record, that move together most.",
            Cca,
        ),
        ModelEntry(
            "sir",
            "Sliced inverse regression",
            "Hu et al., Section 3, equation (6)",
            "Directions along which the mean record changes most with a response.",
            Sir,
        ),
    )
}


def model_entry(key: object) -> ModelEntry:
    """The entry of a model key; `UnknownNameError` names the known ones."""
    if not isinstance(key, str) or key not in MODELS:
        raise UnknownNameError("model", key, MODELS)
    return MODELS[key]


__all__ = ["MODELS", "Cca", "Fda", "Model", "ModelEntry", "Pca", "Sir", "model_entry"]
