"""What the registry knows about a data set that comes with the package before it is loaded."""

from collections.abc import Callable
from dataclasses import dataclass

from dpgep_core.datasets.dataset import Dataset


@dataclass(frozen=True)
class Bundle:
    """A title that a menu can show, and how to load the rest: ``load(name, title)``."""

    title: str
    load: Callable[[str, str], Dataset]
