"""Simultaneous reduction by noisy gradient steps as Chen et al. publish it: what DPSR and DPSRS share."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from dpgep_core.errors import ParameterError
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import Public
from dpgep_core.models.queries import WHITENED, constraint_diagonal, constraint_gradient, whitened_gradient
from dpgep_core.privacy import Curator, Grant
from dpgep_core.privacy.calibration import exact
from dpgep_core.privacy.query import Array


def positive_ridge(xi: float, key: str) -> float:
    """ξ itself; whitening by noisy eigenvalues, which may all be zero, needs it to be positive."""
    if xi <= 0:
        raise ParameterError("xi", xi, f"> 0 for {key}, whose noise grows as 1/xi")
    return xi


def whitened_bound(public: Public, xi: float, key: str) -> float:
    """Largest change of 2ΦᵀAΦV over every Λ_B ≥ 0 that may be released: 2Δ_A/ξ, or 2Δ_A/(1 + ξ) for a public B = I.

    At the Λ_B that was drawn the change is 2Δ_A/(ξ + min Λ_B). That number is not known before the run, so paying it
    would make the reported ε a function of the noise, and too small in the runs in which the noise is lucky.
    """
    return 2 * public.sensitivity.target / (1 + xi if public.identity_constraint else positive_ridge(xi, key))


@dataclass(frozen=True, kw_only=True)
class PublishedReduction:
    """Steps for the eigenvectors of B, an exact Λ_B, whitening, steps for those of Ã = ΦᵀAΦ.

    Chen et al., Algorithms 2 and 3: σ₁ = 2C₁√(m log(1.25 f/δ))/(nε) and σ₂ = 2C₂√(m log(1.25 f/δ))/(nεξ), with f = 1
    in Algorithm 2 and f = m in Algorithm 3.

    Parameters
    ----------
    tidy : callable
        What brings a basis back to the constraint after each step; its result has orthonormal columns.
    failures : int
        f, the number of answers that δ is shared among.
    theorem : bool
        Theorem 12's noise instead of Algorithm 2's: f = m and √2 more.
    """

    key: str
    xi: float
    step_size: float
    n_iterations: int
    calibration: str
    tidy: Callable[[Array], Array]
    failures: int = 1
    theorem: bool = False

    def overdraws(self, public: Public) -> bool:
        """Λ_B is read without noise, and the published rules are reproduced whatever they spend."""
        return not (public.identity_constraint and self.calibration == "exact")

    def facts(self, public: Public, grant: Grant) -> dict[str, float]:
        """Noise scales of the two phases."""
        sigma_2 = self._sigma(public, grant, 2, whitened_bound(public, self.xi, self.key))
        if public.identity_constraint:
            return {"sigma_2": sigma_2}
        return {"sigma_1": self._sigma(public, grant, 1, 2 * public.sensitivity.constraint), "sigma_2": sigma_2}

    def iterates(self, curator: Curator[Problem], public: Public, start: Array) -> Iterator[Array]:
        """Yield Φ V′ after each step of the second phase."""
        whitener, W = self._whitener(curator, public), self.tidy(start)
        bound = whitened_bound(public, self.xi, self.key)
        sigma = self._sigma(public, curator.grant, 2, bound)
        channel = curator.reserve(WHITENED, sensitivity=bound, sigma=sigma, count=self.n_iterations)
        for _ in range(self.n_iterations):
            W = self.tidy(W + self.step_size * channel.ask(whitened_gradient(whitener, W, public)))
            yield whitener @ W

    def _whitener(self, curator: Curator[Problem], public: Public) -> Array:
        V = self.tidy(public.frame(public.d, "constraint basis"))
        if public.identity_constraint:
            return V / math.sqrt(1 + self.xi)
        query = constraint_gradient(V, public)
        sigma = self._sigma(public, curator.grant, 1, query.sensitivity)
        channel = curator.reserve(query.name, sensitivity=query.sensitivity, sigma=sigma, count=self.n_iterations)
        for _ in range(self.n_iterations):
            V = self.tidy(V + self.step_size * channel.ask(constraint_gradient(V, public)))
        eigenvalues = curator.peek(constraint_diagonal(V, public))  # as published: this step adds no noise
        return V / np.sqrt(np.maximum(eigenvalues, 0.0) + self.xi)

    def _sigma(self, public: Public, grant: Grant, phase: int, sensitivity: float) -> float:
        if self.calibration == "exact":
            return exact(sensitivity, grant, count=self.n_iterations, share=1.0 if public.identity_constraint else 0.5)
        if self.calibration == "forgetful":
            return exact(sensitivity, grant)
        bound = 2 * (public.published.constraint if phase == 1 else public.published.target)
        failures = self.n_iterations if self.theorem else self.failures
        sigma = published_sigma(
            1 / public.n if self.calibration == "unit" else bound, grant, self.n_iterations, failures
        ) * (math.sqrt(2) if self.theorem else 1.0)
        return sigma if phase == 1 else sigma / positive_ridge(self.xi, self.key)


def published_sigma(bound: float, grant: Grant, m: int, failures: int = 1) -> float:
    """2 (C/n) √(m log(1.25 f/δ)) / ε, with C/n the ``bound`` on the change of one gradient."""
    return 2 * bound * math.sqrt(m * math.log(1.25 * failures / grant.delta)) / grant.epsilon
