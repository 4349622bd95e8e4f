"""Analyze Gauss: Gaussian noise on the covariance once, then its eigenvectors."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.large import EXTRA_COLUMNS, Memory, by_products, leading_by_products, target_matrix
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import target
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.calibration import EXACT, Ruled, beyond_classical, choice_of, classical_part, keyed, published
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Isotropic, UpperTriangle

RULES = keyed(
    published(
        "classical rule, independent noise on the upper triangle",
        "Dwork et al. 2014, Theorem 1, with Dwork & Roth 2014, Theorem A.1",
        classical_part,
    ),
    EXACT.said("exact accounting, isotropic noise: half the variance off the diagonal"),
)
OneMatrix = Annotated[str, choice_of(RULES)]


@register(
    "analyze_gauss",
    "Analyze Gauss (Dwork et al.)",
    Source("Dwork, Talwar, Thakurta & Zhang, Analyze Gauss, STOC 2014", "Algorithm 1", "doi:10.1145/2591796.2591883"),
    Guarantee(
        "(ε, δ)-DP (Theorem 1)",
        Verdict.HOLDS,
        "One Gaussian answer. The classical rule is proved for ε below 1, holds up to ε of about 8 and fails above.",
    ),
    models=("pca",),
    growth=(Growth("d^3", ("d^2",)),),
)
@dataclass(frozen=True, kw_only=True)
class AnalyzeGauss(Ruled):
    """Leading eigenvectors of A + E with E symmetric Gaussian.

    Source: Dwork et al. 2014, Algorithm 1. Claimed guarantee: (ε, δ)-DP, rows added or removed (their sensitivity
    of XᵀX is 1); accounted here under the relation of the scenario.
    Departs from the paper: the noise goes on the A of the model, by default the centred covariance, at its own
    sensitivity; ``centred=false`` gives the paper's second moment about zero.

    Parameters
    ----------
    calibration : {"published", "exact"}
        σ = Δ√(2 log(1.25/δ))/ε on the upper triangle, or exact accounting with isotropic noise.
    memory : {"auto", "whole", "products"}
        ``products`` never forms the matrix: the same one release, revealed along a few directions. Its noise is
        isotropic at either σ, which gives the same guarantee.
    """

    rules = RULES
    calibration: OneMatrix = "published"
    memory: Memory = "auto"

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """A once."""
        query = target(public)
        return (PlannedAnswer.of(query, self.rule.sigma(query.sensitivity, grant), "sigma_A"),)

    def outside_claim(self, public: PublicFacts, grant: Grant) -> str:
        """Where the classical rule is used beyond its theorem."""
        return beyond_classical(grant.epsilon)

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield the eigenvectors of the noisy matrix once."""
        sigma = self.noise_plan(public, curator.grant)[0].sigma
        if by_products(self.memory, public):
            noisy = curator.reveal(target_matrix(public), sigma=sigma)
            yield leading_by_products(
                noisy.times, public.frame(min(public.d, public.k + EXTRA_COLUMNS), "block"), public.k
            )
            return
        law = Isotropic() if self.rule.isotropic else UpperTriangle()
        A = curator.ask(target(public), sigma=sigma, law=law)
        yield Pencil(A).solve(public.k, 0.0)
