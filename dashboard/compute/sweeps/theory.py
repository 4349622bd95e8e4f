"""Powers at which theory bounds the squared error; the constants before them are unknown.

A bound d/(n²ρ) is drawn against ε as μ^-2 and not as ε^-2: ρ is μ²/2, and μ grows more slowly than ε. Nothing here has
the d/n of sampling, which is no part of a distance to the exact answer of the same rows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dpgep_core.privacy.accountant import mu_of

NOISE: Mapping[str, float] = {"epsilon": -2.0, "n": -2.0, "rows": -2.0, "as_if": -2.0}


@dataclass(frozen=True, slots=True)
class Rate:
    """A bound of a paper, by the power of each setting in it, and what to know of it."""

    powers: Mapping[str, float]
    said: str


RATES: Mapping[str, Rate] = {
    "at most d/(n²ρ), Hu Thm 4": Rate(
        NOISE, "Hu et al., Theorem 4: an upper bound, for a start close enough to the answer."
    ),
    "at most s·log d/(n²ρ), Hu Thm 8": Rate(
        NOISE | {"sparsity": 1.0},
        "Hu et al., Theorem 8: an upper bound, for a sparse start close enough to the answer.",
    ),
    "at most d/(n²ε²ξ²), Chen Thm 16": Rate(
        NOISE | {"xi": -2.0},
        "Chen et al., Theorem 16: an upper bound. It rests on Theorem 14, which analyses another iteration than the "
        "one of Algorithm 2.",
    ),
    "at most s·log d/(n²ε²), Chen Thm 17": Rate(
        NOISE | {"sparsity": 1.0},
        "Chen et al., Theorem 17: proved only where the bound is larger than a constant, so where it says nothing.",
    ),
    "at least d/(n²ρ), Hu Thm 9 and 11": Rate(
        NOISE, "Hu et al., Theorems 9 (PCA) and 11 (SIR): for each method some data are as bad as that."
    ),
    "at least s·log d/(n²ρ), Hu Thm 10 and 12": Rate(
        NOISE | {"sparsity": 1.0},
        "Hu et al., Theorems 10 (sparse PCA) and 12 (sparse SIR): for each method some data are as bad as that.",
    ),
}


def power(name: str, axis: str) -> float:
    """The power of an axis in a bound on 1 − cos²; 0 where it does not occur."""
    return RATES[name].powers.get(axis, 0.0)


def place_on(axis: str, delta: float) -> Callable[[float], float]:
    """What the power is one of: μ for ε, at this δ; the setting itself otherwise."""
    return (lambda epsilon: mu_of(epsilon, delta)) if axis == "epsilon" else lambda value: value
