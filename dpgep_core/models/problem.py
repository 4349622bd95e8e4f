"""The private side of a problem: what the curator keeps, and what is public about it."""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.datasets.sparse_rows import SparseRows
from dpgep_core.datasets.summed_rows import SummedRows
from dpgep_core.models.model import Model
from dpgep_core.models.moment_products import RowProducts
from dpgep_core.models.moments import Moments, moments_of
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.prepared_rows import PreparedRows
from dpgep_core.models.product_pencil import ProductPencil
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.row_groups import RowGroup, row_groups
from dpgep_core.models.row_space import PRODUCT_COLUMNS, RowSpace, WidePencil, is_wide, row_space
from dpgep_core.models.stored_moments import stored_moments
from dpgep_core.privacy.query import Array, Indices


@dataclass(frozen=True, eq=False)
class Sample:
    """The rows a model is fitted on, as stored. Private."""

    X: NDArray[Any] = field(repr=False)
    y: NDArray[np.intp] | None = field(repr=False)
    n_classes: int
    preprocessing: Preprocessing
    _moments: dict[Preprocessing, Moments] = field(default_factory=dict[Preprocessing, Moments], init=False, repr=False)
    _prepared: dict[Preprocessing, PreparedRows] = field(
        default_factory=dict[Preprocessing, PreparedRows], init=False, repr=False
    )

    def prepared_under(self, preprocessing: Preprocessing) -> PreparedRows:
        """The rows for passes that form no matrix, for each preparation once."""
        if preprocessing not in self._prepared:
            self._prepared[preprocessing] = PreparedRows(self.X, self.y, self.n_classes, preprocessing)
        return self._prepared[preprocessing]

    @cached_property
    def groups(self) -> tuple[RowGroup, ...]:
        """The rows in groups that share their zero columns, found once."""
        codes = np.zeros(self.X.shape[0], dtype=np.intp) if self.y is None else self.y
        return row_groups(self.X, codes)

    @property
    def moments(self) -> Moments:
        """Sums over the rows as declared."""
        return self.moments_under(self.preprocessing)

    def moments_under(self, preprocessing: Preprocessing) -> Moments:
        """Sums over the rows, streamed once for each preparation, or stored where the rows are bundled ones."""
        if preprocessing not in self._moments:
            asked = (self.X, self.y, self.n_classes, preprocessing)
            self._moments[preprocessing] = stored_moments(*asked) or moments_of(*asked)
        return self._moments[preprocessing]


