"""Every question that may be asked of a problem. Queries are built here and nowhere else.

Each carries the sensitivity that its docstring proves from those of A and B (Δ_A, Δ_B, in Frobenius norm).
"""

import math
from dataclasses import dataclass

import numpy as np

from dpgep_core.models.integer_sums import integer_joint_gram
from dpgep_core.models.moments import Moments
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.sparse import components
from dpgep_core.numerics import spectral_norm
from dpgep_core.privacy.query import Array, Query
from dpgep_core.privacy.randomness import ORTHONORMAL

TARGET_TIMES, CONSTRAINT_TIMES = "A·V", "B·V"
GRADIENT, EIGENVALUES, WHITENED = "∇J₁ = 2BV", "Λ_B = diag(VᵀBV)", "∇J₂ = 2ΦᵀAΦV"


@dataclass(frozen=True, slots=True, eq=False)
class Whitener:
    """A public Φ (d, b) with its largest stretch ‖Φ‖₂, which many questions then share."""

    matrix: Array
    norm: float

    @classmethod
    def of(cls, basis: Array, scales: Array) -> "Whitener":
        """V diag(scales) for orthonormal V and scales ≥ 0: its largest stretch is the largest scale.

        Where noise has driven V or the scales out of the number range, Φ is NaN, and no answer about it tells anything.
        """
        if not (np.isfinite(basis).all() and np.isfinite(scales).all()):
            return cls(np.full_like(basis, np.nan), 0.0)
        if not np.abs(basis.T @ basis - np.eye(basis.shape[1])).max() < ORTHONORMAL:
            raise ValueError("the columns of a whitener's basis are not orthonormal")
        return cls(basis * scales, float(scales.max()))


def target(public: PublicFacts) -> Query[Problem]:
    """A itself, (d, d): Δ_A."""
    return Query("A", lambda p: p.pencil.target, public.sensitivity.target, "symmetric")


def constraint(public: PublicFacts) -> Query[Problem]:
    """B itself, (d, d): Δ_B."""
    return Query("B", lambda p: p.pencil.constraint_matrix, public.sensitivity.constraint, "symmetric")


def target_times(frame: Array, public: PublicFacts) -> Query[Problem]:
    """A V for a public (d, k) frame; its noise is Z V with one symmetric Z, so Δ_A covers all columns jointly."""
    return Query(TARGET_TIMES, lambda p: p.pencil.target_times(frame), public.sensitivity.target, "product", frame)


def constraint_times(frame: Array, public: PublicFacts) -> Query[Problem]:
    """B V for a public (d, k) frame; its noise is Z V with one symmetric Z: Δ_B."""
    return Query(
        CONSTRAINT_TIMES, lambda p: p.pencil.constraint_times(frame), public.sensitivity.constraint, "product", frame
    )


def target_columns(frame: Array, public: PublicFacts) -> Query[Problem]:
    """A V for orthonormal V as any (d, k) array: ‖ΔA V‖_F ≤ Δ_A, since ‖V‖₂ = 1."""
    return Query(TARGET_TIMES, lambda p: p.pencil.target_times(frame), public.sensitivity.target)


def constraint_gradient(frame: Array, public: PublicFacts) -> Query[Problem]:
    """2 B V for orthonormal V, (d, k): ‖2 ΔB V‖_F ≤ 2Δ_B whatever k, since ‖V‖₂ = 1."""
    sensitivity = 2 * public.sensitivity.constraint
    return Query(GRADIENT, lambda p: 2 * p.pencil.constraint_times(frame), sensitivity)


def whole_gradient(public: PublicFacts) -> Query[Problem]:
    """2 B, the gradient at the frame I, (d, d): 2Δ_B. Evaluated once, however often asked.

    For square orthonormal V and independent noise N, the answer times V has the law of the noisy 2BV.
    """
    known: list[tuple[Problem, Array]] = []

    def evaluate(problem: Problem) -> Array:
        if not known or known[0][0] is not problem:  # another problem has another answer
            known[:] = [(problem, 2 * problem.pencil.constraint_matrix)]
        return known[0][1]

    return Query(GRADIENT, evaluate, 2 * public.sensitivity.constraint)


