"""Powers at which theory bounds the squared error; the constants before them are unknown."""

from collections.abc import Mapping

SLOPES: Mapping[str, Mapping[str, float]] = {
    "noise, d/(n²ρ)": {"epsilon": -2.0, "n": -2.0, "rows": -2.0, "as_if": -2.0},
    "noise, s·log d/(n²ρ)": {"sparsity": 1.0},
    "sampling, d/n": {"n": -1.0, "rows": -1.0},
}


def rates(name: str, axis: str) -> float:
    """The power of an axis in a bound on 1 − cos²; 0 where it does not occur."""
    return SLOPES[name].get(axis, 0.0)
