"""From the parameters of an estimator and its rows to a data set, in which what is public is declared."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets

from dpgep_core.datasets import Preprocessing
from dpgep_core.datasets.preprocessing import Radius
from dpgep_core.errors import DataError, ParameterError, list_names
from dpgep_core.method import ALGORITHMS, Verdict, method_entry
from dpgep_core.params import Seed, definition

LARGEST_DRAW = 2**31 - 1  # what every generator of scikit-learn can draw


def sound_algorithms(model: str) -> tuple[str, ...]:
    """Algorithms of this package that an estimator of a model offers: those whose guarantee holds."""
    return tuple(
        key
        for key, entry in ALGORITHMS.items()
        if entry.private and not entry.outside and entry.guarantee.verdict is Verdict.HOLDS and model in entry.models
    )


def check_algorithm(model: str, algorithm: object) -> str:
    """The key of an algorithm whose guarantee holds; raises `ParameterError` for any other."""
    offered = sound_algorithms(model)
    if algorithm in offered:
        return str(algorithm)
    allowed = f"one of {', '.join(offered)}"
    if isinstance(algorithm, str) and algorithm in ALGORITHMS and model in method_entry(algorithm).models:
        verdict = method_entry(algorithm).guarantee.verdict
        allowed += f" (verdict on this one: {verdict}; dpgep_core.solve runs it for study)"
    raise ParameterError("algorithm", algorithm, allowed)


def preparation_of(bounds: Any, norm: Any) -> Preprocessing:
    """Public preparation of each row: columns to ``bounds``, then to unit norm, or clipped to the radius ``norm``."""
    lower, upper = _ends(bounds)
    radius = 1.0 if norm is None else definition(Radius).check("norm", norm)
    try:
        return Preprocessing(lower=lower, upper=upper, rows="unit" if norm is None else "clip", radius=float(radius))
    except ParameterError as error:
        raise ParameterError(f"bounds: {error.name}", error.value, error.allowed) from None


def _ends(bounds: Any) -> tuple[Any, Any]:
    if bounds is None:
        return None, None
    if not isinstance(bounds, tuple | list | np.ndarray) or len(bounds) != 2:
        raise ParameterError("bounds", bounds, "None or a pair (lower, upper) of numbers, or of one for each column")
    lower, upper = (_plain(end) for end in bounds)
    return lower, upper


def _plain(end: Any) -> Any:
    """A number or a list of numbers, whatever array it is given as; anything else is left for the check."""
    value: Any = end.tolist() if isinstance(end, np.ndarray | np.generic) else end
    return list(value) if isinstance(value, tuple) else value


def is_zero(value: Any) -> bool:
    """Whether a parameter is the number 0."""
    return isinstance(value, int | float | np.number) and bool(value == 0)


def seed_of(random_state: Any) -> int | None:
    """The seed of a run: None takes the system's entropy, a generator is asked for a number."""
    if random_state is None:
        return None
    if isinstance(random_state, np.integer | int | float | str):
        return int(definition(Seed).check("random_state", random_state))
    try:
        return int(check_random_state(random_state).randint(LARGEST_DRAW))
    except ValueError:
        allowed = f"None, {definition(Seed).allowed}, or a RandomState"
        raise ParameterError("random_state", random_state, allowed) from None


def known_classes(y: Any, classes: Sequence[Any] | None) -> NDArray[Any]:
    """(K,) sorted labels: those that are declared, else those of the rows.

    Beside declared labels nobody asks what y looks like: the answer would tell of single rows.
    """
    if classes is None:
        check_classification_targets(y)
        return np.unique(y)
    declared = np.asarray(classes)
    try:
        found = np.unique(declared)
    except TypeError:
        raise ParameterError("classes", classes, "a list of labels of one type, numbers or words") from None
    if declared.ndim != 1 or found.size < 2 or found.size != declared.size:
        raise ParameterError("classes", classes, "a list of at least 2 labels, each once")
    if found.dtype.kind not in "biufUSO":
        raise ParameterError("classes", classes, "a list of numbers or of words")
    return found


def class_codes(y: NDArray[Any], known: NDArray[Any], where: str) -> NDArray[np.intp]:
    """(n,) place of each label among the known classes. An unknown label is refused without showing it or its row."""
    places = {label: place for place, label in enumerate(known.tolist())}
    try:
        codes = [places.get(label, -1) for label in y.tolist()]
    except TypeError:  # what has no hash is no label
        codes = [-1]
    if -1 in codes:
        allowed = f"labels in classes are needed: {list_names(known.tolist())}"
        raise DataError(where, "a label of y is in none of the declared classes", allowed)
    return np.array(codes, dtype=np.intp)


def labels_of_names(names: Sequence[str]) -> NDArray[Any]:
    """(K,) labels of the classes that a file names: whole numbers where all are, else words."""
    try:
        return np.array([int(name) for name in names])
    except ValueError:
        return np.array(names, dtype=object)
