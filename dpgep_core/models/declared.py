"""Common behaviour of most models: the data set's declarations suffice as they are."""

from typing import Self

import numpy as np

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.privacy.query import Indices


class AsDeclared:
    """Mixin of a model that takes nothing more from a data set, and its rows as they are prepared there."""

    def bind(self, dataset: Dataset) -> Self:
        """The model itself."""
        return self

    def preparation(self, declared: Preprocessing, d: int) -> Preprocessing:
        """The declared one."""
        return declared

    def groups(self, d: int) -> tuple[Indices, ...]:
        """All columns together."""
        return (np.arange(d),)

    def on_groups(self, sizes: tuple[int, ...]) -> Self:
        """The model itself: it does not mind which axes the rows are told in."""
        return self
