"""DPSR as published: noisy gradient steps, with eigenvalues of B that leave without noise."""

import math
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.params import Choice, Iterations, StepSize, Xi
from dpgep_core.privacy.calibration import Calibration
from dpgep_core.reduction import PublishedReduction, ReductionCalibration, gradient_rule, reduction_rules

Stated = Annotated[
    str,
    Choice(label="σ as stated in", doc="The paper states two noise scales, and proves neither as it says.",
           options={"algorithm": "Algorithm 2, the smaller one", "theorem": "Theorem 12, about 1.6 times larger"}),
]  # fmt: skip


RULES = {
    "algorithm": reduction_rules(gradient_rule, "Chen et al., Algorithm 2"),
    "theorem": reduction_rules(
        partial(gradient_rule, delta_is_shared=True, factor=math.sqrt(2)), "Chen et al., Theorem 12"
    ),
}


@register(
    "dpsr",
    "DPSR (Chen et al.)",
    Source("Chen et al., On the Privacy-preserving Generalized Eigenvalue Problem", "Algorithm 2, Theorems 11 and 12"),
    Guarantee(
        "(ε, δ)-DP (Theorem 12)",
        Verdict.FALSE,
        "Where B comes from the rows, the eigenvalues Λ_B = diag(VᵀBV) leave without noise and can be read off the "
        "output exactly, so no finite ε holds. The noisy gradient steps alone keep ε, though not by the published "
        "proof; where B is the identity (PCA) nothing else leaves.",
    ),
    growth=(Growth("m d^3", ("d^3", "m d^2", "m")),),
)
@dataclass(frozen=True, kw_only=True)
class Dpsr(PublishedReduction):
    """Noisy gradient steps for the eigenvectors of B, then for those of Ã = ΦᵀAΦ.

    Source: Chen et al., Algorithm 2. Claimed guarantee: (ε, δ)-DP for neighbours "differing in one sample"
    (Definition 2); accounted here under the relation of the scenario. What holds: nothing, see the registry entry;
    a thin SVD of the output gives uᵀBu for every direction of V_m.
    Departs from the paper: where B is the identity (PCA), phase 1 is skipped, because noisy steps on the identity
    from a random frame end in another random frame, and Λ_B = I is public, so nothing leaks. A step on B asks for
    2B + Z and multiplies it by V, which for square V has the law of 2BV + Z.

    Parameters
    ----------
    xi : float
        Ridge ξ of step 6; σ₂ grows as 1/ξ.
    step_size : float
        η of both phases.
    n_iterations : int
        m of both phases.
    stated : {"algorithm", "theorem"}
        Whose σ the papers' rule takes: that of Algorithm 2, or that of Theorem 12, √2 √(log(1.25m/δ)/log(1.25/δ)) times
        larger (1.56 times for m = 15 and 60,000 rows).
    calibration : {"published", "unit", "exact", "forgetful"}
        ``published``: σ₁ = 2C₁√(m log(1.25/δ))/(nε), σ₂ = 2C₂√(m log(1.25/δ))/(nεξ) with C₁ = 2·6 and C₂ = 2·8 for
        FDA (Theorem 11). ``unit``: the same with C₁ = C₂ = 1. ``exact``: half of μ² for each phase at the tight
        sensitivities. ``forgetful``: every answer as if it were the only one.
    """

    key = "dpsr"
    xi: Xi = 0.01
    step_size: StepSize = 1.0
    n_iterations: Iterations = 15
    calibration: ReductionCalibration = "published"
    stated: Stated = "algorithm"

    @property
    def rule(self) -> Calibration:
        """The calibration that was chosen."""
        return RULES[self.stated][self.calibration]
