"""DP-Truncated-Rayleigh-Flow: DP-Rayleigh-Flow that keeps the largest entries in each step."""

from collections.abc import Iterator
from dataclasses import dataclass

from dpgep_core.flow import FlowCalibration, NoisyFlow, sparse_columns, step
from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.numerics import unit_columns
from dpgep_core.params import Iterations, Sparsity, Start, StepSize, Xi
from dpgep_core.privacy import Curator
from dpgep_core.privacy.query import Array


@register(
    "dptrf",
    "DP-Truncated-Rayleigh-Flow (Hu et al.)",
    Source("Hu et al., Privacy-preserving Sparse Generalized Eigenvalue Problem, AISTATS 2023", "Algorithm 3"),
    Guarantee(
        "ρ-zCDP (Theorem 6)",
        Verdict.HOLDS,
        "Each step adds Gaussian noise to A and B with valid constants; truncation is post-processing. An oracle start "
        "is not covered, and a private start as published (their Algorithm 2) spends 2ρ more.",
    ),
    growth=(Growth("m d^2 k", ("m d^2", "m d k^2", "m d k", "d^2 K", "m")),),
)
@dataclass(frozen=True, kw_only=True)
class TruncatedRayleighFlow(NoisyFlow):
    """v′ ← v + (η/ρ_t)(Ãv − ρ_t B̃v), normalised; v ← the s largest entries of v′, normalised.

    Source: Hu et al., Algorithm 3. Claimed guarantee: ρ-zCDP, so (ε, δ)-DP by their Lemma 1; neighbours "differ by
    only one data sample" (Definition 1). It holds where the constants are valid, as for ``dprf``.
    Departs from the paper: as ``dprf`` does (ξ on B̃, constants of the model used, k columns share the noise of a step
    and are rotated within their span before they are truncated). The start is truncated, as their v₀ is sparse.

    Parameters
    ----------
    xi, step_size, n_iterations
        Ridge ξ, η and m.
    sparsity : int
        s (their k), entries kept in each column; 0, or as many as there are, keeps all. 30 is the paper's.
    calibration : {"published", "printed", "unit", "exact", "forgetful"}
        As in ``dprf``: σ² = C²m/(n²ρ) on the upper triangle; the C that is printed; C = 1; exact accounting;
        or composition forgotten.
    start : {"random", "private", "oracle"}
        As in ``dprf``. The paper leaves a private start open where d ≫ n.
    """

    xi: Xi = 0.01
    step_size: StepSize = 1.0
    n_iterations: Iterations = 15
    sparsity: Sparsity = 30
    calibration: FlowCalibration = "published"
    start: Start = "random"

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield the basis after each step."""
        V, ask = sparse_columns(unit_columns(start), self.sparsity), self.noisy_products(curator, public)
        for _ in range(self.n_iterations):
            AV, BV = ask(V)
            V = step(V, AV, BV + self.xi * V, self.step_size, self.sparsity)
            yield V
