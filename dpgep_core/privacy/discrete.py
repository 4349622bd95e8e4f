"""Discrete Gaussian noise on whole numbers, and how far it is from rounded Gaussian noise.

Why the Gaussian accountant keeps its value: rounded Gaussian noise on whole answers is post-processing of the Gaussian
mechanism, so it is exactly μ-GDP. A discrete Gaussian of scale σ differs from a rounded one by a total variation of at
most 0.0202/σ² (the error of the midpoint rule, ∫|φ″|/48, with φ the density of N(0, σ²)). Over all numbers of an answer
these add up to τ, and whoever is (ε, δ)-private with rounded noise is (ε, δ + (1 + e^ε)τ)-private with discrete noise.
"""

import math

import numpy as np

from dpgep_core.privacy.query import Array, Integers, Query, Secret
from dpgep_core.privacy.randomness import Independent, Isotropic, NoiseLaw, whole_normals

DISTANCE = 0.021  # total variation times σ², with room above 0.0202
SMALLEST_SCALE = 8.0  # in steps: the bound is stated well inside where it holds
LARGEST_SCALE = 2.0**58  # noise of 2^62, which with a sum could leave 64 bits, is rarer than 1e-50 then
SMALLEST_SLACK = 2.0**-60


def draw_symmetric(law: NoiseLaw, size: int, scale: float) -> Integers:
    """(size, size) symmetric whole noise: scale on the diagonal, scale/√2 off it, which is `Isotropic` on the integers.

    Raises
    ------
    TypeError
        For any other law: none is proved here.
    ValueError
        If the scale is so small that the distance to rounded noise is not covered, or so large that noise and sum could
        leave 64 bits.
    """
    if not isinstance(law, Isotropic):
        raise TypeError(f"{type(law).__name__} noise is not drawn on whole numbers")
    inner, outer = scales(scale)
    above = whole_normals(size * (size - 1) // 2, outer)
    noise = np.zeros((size, size), dtype=np.int64)
    noise[np.triu_indices(size, 1)] = above
    noise += noise.T
    noise[np.diag_indices(size)] = whole_normals(size, inner)
    return noise


def draw_entries(shape: tuple[int, ...], scale: float) -> Integers:
    """Whole noise of one scale on every entry of an array, which is `Independent` on the integers."""
    return whole_normals(math.prod(shape), scales(scale)[0]).reshape(shape)


def drawable(scale: float) -> bool:
    """Whether noise of a scale, in steps, is drawn on whole numbers.

    OpenDP holds what would leave 64 bits at their end. A sum that is added to that wraps around to a known number plus
    the exact sum. So noise that could get there is not drawn.
    """
    return SMALLEST_SCALE <= scale <= LARGEST_SCALE


def scales(scale: float) -> tuple[float, float]:
    """Scales on and off the diagonal, in steps, the second rounded up."""
    if not drawable(scale):
        raise ValueError(f"noise of {scale:g} steps; from {SMALLEST_SCALE:g} to {LARGEST_SCALE:g} can be drawn")
    return scale, math.nextafter(scale / math.sqrt(2), math.inf)


def total_variation(size: int, scale: float) -> float:
    """Bound τ on the distance between `draw_symmetric` and rounded Gaussian noise of the same scales."""
    inner, outer = scales(scale)
    return DISTANCE * (size / inner**2 + size * (size - 1) / 2 / outer**2)


def entries_variation(size: int, scale: float) -> float:
    """Bound τ on the distance between `draw_entries` on ``size`` entries and rounded Gaussian noise of that scale."""
    return DISTANCE * size / scales(scale)[0] ** 2


def stated_slack(distance: float, epsilon: float) -> float:
    """(1 + e^ε)τ, rounded up to a power of two; 2^-60 at least."""
    exact = (1 + math.exp(min(epsilon, 700.0))) * distance
    return max(SMALLEST_SLACK, 2.0 ** math.ceil(math.log2(exact))) if exact > 0 else SMALLEST_SLACK


def exactly_noised(query: Query[Secret], secret: Secret, law: NoiseLaw, sigma: float) -> Array:
    """The answer to a query under discrete noise of the scale ``sigma``, drawn on its whole steps.

    Raises
    ------
    TypeError
        If the query has no whole answer, or the law is not drawn on whole numbers; nothing is read.
    """
    if query.integers is None:
        raise TypeError(f"{query.name!r} is no sum of integer rows, so no exact noise covers it")
    vector = query.shape == "vector"
    if vector and not isinstance(law, Independent):
        raise TypeError(f"{type(law).__name__} noise is not drawn on an array of whole numbers")
    scale = sigma * query.integers.steps
    exact = query.integers.evaluate(secret)
    noise = draw_entries(exact.shape, scale) if vector else draw_symmetric(law, len(exact), scale)
    return query.integers.decode(exact + noise)
