"""DPSRS as published: DPSR with truncation, and an orthonormalisation that undoes it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.sparse import truncate
from dpgep_core.numerics import orthonormalise
from dpgep_core.params import Iterations, Sparsity, StepSize, Switch, Xi
from dpgep_core.privacy import Curator
from dpgep_core.privacy.query import Array
from dpgep_core.reduction import PublishedReduction, ReductionCalibration, gradient_rule, reduction_rules

RULES = reduction_rules(partial(gradient_rule, delta_is_shared=True), "Chen et al., Algorithm 3")
Repair = Annotated[
    bool,
    Switch(label="Repair the sparsity", doc="Truncates the components themselves instead of the vectors inside."),
]


@register(
    "dpsrs",
    "DPSRS (Chen et al.)",
    Source("Chen et al., On the Privacy-preserving Generalized Eigenvalue Problem", "Algorithm 3, Theorem 13"),
    Guarantee(
        "(ε, δ)-DP (Theorem 13)",
        Verdict.FALSE,
        "Where B comes from the rows, the eigenvalues Λ_B = diag(VᵀBV) leave without noise, as in DPSR, so no finite ε "
        "holds, and truncation changes nothing about that. Where B is the identity (PCA) nothing leaves without noise.",
    ),
    growth=(Growth("m d^3", ("d^3", "m d^2", "m")),),
)
@dataclass(frozen=True, kw_only=True)
class Dpsrs(PublishedReduction):
    """DPSR that orthonormalises, keeps the s largest entries of each column and orthonormalises again in each step.

    Source: Chen et al., Algorithm 3. Claimed guarantee: (ε, δ)-DP (Theorem 13) for neighbours "differing in one
    sample" (Definition 2); accounted here under the relation of the scenario. What holds: nothing, see the registry
    entry.
    As published the result is not sparse: the second orthonormalisation fills every column but the first again, and
    V′ is a vector of coordinates in the eigenbasis of B, so that ΦV′ is dense even where V′ is sparse.
    Departs from the paper: the σ of its steps 2 and 11 is printed under the step itself and read as σ; where B is the
    identity (PCA), phase 1 is skipped as in ``dpsr``.

    Parameters
    ----------
    xi, step_size, n_iterations
        ξ of step 8, η and m of both phases.
    sparsity : int
        s; 0, or as many as there are, keeps all. 30 is Hu et al.'s; the paper states none.
    repair : bool
        Instead of steps 4, 5, 13 and 14, the s largest entries of each column of ΦV′ are kept: free post-processing.
    calibration : {"published", "unit", "exact", "forgetful"}
        ``published``: σ₁ = 2C₁√(m log(1.25m/δ))/(nε), σ₂ = 2C₂√(m log(1.25m/δ))/(nεξ), constants as in ``dpsr``.
        ``unit``: C₁ = C₂ = 1. ``exact``: half of μ² for each phase. ``forgetful``: every answer as if it were alone.
    """

    key, rules = "dpsrs", RULES
    xi: Xi = 0.01
    step_size: StepSize = 1.0
    n_iterations: Iterations = 15
    sparsity: Sparsity = 30
    repair: Repair = False
    calibration: ReductionCalibration = "published"

    @property
    def tidy(self) -> Callable[[Array], Array]:
        """Orthonormalisation, before truncation and after it; alone where ``repair`` is on."""
        return orthonormalise if self.repair else self._tidy

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield Φ V′ after each step of the second phase, truncated where ``repair`` is on."""
        for basis in super().iterates(curator, public, start):
            yield self._truncated(basis) if self.repair else basis

    def _tidy(self, vectors: Array) -> Array:
        return orthonormalise(self._truncated(orthonormalise(vectors)))

    def _truncated(self, vectors: Array) -> Array:
        return truncate(vectors, self.sparsity) if self.sparsity > 0 else vectors
