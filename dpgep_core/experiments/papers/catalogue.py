"""Every table and figure, by name."""

from collections.abc import Mapping

from dpgep_core.errors import UnknownNameError
from dpgep_core.experiments.papers import chen
from dpgep_core.experiments.papers.exhibit import Exhibit

EXHIBITS: Mapping[str, Exhibit] = {found.key: found for found in chen.EXHIBITS}


def exhibit(name: str) -> Exhibit:
    """One of them.

    Raises
    ------
    UnknownNameError
        Listing the names.
    """
    if name not in EXHIBITS:
        raise UnknownNameError("NAME", name, tuple(EXHIBITS))
    return EXHIBITS[name]