@dataclass(frozen=True, eq=False)
class Problem:
    """A sample under a model: the secret that queries are evaluated on.

    ``as_if`` keeps the averages and pretends there were that many times the rows; ``use_column_bounds`` off leaves out
    the declared column bounds. ``declared_n`` is the public number of rows where records are added or removed: every
    average is divided by it, and the number that is there goes nowhere. None: n is the number of rows.
    """

    sample: Sample
    model: Model
    as_if: float = 1.0
    use_column_bounds: bool = True
    declared_n: int | None = None

    @property
    def preprocessing(self) -> Preprocessing:
        """Preprocessing of each row, of the sample and of any other: the model's sensitivities rest on it."""
        declared = self.sample.preprocessing
        if not self.use_column_bounds:
            declared = replace(declared, lower=None, upper=None, log1p=False)
        return self.model.preparation(declared, self.sample.X.shape[1])

    @cached_property
    def moments(self) -> Moments:
        """Sums over the rows, at the pretended size, with the public number of rows as divisor."""
        found = self.sample.moments_under(self.preprocessing)
        return (found if self.declared_n is None else replace(found, n=float(self.declared_n))).scaled(self.as_if)

    @cached_property
    def row_space(self) -> RowSpace | None:
        """The space of the rows, where there are many more columns; None where whole matrices are formed."""
        sample, (rows, d) = self.sample, self.sample.X.shape
        if self.forms_nothing or isinstance(sample.X, SummedRows) or not is_wide(rows, d):
            return None
        found = row_space(self.preprocessing.apply(sample.X), sample.y, sample.n_classes, self.model.groups(d))
        return replace(found, moments=replace(found.moments, n=float(self._divisor)))

    @cached_property
    def products(self) -> RowProducts:
        """Products with second moments and scatters of the rows, over the public number of rows."""
        return RowProducts(self.sample.prepared_under(self.preprocessing), float(self._divisor))

    @property
    def forms_nothing(self) -> bool:
        """Whether the exact pencil is known by products alone: of sparse rows, and of many rows with many columns."""
        sample, (rows, d) = self.sample, self.sample.X.shape
        if self.model.whole_matrices or isinstance(sample.X, SummedRows):
            return False
        return isinstance(sample.X, SparseRows) or (d >= PRODUCT_COLUMNS and not is_wide(rows, d))

    @cached_property
    def pencil(self) -> Pencil | WidePencil | ProductPencil:
        """The exact pencil."""
        if self.forms_nothing:
            return self._product_pencil()
        space = self.row_space
        if space is None:
            return self.model.pencil(self.moments)
        return WidePencil(self.model.on_groups(space.sizes).pencil(space.moments.scaled(self.as_if)), space.basis)

    def moments_along(self, directions: Array) -> Moments:
        """Sums over the rows projected on (d, k) directions."""
        if self.forms_nothing:
            return self.products.moments_along(directions).scaled(self.as_if)
        if self.row_space is None:
            return self.moments.along(directions)
        return self.row_space.along(directions).scaled(self.as_if)

    @property
    def d(self) -> int:
        """Columns."""
        return self.sample.X.shape[1]

    @property
    def n(self) -> int:
        """Public number of rows, at the pretended size."""
        return max(2, round(self._divisor * self.as_if))

    @property
    def _divisor(self) -> int:
        """Public number of rows, before any pretence."""
        return self.sample.X.shape[0] if self.declared_n is None else self.declared_n

    def _product_pencil(self) -> ProductPencil:
        products, model = self.products, self.model

        def variances() -> Array:
            return products.variances if model.centred else products.rows.squares / products.n

        def part(columns: Indices) -> Pencil:
            return model.pencil(products.moments_on(columns))

        return replace(model.product_pencil(products), diagonal=variances, part=part)

    @property
    def population(self) -> int:
        """Places to draw from: as many as pretended, each real row equally often."""
        return self._divisor * max(1, math.ceil(self.as_if))

    def rows(self, positions: Indices) -> Array:
        """(m, d) prepared rows at places of the pretended rows.

        Where another n is declared there are so many places: those without a row hold zeros, and rows beyond the last
        place are never drawn. How many rows there are is then told neither by the size of a batch nor by its rate.
        """
        places, there = positions % self._divisor, self.sample.X.shape[0]
        if self._divisor <= there:
            return self.preprocessing.apply(self.sample.X[places])
        found = np.zeros((len(places), self.sample.X.shape[1]))
        found[places < there] = self.preprocessing.apply(self.sample.X[places[places < there]])
        return found

    def public(self, *, k: int, relation: str, seed: int) -> PublicFacts:
        """Everything an algorithm may know without asking."""
        model, n, K = self.model, self.n, self.sample.n_classes
        return PublicFacts(
            n=n,
            d=self.sample.X.shape[1],
            n_classes=K,
            k=k,
            relation=relation,
            sensitivity=model.sensitivity(relation, n),
            published=model.published(n),
            identity_constraint=model.identity_constraint,
            joint_columns=K if model.joint_columns == "classes" else 1,
            weight=model.weight,
            seed=seed,
            pencil=model.pencil,
            centred=model.centred,
            product_pencil=None if model.whole_matrices else model.product_pencil,
            printed=model.printed(n),
            unit_rows=self.preprocessing.rows == "unit",
            non_negative=bool((self.preprocessing.limits(self.d)[0] >= 0).all()),
        )
