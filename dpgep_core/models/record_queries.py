"""Questions about single records of PCA: sampled gradients, and what each person reports in the local model.

Rows x have norm at most 1, so for any two of them ‖xxᵀ − yyᵀ‖₂ ≤ 1 and ‖xxᵀ − yyᵀ‖_F ≤ √2.
"""

import math
from collections.abc import Callable

import numpy as np

from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.row_space import MANY_COLUMNS
from dpgep_core.numerics import thin_norm
from dpgep_core.privacy.query import Array, Query, RowSource, SampledQuery

FULL_GRADIENT, DRAWN_GRADIENT, DRAWN_DIFFERENCE = "2MṼ", "2xxᵀV of drawn rows", "2xxᵀ(V − Ṽ) of drawn rows"
ROWS: RowSource[Problem] = RowSource(lambda p: p.population, lambda p, positions: p.rows(positions))


def gradient_bound(k: int) -> float:
    """Largest change of 2xxᵀV for orthonormal V with k columns: 2 for one (spectral norm), 2√2 for more (Frobenius)."""
    return 2.0 if k == 1 else 2 * math.sqrt(2)


def mean_row(public: PublicFacts) -> Query[Problem]:
    """The mean row, (d, 1): one row of norm at most 1 moves it by 2/n when replaced, by 1/n when added or removed."""
    change = 2.0 if public.relation == "replace_one" else 1.0
    return Query("mean row", lambda p: _mean(p)[:, None], change / public.n)


def sampled_gradient(V: Array, centre: Array, batch: int) -> SampledQuery:
    """2 (xxᵀ − ccᵀ) V, averaged over a batch, for orthonormal V and a public (d, 1) centre c."""
    return SampledQuery(DRAWN_GRADIENT, _drawn_products(V, centre, batch), gradient_bound(V.shape[1]) / batch)


def _drawn_products(V: Array, centre: Array, batch: int) -> Callable[[Array], Array]:
    """From drawn rows to 2 (xxᵀ − ccᵀ) V, averaged."""
    scale = 2 / batch
    if not centre.any():  # nothing to take away, in thousands of steps
        return lambda rows: rows.T @ (scale * (rows @ V))
    shift = 2 * centre @ (centre.T @ V)
    return lambda rows: rows.T @ (scale * (rows @ V)) - shift


def sampled_difference(drift: Array, centre: Array, batch: int) -> SampledQuery:
    """2 (xxᵀ − ccᵀ)D, averaged over a batch, for a public (d, k) D = V − Ṽ: its spectral norm times `gradient_bound`.

    ‖(xxᵀ − yyᵀ)D‖_F ≤ ‖xxᵀ − yyᵀ‖_F ‖D‖₂, and ≤ ‖xxᵀ − yyᵀ‖₂ |D| for a single column.
    """
    bound = gradient_bound(drift.shape[1]) * thin_norm(drift) / batch
    return SampledQuery(DRAWN_DIFFERENCE, _drawn_products(drift, centre, batch), bound)


def full_gradient(V: Array, centre: Array, public: PublicFacts) -> Query[Problem]:
    """2 (M − ccᵀ) V with M = Σ xxᵀ/n, for orthonormal V and a public centre c. Evaluated once, however often asked.

    Replaced row: the gradient's bound over n. Added or removed: one term of norm at most 2, over n.
    """
    known: list[tuple[Problem, Array]] = []

    def evaluate(problem: Problem) -> Array:
        if not known or known[0][0] is not problem:  # another problem has another answer
            known[:] = [(problem, 2 * (_second_moment_times(problem, V) - centre @ (centre.T @ V)))]
        return known[0][1]

    change = gradient_bound(V.shape[1]) if public.relation == "replace_one" else 2.0
    return Query(FULL_GRADIENT, evaluate, change / public.n)


def reported_products(public: PublicFacts) -> Query[Problem]:
    """The mean of the reports x xᵀ, (d, d). Its sensitivity is that of one report: ‖xxᵀ − yyᵀ‖_F ≤ √2."""
    name, bound = "xxᵀ of each person", math.sqrt(2)
    return Query(name, lambda p: np.asarray(p.moments.second_moment), bound, "reports", reports=public.n)


def _mean(problem: Problem) -> Array:
    """(d,) mean row; of many columns without the matrix of moments."""
    return problem.products.mean if problem.d >= MANY_COLUMNS else problem.moments.mean


def _second_moment_times(problem: Problem, V: Array) -> Array:
    """(d, k) M V; of many columns without M."""
    return problem.products.second_moment_times(V) if problem.d >= MANY_COLUMNS else problem.moments.second_moment @ V
