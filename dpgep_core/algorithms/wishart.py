"""The Wishart mechanism: positive noise on the covariance, whose published guarantee does not hold."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import target
from dpgep_core.params import Checked
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Wishart


@register(
    "wishart",
    "Wishart mechanism (Jiang et al.)",
    Source(
        "Jiang, Xie & Zhang, Wishart mechanism for differentially private PCA, AAAI 2016",
        "Algorithm 1, Theorem 1",
        "arXiv:1511.05680",
    ),
    Guarantee(
        "(ε, 0)-DP (Theorem 1)",
        Verdict.FALSE,
        "Outputs are never below A: with probability 1 − e^(−ε/3) an output of one data set is impossible under its "
        "neighbour, so (ε′, δ)-DP fails for every ε′ at any smaller δ.",
    ),
    models=("pca",),
    growth=(Growth("d^3", ("d^2",)),),
)
@dataclass(frozen=True, kw_only=True)
class WishartMechanism(Checked):
    """Leading eigenvectors of A + W with W ~ Wishart_d(d + 1, c I), c = 3/(2nε).

    Source: Jiang et al. 2016, Algorithm 1. Claimed guarantee: (ε, 0)-DP (Theorem 1), neighbours differ in one row.
    What holds: not that. The proof compares densities where both are positive, but A + W ⪰ A always. For neighbours
    with A′ = A + vvᵀ/n and |v| = 1 (a zero row replaced by v, or a row added), an output of A is possible under A′ only
    if W ⪰ vvᵀ/n, that is vᵀW⁻¹v ≤ n; as 1/(c vᵀW⁻¹v) is chi-squared with 2 degrees of freedom, this has probability
    e^(−1/(2cn)) = e^(−ε/3). So no ε′ is enough unless δ ≥ 1 − e^(−ε/3), and the answer counts as unprotected.
    Departs from the paper: A is that of the model, by default the centred covariance; ``centred=false`` gives the
    paper's second moment about zero.
    """

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """A once, under noise that proves nothing; the scale matrix is c I."""
        return (PlannedAnswer.of(target(public), 3 / (2 * public.n * grant.epsilon), "scale", protected=False),)

    def outside_claim(self, public: PublicFacts, grant: Grant) -> str:
        """Where its noise goes on a matrix that the theorem is not about."""
        return "the theorem is about the second moment about zero, and this is the covariance" if public.centred else ""

    def needed_epsilon(self, public: PublicFacts, grant: Grant) -> float:
        """No ε is enough while δ is below the chance of an output that the neighbour cannot have."""
        change = 1 - 1 / public.n if public.centred else 1.0  # of n times the matrix, a zero row replaced by a unit one
        return math.inf if grant.delta < -math.expm1(-grant.epsilon * change / 3) else 0.0

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield the eigenvectors of the noisy matrix once."""
        scale = self.noise_plan(public, curator.grant)[0].sigma
        yield Pencil(curator.ask(target(public), sigma=scale, law=Wishart())).solve(public.k, 0.0)
