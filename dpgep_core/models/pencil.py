"""The pair of matrices of max vᵀAv / vᵀBv, and its exact solution."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpgep_core.numerics import (
    Spectrum,
    fix_signs,
    leading_eigenvectors,
    leading_of_factor,
    small_eigen,
    symmetric_times,
    unit_columns,
)
from dpgep_core.privacy.query import Array
from dpgep_core.resolvents import Resolvents

SMALL_SQUARE = 1e-4  # relative size of a squared singular value from which its square root loses too many digits


class Products(ABC):
    """A symmetric pair (A, B) of which products are to be had."""

    @property
    @abstractmethod
    def identity_constraint(self) -> bool:
        """Whether B is the identity."""

    @abstractmethod
    def target_times(self, directions: Array) -> Array:
        """(d, k) A V."""

    @abstractmethod
    def constraint_times(self, directions: Array) -> Array:
        """(d, k) B V."""

    def quotients(self, components: Array, xi: float = 0.0) -> Array:
        """(k,) generalized Rayleigh quotients vᵀAv / vᵀ(B + ξI)v, without the ridge where B is the identity."""
        v = unit_columns(components)
        above = np.einsum("ij,ij->j", v, self.target_times(v))
        below = np.einsum("ij,ij->j", v, self.constraint_times(v)) + (0.0 if self.identity_constraint else xi)
        return above / np.where(below > 0, below, np.inf)


@dataclass(frozen=True, eq=False)
class Pencil(Products):
    """A symmetric pair (A, B).

    Parameters
    ----------
    formed : array (d, d) or None
        A, what is maximised. None, where there is a factor: it is then formed when `target` is read.
    constraint : array (d, d) or None
        B, what it is measured against; None is the identity.
    factor : array (d, r) or None
        F with F Fᵀ = A, where A has low rank: solving is then cheaper.
    """

    formed: Array | None
    constraint: Array | None = None
    factor: Array | None = None

    @cached_property
    def target(self) -> Array:
        """(d, d) A."""
        if self.formed is not None:
            return self.formed
        assert self.factor is not None
        return self.factor @ self.factor.T

    @property
    def d(self) -> int:
        """Size of the matrices."""
        return len(self.target if self.factor is None else self.factor)

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
        found = self._from_resolvents(k, xi)
        if found is None:
            spectrum = self.constraint_spectrum
            scales = spectrum.scales(xi)
            if self.factor is not None:
                found = spectrum.combine(
                    leading_of_factor(self._factor_coordinates / scales[:, None], k) / scales[:, None]
                )
            else:
                whitener = spectrum.vectors / scales
                found = whitener @ leading_eigenvectors(whitener.T @ self.target @ whitener, k)
        return fix_signs(found)

    def _from_resolvents(self, k: int, xi: float) -> Array | None:
        """Columns of `solve` from (B₊ + ξI)^-1 F alone and the eigenvectors of Fᵀ(B₊ + ξI)^-1 F.

        None where B is small, or the ridge or the last eigenvalue too small for this.
        """
        resolvents = self._factor_resolvents
        if resolvents is None or not resolvents.serve(xi) or k > resolvents.sides.shape[1]:
            return None
        inward = resolvents.solved(xi)
        values, vectors = small_eigen(resolvents.sides.T @ inward)
        if not values[-k] > SMALL_SQUARE * values[-1]:
            return None
        leading = vectors[:, : -k - 1 : -1] / np.sqrt(values[: -k - 1 : -1])
        return self.constraint_spectrum.turned_back(inward @ leading)

    @cached_property
    def _factor_resolvents(self) -> Resolvents | None:
        """Solutions that (B₊ + ξI)^-1 F follows from, computed once: another ridge reuses them."""
        return None if self.factor is None else self.constraint_spectrum.resolvents(self.factor)

    @cached_property
    def _factor_coordinates(self) -> Array:
        """(d, r) UᵀF in the eigenvectors of B, computed once: another ridge reuses it."""
        assert self.factor is not None
        return self.constraint_spectrum.coordinates(self.factor)
