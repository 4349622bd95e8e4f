"""Simultaneous reduction by gradient steps: what DPSR is without noise."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import constraint, target
from dpgep_core.numerics import orthonormalise
from dpgep_core.params import Checked, Iterations, StepSize, Xi
from dpgep_core.privacy import Curator, Grant, NoisePlan
from dpgep_core.privacy.query import Array
from dpgep_core.starts import reads_pencil


@register(
    "sr",
    "Simultaneous reduction (no privacy)",
    Source("Chen et al., On the Privacy-preserving Generalized Eigenvalue Problem", "Algorithm 1"),
    Guarantee("none", Verdict.NONE, "Both matrices are read without noise."),
    growth=(Growth("m d^3", ("d^3", "m d^2", "m")),),
)
@dataclass(frozen=True, kw_only=True)
class SimultaneousReduction(Checked):
    """Eigenvectors of B by gradient steps, whitening, then eigenvectors of Ã = ΦᵀAΦ by gradient steps.

    Source: Chen et al., Algorithm 1, with the two eigenproblems solved by the noise-free steps of Algorithm 2
    (equations 5 and 6), so that it is the non-private counterpart of ``dpsr`` at the same η and m.
    Claimed guarantee: none. Neighbouring relation: not applicable.
    Departs from the paper: Algorithm 1 leaves open how the eigenproblems are solved.

    Parameters
    ----------
    xi, step_size, n_iterations
        ξ, η and m, as in ``dpsr``.
    """

    xi: Xi = 0.01
    step_size: StepSize = 1.0
    n_iterations: Iterations = 15

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """Exact answers alone."""
        return reads_pencil("random", public)

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield Φ V′ after each step of the second phase."""
        A, B = curator.peek(target(public)), curator.peek(constraint(public))
        V = public.frame(public.d, "constraint basis")
        for _ in range(self.n_iterations):
            V = orthonormalise(V + 2 * self.step_size * (B @ V))
        eigenvalues = np.einsum("ij,ij->j", V, B @ V)
        whitener = V / np.sqrt(np.maximum(eigenvalues, 0.0) + self.xi)
        whitened = whitener.T @ A @ whitener
        W = start
        for _ in range(self.n_iterations):
            W = orthonormalise(W + 2 * self.step_size * (whitened @ W))
            yield whitener @ W
