"""The pair of matrices of max vᵀAv / vᵀBv, and its exact solution."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from dpgep_core.numerics import LARGE, Spectrum, leading_eigenvectors, leading_of_factor, symmetric_times, unit_columns
from dpgep_core.privacy.query import Array


@dataclass(frozen=True, eq=False)
class Pencil:
    """A symmetric pair (A, B).

    Parameters
    ----------
    target : array (d, d)
        A, what is maximised.
    constraint : array (d, d) or None
        B, what it is measured against; None is the identity.
    factor : array (d, r) or None
        F with F Fᵀ = A, where A has low rank: solving is then cheaper.
    """

    target: Array
    constraint: Array | None = None
    factor: Array | None = field(default=None)

    @property
    def d(self) -> int:
        """Size of the matrices."""
        return self.target.shape[0]

    @property
    def constraint_matrix(self) -> Array:
        """B as a matrix, the identity included."""
        return np.eye(self.d) if self.constraint is None else self.constraint

    @property
    def identity_constraint(self) -> bool:
        """Whether B is the identity."""
        return self.constraint is None

    def target_times(self, directions: Array) -> Array:
        """(d, k) A V."""
        if self.factor is None:
            return symmetric_times(self.target, directions)
        return self.factor @ (self.factor.T @ directions)

    def constraint_times(self, directions: Array) -> Array:
        """(d, k) B V."""
        return directions if self.constraint is None else symmetric_times(self.constraint, directions)

    @cached_property
    def constraint_spectrum(self) -> Spectrum:
        """Spectrum of B, computed once: another ridge reuses it."""
        return Spectrum.of(self.constraint_matrix)

    def solve(self, k: int, xi: float) -> Array:
        """(d, k) leading generalized eigenvectors of (A, B₊ + ξI), with vᵀ(B₊ + ξI)v = 1 where B is not the identity.

        B₊ is B with negative eigenvalues (which only noise can make) set to zero. For B = I the ridge changes
        nothing but the scale, so it is left out and the columns have unit norm.
        """
        if self.constraint is None:
            return leading_eigenvectors(self.target, k) if self.factor is None else leading_of_factor(self.factor, k)
        spectrum = self.constraint_spectrum
        if self.factor is not None and self.d >= LARGE:
            scales = spectrum.scales(xi)[:, None]
            return spectrum.combine(leading_of_factor(self._factor_coordinates / scales, k) / scales)
        whitener = spectrum.whitener(xi)
        if self.factor is None:
            return whitener @ leading_eigenvectors(whitener.T @ self.target @ whitener, k)
        return whitener @ leading_of_factor(whitener.T @ self.factor, k)

    @cached_property
    def _factor_coordinates(self) -> Array:
        """(d, r) UᵀF in the eigenvectors of B, computed once: another ridge reuses it."""
        assert self.factor is not None
        return self.constraint_spectrum.coordinates(self.factor)

    def quotients(self, components: Array, xi: float = 0.0) -> Array:
        """(k,) generalized Rayleigh quotients vᵀAv / vᵀ(B + ξI)v of each column."""
        return quotients(self, components, xi)


class Products(Protocol):
    """A pair (A, B) of which products are to be had."""

    @property
    def identity_constraint(self) -> bool: ...

    def target_times(self, directions: Array) -> Array: ...
    def constraint_times(self, directions: Array) -> Array: ...


def quotients(pencil: Products, components: Array, xi: float) -> Array:
    """(k,) vᵀAv / vᵀ(B + ξI)v of each column, without the ridge where B is the identity."""
    v = unit_columns(components)
    above = np.einsum("ij,ij->j", v, pencil.target_times(v))
    below = np.einsum("ij,ij->j", v, pencil.constraint_times(v)) + (0.0 if pencil.identity_constraint else xi)
    return above / np.where(below > 0, below, np.inf)
