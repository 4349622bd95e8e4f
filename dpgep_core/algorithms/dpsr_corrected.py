"""DPSR with a guarantee that holds: noise on Λ_B as well, and by default whitening after the noise."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import (
    CONSTRAINT_TIMES,
    EIGENVALUES,
    GRADIENT,
    TARGET_TIMES,
    WHITENED,
    Whitener,
    constraint_diagonal,
    target_times,
    whitened_gradient,
    whole_constraint,
    whole_gradient,
)
from dpgep_core.numerics import leading_eigenvectors, orthonormalise
from dpgep_core.params import Checked, Choice, Iterations, StepSize, Xi
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.calibration import exact
from dpgep_core.privacy.ledger import by_symbol
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Independent, Isotropic, IsotropicTimes
from dpgep_core.reduction import gradient_rule, positive_ridge, square_basis, whitened_bound

BASIS, EIGENVALUE_SHARE, TARGET = 0.45, 0.10, 0.45  # shares of μ² for the steps on B, for Λ_B and for the steps on A

Planned = Mapping[str, PlannedAnswer]
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
    growth=(Growth("m d^3", ("d^3", "m d^2", "m")),),
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

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """Steps on B, Λ_B, steps on A; where B is public, the last alone."""
        ridge = positive_ridge(self.xi, "dpsr_corrected")
        return self._drop_in(public, grant, ridge) if self.variant == "drop_in" else self._whiten_after(public, grant)

    def _whiten_after(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        tight, m = public.sensitivity, self.n_iterations
        share = 1.0 if public.identity_constraint else TARGET
        last = PlannedAnswer(
            TARGET_TIMES, tight.target, exact(tight.target, grant, count=m, share=share), m, symbol="sigma_A"
        )
        if public.identity_constraint:
            return (last,)
        sigma_B = exact(tight.constraint, grant, count=m, share=BASIS)
        sigma_L = exact(tight.constraint, grant, share=EIGENVALUE_SHARE)
        return (
            PlannedAnswer(CONSTRAINT_TIMES, tight.constraint, sigma_B, m, symbol="sigma_B"),
            PlannedAnswer(EIGENVALUES, tight.constraint, sigma_L, symbol="sigma_L"),
            last,
        )

    def _drop_in(self, public: PublicFacts, grant: Grant, xi: float) -> NoisePlan:
        """Noise scales of Algorithm 2, with what they leave of μ² for Λ_B; at least its share is left."""
        tight, published, m = public.sensitivity, public.published, self.n_iterations
        bound = whitened_bound(public, xi, "dpsr_corrected")  # whatever Λ_B was drawn
        sigma_2 = gradient_rule(2 * published.target, grant, count=m) / xi
        on_target = m * (bound / sigma_2) ** 2
        if public.identity_constraint:
            grown = sigma_2 * math.sqrt(max(1.0, on_target / grant.mu**2))
            return (PlannedAnswer(WHITENED, bound, grown, m, symbol="sigma_2"),)
        sigma_1, change = gradient_rule(2 * published.constraint, grant, count=m), 2 * tight.constraint
        spent = m * (change / sigma_1) ** 2 + on_target
        grow = max(1.0, spent / ((1 - EIGENVALUE_SHARE) * grant.mu**2))
        left = math.sqrt(grant.mu**2 - spent / grow)
        return (
            PlannedAnswer(GRADIENT, change, sigma_1 * math.sqrt(grow), m, symbol="sigma_1"),
            PlannedAnswer(EIGENVALUES, tight.constraint, tight.constraint / left, symbol="sigma_L"),
            PlannedAnswer(WHITENED, bound, sigma_2 * math.sqrt(grow), m, symbol="sigma_2"),
        )

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield Φ V′ after each step of the second phase."""
        planned = by_symbol(self.noise_plan(public, curator.grant))
        whitener, W = self._whitener(curator, public, planned), start
        steps = self._plain_steps if self.variant == "drop_in" else self._steps
        for basis in steps(curator, public, whitener, W, planned):
            yield whitener.matrix @ basis

    def _whitener(self, curator: Curator[Problem], public: PublicFacts, planned: Planned) -> Whitener:
        if public.identity_constraint:
            V = public.frame(public.d, "constraint basis")
            return Whitener.of(V, np.full(public.d, 1 / math.sqrt(1 + self.xi)))
        V = self._constraint_basis(curator, public, planned)
        eigenvalues = curator.ask(constraint_diagonal(V, public), sigma=planned["sigma_L"].sigma)
        return Whitener.of(V, 1 / np.sqrt(np.clip(eigenvalues, 0.0, 1.0) + self.xi))  # rows in the unit ball: ‖B‖₂ ≤ 1

    def _constraint_basis(self, curator: Curator[Problem], public: PublicFacts, planned: Planned) -> Array:
        plain = self.variant == "drop_in"
        steps, law = planned["sigma_1" if plain else "sigma_B"], Independent() if plain else Isotropic()
        whole = whole_gradient(public) if plain else whole_constraint(public)
        channel, rate = curator.reserve_planned(steps), (1 if plain else 2) * self.step_size
        return square_basis(lambda: channel.ask(whole, law=law), steps.count, rate, public)

    def _steps(
        self, curator: Curator[Problem], public: PublicFacts, whitener: Whitener, W: Array, planned: Planned
    ) -> Iterator[Array]:
        channel = curator.reserve_planned(planned["sigma_A"])
        for _ in range(self.n_iterations):
            Q, R = np.linalg.qr(whitener.matrix @ W)
            product = whitener.matrix.T @ channel.ask(target_times(Q, public), law=IsotropicTimes(Q)) @ R
            rotation = leading_eigenvectors(W.T @ product, W.shape[1])
            W = orthonormalise((W + 2 * self.step_size * product) @ rotation)
            yield W

    def _plain_steps(
        self, curator: Curator[Problem], public: PublicFacts, whitener: Whitener, W: Array, planned: Planned
    ) -> Iterator[Array]:
        channel = curator.reserve_planned(planned["sigma_2"])
        for _ in range(self.n_iterations):
            W = orthonormalise(W + self.step_size * channel.ask(whitened_gradient(whitener, W, public)))
            yield W
