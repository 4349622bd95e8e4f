"""Every table and figure, by name."""

from collections.abc import Mapping

from dpgep_core.errors import UnknownNameError
from dpgep_core.experiments.papers import chen, hu, sensitivity, shang
from dpgep_core.experiments.papers.exhibit import Exhibit

EXHIBITS: Mapping[str, Exhibit] = {
    found.key: found for paper in (chen, sensitivity, hu, shang) for found in paper.EXHIBITS
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
