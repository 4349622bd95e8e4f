"""The functions of SciPy and of threadpoolctl that accounting and models need, with types: neither ships any."""

# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any, Protocol, overload

import numpy as np
import scipy.linalg
from numpy.typing import NDArray
from scipy import optimize, special
from threadpoolctl import ThreadpoolController

Array = NDArray[np.float64]


class Elementwise(Protocol):
    """A function of a number or of each entry of an array."""

    @overload
    def __call__(self, x: float, /) -> float: ...
    @overload
    def __call__(self, x: Array, /) -> Array: ...


brentq: Callable[..., float] = optimize.brentq
minimize_scalar: Callable[..., Any] = optimize.minimize_scalar
erfcx: Elementwise = special.erfcx
log_ndtr: Elementwise = special.log_ndtr
ndtr: Elementwise = special.ndtr
ndtri: Elementwise = special.ndtri
linalg: Any = scipy.linalg
nnls: Callable[..., Any] = optimize.nnls
minimize: Callable[..., Any] = optimize.minimize
isotonic_regression: Callable[..., Any] = optimize.isotonic_regression


def blas_threads(most: int) -> AbstractContextManager[Any]:
    """Limit the threads of linear algebra while a block runs."""
    return _loaded_pools(len(sys.modules)).limit(limits=most)


@lru_cache(maxsize=1)
def _loaded_pools(_modules: int) -> ThreadpoolController:
    """Pools of threads in the libraries that are loaded, found again once more modules are: looking for them takes
    8 ms, which is longer than much of the work that is limited."""
    return ThreadpoolController()


def sparse_linalg() -> Any:
    """SciPy's linear algebra by products, which few commands need."""
    import scipy.sparse.linalg

    return scipy.sparse.linalg


def binomial() -> Any:
    """SciPy's binomial law. ``scipy.stats`` takes a third of a second to import, and few commands need it."""
    from scipy.stats import binom

    return binom
