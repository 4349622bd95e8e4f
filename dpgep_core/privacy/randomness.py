"""The only place where random numbers are drawn.

Streams are separated by purpose, so that the start of a method, the split of the data and the noise never share
numbers. All noise is a unit draw times σ: the same seed keeps the same noise while ε moves.

Double-precision Gaussian sampling is open to known floating-point attacks; see docs/privacy-notes.md. `whole_normals`
is not: OpenDP draws discrete Gaussian noise exactly, from the entropy of the operating system and from no seed.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpgep_core.privacy.query import Array, Integers, Shape

Purpose = Literal["noise", "start", "split", "data", "classifier", "baseline"]
STREAM_PURPOSES: tuple[Purpose, ...] = ("noise", "start", "split", "data", "classifier", "baseline")
ORTHONORMAL = 1e-8
DRAWN_AT_ONCE = 1 << 17  # whole numbers
MIRRORED = 128  # rows and columns of a matrix that are mirrored at a time


def stream(seed: int | None, purpose: Purpose, tag: str = "") -> Generator:
    """A generator for one purpose. ``seed=None`` takes the system's entropy, as a real release must."""
    key = (STREAM_PURPOSES.index(purpose), zlib.crc32(tag.encode()))
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def gaussian_frame(seed: int, rows: int, columns: int, tag: str = "") -> Array:
    """Independent unit normals that owe nothing to any data: `orthonormal_frame` before it is made orthonormal."""
    return stream(seed, "start", tag).standard_normal((rows, columns))


def orthonormal_frame(seed: int, rows: int, columns: int, tag: str = "") -> Array:
    """A random (rows, columns) orthonormal frame that owes nothing to any data; the same for the same seed and tag."""
    q, r = np.linalg.qr(gaussian_frame(seed, rows, columns, tag))
    return q * np.where(np.diag(r) < 0, -1.0, 1.0)


def permutation(seed: int, size: int, purpose: Purpose, tag: str = "") -> NDArray[np.intp]:
    """A random order of ``range(size)``."""
    return stream(seed, purpose, tag).permutation(size)


class NoiseLaw(Protocol):
    """A law of zero-mean Gaussian noise; ``shapes`` are the kinds of answer whose sensitivity it covers."""

    shapes: ClassVar[tuple[Shape, ...]]

    def draw(self, rng: Generator, shape: tuple[int, ...], sigma: float) -> Array:
        """One draw at scale ``sigma``."""
        ...


@dataclass(frozen=True, slots=True)
class Independent:
    """Independent N(0, σ²) on every entry: the Gaussian mechanism in Euclidean norm."""

    shapes: ClassVar[tuple[Shape, ...]] = ("vector", "symmetric")

    def draw(self, rng: Generator, shape: tuple[int, ...], sigma: float) -> Array:
        """One draw."""
        draw = rng.standard_normal(shape)
        draw *= sigma  # in place: a large matrix is drawn in each step of some methods
        return draw


@dataclass(frozen=True, slots=True)
class Isotropic:
    """Isotropic noise on symmetric matrices: variance σ² on the diagonal, σ²/2 off it.

    In the isometric coordinates (diagonal, √2 × upper triangle), whose Euclidean norm is the Frobenius norm, all
    entries are independent N(0, σ²): the Gaussian mechanism for Frobenius sensitivity.
    """

    shapes: ClassVar[tuple[Shape, ...]] = ("symmetric",)

    def draw(self, rng: Generator, shape: tuple[int, ...], sigma: float) -> Array:
        """One draw."""
        draw = rng.standard_normal(shape)
        draw += draw.T.copy()
        draw *= sigma / 2
        return draw


@dataclass(frozen=True, slots=True)
class UpperTriangle:
    """Independent N(0, σ²) on and above the diagonal, mirrored below, as the papers write it.

    The same guarantee as `Isotropic` at the same σ (the Euclidean norm of an upper triangle is at most the Frobenius
    norm, with equality for diagonal matrices), with twice the variance off the diagonal.
    """

    shapes: ClassVar[tuple[Shape, ...]] = ("symmetric",)

    def draw(self, rng: Generator, shape: tuple[int, ...], sigma: float) -> Array:
        """One draw."""
        draw = rng.standard_normal(shape)
        draw *= sigma
        for first in range(0, len(draw), MIRRORED):  # in place and by blocks that stay near the processor
            rows = slice(first, first + MIRRORED)
            draw[rows, rows] = np.triu(draw[rows, rows]) + np.triu(draw[rows, rows], 1).T
            draw[first + MIRRORED :, rows] = draw[rows, first + MIRRORED :].T
        return draw


