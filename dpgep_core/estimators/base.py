"""Behaviour that the estimators of all models share: fit by `dpgep_core.solve`, transform by released components."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from dpgep_core.datasets import Dataset, Preprocessing
from dpgep_core.datasets.dataset import prepared_blocks
from dpgep_core.datasets.silent import open_silently
from dpgep_core.errors import DataError, ParameterError
from dpgep_core.estimators.batches import BatchedFit
from dpgep_core.estimators.column_names import by_position
from dpgep_core.estimators.declared import check_algorithm, is_zero, preparation_of, seed_of
from dpgep_core.estimators.documented import complete_docstring
from dpgep_core.estimators.leaks import SEED_KNOWN, leaks_of, warn_of_leaks
from dpgep_core.privacy import Ledger
from dpgep_core.privacy.query import Array
from dpgep_core.release import Release, Setting
from dpgep_core.solve import Plan, plan, run

LEAST_ROWS = 2


@dataclass(kw_only=True, eq=False, repr=False)  # scikit-learn reads parameters off the __init__ that this writes
class PrivateProjection(BatchedFit, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # pyright: ignore[reportUntypedBaseClass]
    """Projection on privately released components, with the parameters and attributes that every estimator has.

    A subclass says which model it is, and which of its own parameters go to the model.

    Parameters
    ----------
    epsilon : float
        ε asked for, > 0. Each fit spends it; fits of the same rows add up.
    delta : float, optional
        δ, in (0, 1); n^-1.1 by default.
    n_components : int, optional
        k; the estimator says how many by default.
    algorithm : str
        One whose guarantee holds for the model; the estimator lists them.
    bounds : pair (lower, upper), optional
        Public bounds of the columns, each a number or one for each column. They are chosen without looking at the
        rows. None leaves the columns as they are; nothing is learnt.
    norm : float, optional
        Public radius that rows are clipped to. None brings every row to norm 1; nothing is learnt.
    relation : {"replace_one", "add_remove"}
        Neighbouring relation. With the first, the number of rows is public.
    declared_n : int, optional
        Public number of rows, for "add_remove". Left out, it is read off the rows, and a warning says so.
    xi, sparsity : float, int, optional
        Ridge ξ and entries kept in each component, where the algorithm has them; None keeps its defaults.
    params : mapping, optional
        Further parameters of the algorithm and the model by name, such as ``n_iterations``.
    random_state : int, RandomState or None
        None draws the noise from the system's entropy. A known seed is no noise: use one for tests alone.

    Attributes
    ----------
    components_ : array (k, d)
    epsilon_, claimed_epsilon_, delta_ : float
        The ε that the ledger proves, the ε asked for, and the δ of both.
    ledger_ : Ledger
    leaks_ : tuple of str
        Sentences about what ``epsilon_`` does not cover.
    release_ : Release
        What `dpgep_core.solve` gives for the same rows, setting and seed.
    """

    _least_columns: ClassVar[int] = 1

    epsilon: float = 1.0
    delta: float | None = None
    n_components: int | None = None
    algorithm: str = "ssp"
    bounds: Any = None
    norm: float | None = None
    relation: str = "replace_one"
    declared_n: int | None = None
    xi: float | None = None
    sparsity: int | None = None
    params: Mapping[str, Any] | None = None
    random_state: Any = None

    def __init_subclass__(cls, **more: Any) -> None:
        """Complete the docstring, so that ``help`` describes every parameter."""
        super().__init_subclass__(**more)
        if cls.__doc__ is not None:
            cls.__doc__ = complete_docstring(cls.__doc__, PrivateProjection.__doc__ or "")

    def _dataset(self, X: NDArray[Any], y: Any, preparation: Preprocessing) -> Dataset:
        """The rows as a data set, with what the parameters declare about them; here y is ignored."""
        return Dataset(type(self).__name__, "", X, preprocessing=preparation)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Release components of all the rows given.

        Parameters
        ----------
        X : array, pandas or polars table (n, d), or path
            Rows as stored, of real numbers without gaps; or the path of a data file or of a folder of them, which is
            streamed where it does not fit into memory. Labels, classes, edges and bounds are then those of the sidecar
            beside it; ``bounds`` and ``norm`` take their place where they are given.
        y : array (n,), optional
            Labels or a response, where the model needs one; left out beside a path.

        Returns
        -------
        self

        Raises
        ------
        ParameterError, DataError
            Naming the parameter or the data, the value and what is allowed. Both are a ``ValueError``.
        BudgetExceededError
            If an answer would cost more than epsilon and delta.
        """
        self.__dict__.pop("release_", None)  # after a fit that fails, labels and components of two fits would mix
        self._gathering, self._ended, self._file_names = None, False, ()  # a fit begins anew
        setting = self._setting()
        if isinstance(X, str | PathLike):
            dataset = self._opened(X, y)
        else:
            dataset = self._dataset(*self._checked(X, y), preparation_of(self.bounds, self.norm))
        self._released(plan(dataset, setting))
        return self

    def _released(self, planned: Plan) -> None:
        """Run the plan, keep its release, and warn of what no ε covers: last, as a warning may be an error."""
        self.preprocessing_ = planned.problem.preprocessing
        self.release_ = run(planned)
        self._use(self.release_)
        if self.release_.status != "ok":
            told = f"{type(self).__name__}: the noise drove the iteration out of range; the last finite basis is kept."
            warnings.warn(told, ConvergenceWarning, stacklevel=3)
        warn_of_leaks(self.release_)

    def _use(self, release: Release) -> None:
        """Make what an estimator needs of its release beside the components."""

    def _opened(self, path: Any, y: Any) -> Dataset:
        """The data set at a path, all of whose rows are fitted, as a published test split is left alone."""
        if y is not None:
            raise ParameterError("y", y, "left out beside a path: the sidecar says where the labels are")
        for name in ("classes", "edges", "edges_mu"):
            given = getattr(self, name, None)
            if given is not None and not is_zero(given):
                raise ParameterError(name, given, "left out beside a path: the sidecar declares them")
        dataset = open_silently(fspath(path))
        if dataset.d < self._least_columns:
            raise DataError(dataset.name, f"{dataset.d} column", f"at least {self._least_columns} are needed")
        self.n_features_in_ = dataset.d
        self.__dict__.pop("feature_names_in_", None)
        self._file_names = dataset.feature_names
        if self.bounds is None and self.norm is None:
            return dataset
        return replace(dataset, preprocessing=preparation_of(self.bounds, self.norm))

    def transform(self, X: Any) -> Array:
        """(m, k) rows, prepared as the fitted ones were, on the components."""
        return self._applied(X, lambda block: block @ self.release_.components)

    def _applied(self, X: Any, function: Callable[[Array], Array]) -> Array:
        """Results for all rows, from prepared blocks of them."""
        check_is_fitted(self)
        rows = validate_data(self, by_position(X, self._file_names), reset=False)
        return np.concatenate([function(block) for _, block in prepared_blocks(rows, self.preprocessing_)])

    @property
    def components_(self) -> Array:
        """(k, d) released components, one in each row."""
        return self.release_.components.T

    @property
    def ledger_(self) -> Ledger:
        """Ledger of every answer about the rows."""
        return self.release_.ledger

    @property
    def epsilon_(self) -> float:
        """The ε that the ledger proves at ``delta_``; infinite where it proves none."""
        found = self.release_.accounted.epsilon
        return np.inf if found is None else found

    @property
    def claimed_epsilon_(self) -> float:
        """The ε that was asked for."""
        return self.release_.setting.epsilon

    @property
    def delta_(self) -> float:
        """The δ of both; n^-1.1 where none was asked for."""
        return self.release_.accounted.delta

    @property
    def leaks_(self) -> tuple[str, ...]:
        """Sentences about what ``epsilon_`` does not cover; empty where it covers everything."""
        known = () if self.release_.setting.seed is None else (SEED_KNOWN,)
        return (*leaks_of(self.release_), *known)

    @property
    def _n_features_out(self) -> int:
        return self.release_.components.shape[1]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "release_")

    def _checked(self, X: Any, y: Any, *, first: bool = True, least: int = LEAST_ROWS) -> tuple[NDArray[Any], Any]:
        """At least so many rows, and the target as it is: only a subclass that needs one looks at it.

        The first rows set the names and the number of columns; later ones must have the same.
        """
        return validate_data(self, X, **self._wanted(first, least)), y

    def _wanted(self, first: bool, least: int) -> dict[str, Any]:
        """Options of scikit-learn's check. Of later rows it says how many columns there were, not how few may be."""
        columns = self._least_columns if first else 1
        return {"reset": first, "ensure_min_samples": least, "ensure_min_features": columns}

    def _setting(self) -> Setting:
        return Setting(
            model=self._model,
            algorithm=check_algorithm(self._model, self.algorithm),
            epsilon=self.epsilon,
            delta=self.delta,
            n_components=self.n_components,
            seed=seed_of(self.random_state),
            test_size=0.0,
            relation=self.relation,
            declared_n=self.declared_n,
            params=tuple(sorted(self._method_parameters().items())),
        )

    def _method_parameters(self) -> dict[str, Any]:
        """Parameters of the model and the algorithm that are set; the others keep their defaults."""
        names = self.params if isinstance(self.params, Mapping) else () if self.params is None else (None,)
        if not all(isinstance(name, str) for name in names):
            raise ParameterError("params", self.params, "None or parameters of the algorithm by name")
        named = {name: getattr(self, name) for name in ("xi", "sparsity", *self._own)}
        given = {name: value for name, value in named.items() if value is not None}
        more: dict[str, Any] = dict(self.params or {})
        if twice := given.keys() & more.keys():
            raise ParameterError("params", sorted(twice), "without what is a parameter of the estimator itself")
        return {**more, **given}
