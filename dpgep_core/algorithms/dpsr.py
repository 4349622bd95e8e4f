"""DPSR as published: noisy gradient steps, with eigenvalues of B that leave without noise."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpgep_core.errors import ParameterError
from dpgep_core.method import Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import Public
from dpgep_core.models.queries import constraint_diagonal, constraint_gradient, whitened_gradient
from dpgep_core.numerics import orthonormalise
from dpgep_core.params import Calibration, Checked, Iterations, StepSize, Xi
from dpgep_core.privacy import Curator, Grant
from dpgep_core.privacy.calibration import exact
from dpgep_core.privacy.query import Array


@register(
    "dpsr",
    "DPSR (Chen et al.)",
    Source("Chen et al., On the Privacy-preserving Generalized Eigenvalue Problem", "Algorithm 2, Theorems 11 and 12"),
    Guarantee(
        "(ε, δ)-DP (Theorem 12)",
        Verdict.FALSE,
        "The eigenvalues Λ_B = diag(VᵀBV) leave without noise and can be read off the output exactly, so no finite ε "
        "holds. The noisy gradient steps alone would keep ε, though not by the published proof.",
    ),
)
@dataclass(frozen=True, kw_only=True)
class Dpsr(Checked):
    """Noisy gradient steps for the eigenvectors of B, then for those of Ã = ΦᵀAΦ.

    Source: Chen et al., Algorithm 2. Claimed guarantee: (ε, δ)-DP for neighbours "differing in one sample"
    (Definition 2); accounted here under the relation of the scenario. What holds: nothing, see the registry entry;
    a thin SVD of the output gives uᵀBu for every direction of V_m.
    Departs from the paper: where B is the identity (PCA), phase 1 is skipped, because noisy steps on the identity
    from a random frame end in another random frame, and Λ_B = I is public, so nothing leaks.

    Parameters
    ----------
    xi : float
        Ridge ξ of step 6; σ₂ grows as 1/ξ.
    step_size : float
        η of both phases.
    n_iterations : int
        m of both phases.
    calibration : {"published", "unit", "exact", "forgetful"}
        ``published``: σ₁ = 2C₁√(m log(1.25/δ))/(nε), σ₂ = 2C₂√(m log(1.25/δ))/(nεξ) with C₁ = 2·6 and C₂ = 2·8 for
        FDA (Theorem 11). ``unit``: the same with C₁ = C₂ = 1. ``exact``: half of μ² for each phase at the tight
        sensitivities. ``forgetful``: every answer as if it were the only one.
    """

    xi: Xi = 0.01
    step_size: StepSize = 1.0
    n_iterations: Iterations = 15
    calibration: Calibration = "published"

    def overdraws(self, public: Public, grant: Grant) -> bool:
        """Λ_B is read without noise, and the published rules are reproduced whatever they spend."""
        return not (public.identity_constraint and self.calibration == "exact")

    def facts(self, public: Public, grant: Grant) -> dict[str, float]:
        """Noise scales of the two phases; σ₂ of ``exact`` depends on Λ_B and is shown at its largest."""
        sigma_2 = self._sigma(public, grant, phase=2, sensitivity=2 * public.sensitivity.target / self._least(public))
        if public.identity_constraint:
            return {"sigma_2": sigma_2}
        return {"sigma_1": self._sigma(public, grant, 1, 2 * public.sensitivity.constraint), "sigma_2": sigma_2}

    def iterates(self, curator: Curator[Problem], public: Public, start: Array) -> Iterator[Array]:
        """Yield Φ V′ after each step of the second phase."""
        whitener = self._whitener(curator, public)
        W = start
        query = whitened_gradient(whitener, W, public)
        sigma = self._sigma(public, curator.grant, 2, query.sensitivity)
        channel = curator.reserve(query.name, sensitivity=query.sensitivity, sigma=sigma, count=self.n_iterations)
        for _ in range(self.n_iterations):
            W = orthonormalise(W + self.step_size * channel.ask(whitened_gradient(whitener, W, public)))
            yield whitener @ W

    def _whitener(self, curator: Curator[Problem], public: Public) -> Array:
        V = public.frame(public.d, "constraint basis")
        if public.identity_constraint:
            return V / math.sqrt(1 + self.xi)
        query = constraint_gradient(V, public)
        sigma = self._sigma(public, curator.grant, 1, query.sensitivity)
        channel = curator.reserve(query.name, sensitivity=query.sensitivity, sigma=sigma, count=self.n_iterations)
        for _ in range(self.n_iterations):
            V = orthonormalise(V + self.step_size * channel.ask(constraint_gradient(V, public)))
        eigenvalues = curator.peek(constraint_diagonal(V, public))  # as published: step 5 adds no noise
        return V / np.sqrt(np.maximum(eigenvalues, 0.0) + self.xi)

    def _sigma(self, public: Public, grant: Grant, phase: int, sensitivity: float) -> float:
        m = self.n_iterations
        if self.calibration == "exact":
            return exact(sensitivity, grant, count=m, share=1.0 if public.identity_constraint else 0.5)
        if self.calibration == "forgetful":
            return exact(sensitivity, grant)
        constant = public.n * (public.published.constraint if phase == 1 else public.published.target)
        constant = 1.0 if self.calibration == "unit" else 2 * constant
        sigma = 2 * constant * math.sqrt(m * math.log(1.25 / grant.delta)) / (public.n * grant.epsilon)
        return sigma if phase == 1 else sigma / self._ridge

    def _least(self, public: Public) -> float:
        return 1 + self.xi if public.identity_constraint else self._ridge

    @property
    def _ridge(self) -> float:
        if self.xi <= 0:
            raise ParameterError("xi", self.xi, "> 0 for dpsr, whose noise grows as 1/xi")
        return self.xi
