"""Class sums, and Σ z zᵀ of the augmented rows, in whole steps: the answers that an exact release is made of."""

import math

import numpy as np

from dpgep_core.datasets.summed_rows import SummedRows
from dpgep_core.errors import ParameterError
from dpgep_core.models.centring import Centring
from dpgep_core.models.problem import Problem
from dpgep_core.models.streamed_sums import JointSum, check_rows
from dpgep_core.privacy.discrete import entries_variation, total_variation
from dpgep_core.privacy.integers import BITS, MOST, STEPS
from dpgep_core.privacy.query import Array, IntegerAnswer, Integers

JOINT_STEPS = STEPS**2  # steps in 1 of a product of two entries
FINER = 2**8  # steps of noise on class sums in one step of a row: coarser noise would be further from Gaussian noise
LARGEST_WEIGHT = 2.0**10  # w²: with it, a block of 2^7 rows is still exact


def integer_class_sums(count_weight: float, d: int, columns: int) -> IntegerAnswer[Problem]:
    """Σ q over each class above β times its count, (d + 1, K), with q in steps of 2^-18 and β = ⌊2^18 b⌋.

    In the proof of `dpgep_core.models.centred_queries.class_sums`, |q|² ≤ 2^36 takes the place of |x|² ≤ 1, and β of b.
    Rounding and shortening leave the sign of every entry or make it 0, so q·q' ≥ 0 where rows are non-negative. The
    change is at most 2^18 times the sensitivity of the sums that are not rounded. The sums are a part of Σ z zᵀ with
    z = [q; e_y]. They are told in steps of 2^-26, so that noise may be drawn as finely.
    """
    beta, steps = math.floor(count_weight * STEPS), STEPS * FINER

    def evaluate(problem: Problem) -> Integers:
        joint = _joint_sum(problem, 1, columns)
        return FINER * np.vstack([joint[:d, d:], beta * np.diag(joint)[d:]])

    def decode(noisy: Integers) -> Array:
        answer = noisy.astype(np.float64) / steps
        answer[-1] *= count_weight * STEPS / beta if beta else 1.0
        return answer

    return IntegerAnswer(
        evaluate, steps, decode, lambda s: entries_variation((d + 1) * columns, s * steps), _most_rows(1)
    )


def integer_joint_gram(weight: float, d: int, columns: int, about: Centring | None = None) -> IntegerAnswer[Problem]:
    """Σ z zᵀ with z = [q; ω e_y], q the row in steps of 2^-18 and ω = ⌊2^18 w⌋, in whole numbers.

    With M = 2^36 + ω², every row has |z|² ≤ M exactly. Replace-one: ‖zzᵀ − z'z'ᵀ‖_F ≤ √2 M; add/remove: M. In units of
    2^36 steps that is at most √2 (1 + w²) and 1 + w², the sensitivity of the sums that are not rounded. `decode` scales
    the class sums by w/(ω 2^-18), so that what ω loses to w is made good: post-processing.

    Parameters
    ----------
    weight : float
        w²; 0 leaves class sums out.
    d, columns : int
        Columns of the rows, and of e_y.
    about : Centring or None
        Released centres: each row is taken about that of its class before it is rounded. That is a function of the
        record alone, into the unit ball.
    """
    omega = whole_weight(weight)

    def evaluate(problem: Problem) -> Integers:
        check_weight(weight)
        return _joint_sum(problem, omega, columns, about)

    def distance(sigma: float) -> float:
        check_weight(weight)
        return total_variation(d + columns, sigma * JOINT_STEPS)

    def decode(noisy: Integers) -> Array:
        stretch = np.ones(d + columns)
        stretch[d:] = math.sqrt(weight) * STEPS / omega if omega else np.nan if weight else 1.0
        return noisy.astype(np.float64) / JOINT_STEPS * np.outer(stretch, stretch)

    return IntegerAnswer(evaluate, JOINT_STEPS, decode, distance, _most_rows(omega))


def check_weight(weight: float) -> None:
    """Raise `ParameterError` where a weight w² is too large or too small for exact sums."""
    if weight and not whole_weight(weight):
        raise ParameterError("weight", weight, f"from 2^{-2 * BITS} to {LARGEST_WEIGHT:g} for exact sums")


def whole_weight(weight: float) -> int:
    """ω = ⌊2^18 w⌋; 0 where the weight is 0, or too large or too small for exact sums."""
    return math.floor(math.sqrt(weight) * STEPS) if weight <= LARGEST_WEIGHT else 0


def sum_ahead(problem: Problem, omega: int, columns: int) -> None:
    """Make the first sums of a release from streamed rows; they are kept for its answer, and nothing is told of them.

    The pass may take hours. Whoever pays first and reads then would have paid for nothing when it is killed. ω is 1 for
    the class sums of two steps.
    """
    if isinstance(problem.sample.X, SummedRows) and omega:
        _joint_sum(problem, omega, columns)


def _longest(omega: int) -> int:
    """Bound on |z|² for z = [q; ω e_y]."""
    return int(JOINT_STEPS) + omega**2


def _most_rows(omega: int) -> int:
    """Number of rows up to which Σ z zᵀ, which every answer is a part of, fits 64 bits with its noise."""
    return MOST // _longest(omega)


def _joint_sum(problem: Problem, omega: int, columns: int, about: Centring | None = None) -> Integers:
    """Σ z zᵀ with z = [q; ω e_y] in whole steps."""
    if problem.as_if != 1.0:
        raise ParameterError("as_if", problem.as_if, "1 for exact sums")
    longest, sample = _longest(omega), problem.sample
    joint = JointSum(problem.preprocessing, columns, about, omega=omega, longest=longest)
    if isinstance(sample.X, SummedRows):
        check_rows(sample.X, MOST // longest)
        return sample.X.sums("sums for the release", joint)[0]
    codes = np.zeros(len(sample.X), dtype=np.intp) if sample.y is None else sample.y
    return joint.of([(sample.X, codes)])[0]
