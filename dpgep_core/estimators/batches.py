"""Fit in batches: sums of the rows are gathered, and one release at the end spends the budget."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if

from dpgep_core.datasets import Dataset, Preprocessing
from dpgep_core.datasets.summed_rows import GatheredRows
from dpgep_core.errors import DataError, ParameterError
from dpgep_core.estimators.declared import is_zero, preparation_of
from dpgep_core.method import ALGORITHMS
from dpgep_core.models import model_entry
from dpgep_core.models.streamed_sums import MomentSum
from dpgep_core.params import defaults
from dpgep_core.release import Setting
from dpgep_core.solve import Plan, plan

ONE_STEP = (
    'Batches are gone once they are summed, and ssp reads every row once in each step: params={"steps": 1} takes one.'
)

AS_BEFORE = "bounds, norm, classes, edges and those of the model as at the first batch"


def takes_batches(estimator: Any) -> bool:
    """Whether one pass over the rows is enough, as for every algorithm but `ssp` in more than one step.

    Raises
    ------
    AttributeError
        With what works, for whoever asks for the method.
    """
    entry = ALGORITHMS.get(estimator.algorithm) if isinstance(estimator.algorithm, str) else None
    if entry is not None and {**defaults(entry.make), **dict(estimator.params or {})}.get("steps", 1) != 1:
        raise AttributeError(ONE_STEP)
    return True


@dataclass(frozen=True, eq=False)
class Gathering:
    """Sums of the batches so far, and what is public about their rows."""

    rows: GatheredRows
    public: Mapping[str, Any]

    @classmethod
    def begun(cls, batch: Dataset, asked: MomentSum) -> "Gathering":
        """No rows yet, of the kind of a batch."""
        public = {name: getattr(batch, name) for name in ("classes", "classes_declared", "preprocessing", "learnt")}
        return cls(GatheredRows(batch.name, batch.d, asked), public)

    def takes(self, batch: Dataset, asked: MomentSum) -> bool:
        """Whether the rows of a batch are prepared, classified and summed as those before."""
        return self.rows.row_sum.identity == asked.identity and self.public["classes"] == batch.classes

    def dataset(self) -> Dataset:
        """All rows as a data set that gives their sums."""
        return Dataset(self.rows.where, "", cast("NDArray[Any]", self.rows), **self.public)


class BatchedFit:
    """``partial_fit`` over batches and ``release`` at the end, for the estimators of `PrivateProjection`.

    Exact sums of the rows lie in the estimator until the release. They are not pickled or copied deeply, ``clone``
    leaves them behind, and the release forgets them.
    """

    _model: ClassVar[str]
    _own: ClassVar[tuple[str, ...]] = ()  # parameters of the model
    bounds: Any
    norm: float | None
    classes_: NDArray[Any]
    _gathering: Gathering | None = None
    _ended = False  # whether what was gathered is released
    _file_names: tuple[str, ...] = ()  # of the columns, where a path was fitted

    def _dataset(self, X: NDArray[Any], y: Any, preparation: Preprocessing) -> Dataset: ...
    def _checked(self, X: Any, y: Any, *, first: bool = True, least: int = 1) -> tuple[NDArray[Any], Any]: ...
    def _setting(self) -> Setting: ...
    def _method_parameters(self) -> dict[str, Any]: ...
    def _released(self, planned: Plan) -> None: ...

    @available_if(takes_batches)  # pyright: ignore[reportUntypedFunctionDecorator]
    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Add a batch of rows to the sums. Nothing is spent, and nothing leaves, before ``release``.

        Parameters
        ----------
        X : array, pandas or polars table (b, d)
            Rows as stored; any cut of the rows into batches gives the same sums, to the last bit.
        y : array (b,), optional
            Labels or a response, where the model needs one. Labels that are not declared as ``classes`` are those of
            the first batch.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, DataError
            As in ``fit``, and where parameters that decide the sums changed between batches, or after ``release``:
            what is released takes no more rows. After ``fit`` it begins anew, as another ``fit`` does.
        """
        if self._ended or (self._gathering is not None and self._gathering.rows.closed):  # by another holder of them
            allowed = "clone it to gather other rows: its budget is spent"
            raise DataError(type(self).__name__, "it is released", allowed)
        self.__dict__.pop("release_", None)
        self._file_names = ()
        self._check_unpaid_edges()
        rows, target = self._checked(X, y, first=self._gathering is None, least=1)
        batch, count = self._batch(rows, target), len(rows)
        asked = self._sum_of(batch)
        gathering = self._gathering or Gathering.begun(batch, asked)
        if not gathering.takes(batch, asked):
            raise ParameterError("parameters", "others than at the first batch", AS_BEFORE)
        codes = np.zeros(count, dtype=np.intp) if batch.y is None else batch.y[:count]
        gathering.rows.add(batch.X[:count], codes)
        self._gathering = gathering
        return self

    @available_if(takes_batches)  # pyright: ignore[reportUntypedFunctionDecorator]
    def release(self) -> Self:
        """Spend epsilon and delta, once, on the sums of all batches so far, and forget the sums.

        Returns
        -------
        self

        Raises
        ------
        DataError
            If nothing was gathered since the last release.
        ParameterError
            Where a setting is refused, or parameters that decide the sums changed. The batches are kept then.
        """
        gathering = self._gathering
        if gathering is None or gathering.rows.closed:
            raise DataError(type(self).__name__, "no batch since the last release", "partial_fit gathers rows")
        self._check_unpaid_edges()
        planned = plan(gathering.dataset(), self._setting())  # a setting that is refused loses no batch
        wanted = MomentSum(planned.problem.preprocessing, max(planned.dataset.n_classes, 1))
        if wanted.identity != gathering.rows.row_sum.identity:
            raise ParameterError("parameters", "others than at the first batch", AS_BEFORE)
        try:
            self._released(planned)
        finally:
            self._ended = "release_" in self.__dict__  # a warning that is an error comes after it
            gathering.rows.close()
            self._gathering = None
        return self

    def _check_unpaid_edges(self) -> None:
        """Refuse edges that were paid for: sums of batches do not carry what they cost."""
        if not is_zero(paid := getattr(self, "edges_mu", 0.0)):
            allowed = "0 for rows in batches: edges that are chosen without looking at the rows"
            raise ParameterError("edges_mu", paid, allowed)

    def _batch(self, rows: NDArray[Any], target: Any) -> Dataset:
        """The rows as a data set, which has two at least: a single one stands there twice."""
        several = np.arange(max(len(rows), 2)) % len(rows)
        labels = target[several] if isinstance(target, np.ndarray) else target
        return self._dataset(rows[several], labels, preparation_of(self.bounds, self.norm))

    def _sum_of(self, batch: Dataset) -> MomentSum:
        """The sums that the model will ask for."""
        make = model_entry(self._model).make
        given = self._method_parameters()  # those of the model may be in params too
        model = make(**{name: given[name] for name in defaults(make) if name in given}).bind(batch)
        return MomentSum(model.preparation(batch.preprocessing, batch.d), max(batch.n_classes, 1))
