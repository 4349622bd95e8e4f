"""MOD-SULQ: symmetric Gaussian noise on the covariance, at the scale its authors corrected."""

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
from dpgep_core.privacy.randomness import UpperTriangle


@register(
    "mod_sulq",
    "MOD-SULQ (Chaudhuri et al.)",
    Source(
        "Chaudhuri, Sarwate & Sinha, A near-optimal algorithm for differentially-private PCs, JMLR 14 (2013)",
        "Algorithm 1",
        "arXiv:1207.2812",
    ),
    Guarantee(
        "(ε, δ)-DP (Theorem 1)",
        Verdict.HOLDS,
        "One Gaussian answer with about d times the noise it needs; for the covariance in place of the second moment "
        "about zero it holds too where there are more than a few columns, though by another proof.",
    ),
    models=("pca",),
    growth=(Growth("d^3", ("d^2",)),),
)
@dataclass(frozen=True, kw_only=True)
class ModSulq(Checked):
    """Leading eigenvectors of A + N with N symmetric, N_ij ~ N(0, β²) on and above the diagonal.

    Source: Chaudhuri et al. 2013, Algorithm 1. β = (d + 1)/(nε) · √(2 log((d² + d)/(2√(2π) δ))) + 1/(n√ε): the
    correction, by its authors, of the noise of SULQ (Blum, Dwork, McSherry & Nissim 2005), which was not symmetric.
    Claimed guarantee: (ε, δ)-DP for neighbours that differ in one row. It holds with room to spare: the factor d + 1
    bounds the change entry by entry, where ‖ΔA‖_F does not grow with d.
    Departs from the paper: the noise goes on the A of the model, by default the centred covariance;
    ``centred=false`` gives the paper's second moment about zero.
    """

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """A once, under noise of scale β."""
        n, d, epsilon = public.n, public.d, grant.epsilon
        log_term = math.log((d**2 + d) / (2 * math.sqrt(2 * math.pi) * grant.delta))
        beta = (d + 1) / (n * epsilon) * math.sqrt(2 * max(log_term, 0.0)) + 1 / (n * math.sqrt(epsilon))
        return (PlannedAnswer.of(target(public), beta, "sigma_A"),)

    def outside_claim(self, public: PublicFacts, grant: Grant) -> str:
        """Where its noise goes on a matrix that the theorem is not about."""
        return "the theorem is about the second moment about zero, and this is the covariance" if public.centred else ""

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield the eigenvectors of the noisy matrix once."""
        sigma = self.noise_plan(public, curator.grant)[0].sigma
        yield Pencil(curator.ask(target(public), sigma=sigma, law=UpperTriangle())).solve(public.k, 0.0)
