"""A release that was read from its file: other components, models and ridges from what was released, at no cost."""

from dataclasses import asdict, dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpgep_core.algorithms.ssp import noise_edge, ridge_used
from dpgep_core.datasets import Preprocessing
from dpgep_core.datasets.preprocessing import checked_views, part_all
from dpgep_core.errors import DataError, ParameterError, reason_of
from dpgep_core.evaluate.private_rules import PRIVATE_RULES, private_rule
from dpgep_core.models import MODELS, model_entry
from dpgep_core.models.moments import Moments
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.sparse import components
from dpgep_core.params import Components, DeclaredRows, Relation, Sparsity, Xi, definition, parameters
from dpgep_core.paths import path_of
from dpgep_core.privacy.query import Array
from dpgep_core.publishing.budget import Amount
from dpgep_core.publishing.release_file import ReleasedArrays, ReleaseHeader, read_release

if TYPE_CHECKING:
    from dpgep_core.estimators.released import ReleasedClassifier, ReleasedTransformer

LEAST_WEIGHT = 0.01  # w² of a release that says enough of the mean for another model


@dataclass(frozen=True, eq=False)
class LoadedRelease:
    """A release as its file tells it. Nothing here reads a row of the data set it was made from.

    Parameters
    ----------
    header : ReleaseHeader
        Everything public: names, the guarantee, the preprocessing, the ledger.
    arrays : ReleasedArrays
        The released components and moments.
    """

    header: ReleaseHeader
    arrays: ReleasedArrays

    @cached_property
    def preprocessing(self) -> Preprocessing:
        """Preprocessing that any row gets before it is projected."""
        return Preprocessing(**{name: _tuples(value) for name, value in self.header.preprocessing.items()})

    @cached_property
    def moments(self) -> Moments:
        """Released sums over the rows."""
        arrays = self.arrays
        return Moments(float(self.header.n), arrays.gram, arrays.sums, arrays.counts)

    @property
    def models(self) -> tuple[str, ...]:
        """Models that the released moments are enough for."""
        return tuple(key for key in MODELS if not self._lacking(key))

    def ridge(self, xi: float | None = None, *, floor: bool | None = None) -> float:
        """ξ that is really used: raised to the public edge of the noise."""
        asked = self._method("xi") if xi is None else definition(Xi).check("xi", xi)
        raised = self._method("floor") if floor is None else floor
        said, steps = self.header.noise_edge, self.header.method_parameters.get("steps", 1)
        alone = noise_edge(self.header.sigma, self.header.d, self.header.n)  # of the last answer as it came
        edge = alone if said is None else said
        return ridge_used(float(asked), edge, floor=bool(raised), steps=int(steps))

    def pencil(self, model: str | None = None) -> Pencil:
        """(A, B) of a model from the released moments."""
        return self._model(model).pencil(self.moments)

    def components(
        self,
        model: str | None = None,
        n_components: int | None = None,
        xi: float | None = None,
        sparsity: int | None = None,
    ) -> Array:
        """(d, k) components; those of the file where nothing is changed.

        Parameters
        ----------
        model : {"pca", "fda", "cca", "sir"}, optional
            Another model, where the released moments are enough for it.
        n_components : int, optional
            k.
        xi : float, optional
            Ridge ξ; raised to the edge of the noise.
        sparsity : int, optional
            Entries kept in each component; 0 keeps all.

        Raises
        ------
        ParameterError, DataError
            Naming the parameter, the value and what is allowed.
        """
        if model in (None, self.header.model) and n_components is None and xi is None and sparsity is None:
            return self.arrays.components
        made, d = self._model(model), self.header.d
        k = self._count(made, model, n_components)
        if k > d:
            raise ParameterError("n_components", k, f"at most the number of columns, {d}")
        kept = self._method("sparsity") if sparsity is None else definition(Sparsity).check("sparsity", sparsity)
        return components(made.pencil(self.moments), k, self.ridge(xi), int(kept))

    def transformer(
        self,
        model: str | None = None,
        n_components: int | None = None,
        xi: float | None = None,
        sparsity: int | None = None,
    ) -> "ReleasedTransformer":
        """A scikit-learn transformer that prepares rows as the released rows were, and projects them.

        The parameters are those of `components`: all of them are free.
        """
        from dpgep_core.estimators.released import ReleasedTransformer  # here: scikit-learn takes half a second

        found = self.components(model, n_components, xi, sparsity)
        return ReleasedTransformer(found, asdict(self.preprocessing), tuple(self.header.feature_names))

    def classifier(
        self,
        kind: str = "lda",
        n_components: int | None = None,
        xi: float | None = None,
        sparsity: int | None = None,
    ) -> "ReleasedClassifier":
        """A scikit-learn classifier made from the release alone: private to the end.

        Parameters
        ----------
        kind : {"lda", "lda_projected", "nearest_centroid", "ridge", "pca_regression"}
            See `dpgep_core.evaluate.private_rules`.
        n_components, xi, sparsity
            As in `components`; free.

        Raises
        ------
        DataError
            If the release holds no class sums.
        """
        from dpgep_core.estimators.released import ReleasedClassifier

        found = self.components(None, n_components, xi, sparsity)
        rule = private_rule(kind, self.moments, found, self.ridge(xi))
        return ReleasedClassifier(
            rule, asdict(self.preprocessing), tuple(self.header.classes), PRIVATE_RULES[kind].probabilistic,
            tuple(self.header.feature_names),
        )  # fmt: skip

    def _count(self, made: Any, model: str | None, n_components: int | None) -> int:
        if n_components is not None:
            return int(definition(Components).check("n_components", n_components))
        if model in (None, self.header.model):
            return self.header.n_components
        return made.default_components(len(self.header.classes), self.header.d)

    def _method(self, name: str) -> Any:
        return self.header.method_parameters[name]

    def _model(self, key: str | None) -> Any:
        """A model with the parameters that were paid for, or another with its own."""
        name = self.header.model if key is None else model_entry(key).key
        if lacking := self._lacking(name):
            raise DataError(self.header.dataset, f"the release is too little for model {name!r}: {lacking}",
                            f"one of {', '.join(self.models)} is needed")  # fmt: skip
        made = model_entry(name).make
        given = self.header.model_parameters if name == self.header.model else {}
        views = {}
        if name == "cca" and self.header.views is not None and not given.get("view_columns"):
            views = {"first_view": tuple(self.header.views[0])}
        return made(**{each: given[each] for each in parameters(made) if each in given}, **views)

    def _lacking(self, name: str) -> str:
        """Why the moments are not enough for a model; "" where they are."""
        if name == self.header.model:
            return ""
        if MODELS[name].make.joint_columns == "classes" and len(self.header.classes) != self.header.columns:
            return "it holds no class sums"
        if MODELS[name].make.joint_columns == "classes" and self.header.columns < 2:
            return "it knows fewer than two classes"
        if name == "cca" and self.header.d < 2:
            return "there is one column, and two views are needed"
        return "" if self.header.weight >= LEAST_WEIGHT else "it says next to nothing of the mean"


