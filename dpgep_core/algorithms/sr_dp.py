"""SR+DP, the ablation of Chen et al.: noise on A and B once, then simultaneous reduction."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import constraint, target
from dpgep_core.params import Xi
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.calibration import (
    EXACT,
    FORGETFUL,
    Ruled,
    beyond_classical,
    choice_of,
    classical_part,
    keyed,
    part_of,
    published,
    with_unit_constants,
)
from dpgep_core.privacy.ledger import noise_scales
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Isotropic, UpperTriangle

CHEN = published(
    "half of ε and δ for each matrix, classical rule, constants the papers prove",
    "Chen et al., Lemmas 4 and 7, with Dwork & Roth 2014, Theorem A.1",
    classical_part,
    "proved",
)
RULES = keyed(
    CHEN,
    with_unit_constants(CHEN, "the same with constants 1"),
    EXACT.said("half of μ² for each matrix, tight sensitivities, exact accounting"),
    FORGETFUL.said("each matrix calibrated as if it were the only one: composition forgotten"),
)
TwoMatrices = Annotated[str, choice_of(RULES)]


@register(
    "sr_dp",
    "SR + noise (Chen et al.)",
    Source("Chen et al., On the Privacy-preserving Generalized Eigenvalue Problem", "Section 6.3, ablation study"),
    Guarantee(
        "(ε, δ)-DP (Lemmas 4 and 7)",
        Verdict.HOLDS,
        "Two Gaussian answers with valid constants; all else is post-processing. The classical rule is proved for an ε "
        "below 1 of each answer, holds up to about 8 and fails above.",
    ),
    growth=(Growth("d^3", ("d^2 K", "d^2")),),
)
@dataclass(frozen=True, kw_only=True)
class NoisyReduction(Ruled):
    """Symmetric Gaussian noise on A and on B, then the pencil (Ã, B̃₊ + ξI) is solved.

    Source: Chen et al., Section 6.3 ("SR+DP"). Claimed guarantee: (ε, δ)-DP, neighbours as in their Definition 2.
    Departs from the paper, which does not say how the budget is split or what becomes of a B̃ with negative
    eigenvalues: halves for each matrix (none for a public B), and negative eigenvalues are set to zero.

    Parameters
    ----------
    xi : float
        Ridge ξ.
    calibration : {"published", "unit", "exact", "forgetful"}
        The papers' constants (8 and 6 for FDA) under the classical rule on the upper triangle; constants 1; tight
        sensitivities with isotropic noise; or each matrix as if it were alone.
    """

    rules = RULES
    xi: Xi = 0.01
    calibration: TwoMatrices = "published"

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """A, and a B that is not public."""
        bounds, share = public.bounds(self.rule.constants), _share(public)
        A = PlannedAnswer.of(target(public), self.rule.sigma(bounds.target, grant, share=share), "sigma_A")
        if public.identity_constraint:
            return (A,)
        return (
            A,
            PlannedAnswer.of(constraint(public), self.rule.sigma(bounds.constraint, grant, share=share), "sigma_B"),
        )

    def outside_claim(self, public: PublicFacts, grant: Grant) -> str:
        """Where the classical rule is used beyond its theorem."""
        return beyond_classical(part_of(grant, _share(public)).epsilon)

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield the components of the noisy pencil once."""
        law = Isotropic() if self.rule.isotropic else UpperTriangle()
        sigma = noise_scales(self.noise_plan(public, curator.grant))
        A = curator.ask(target(public), sigma=sigma["sigma_A"], law=law)
        if public.identity_constraint:
            yield Pencil(A).solve(public.k, self.xi)
            return
        B = curator.ask(constraint(public), sigma=sigma["sigma_B"], law=law)
        yield Pencil(A, B).solve(public.k, self.xi)


def _share(public: PublicFacts) -> float:
    """Share of the budget for each matrix."""
    return 1.0 if public.identity_constraint else 0.5
