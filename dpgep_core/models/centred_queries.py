"""Queries of a release in two or three steps: class sums, and Gram matrices of the rows about released centres."""

import math

import numpy as np

from dpgep_core.datasets.summed_rows import SummedRows
from dpgep_core.models.centred_sums import centred_sums
from dpgep_core.models.centring import Centring
from dpgep_core.models.integer_sums import integer_class_sums, integer_joint_gram
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import joint_gram
from dpgep_core.models.streamed_sums import ClassTotals, MomentSum, streamed_sums
from dpgep_core.privacy.query import Array, Query

CLASS_SUMS, CENTRED_GRAM = "Σ x⊗e_y and b·counts", "Σ zzᵀ of centred rows, z = [u; w·e_y]"
WHITENED_GRAM = "Σ uuᵀ of whitened rows"


def class_sums(count_weight: float, public: PublicFacts, *, non_negative: bool = False) -> Query[Problem]:
    """Class sums above b times the class counts, (d + 1, K), for a public b ≥ 0; K = 1 where there are no classes.

    Replace-one, (x, y) → (x', y'): in the same class the sums change by |x − x'|² ≤ 4, and by at most 2 where
    x·x' ≥ 0; in another class by |x|² + |x'|² + 2b² ≤ 2 + 2b². So Δ² = max(4, 2 + 2b²), attained by e₁ → −e₁ or by
    unit rows of two classes. With one class alone the second case cannot occur. Add/remove: |x|² + b² ≤ 1 + b².

    Parameters
    ----------
    count_weight : float
        b.
    public : PublicFacts
        Relation and number of classes.
    non_negative : bool
        Whether every prepared row is non-negative by public declaration, so that x·x' ≥ 0. Never looked up in rows.
    """
    b, columns = count_weight, public.joint_columns
    if public.relation == "replace_one":
        same = 2.0 if non_negative else 4.0
        change = max(same, 2 + 2 * b * b) if columns > 1 else same
    else:
        change = 1 + b * b

    def evaluate(problem: Problem) -> Array:
        sums, counts = problem.moments.summed(columns)
        return np.vstack([sums, b * counts])

    integers = integer_class_sums(b, public.d, columns)
    return Query(CLASS_SUMS, evaluate, math.sqrt(change), integers=integers)


def centred_gram(about: Centring, weight: float, public: PublicFacts) -> Query[Problem]:
    """Σ z zᵀ with z = [u ; w e_y] and u the row about the centre of its class, (d + K, d + K).

    u = (x − c_y)/|x − c_y|, and 0 on the centre itself; with a radius R > 0, u = (x − c_y)/max(R, |x − c_y|). With a
    whitening T, T(x − c_y) takes the place of x − c_y. For any centres and T whatever, chosen by an adversary as well,
    u depends on one record and |u| ≤ 1. So the proof of
    `joint_gram` holds word for word with u in the place of x: Δ = √2(1 + w²) under replace-one, attained by orthogonal
    u of two classes and by u·u' = −w² in one class; Δ = 1 + w² under add/remove.

    In whole steps u is rounded as a row is (`dpgep_core.models.integer_sums`), so |z|² ≤ 2^36 + ⌊2^18 w⌋² exactly.

    The bound holds conditionally on the centres and T, so these must be public or have left the curator with noise.
    Such answers compose adaptively: μ² is the sum of all (Dong, Roth & Su 2022, Corollary 3.3).

    Parameters
    ----------
    about : Centring
        Released centres (d, K), and how rows about them are brought into the unit ball.
    weight : float
        w². 0 leaves class sums and counts out.
    public : PublicFacts
        Relation, d and K.

    Raises
    ------
    ValueError
        If the centres have another shape.
    """
    expected = (public.d, public.joint_columns)
    if about.centres.shape != expected:
        raise ValueError(f"centres of shape {about.centres.shape}: shape {expected} is needed")
    columns = public.joint_columns

    def evaluate(problem: Problem) -> Array:
        found, w = _sums(problem, about), math.sqrt(weight)
        gram = np.block([[found.gram, w * found.sums], [w * found.sums.T, weight * np.diag(found.counts)]])
        gram *= problem.as_if
        return gram

    name = CENTRED_GRAM if about.whitening is None else WHITENED_GRAM
    integers = integer_joint_gram(weight, public.d, columns, about)
    return Query(name, evaluate, joint_gram(weight, public).sensitivity, "symmetric", integers=integers)


def _sums(problem: Problem, about: Centring) -> ClassTotals:
    """Sums of the rows about their centres."""
    sample, columns = problem.sample, about.centres.shape[1]
    if isinstance(sample.X, SummedRows):
        return streamed_sums("rows about their centres", sample.X, MomentSum(problem.preprocessing, columns, about))
    codes = np.zeros(sample.X.shape[0], dtype=np.intp) if columns == 1 or sample.y is None else sample.y
    return centred_sums(sample, codes, problem.preprocessing, about)
