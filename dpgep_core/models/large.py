"""Models of many columns: noisy matrices that are revealed product by product, and components from products alone."""

import math
from collections.abc import Callable
from typing import Annotated

import numpy as np

from dpgep_core.models.cleaning import standing_shares
from dpgep_core.models.moment_products import ReleasedProducts
from dpgep_core.models.problem import Problem
from dpgep_core.models.product_pencil import MOST_DIRECTIONS
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import joint_gram
from dpgep_core.models.row_space import PRODUCT_COLUMNS
from dpgep_core.models.size import check_memory
from dpgep_core.numerics import fix_signs, orthonormalise
from dpgep_core.params import Choice
from dpgep_core.privacy.channel import RevealedMatrix
from dpgep_core.privacy.query import Array, MatrixQuery
from dpgep_core.typed_scipy import linalg

LARGE_ROUNDS = 20  # most products with a block of directions
EXTRA_COLUMNS = 4  # directions of a block beside the k asked for
LARGE_SETTLED = 1e-7  # residual over eigenvalue

Memory = Annotated[
    str,
    Choice(label="Large matrices", doc="Whether the noisy matrix is formed, or only products with it.",
           options={"auto": f"products where d is at least {PRODUCT_COLUMNS} and the model allows them (all but cca)",
                    "whole": "always form the d × d matrix",
                    "products": "products wherever the model allows them: memory grows with d·k"}),
]  # fmt: skip


def by_products(memory: str, public: PublicFacts) -> bool:
    """Whether to go by products: only where the model has its pencil by them."""
    wanted = memory == "products" or (memory == "auto" and public.d >= PRODUCT_COLUMNS)
    return wanted and public.product_pencil is not None


def target_matrix(public: PublicFacts) -> MatrixQuery[Problem]:
    """A itself, (d, d), by its products: Δ_A."""

    def multiply(problem: Problem, directions: Array) -> Array:
        products = problem.products
        return (products.covariance_times if public.centred else products.second_moment_times)(directions)

    return MatrixQuery("A", multiply, public.d, public.sensitivity.target)


def joint_matrix(weight: float, public: PublicFacts) -> MatrixQuery[Problem]:
    """Σ z zᵀ of `queries.joint_gram`, (d + K, d + K), by its products: with the same sensitivity, by the same proof."""
    whole = joint_gram(weight, public)
    w, n, d, columns = math.sqrt(weight), public.n, public.d, public.joint_columns

    def multiply(problem: Problem, directions: Array) -> Array:
        products = problem.products
        sums, counts = products.summed(columns)
        means, shares = sums / products.n * w, weight * counts / products.n
        rows, last = directions[:d], directions[d:]
        top = products.second_moment_times(rows) + means @ last
        return n * np.vstack([top, means.T @ rows + shares[:, None] * last])

    return MatrixQuery(whole.name, multiply, d + columns, whole.sensitivity)


def joint_components(gram: RevealedMatrix, weight: float, sigma: float, xi: float, public: PublicFacts) -> Array:
    """(d, k) components of a model from products with the noisy matrix of `joint_matrix`: post-processing.

    Its last K columns are asked for first: they hold class sums and counts, which `Moments` treats alike whether the
    whole matrix left or its products.
    """
    assert public.product_pencil is not None
    d, n, columns, w = public.d, public.n, public.joint_columns, math.sqrt(weight)
    check_memory(d, min(d, MOST_DIRECTIONS))
    last = gram.times(np.vstack([np.zeros((d, columns)), np.eye(columns)]))
    counts = n * standing_shares(np.diag(last[d:]) / weight / n, sigma / weight / n, 1 / n)

    def gram_times(directions: Array) -> Array:
        return gram.times(np.vstack([directions, np.zeros((columns, directions.shape[1]))]))[:d]

    sums = np.where(counts > 0, last[:d] / w, 0.0)
    pencil = public.product_pencil(ReleasedProducts(float(n), sums, counts, gram_times))
    block = public.frame(min(d, public.k + EXTRA_COLUMNS), "block")
    if pencil.identity_constraint:
        return leading_by_products(pencil.target_times, block, public.k)
    return pencil.solve_released(public.k, xi, block)


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