def load_release(path: str | PathLike[str]) -> LoadedRelease:
    """Read a release from its file.

    Parameters
    ----------
    path : str or path
        A file that `dpgep release` wrote.

    Raises
    ------
    ParameterError
        If there is no such file.
    DataError
        In one sentence, if the file is cut short, changed, of a newer version, of other shapes, or no release.
    """
    header, arrays = read_release(path_of("path", path))
    loaded = LoadedRelease(header, arrays)
    try:
        _check_usable(loaded)
    except Exception as error:  # a header that was made by hand, with a seal that fits
        raise DataError(
            Path(path).name,
            f"the header cannot be used ({reason_of(error)})",
            "a release as `dpgep release` wrote it is needed; nothing was loaded",
        ) from error
    return loaded


def _check_usable(loaded: LoadedRelease) -> None:
    """Raise where something that a release offers would fail later."""
    header = loaded.header
    definition(Relation).check("relation", header.relation)
    definition(DeclaredRows).check("n", header.n)
    Amount.of(header.epsilon, header.delta)
    loaded.preprocessing.check_columns(header.d)
    if header.columns not in (0, 1, len(header.classes)):
        raise ParameterError("columns", header.columns, "one for each of the classes")
    if header.views is not None and not part_all(checked_views("views", header.views), header.d):
        raise ParameterError("views", header.views, "lists that share out the columns")
    loaded.pencil()
    loaded.ridge()


def _tuples(value: Any) -> Any:
    """Lists of JSON as the tuples they were written from."""
    return tuple(_tuples(each) for each in value) if isinstance(value, list) else value
