"""Names of the columns of a table, beside those of the rows that were fitted."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpgep_core.errors import DataError


def by_position(X: Any, known: Sequence[str]) -> Any:
    """The rows of a table whose columns are the known ones, as an array; anything else as it is.

    A table whose columns are others, or stand in another order, is refused: its numbers would be taken for others. An
    array has no names and goes by position; so does a table whose columns are only counted. The number of columns is
    checked elsewhere.

    Raises
    ------
    DataError
        Naming the first column that is not the one that was fitted.
    """
    given: list[Any] = list(getattr(X, "columns", ()))
    if not given or len(given) != len(known) or not all(isinstance(name, str) for name in given):
        return X
    for place, (name, fitted) in enumerate(zip(given, known, strict=True), start=1):
        if name != fitted:
            allowed = f"{fitted!r} is needed there; an array goes by position"
            raise DataError("X", f"its column {place} is named {name!r}", allowed)
    return np.asarray(X)