def whole_constraint(public: PublicFacts) -> Query[Problem]:
    """B V at the frame V = I, (d, d) under symmetric noise: Δ_B. Times any square V it is the product (B + Z)V."""
    return Query(CONSTRAINT_TIMES, lambda p: p.pencil.constraint_matrix, public.sensitivity.constraint, "symmetric")


def constraint_diagonal(frame: Array, public: PublicFacts) -> Query[Problem]:
    """Λ_B = diag(VᵀBV) for orthonormal V, (d,): ‖diag(VᵀΔB V)‖₂ ≤ Δ_B."""

    def evaluate(problem: Problem) -> Array:
        return np.einsum("ij,ij->j", frame, problem.pencil.constraint_times(frame))

    return Query(EIGENVALUES, evaluate, public.sensitivity.constraint)


def whitened_gradient(whitener: Array | Whitener, frame: Array, public: PublicFacts) -> Query[Problem]:
    """2 ΦᵀAΦ V for a public (d, b) Φ and orthonormal (b, k) V: ‖2 ΦᵀΔA ΦV‖_F ≤ 2‖Φ‖₂² Δ_A.

    The bound holds conditionally on Φ, so Φ must itself be public or have left the curator with noise. With Φ from
    an exact Λ_B the number is meaningless; the ledger of such a run has no finite ε anyway.
    """
    phi = whitener if isinstance(whitener, Whitener) else Whitener(whitener, spectral_norm(whitener))
    sensitivity = 2 * phi.norm**2 * public.sensitivity.target

    def evaluate(problem: Problem) -> Array:
        return 2 * (phi.matrix.T @ problem.pencil.target_times(phi.matrix @ frame))

    return Query(WHITENED, evaluate, sensitivity)


def joint_gram(weight: float, public: PublicFacts) -> Query[Problem]:
    """Σ z zᵀ of the augmented rows z = [x ; w e_y] (or [x ; w] where there are no classes), (d + K, d + K).

    Everything the models need leaves in one answer. Replace-one: ‖zzᵀ − z'z'ᵀ‖_F² = |z|⁴ + |z'|⁴ − 2(z·z')² ≤
    2(1 + w²)², attained by orthogonal unit rows of different classes; add/remove: |z|² ≤ 1 + w². Over the sums,
    not the averages, so n does not enter. In whole steps, |z|² ≤ 2^36 + ⌊2^18 w⌋² takes the place of 1 + w²: see
    `dpgep_core.models.integer_sums`.
    """
    sensitivity = (math.sqrt(2) if public.relation == "replace_one" else 1.0) * (1 + weight)
    columns = public.joint_columns

    def evaluate(problem: Problem) -> Array:
        gram, (sums, counts), w = problem.moments.gram, problem.moments.summed(columns), math.sqrt(weight)
        d, joint = len(gram), np.zeros((len(gram) + columns,) * 2)
        joint[:d, :d], joint[:d, d:], joint[d:, :d] = gram, w * sums, w * sums.T
        joint.ravel()[d * (d + columns + 1) :: d + columns + 1] = weight * counts  # the diagonal of the counts
        return joint

    integers = integer_joint_gram(weight, public.d, columns)
    return Query("Σ zzᵀ, z = [x; w·e_y]", evaluate, sensitivity, "symmetric", integers=integers)


def exact_components(k: int, xi: float, sparsity: int = 0) -> Query[Problem]:
    """The exact answer, (d, k): no bound on its change is known, so it can only be peeked at."""
    return Query("exact components", lambda p: components(p.pencil, k, xi, sparsity), math.inf)


def unpack_joint(gram: Array, weight: float, d: int, n: float) -> Moments:
    """The moments inside a (noisy) joint Gram matrix: post-processing, free."""
    w = math.sqrt(weight)
    return Moments(n, gram[:d, :d], gram[:d, d:] / w, np.diag(gram)[d:] / weight)
