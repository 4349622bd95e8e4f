"""A released projection as a scikit-learn transformer."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_array

from dpgep_core.datasets import Preprocessing
from dpgep_core.datasets.dataset import prepared_blocks
from dpgep_core.errors import DataError
from dpgep_core.privacy.query import Array


class ReleasedTransformer(TransformerMixin, BaseEstimator):  # pyright: ignore[reportUntypedBaseClass]
    """Prepares rows as the released rows were prepared, and projects them on released components.

    Parameters
    ----------
    components : array (d, k)
        Released components.
    preprocessing : dict
        Fields of `Preprocessing`, all of them public.
    feature_names : tuple of str
        Names of the d columns, or empty.

    Attributes
    ----------
    components_ : array (k, d)
        The components as rows, as scikit-learn has them.
    n_features_in_ : int
        d.
    """

    def __init__(self, components: Array, preprocessing: dict[str, Any], feature_names: tuple[str, ...] = ()) -> None:
        self.components = components
        self.preprocessing = preprocessing
        self.feature_names = feature_names

    @property
    def components_(self) -> Array:
        """(k, d) the released components."""
        return self.components.T

    @property
    def n_features_in_(self) -> int:
        """Number of columns."""
        return self.components.shape[0]

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Return the transformer as it is: it was fitted when it was released."""
        return self

    def transform(self, X: Any) -> Array:
        """(m, k) prepared rows on the components."""
        rows = np.asarray(check_array(X))
        if rows.shape[1] != self.n_features_in_:
            raise DataError("X", f"{rows.shape[1]} columns", f"the {self.n_features_in_} released ones are needed")
        projected = np.empty((rows.shape[0], self.components.shape[1]))
        for where, block in prepared_blocks(rows, Preprocessing(**self.preprocessing)):
            projected[where] = block @ self.components
        return projected

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the k columns that come out."""
        names = [f"released{j}" for j in range(self.components.shape[1])]
        return np.array(names, dtype=object)
