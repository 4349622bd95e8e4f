"""DP-Rayleigh-Flow: fresh symmetric noise on A and B in each step of a gradient flow."""

from collections.abc import Iterator
from dataclasses import dataclass

from dpgep_core.flow import FlowCalibration, NoisyFlow, step
from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.numerics import unit_columns
from dpgep_core.params import Iterations, Start, StepSize, Xi
from dpgep_core.privacy import Curator
from dpgep_core.privacy.query import Array


@register(
    "dprf",
    "DP-Rayleigh-Flow (Hu et al.)",
    Source("Hu et al., Privacy-preserving Sparse Generalized Eigenvalue Problem, AISTATS 2023", "Algorithm 1"),
    Guarantee(
        "ρ-zCDP (Theorem 2)",
        Verdict.HOLDS,
        "Each step adds Gaussian noise to A and B with valid constants. An oracle start is not covered, and a private "
        "start as published (their Algorithm 2) spends 2ρ more.",
    ),
    growth=(Growth("m d^2 k", ("m d^2", "m d k^2", "m d k", "d^2 K", "m")),),
)
@dataclass(frozen=True, kw_only=True)
class RayleighFlow(NoisyFlow):
    """v ← v + (η/ρ_t)(Ãv − ρ_t B̃v), normalised, with ρ_t = vᵀÃv / vᵀB̃v and fresh noise in Ã and B̃ each step.

    Source: Hu et al., Algorithm 1. Claimed guarantee: ρ-zCDP, so (ε, δ)-DP by their Lemma 1; neighbours "differ by
    only one data sample" (Definition 1). It holds where the constants are valid.
    Departs from the paper: ξ is added to B̃ (post-processing); the constants are those valid for the A and B of the
    model used (for FDA 8 and 6, since A is the centred between-class scatter, where Hu et al. prove 4 for the
    uncentred one and 7); k columns share the noise matrix of a step and are kept apart by a Rayleigh–Ritz rotation
    within their span, which for k = 1 is the paper's algorithm. A public B (PCA) still has half the budget set
    aside for it, as in the paper, unless the calibration is ``exact``.

    Parameters
    ----------
    xi, step_size, n_iterations
        Ridge ξ, η and m.
    calibration : {"published", "printed", "unit", "exact", "forgetful"}
        ``published``: σ² = C²m/(n²ρ) on the upper triangle. ``printed``: the same with the C of Hu et al. (1 for PCA,
        4 and 7 for FDA), which do not cover the A used here. ``unit``: C = 1. ``exact``: tight sensitivities, exact
        accounting, isotropic noise. ``forgetful``: each step's answer as if it were the only one.
    start : {"random", "private", "oracle"}
        ``private``: their Algorithm 2, see `dpgep_core.starts.private`; as published, it and the flow spend up to 3ρ.
        ``oracle`` reads the exact answer without noise.
    """

    xi: Xi = 0.01
    step_size: StepSize = 1.0
    n_iterations: Iterations = 15
    calibration: FlowCalibration = "published"
    start: Start = "random"

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield the basis after each step."""
        V, ask = unit_columns(start), self.noisy_products(curator, public)
        for _ in range(self.n_iterations):
            AV, BV = ask(V)
            V = step(V, AV, BV + self.xi * V, self.step_size)
            yield V
