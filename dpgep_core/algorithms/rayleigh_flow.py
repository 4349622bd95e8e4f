"""Rayleigh flow: gradient ascent on the generalized Rayleigh quotient, without noise."""

from collections.abc import Iterator
from dataclasses import dataclass

from dpgep_core.flow import step
from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import constraint, target
from dpgep_core.numerics import unit_columns
from dpgep_core.params import Checked, FreeStart, Iterations, StepSize, Xi
from dpgep_core.privacy import Curator, Grant, NoisePlan
from dpgep_core.privacy.query import Array
from dpgep_core.starts import reads_pencil


@register(
    "rayleigh_flow",
    "Rayleigh flow (no privacy)",
    Source(
        "Tan, Wang, Liu & Zhang, Sparse generalized eigenvalue problem, JRSS B 80 (2018)",
        "Algorithm 1, without its truncation, as Hu et al. (AISTATS 2023), Section 4, use it",
        "doi:10.1111/rssb.12291",
    ),
    Guarantee("none", Verdict.NONE, "Both matrices are read without noise."),
    growth=(Growth("m d^2 k", ("m d^2", "m d k^2", "m d k", "d^2 K", "m")),),
)
@dataclass(frozen=True, kw_only=True)
class PlainRayleighFlow(Checked):
    """v ← v + (η/ρ_t)(Av − ρ_t Bv), normalised, with ρ_t = vᵀAv / vᵀBv: what DP-RF is without noise.

    Source: Tan et al. 2018, Algorithm 1, steps 1 to 3; Hu et al., Section 4. Claimed guarantee: none. Neighbouring
    relation: not applicable.
    Departs from the paper: ξ is added to B; k columns are kept apart by a Rayleigh–Ritz rotation within their span,
    which for k = 1 is the paper's algorithm.

    Parameters
    ----------
    xi, step_size, n_iterations
        Ridge ξ, η and m, as in ``dprf``. The flow needs η λ_max(B) < 1.
    start : {"random", "oracle"}
        First basis.
    """

    xi: Xi = 0.01
    step_size: StepSize = 1.0
    n_iterations: Iterations = 15
    start: FreeStart = "random"

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """Exact answers alone."""
        return reads_pencil(self.start, public)

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield the basis after each step."""
        A, B = curator.peek(target(public)), curator.peek(constraint(public))
        V = unit_columns(start)
        for _ in range(self.n_iterations):
            V = step(V, A @ V, B @ V + self.xi * V, self.step_size)
            yield V
