"""A question about private data, with the largest change that one record can make to its answer."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Secret = TypeVar("Secret")
Indices = NDArray[np.intp]
Integers = NDArray[np.int64]
Shape = Literal["vector", "symmetric", "product", "reports"]


@dataclass(frozen=True, slots=True)
class IntegerAnswer(Generic[Secret]):
    """The answer to a query in whole steps, for noise that is drawn on whole numbers.

    Parameters
    ----------
    evaluate : callable
        From the secret to an array of whole numbers, the same for every order of the rows. Only the curator calls it.
    steps : float
        Steps in 1, a power of two. In steps, one record changes the answer by at most the query's sensitivity times
        this.
    decode : callable
        From (noisy) whole numbers to the answer: post-processing.
    distance : callable
        From σ to a bound on the total variation between the noise that is drawn and rounded Gaussian noise.
    most_rows : int
        Of so many rows the answer fits 64 bits, with its noise.
    """

    evaluate: Callable[[Secret], Integers]
    steps: float
    decode: Callable[[Integers], Array]
    distance: Callable[[float], float]
    most_rows: int


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
    shape : {"vector", "symmetric", "product", "reports"}
        What kind of answer it is, which decides the noise it may carry: any array; a symmetric matrix; the product of
        a symmetric matrix with a public frame, whose ``sensitivity`` is then that of the matrix; or the mean of
        symmetric reports that each person makes noisy, whose ``sensitivity`` is then that of one report.
    frame : array (d, k) or None
        The public frame of a product: its noise must be the product of symmetric noise with the same frame.
    reports : int
        Number of reports in a mean.
    integers : IntegerAnswer or None
        The same answer in whole steps; None where the answer is no sum of integer rows.
    """

    name: str
    evaluate: Callable[[Secret], Array]
    sensitivity: float
    shape: Shape = "vector"
    frame: Array | None = field(default=None, compare=False, repr=False)
    reports: int = 1
    integers: IntegerAnswer[Secret] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MatrixQuery(Generic[Secret]):
    """A symmetric matrix of which only products are computed.

    Parameters
    ----------
    name : str
        What the ledger calls it.
    multiply : callable
        From the secret and a (d, k) matrix to the product. Only the curator calls it.
    size : int
        d.
    sensitivity : float
        Largest change of the matrix in Frobenius norm over all neighbouring data sets.
    """

    name: str
    multiply: Callable[[Secret, Array], Array]
    size: int
    sensitivity: float


@dataclass(frozen=True, slots=True)
class RowSource(Generic[Secret]):
    """Where rows are drawn from: how many there are, and those at given positions as an array (m, d)."""

    population: Callable[[Secret], int]
    fetch: Callable[[Secret, Indices], Array]


@dataclass(frozen=True, slots=True)
class SampledQuery:
    """A function of a batch of rows that the curator draws and nobody else learns.

    Parameters
    ----------
    name : str
        What the ledger calls it.
    evaluate : callable
        From the drawn rows (m, d) to a float array. Only the curator calls it.
    sensitivity : float
        Largest change of the answer in Frobenius norm when one row of the batch is replaced by any other.
    """

    name: str
    evaluate: Callable[[Array], Array]
    sensitivity: float
