"""Σ z zᵀ of the augmented rows in whole steps: the answer that an exact release is made of."""

import math
from collections.abc import Iterator

import numpy as np

from dpgep_core.datasets.dataset import prepared_blocks
from dpgep_core.datasets.streamed import StreamedRows
from dpgep_core.errors import ParameterError
from dpgep_core.models.problem import Problem
from dpgep_core.models.streamed_sums import JointSum, check_rows
from dpgep_core.privacy.integers import BITS, MOST, STEPS, exact_sum, integer_rows
from dpgep_core.privacy.query import Array, IntegerAnswer, Integers

JOINT_STEPS = STEPS**2  # steps in 1 of a product of two entries
LARGEST_WEIGHT = 2.0**10  # w²: with it, a block of 2^7 rows is still exact


def integer_joint_gram(weight: float, d: int, columns: int) -> IntegerAnswer[Problem]:
    """Σ z zᵀ with z = [q; ω e_y], q the row in steps of 2^-18 and ω = ⌊2^18 w⌋, in whole numbers.

    With M = 2^36 + ω², every row has |z|² ≤ M exactly. Replace-one: ‖zzᵀ − z'z'ᵀ‖_F ≤ √2 M; add/remove: M. In units of
    2^36 steps that is at most √2 (1 + w²) and 1 + w², the sensitivity of the sums that are not rounded. `decode` scales
    the class sums by w/(ω 2^-18), so that what ω loses to w is made good: post-processing.

    Parameters
    ----------
    weight : float
        w².
    d, columns : int
        Columns of the rows, and of e_y.
    """
    omega = math.floor(math.sqrt(weight) * STEPS) if weight <= LARGEST_WEIGHT else 0
    stretch = np.ones(d + columns)
    stretch[d:] = math.sqrt(weight) * STEPS / omega if omega else np.nan

    def evaluate(problem: Problem) -> Integers:
        if not omega:
            raise ParameterError("weight", weight, f"from 2^{-2 * BITS} to {LARGEST_WEIGHT:g} for exact sums")
        if problem.as_if != 1.0:
            raise ParameterError("as_if", problem.as_if, "1 for exact sums")
        longest = int(JOINT_STEPS) + omega**2
        rows = problem.sample.X
        if isinstance(rows, StreamedRows):
            check_rows(rows, MOST // longest)
            return rows.sums("sums for the release", JointSum(problem.preprocessing, omega, columns, longest))[0]
        return exact_sum(_augmented(problem, omega, columns), longest)

    def decode(noisy: Integers) -> Array:
        return noisy.astype(np.float64) / JOINT_STEPS * np.outer(stretch, stretch)

    return IntegerAnswer(evaluate, JOINT_STEPS, decode)


def _augmented(problem: Problem, omega: int, columns: int) -> Iterator[Array]:
    """Blocks of rows z = [q; ω e_y]; [q; ω] where there is one column."""
    sample = problem.sample
    for where, block in prepared_blocks(sample.X, problem.preprocessing):
        classes = np.zeros((len(block), columns))
        codes = 0 if columns == 1 or sample.y is None else sample.y[where]
        classes[np.arange(len(block)), codes] = omega
        yield np.hstack([integer_rows(block), classes])
