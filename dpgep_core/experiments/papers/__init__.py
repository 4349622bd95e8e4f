"""The tables and figures of the papers, reproduced: what they published beside what comes out here."""

from collections.abc import Mapping

from dpgep_core.errors import UnknownNameError
from dpgep_core.experiments.papers import chen, chen_ridge, hu, hu_starts, sensitivity, shang
from dpgep_core.experiments.papers.exhibit import Exhibit
from dpgep_core.experiments.papers.reproduce import Reproduction, ReproductionRequest, reproduce

__all__ = ["EXHIBITS", "Reproduction", "ReproductionRequest", "exhibit", "reproduce"]

EXHIBITS: Mapping[str, Exhibit] = {
    found.key: found for paper in (chen, chen_ridge, sensitivity, hu, hu_starts, shang) for found in paper.EXHIBITS
}


def exhibit(name: str) -> Exhibit:
    """Exhibit with a name.

    Raises
    ------
    UnknownNameError
        Listing the names.
    """
    if name not in EXHIBITS:
        raise UnknownNameError("NAME", name, tuple(EXHIBITS))
    return EXHIBITS[name]
