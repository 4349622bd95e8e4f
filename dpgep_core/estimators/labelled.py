"""Estimators that need a target."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d, validate_data

from dpgep_core.datasets import Dataset, Preprocessing
from dpgep_core.errors import DataError
from dpgep_core.estimators.base import LEAST_ROWS, PrivateProjection
from dpgep_core.estimators.declared import class_codes, known_classes, labels_of_names


@dataclass(kw_only=True, eq=False, repr=False)
class LabelledProjection(PrivateProjection):
    """Projection that is fitted on rows with labels: those of ``classes``, or those of the rows, with a warning."""

    classes: Sequence[Any] | None = None

    def _checked(self, X: Any, y: Any, *, first: bool = True, least: int = LEAST_ROWS) -> tuple[NDArray[Any], Any]:
        rows, target = validate_data(self, X, y, **self._wanted(first, least))
        return rows, column_or_1d(target, warn=True)

    def _opened(self, path: Any, y: Any) -> Dataset:
        dataset = super()._opened(path, y)
        if dataset.n_classes < 2:
            raise DataError(dataset.name, "no classes", "a label with at least 2 classes, or a response with edges")
        self.classes_ = labels_of_names(dataset.classes)
        return dataset

    def _dataset(self, X: NDArray[Any], y: Any, preparation: Preprocessing) -> Dataset:
        name = type(self).__name__
        # Batches after the first one hold some of its labels, and perhaps not all.
        first = self._gathering is None or self.classes is not None
        known = known_classes(y, self.classes) if first else self.classes_
        if known.size < 2:
            raise DataError(name, "y holds one class", "labels of at least 2 classes are needed")
        codes = class_codes(y, known, name)
        self.classes_ = known
        return Dataset(
            name,
            "",
            X,
            y=codes,
            classes=tuple(str(label) for label in known.tolist()),
            classes_declared=self.classes is not None,
            preprocessing=preparation,
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
