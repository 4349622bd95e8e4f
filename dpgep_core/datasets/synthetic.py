"""Small generated sets whose directions are known by construction.

The truth is exact for the *prepared* rows, not only for the generator: either rows are drawn inside the public radius,
so that clipping changes none, or their law is symmetric about the true axes, which scaling each row keeps. Rows are
rounded, so that linear algebra libraries that differ in the last bit give the same set. Test rows are drawn after the
others from the same law, so that n is what is said here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpgep_core.datasets.dataset import Bundle, Dataset
from dpgep_core.datasets.preprocessing import Preprocessing
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Generator, stream

_SEED = 20_230_425  # frozen: another seed is another data set
_DECIMALS = 6
# Public edges of the response: about the deciles of the cube of a normal variable of variance 1.25.
SIR_EDGES = (-2.94, -0.833, -0.202, -0.0227, 0.0, 0.0227, 0.202, 0.833, 2.94)

Drawn = dict[str, Array | np.ndarray[Any, np.dtype[np.intp]]]


@dataclass(frozen=True)
class _Recipe:
    """Facts fixed once, and how to draw rows."""

    draw: Callable[[int], Drawn]
    facts: dict[str, Any]


def _pca(rng: Generator) -> _Recipe:
    """Normal rows; the i-th axis has 0.6^i of the first one's variance, so that each of ten directions stands apart.

    Unit rows keep the axes (each may be flipped without changing the law) and their order.
    """
    d, k = 20, 10
    axes, deviations = _rotation(rng, d), 0.6 ** (np.arange(d) / 2)
    return _Recipe(lambda n: {"X": (rng.standard_normal((n, d)) * deviations) @ axes.T}, {"truth": axes[:, :k]})


def _fda(rng: Generator) -> _Recipe:
    """Two shifted ellipsoids with common scatter S and means ±m: the direction is S⁻¹m, 38° away from m.

    Rows lie within 1 + √5·1.1 of the origin, so clipping at 3.5 changes none.
    """
    axes, deviations = _rotation(rng, 5), np.array([1.1, 1.0, 0.8, 0.6, 0.5])
    mean = axes @ np.array([0.8, 0.4, 0.2, 0.2, 0.35])

    def draw(n: int) -> Drawn:
        y = np.arange(n) % 2
        return {"X": np.where(y[:, None] == 1, mean, -mean) + _ellipsoid(rng, n, axes * deviations), "y": y}

    return _Recipe(
        draw,
        {
            "classes": ("minus", "plus"),
            "truth": _unit((axes / deviations**2) @ (axes.T @ mean))[:, None],
            "preprocessing": Preprocessing(rows="clip", radius=3.5),
        },
    )


def _cca(rng: Generator) -> _Recipe:
    """Two views of 10 columns whose axes are paired: correlation .9 and .7 on quiet pairs, .3 and less on loud ones.

    The loud pairs have the larger covariance (1.2 against .9), so only whitening finds the quiet ones. Both
    axes of a pair have the same variance, so each truth is (u, v)/√2 at any ridge; flipping a pair keeps the law, so
    unit rows keep the pairs.
    """
    half = 10
    correlations = np.array([0.9, 0.7, 0.3, 0.25, 0.1, *[0.0] * 5])
    deviations = np.sqrt([1.0, 1.0, 4.0, 4.0, 4.0, *[1.0] * 5])
    first, second = _rotation(rng, half), _rotation(rng, half)

    def draw(n: int) -> Drawn:
        common, own = rng.standard_normal((n, half)), rng.standard_normal((n, half))
        other = correlations * common + np.sqrt(1 - correlations**2) * own
        return {"X": np.hstack([(common * deviations) @ first.T, (other * deviations) @ second.T])}

    views = (tuple(range(half)), tuple(range(half, 2 * half)))
    return _Recipe(draw, {"truth": np.vstack([first[:, :2], second[:, :2]]) / np.sqrt(2), "views": views})


def _sir(rng: Generator) -> _Recipe:
    """An ellipsoid and a response (bᵀx + noise)³, whose ten slices, cut at public edges, are the classes.

    On an ellipsoid E[x | bᵀx] is linear in bᵀx, which is what makes inverse regression find b exactly. Rows lie within
    √20·1.2 of the origin, so clipping at 5.5 changes none. A slice of a monotone response is a slice of its argument.
    """
    d = 20
    axes, deviations = _rotation(rng, d), np.sqrt(np.linspace(0.6, 1.4, d))
    direction = _unit(rng.standard_normal(d))

    def draw(n: int) -> Drawn:
        X = _ellipsoid(rng, n, axes * deviations)
        index = X @ direction / np.linalg.norm(deviations * (axes.T @ direction))
        return {"X": X, "response": np.round((index + 0.5 * rng.standard_normal(n)) ** 3, _DECIMALS)}

    facts = {"truth": direction[:, None], "edges": SIR_EDGES, "preprocessing": Preprocessing(rows="clip", radius=5.5)}
    return _Recipe(draw, facts)


def _sparse(rng: Generator) -> _Recipe:
    """One direction with ten equal entries among 1,000, 30 % of the energy, and equal noise on all columns.

    The law is symmetric about the direction, so unit rows keep it.
    """
    d, s, energy = 1_000, 10, 0.3
    truth = np.zeros(d)
    truth[rng.choice(d, s, replace=False)] = 1 / np.sqrt(s)

    def draw(n: int) -> Drawn:
        signal = np.sqrt(energy) * rng.standard_normal((n, 1)) * truth
        return {"X": signal + np.sqrt((1 - energy) / d) * rng.standard_normal((n, d))}

    return _Recipe(draw, {"truth": truth[:, None]})


def _rotation(rng: Generator, d: int) -> Array:
    q, r = np.linalg.qr(rng.standard_normal((d, d)))
    return q * np.where(np.diag(r) < 0, -1.0, 1.0)


def _ellipsoid(rng: Generator, n: int, root: Array) -> Array:
    """Rows on the surface of an ellipsoid, with covariance root·rootᵀ and norm at most √d times that of ``root``."""
    z = rng.standard_normal((n, root.shape[1]))
    z *= np.sqrt(root.shape[1]) / np.linalg.norm(z, axis=1, keepdims=True)
    return z @ root.T


def _unit(v: Array) -> Array:
    return v / np.linalg.norm(v)


def _bundle(name: str, title: str, recipe: Callable[[Generator], _Recipe], n: int, n_test: int) -> Bundle:
    def load() -> Dataset:
        made = recipe(stream(_SEED, "data", name))
        parts = made.draw(n) | {f"{key}_test": part for key, part in made.draw(n_test).items()}
        rounded: dict[str, Any] = parts | {key: np.round(parts[key], _DECIMALS) for key in ("X", "X_test")}
        source = "Generated; the directions are known by construction"
        return Dataset(name, title, **rounded, **made.facts, licence="MIT", source=source)

    return Bundle(name, title, load)


SYNTHETIC = (
    _bundle("synthetic_pca", "Synthetic: ten directions of falling variance", _pca, 20_000, 5_000),
    _bundle("synthetic_fda", "Synthetic: two classes, one direction", _fda, 1_000, 1_000),
    _bundle("synthetic_cca", "Synthetic: two views, two correlated pairs", _cca, 20_000, 5_000),
    _bundle("synthetic_sir", "Synthetic: a response in ten slices", _sir, 20_000, 5_000),
    _bundle("synthetic_sparse", "Synthetic: ten columns of a thousand", _sparse, 500, 500),
)
