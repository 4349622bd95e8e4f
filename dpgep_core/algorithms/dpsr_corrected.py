"""DPSR with a guarantee that holds: noise on Λ_B as well, and by default whitening after the noise."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from dpgep_core.method import Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import Public
from dpgep_core.models.queries import (
    WHITENED,
    constraint_diagonal,
    constraint_gradient,
    constraint_times,
    target_times,
    whitened_gradient,
)
from dpgep_core.numerics import leading_eigenvectors, orthonormalise
from dpgep_core.params import Checked, Choice, Iterations, StepSize, Xi
from dpgep_core.privacy import Curator, Grant
from dpgep_core.privacy.calibration import exact
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import IsotropicTimes
from dpgep_core.reduction import positive_ridge, published_sigma, whitened_bound

BASIS, EIGENVALUES, TARGET = 0.45, 0.10, 0.45  # shares of μ² for the steps on B, for Λ_B and for the steps on A

Variant = Annotated[
    str,
    Choice(label="Correction", doc="How the missing noise on Λ_B is paid for.",
           options={"whiten_after": "symmetric noise on B·V and A·V, whitened afterwards; exact accounting",
                    "drop_in": "DPSR's own noise; Λ_B is paid for from what exact accounting leaves over"}),
]  # fmt: skip


@register(
    "dpsr_corrected",
    "DPSR, corrected (ours)",
    Source("DP-GEP Lab, after Chen et al.", "docs/algorithms/dpsr_corrected.md"),
    Guarantee(
        "(ε, δ)-DP",
        Verdict.HOLDS,
        "Every answer is Gaussian, Λ_B too; each is conditioned on released quantities alone, so μ² adds up.",
    ),
)
@dataclass(frozen=True, kw_only=True)
class CorrectedReduction(Checked):
    """DPSR with noise on Λ_B, so that everything that leaves is noisy.

    Source: this project, after Chen et al., Algorithm 2. Claimed guarantee: (ε, δ)-DP for neighbours as in the
    scenario, by exact accounting; it holds. Steps on B: (B + Z)V with Z isotropic, sensitivity Δ_B; Λ_B: Euclidean
    sensitivity ‖diag(VᵀΔB V)‖₂ ≤ Δ_B; steps on A: post-processing of (A + Z)Q with Q from ΦV′ = QR, sensitivity
    Δ_A, since Φ is already public. Shares of μ²: .45, .10, .45.
    Whitening after the noise turns its size 1/ξ into 1/√((ξ + λ_i)(ξ + λ_j)) entry by entry, never more.
    The columns of V′ are rotated to the noisy Ritz vectors in each step, so that they come in order: free as well.
    Where B is the identity (PCA) all of μ² goes to the steps on A.

    Parameters
    ----------
    xi : float
        Ridge ξ, > 0.
    step_size, n_iterations
        η and m of both phases.
    variant : {"whiten_after", "drop_in"}
        ``drop_in`` keeps σ₁ and σ₂ of Algorithm 2 and adds σ_L = Δ_B/√(μ² − μ₁² − μ₂²) to Λ_B: the slack of the
        classical rule pays. Where it leaves less than a tenth of μ² (ε of about 6 and more), σ₁ and σ₂ grow. The
        steps on A are paid at 2Δ_A/ξ, the most that any Λ_B allows, and not at the Λ_B that was drawn.
    """

    xi: Xi = 0.01
    step_size: StepSize = 1.0
    n_iterations: Iterations = 15
    variant: Variant = "whiten_after"

    def facts(self, public: Public, grant: Grant) -> dict[str, float]:
        """Noise scales of the three kinds of answers."""
        tight, m, ridge = public.sensitivity, self.n_iterations, positive_ridge(self.xi, "dpsr_corrected")
        if self.variant == "drop_in":
            return _drop_in(public, grant, m, ridge)
        if public.identity_constraint:
            return {"sigma_A": exact(tight.target, grant, count=m)}
        return {
            "sigma_B": exact(tight.constraint, grant, count=m, share=BASIS),
            "sigma_L": exact(tight.constraint, grant, share=EIGENVALUES),
            "sigma_A": exact(tight.target, grant, count=m, share=TARGET),
        }

    def iterates(self, curator: Curator[Problem], public: Public, start: Array) -> Iterator[Array]:
        """Yield Φ V′ after each step of the second phase."""
        sigma = self.facts(public, curator.grant)
        whitener, W = self._whitener(curator, public, sigma), start
        steps = self._plain_steps if self.variant == "drop_in" else self._steps
        for basis in steps(curator, public, whitener, W, sigma):
            yield whitener @ basis

    def _whitener(self, curator: Curator[Problem], public: Public, sigma: dict[str, float]) -> Array:
        V = public.frame(public.d, "constraint basis")
        if public.identity_constraint:
            return V / math.sqrt(1 + self.xi)
        V = self._constraint_basis(curator, public, V, sigma)
        eigenvalues = curator.ask(constraint_diagonal(V, public), sigma=sigma["sigma_L"])
        return V / np.sqrt(np.clip(eigenvalues, 0.0, 1.0) + self.xi)  # rows in the unit ball: ‖B‖₂ ≤ 1

    def _constraint_basis(self, curator: Curator[Problem], public: Public, V: Array, sigma: dict[str, float]) -> Array:
        m, bound, plain = self.n_iterations, public.sensitivity.constraint, self.variant == "drop_in"
        name, bound = ("∇J₁ = 2BV", 2 * bound) if plain else ("B·V", bound)
        channel = curator.reserve(name, sensitivity=bound, sigma=sigma["sigma_1" if plain else "sigma_B"], count=m)
        for _ in range(m):
            if plain:
                gradient = channel.ask(constraint_gradient(V, public))
            else:
                gradient = 2 * channel.ask(constraint_times(V, public), law=IsotropicTimes(V))
            V = orthonormalise(V + self.step_size * gradient)
        return V

    def _steps(
        self, curator: Curator[Problem], public: Public, whitener: Array, W: Array, sigma: dict[str, float]
    ) -> Iterator[Array]:
        m, bound = self.n_iterations, public.sensitivity.target
        channel = curator.reserve("A·V", sensitivity=bound, sigma=sigma["sigma_A"], count=m)
        for _ in range(m):
            Q, R = np.linalg.qr(whitener @ W)
            product = whitener.T @ channel.ask(target_times(Q, public), law=IsotropicTimes(Q)) @ R
            rotation = leading_eigenvectors(W.T @ product, W.shape[1])
            W = orthonormalise((W + 2 * self.step_size * product) @ rotation)
            yield W

    def _plain_steps(
        self, curator: Curator[Problem], public: Public, whitener: Array, W: Array, sigma: dict[str, float]
    ) -> Iterator[Array]:
        bound = whitened_bound(public, self.xi, "dpsr_corrected")  # whatever Λ_B was drawn
        channel = curator.reserve(WHITENED, sensitivity=bound, sigma=sigma["sigma_2"], count=self.n_iterations)
        for _ in range(self.n_iterations):
            W = orthonormalise(W + self.step_size * channel.ask(whitened_gradient(whitener, W, public)))
            yield W


def _drop_in(public: Public, grant: Grant, m: int, xi: float) -> dict[str, float]:
    """Noise scales of Algorithm 2, with what they leave of μ² for Λ_B; at least its share is left."""
    tight, published = public.sensitivity, public.published
    sigma_2 = published_sigma(2 * published.target, grant, m) / xi
    on_target = m * (whitened_bound(public, xi, "dpsr_corrected") / sigma_2) ** 2
    if public.identity_constraint:
        return {"sigma_2": sigma_2 * math.sqrt(max(1.0, on_target / grant.mu**2))}
    sigma_1 = published_sigma(2 * published.constraint, grant, m)
    spent = m * (2 * tight.constraint / sigma_1) ** 2 + on_target
    grow = max(1.0, spent / ((1 - EIGENVALUES) * grant.mu**2))
    left = math.sqrt(grant.mu**2 - spent / grow)
    return {
        "sigma_1": sigma_1 * math.sqrt(grow),
        "sigma_L": tight.constraint / left,
        "sigma_2": sigma_2 * math.sqrt(grow),
    }
