"""A question about private data, with the largest change that one record can make to its answer."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Secret = TypeVar("Secret")
Shape = Literal["vector", "symmetric", "product"]


@dataclass(frozen=True, slots=True)
class Query(Generic[Secret]):
    """A function of the private data and its proved sensitivity.

    Parameters
    ----------
    name : str
        What the ledger calls it.
    evaluate : callable
        From the secret to a float array. Only the curator calls it.
    sensitivity : float
        Largest change of the answer in Frobenius (for vectors: Euclidean) norm over all neighbouring data sets.
    shape : {"vector", "symmetric", "product"}
        What kind of answer it is, which decides the noise it may carry: any array; a symmetric matrix; or the
        product of a symmetric matrix with a public frame, whose ``sensitivity`` is then that of the matrix.
    frame : array (d, k) or None
        The public frame of a product: its noise must be the product of symmetric noise with the same frame.
    """

    name: str
    evaluate: Callable[[Secret], Array]
    sensitivity: float
    shape: Shape = "vector"
    frame: Array | None = field(default=None, compare=False, repr=False)
