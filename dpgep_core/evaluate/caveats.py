"""Caveats before a result is compared with the exact solution: where that solution is none, or is luck."""

import math

import numpy as np

from dpgep_core.evaluate.reference import Reference
from dpgep_core.models.pencil import quotients
from dpgep_core.wording import plural

ZERO_EIGENVALUE = 1e-13  # an eigenvalue of rows in the unit ball that is rounding
RELATIVE_ZERO = 1e-10  # of the largest eigenvalue: rounding too


def caveats(reference: Reference, k: int, xi: float) -> tuple[str, ...]:
    """Sentences about the exact solution with k components at ridge ξ. They are read off the private rows.

    Angles and cosines compare with that solution. Where the rows have fewer directions than k, or where its last
    eigenvalue is not told apart from the next one, what they say is partly luck.
    """
    ridge = 0.0 if reference.problem.pencil.identity_constraint else xi  # the identity knows no ridge
    return reference.remember(("caveats", k, ridge), lambda: _caveats(reference, k, ridge))


def _caveats(reference: Reference, k: int, xi: float) -> tuple[str, ...]:
    problem = reference.problem
    n, d = problem.sample.X.shape
    best = reference.exact(min(k + 1, d), xi)
    values = np.sort(quotients(problem.pencil, best, xi))[::-1]
    carrying = int(np.sum(values[:k] > max(ZERO_EIGENVALUE, RELATIVE_ZERO * values[0])))
    possible = min(k, problem.model.rank(reference.dataset.n_classes, d))
    if carrying == 0:
        return (
            "These rows have no direction that is better than another: the exact solution is arbitrary, and angle and "
            "cosine to it say nothing.",
        )
    if carrying < possible:
        return (
            f"Of k = {k}, only {plural(carrying, 'direction')} of these rows {'carries' if carrying == 1 else 'carry'} "
            f"anything: the others of the exact solution are arbitrary, and angle and cosine count them.",
        )
    if carrying == k < min(d, possible + 1) and _alike(values[k - 1], values[k], n):
        return (
            f"Eigenvalues {k} and {k + 1} are {values[k - 1]:.3g} and {values[k]:.3g}: {n:,} rows do not tell them "
            "apart, so which direction is the last one is luck, and angle and cosine depend on it.",
        )
    return ()


def _alike(one: float, next_one: float, n: int) -> bool:
    """Whether two eigenvalues differ by less than the standard deviation that so many rows leave in one, λ√(2/n)."""
    return one - next_one <= one * math.sqrt(2 / n)
