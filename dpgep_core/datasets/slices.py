"""Slices of a real-valued response, which play the part of classes.

Edges that are declared without looking at the rows keep each record in its own slice: its slice depends on nothing but
its own response, as a label does. Edges at quantiles of the rows do not: one record moves every edge, and with each
edge the records next to it.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpgep_core.errors import DataError, ParameterError, show_value
from dpgep_core.knobs import whole_number

Response = NDArray[np.floating[Any]]
MOST_EDGES_MU = 1e6
WHY_NOT_QUANTILES = (
    "slices cut at public edges, for a private method: with edges at quantiles of the rows, one record moves others "
    "into neighbouring slices (up to one for each edge), and the bounds on what one record changes fail. Declare edges "
    "chosen without looking at the rows, release some with `dpgep edges`, or use a method without privacy"
)


def slice_codes(response: Response, edges: Sequence[float]) -> NDArray[np.intp]:
    """(n,) slice of each response: slice j is (edges[j-1], edges[j]], the first and the last are unbounded."""
    return np.searchsorted(np.asarray(edges, float), response)


def slice_names(edges: Sequence[float]) -> tuple[str, ...]:
    """Names of the slices."""
    between = (f"{low:g} to {high:g}" for low, high in pairwise(edges))
    return (f"up to {edges[0]:g}", *between, f"above {edges[-1]:g}")


def quantile_edges(response: Response, slices: int) -> tuple[float, ...]:
    """Edges that cut these very responses into ``slices`` parts of about equal size: learnt from the rows."""
    slices = int(whole_number(2, max(response.size, 2)).check("slices", slices))
    inner = np.quantile(response, np.arange(1, slices) / slices, method="inverted_cdf")
    edges = tuple(float(edge) for edge in np.unique(inner) if edge < response.max())
    if not edges:
        raise ParameterError("slices", slices, "of a response that takes more than one value")
    return edges


def check_edges(where: str, edges: Sequence[float]) -> None:
    """Raise `DataError` where edges do not increase."""
    if not all(np.isfinite(edges)) or any(low >= high for low, high in pairwise(edges)):
        raise DataError(where, f"edges = {list(edges)}", "finite numbers that increase are needed")


def check_edges_mu(where: str, mu: object, edges: Sequence[float]) -> None:
    """Raise `DataError` where the cost of released edges is no such number, or there are no edges."""
    if not (isinstance(mu, int | float) and not isinstance(mu, bool) and 0 <= mu <= MOST_EDGES_MU):
        raise DataError(where, f"edges_mu = {show_value(mu)}", f"a number from 0 to {MOST_EDGES_MU:g} is needed")
    if mu and not edges:
        raise DataError(where, f"edges_mu = {mu:g} without edges", "the edges that were released for it are needed")
