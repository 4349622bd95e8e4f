"""What most models share: the data set's declarations suffice as they are."""

from typing import Self

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.preprocessing import Preprocessing


class AsDeclared:
    """Mixin of a model that takes nothing more from a data set, and its rows as they are prepared there."""

    def bound(self, dataset: Dataset) -> Self:
        """The model itself."""
        return self

    def preparation(self, declared: Preprocessing, d: int) -> Preprocessing:
        """The declared one."""
        return declared
