"""Base of the statistical models: what each of them says, with what most of them have in common."""

from abc import ABC, abstractmethod
from typing import ClassVar, Self

import numpy as np

from dpgep_core.datasets.dataset import Dataset
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.models.moment_products import MomentProducts
from dpgep_core.models.moments import Moments
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.product_pencil import ProductPencil
from dpgep_core.models.public import Sensitivity
from dpgep_core.params import Checked
from dpgep_core.privacy.query import Indices


class Model(Checked, ABC):
    """A statistical model: sums over the rows → a pencil, with proved sensitivities.

    ``joint_columns`` are the columns that the joint release carries beside the rows themselves: "classes" for one
    indicator per class, "constant" for a single 1; ``weight`` is their w². ``centred`` is whether A was chosen to be
    about the mean.
    """

    joint_columns: ClassVar[str]
    identity_constraint: ClassVar[bool] = False
    weight: float
    centred: bool = False

    @property
    def whole_matrices(self) -> bool:
        """Whether no pencil can be had from products alone: the model has no `product_pencil` of its own."""
        return type(self).product_pencil is Model.product_pencil

    def check(self, n_classes: int, d: int) -> None:
        """Raise `DataError` or `ParameterError` where the data do not fit the model; every table of numbers fits."""

    def bind(self, dataset: Dataset) -> Self:
        """The model with what it needs of a data set's public declarations; most need nothing."""
        return self

    def preparation(self, declared: Preprocessing, d: int) -> Preprocessing:
        """Preprocessing of each row, given what the data set declares; rows must end in the unit ball."""
        return declared

    def groups(self, d: int) -> tuple[Indices, ...]:
        """Columns whose axes may be turned among themselves without changing the model; together, all of them."""
        return (np.arange(d),)

    def on_groups(self, sizes: tuple[int, ...]) -> Self:
        """The model of rows told in turned axes, so many for each group; most do not mind which axes."""
        return self

    @abstractmethod
    def default_components(self, n_classes: int, d: int) -> int:
        """How many components make sense when none are asked for."""

    @abstractmethod
    def rank(self, n_classes: int, d: int) -> int:
        """How many components can carry anything."""

    @abstractmethod
    def pencil(self, moments: Moments) -> Pencil:
        """(A, B) from sums over the rows, private or not."""

    def product_pencil(self, products: MomentProducts) -> ProductPencil:
        """(A, B) from products alone."""
        raise NotImplementedError(f"{type(self).__name__} needs whole matrices")

    @abstractmethod
    def sensitivity(self, relation: str, n: int) -> Sensitivity:
        """Tight sensitivities of A and B."""

    @abstractmethod
    def published(self, n: int) -> Sensitivity:
        """The papers' bounds on the same."""

    def printed(self, n: int) -> Sensitivity:
        """The bounds that Hu et al. print, valid or not."""
        return self.published(n)


class ClassModel(Model):
    """A model of how far classes, or slices of a response, lie apart."""

    joint_columns = "classes"
    weight = 0.5

    def default_components(self, n_classes: int, d: int) -> int:
        """One less than there are classes, 10 at most."""
        return max(1, min(n_classes - 1, 10, d))

    def rank(self, n_classes: int, d: int) -> int:
        """One less than there are classes."""
        return min(n_classes - 1, d)
