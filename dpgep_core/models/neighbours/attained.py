"""Needs of known worst pairs from a ledger: a bound from below on the μ of its answers about A and B."""

import math
from collections.abc import Iterator, Mapping

import numpy as np

from dpgep_core.models.cca import Cca
from dpgep_core.models.model import Model
from dpgep_core.models.neighbours.extremal import cca_pair, crowd
from dpgep_core.models.neighbours.rows import BallRows, NeighbourPair, axis
from dpgep_core.models.neighbours.statistics import REPLACE
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import WHITENED
from dpgep_core.privacy import Entry, Ledger
from dpgep_core.privacy.query import Array

WHOLE_MU: Mapping[str, str] = {"A": "target", "B": "constraint"}  # answers about a matrix itself
PRODUCTS: Mapping[str, str] = {"A·V": "target", "B·V": "constraint", "∇J₁ = 2BV": "constraint", WHITENED: "target"}


def pair_mu(ledger: Ledger, model: Model, public: PublicFacts) -> float:
    """The largest μ that one known pair of neighbours needs for all Gaussian answers about A and B together.

    Pairs stand on a line or in a plane. Answers about A or B itself show a pair in the plane whatever k; products with
    a basis of k columns show it where the basis spans the plane, as it does for data sets of k columns. Other answers
    are left out, so the bound is one from below.
    """
    return max((_needed_mu(pair, ledger, model, public) for pair in _pairs(model, public)), default=0.0)


def _needed_mu(pair: NeighbourPair, ledger: Ledger, model: Model, public: PublicFacts) -> float:
    one, other = (model.pencil(rows.moments(pair.n)) for rows in (pair.one, pair.other))
    changes = {
        "target": _size_under_noise(one.target - other.target) / public.sensitivity.target,
        "constraint": 0.0
        if public.identity_constraint
        else _size_under_noise(one.constraint_matrix - other.constraint_matrix) / public.sensitivity.constraint,
    }
    planar = pair.one.X.shape[1] > 1
    return math.hypot(
        *(entry.mu * changes[about] for entry, about in _answers_that_show(ledger, public, planar=planar))
    )


def _answers_that_show(ledger: Ledger, public: PublicFacts, *, planar: bool) -> Iterator[tuple[Entry, str]]:
    """The Gaussian answers that show a change of A or of B in full."""
    products = not planar or public.k > 1
    for entry in ledger:
        if not math.isfinite(entry.mu):
            continue
        if entry.query in WHOLE_MU:
            yield entry, WHOLE_MU[entry.query]
        elif products and entry.query in PRODUCTS and (entry.query != WHITENED or public.identity_constraint):
            yield entry, PRODUCTS[entry.query]


def _size_under_noise(change: Array) -> float:
    """Size of a change under noise on the upper triangle, which is no more than under isotropic noise."""
    return math.sqrt((float(np.sum(change**2)) + float(np.sum(np.diag(change) ** 2))) / 2)


def _pairs(model: Model, public: PublicFacts) -> Iterator[NeighbourPair]:
    """Known worst pairs of the model, and others near them, that have no more columns than the data."""
    n, plane = public.n, public.d > 1
    if isinstance(model, Cca):
        e, f = axis(0, 2), axis(1, 2)
        corner = (e + f) / math.sqrt(2)
        yield _move_first(crowd((1, -corner, 0), (n - 1, corner, 0)), corner, 0, public)
        if model.norm == "joint" and public.relation == REPLACE:
            yield from (cca_pair("target", n), cca_pair("constraint", n))
        return
    for d in (1, 2) if plane else (1,):
        e, root = axis(0, d), math.isqrt(n)
        yield _move_first(crowd((1, e, 0), (n - 1, 0 * e, 0)), 0 * e, 0, public)
        yield _move_first(crowd((1, -e, 0), (n - 1, e, 0)), e, 0, public)
        yield _move_first(crowd((1, -e, 1), (root - 1, -e, 1), (n - root, e, 0)), e, 1, public)
    if plane:
        e, f, half = axis(0, 2), axis(1, 2), (n - 1) // 2
        yield _move_first(crowd((1, e, 0), (n - 1, 0 * e, 0)), f, 0, public)
        yield _move_first(crowd((1, -f, 0), (half, f, 0), (n - 1 - half, e, 1)), -e, 1, public)


def _move_first(rows: BallRows, to: Array, label: int, public: PublicFacts) -> NeighbourPair:
    """The rows and their neighbour: the first record replaced, or missing where the relation is about that."""
    other = rows.replace_row(0, to, label) if public.relation == REPLACE else rows.without(0)
    return NeighbourPair(rows, other, public.n)