@dataclass(frozen=True, eq=False)
class TriangleTimes:
    """Z V for `UpperTriangle` noise Z and any public frame V of shape (d, k), in O(d k²).

    With V = QR it is (ZQ)R, and with orthonormal Q, whose rows are q_i, the law of ZQ is that of

        D^½ N + Q (S − (QᵀN − NᵀQ)/2),

    where N has independent unit normals, D^½ turns row i of N by (I − q_i q_iᵀ)^½ and S is `Isotropic` on (k, k) at
    scale 1, all times σ. For Cov(ZQ) takes a (d, k) matrix X to DX + QXᵀQ. Among matrices QC, the second term is 1
    where C is symmetric and −1 where C is antisymmetric. The antisymmetric part of D^-½QC is QC itself, so taking it
    away from N leaves D minus these, and S adds the symmetric ones. For k = 1: Cov(Zv) = σ²(|v|² I + vvᵀ − diag(v²)).
    """

    frame: Array
    shapes: ClassVar[tuple[Shape, ...]] = ("product",)

    @cached_property
    def _factors(self) -> tuple[Array, Array]:
        """Q and R, which two draws for the same frame share."""
        return np.linalg.qr(self.frame)

    def draw(self, rng: Generator, shape: tuple[int, ...], sigma: float) -> Array:
        """One draw, of shape (d, k)."""
        v = self.frame
        if v.shape[1] == 1:
            e, common = rng.standard_normal(shape), rng.standard_normal()
            return sigma * (np.sqrt(np.maximum(0.0, (v**2).sum() - v**2)) * e + v * common)
        q, r = self._factors
        normals, inside = rng.standard_normal(q.shape), Isotropic().draw(rng, r.shape[:1] * 2, 1.0)
        left = np.sqrt(np.maximum(0.0, 1.0 - np.einsum("ij,ij->i", q, q)))
        along = np.einsum("ij,ij->i", q, normals) / (1.0 + left)  # (I − qqᵀ)^½ n = n − q (q·n)/(1 + √(1 − |q|²))
        inner = q.T @ normals
        draw = normals - q * along[:, None] + q @ (inside - (inner - inner.T) / 2)
        return sigma * (draw @ r)


@dataclass(frozen=True, slots=True, eq=False)
class IsotropicTimes:
    """Z V for `Isotropic` noise Z and a public orthonormal frame V of shape (d, k), in O(d k²).

    Z V = V Z_k + (σ/√2)(I − VVᵀ)N with Z_k isotropic on symmetric (k, k) matrices and N independent unit normals.
    For any other frame that would be another law, with too little noise in places, so it is refused.
    """

    frame: Array
    shapes: ClassVar[tuple[Shape, ...]] = ("product",)

    def draw(self, rng: Generator, shape: tuple[int, ...], sigma: float) -> Array:
        """One draw, of shape (d, k)."""
        v, k = self.frame, self.frame.shape[1]
        if not np.abs(v.T @ v - np.eye(k)).max() < ORTHONORMAL:
            raise ValueError("isotropic noise times a frame needs orthonormal columns")
        inside = Isotropic().draw(rng, (k, k), sigma)
        outside = rng.standard_normal(shape)
        return v @ inside + (sigma / np.sqrt(2)) * (outside - v @ (v.T @ outside))


@dataclass(frozen=True, slots=True)
class LocalTriangles:
    """The mean of ``reports`` independent `UpperTriangle` draws at σ, one for each person: one draw at σ/√reports."""

    reports: int
    shapes: ClassVar[tuple[Shape, ...]] = ("reports",)

    def draw(self, rng: Generator, shape: tuple[int, ...], sigma: float) -> Array:
        """One draw."""
        return UpperTriangle().draw(rng, shape, sigma / np.sqrt(self.reports))


@dataclass(frozen=True, slots=True)
class Wishart:
    """A Wishart matrix with d + 1 degrees of freedom and scale σI: positive definite noise.

    It protects nothing by itself (see ``algorithms/wishart.py``), so what carries it counts as unprotected.
    """

    shapes: ClassVar[tuple[Shape, ...]] = ("symmetric",)
    proves: ClassVar[bool] = False

    def draw(self, rng: Generator, shape: tuple[int, ...], sigma: float) -> Array:
        """One draw, as G Gᵀ of d + 1 normal columns."""
        columns = rng.standard_normal((shape[0], shape[0] + 1))
        return sigma * (columns @ columns.T)


def draw_batch(rng: Generator, population: int, batch: int) -> NDArray[np.intp]:
    """Positions of ``batch`` different rows, all equally likely."""
    if batch == 1:
        return rng.integers(population, size=1)
    return rng.choice(population, size=batch, replace=False, shuffle=False)


def whole_normals(count: int, scale: float) -> Integers:
    """(count,) independent discrete Gaussian numbers: P(k) ∝ exp(−k²/(2 scale²)), exactly, from the system's entropy.

    Canonne, Kamath & Steinke 2020, Algorithm 3, as OpenDP implements it on rational numbers.
    """
    sampler = _whole_gaussian(scale)
    drawn = np.empty(count, dtype=np.int64)
    for first in range(0, count, DRAWN_AT_ONCE):  # OpenDP hands out lists, which take much more memory
        part = drawn[first : first + DRAWN_AT_ONCE]
        part[:] = sampler([0] * part.size)
    return drawn


@lru_cache(maxsize=16)
def _whole_gaussian(scale: float) -> Callable[[list[int]], list[int]]:
    """OpenDP's mechanism at one scale: making it takes longer than most answers. It holds nothing that was drawn."""
    names = ("domains", "measurements", "metrics", "mod")
    domains, measurements, metrics, mod = (_opendp(name) for name in names)
    mod.enable_features("contrib")
    domain, metric = domains.vector_domain(domains.atom_domain(T="i64")), metrics.l2_distance(T="f64")
    return measurements.make_gaussian(domain, metric, scale=scale)


def _opendp(name: str) -> Any:
    """A module of OpenDP, which has partial types and takes a second to load that most commands save."""
    return import_module(f"opendp.{name}")
