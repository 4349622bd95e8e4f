"""Rayleigh flow: the step that four algorithms share, and the noisy products that two of them take it with."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpgep_core import starts
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import Public
from dpgep_core.models.queries import constraint_times, target_times
from dpgep_core.models.sparse import truncate
from dpgep_core.numerics import Spectrum, leading_eigenvectors, unit_columns
from dpgep_core.privacy import Channel, Curator, Grant
from dpgep_core.privacy.calibration import exact, exceeds, zcdp
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import IsotropicTimes, TriangleTimes

TINY = 1e-6
Products = Callable[[Array], tuple[Array, Array]]  # V → (AV, BV)


def step(V: Array, AV: Array, BV: Array, step_size: float, sparsity: int = 0) -> Array:
    """v + (η/ρ)(Av − ρBv) with ρ = vᵀAv / vᵀBv, normalised; then the ``sparsity`` largest entries, normalised.

    Several columns are first kept apart by a Rayleigh–Ritz rotation within their span. ``sparsity`` 0 keeps all.
    """
    V, AV, BV, quotients = separate(V, AV, BV)
    moved = unit_columns(V + step_size * (AV / quotients - BV))
    return sparse_columns(moved, sparsity)


def sparse_columns(V: Array, sparsity: int) -> Array:
    """Unit columns with the ``sparsity`` largest entries of each; 0, or as many as there are, keeps all."""
    return unit_columns(truncate(V, sparsity)) if 0 < sparsity < V.shape[0] else V


def separate(V: Array, AV: Array, BV: Array) -> tuple[Array, Array, Array, Array]:
    """Rotate the columns so that they are uncorrelated under the (noisy) pencil, and give their quotients ρ."""
    if V.shape[1] > 1:
        within = Spectrum.of(V.T @ BV)
        whitener = within.vectors / np.sqrt(np.maximum(within.values, TINY * np.abs(within.values).max()))
        rotation = unit_columns(whitener @ leading_eigenvectors(whitener.T @ (V.T @ AV) @ whitener, V.shape[1]))
        V, AV, BV = V @ rotation, AV @ rotation, BV @ rotation
    above, below = np.einsum("ij,ij->j", V, AV), np.einsum("ij,ij->j", V, BV)
    quotients = above / np.where(below == 0, TINY, below)
    return V, AV, BV, np.where(quotients == 0, TINY, quotients)


@dataclass(frozen=True, kw_only=True)
class NoisyProducts:
    """Ã V and B̃ V with fresh symmetric noise in each of m steps, as DP-RF and DP-TRF ask for them.

    Hu et al., Algorithms 1 and 3: σ² = C²m/(n²ρ) on the upper triangle for A and for B. See ``dprf`` for the other
    calibrations. With the private start and ``exact``, the start takes its share first.
    """

    n_iterations: int
    calibration: str
    start: str

    def facts(self, public: Public, grant: Grant) -> dict[str, float]:
        """Noise scales on A and B in each step, and those of a private start."""
        tight, published = public.sensitivity, starts.papers_bounds(self.calibration, public)
        found = {"sigma_A": self._sigma(public, grant, tight.target, published.target)}
        if not public.identity_constraint:
            found["sigma_B"] = self._sigma(public, grant, tight.constraint, published.constraint)
        return found | (starts.facts(self.calibration, public, grant) if self.start == "private" else {})

    def overdraws(self, public: Public, grant: Grant) -> bool:
        """Whether the ledger of all steps, and of a private start, passes the grant."""
        facts, tight = self.facts(public, grant), public.sensitivity
        steps = math.sqrt(self.n_iterations)
        spent = [steps * tight.target / facts["sigma_A"]]
        if not public.identity_constraint:
            spent.append(steps * tight.constraint / facts["sigma_B"])
        if self.start == "private":
            spent.append(starts.spent(self.calibration, public, grant))
        return exceeds(math.hypot(*spent), grant)

    def open(self, curator: Curator[Problem], public: Public) -> Products:
        """Pay for all steps; the function returned asks for one."""
        sigma, m, tight = self.facts(public, curator.grant), self.n_iterations, public.sensitivity
        ask_A = curator.reserve("A·V", sensitivity=tight.target, sigma=sigma["sigma_A"], count=m)
        if public.identity_constraint:
            return lambda V: (self._product(ask_A, V, public, of_target=True), V)
        ask_B = curator.reserve("B·V", sensitivity=tight.constraint, sigma=sigma["sigma_B"], count=m)
        return lambda V: (
            self._product(ask_A, V, public, of_target=True),
            self._product(ask_B, V, public, of_target=False),
        )

    def _product(self, channel: Channel[Problem], V: Array, public: Public, *, of_target: bool) -> Array:
        query = target_times if of_target else constraint_times
        if self.calibration in ("exact", "forgetful"):
            Q, R = np.linalg.qr(V)
            return channel.ask(query(Q, public), law=IsotropicTimes(Q)) @ R
        return channel.ask(query(V, public), law=TriangleTimes(V))

    def _sigma(self, public: Public, grant: Grant, tight: float, published: float) -> float:
        if self.calibration == "exact":
            share = (1.0 if public.identity_constraint else 0.5) * (1 - starts.SHARE if self.start == "private" else 1)
            return exact(tight, grant, count=self.n_iterations, share=share)
        if self.calibration == "forgetful":
            return exact(tight, grant)
        constant = 1 / public.n if self.calibration == "unit" else published
        return zcdp(constant, grant, count=self.n_iterations, share=0.5)
