"""PCA with many columns: noisy matrices that are revealed product by product, and eigenvectors from products alone."""

import math
from collections.abc import Callable
from typing import Annotated

import numpy as np

from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.numerics import fix_signs, orthonormalise
from dpgep_core.params import Choice
from dpgep_core.privacy.query import Array, MatrixQuery
from dpgep_core.typed_scipy import linalg

MANY_COLUMNS = 5000  # from here on a d × d matrix is not formed unless asked for
LARGE_ROUNDS = 20  # most products with a block of directions
EXTRA_COLUMNS = 4  # directions of a block beside the k asked for
LARGE_SETTLED = 1e-7  # residual over eigenvalue

Memory = Annotated[
    str,
    Choice(label="Large matrices", doc="Whether the noisy matrix is formed, or only products with it.",
           options={"auto": f"products where B is the identity and d is at least {MANY_COLUMNS}",
                    "whole": "always form the d × d matrix",
                    "products": "products wherever B is the identity: memory grows with d·k"}),
]  # fmt: skip


def by_products(memory: str, public: PublicFacts) -> bool:
    """Whether to go by products: only where B is the identity, so that eigenvectors are all that is needed."""
    wanted = memory == "products" or (memory == "auto" and public.d >= MANY_COLUMNS)
    return wanted and public.identity_constraint


def target_matrix(public: PublicFacts) -> MatrixQuery[Problem]:
    """A itself, (d, d), by its products: Δ_A."""

    def multiply(problem: Problem, directions: Array) -> Array:
        return problem.covariance_times(directions) if public.centred else problem.second_moment_times(directions)

    return MatrixQuery("A", multiply, public.d, public.sensitivity.target)


def joint_matrix(weight: float, public: PublicFacts) -> MatrixQuery[Problem]:
    """Σ z zᵀ with z = [x ; w], (d + 1, d + 1), by its products: sensitivity as `queries.joint_gram` proves."""
    sensitivity = (math.sqrt(2) if public.relation == "replace_one" else 1.0) * (1 + weight)
    w, n, d = math.sqrt(weight), public.n, public.d

    def multiply(problem: Problem, directions: Array) -> Array:
        rows, last = directions[:d], directions[d:]
        top = problem.second_moment_times(rows) + w * np.outer(problem.mean, last)
        bottom = w * (problem.mean @ rows)[None] + weight * last
        return n * np.vstack([top, bottom])

    return MatrixQuery("Σ zzᵀ, z = [x; w]", multiply, d + 1, sensitivity)


def leading_by_products(times: Callable[[Array], Array], start: Array, k: int) -> Array:
    """The ``k`` leading eigenvectors of a symmetric matrix from products with it: block Lanczos, all directions kept.

    Golub & Van Loan 1996, Section 9.2.6, with full orthogonalisation; ``start`` (d, b) has at least k columns.
    """
    basis = orthonormalise(start)
    products = times(basis)
    while True:
        values, inner = linalg.eigh(basis.T @ products)
        vectors = basis @ inner[:, : -k - 1 : -1]
        images = products @ inner[:, : -k - 1 : -1]
        residual = np.linalg.norm(images - vectors * values[: -k - 1 : -1], axis=0)
        left = min(basis.shape[0], LARGE_ROUNDS * start.shape[1]) - basis.shape[1]
        if left <= 0 or residual.max() <= LARGE_SETTLED * max(abs(values[-1]), np.finfo(float).tiny):
            return fix_signs(vectors)
        block = products[:, -start.shape[1] :]
        for _ in range(2):  # the second time for what rounding left
            block = linalg.svd(block - basis @ (basis.T @ block), full_matrices=False)[0][:, :left]
        basis = np.hstack([basis, block])
        products = np.hstack([products, times(block)])
