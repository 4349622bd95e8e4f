"""SR+DP, the ablation of Chen et al.: noise on A and B once, then simultaneous reduction."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from dpgep_core.method import Guarantee, Source, Verdict, register
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import Public
from dpgep_core.models.queries import constraint, target
from dpgep_core.params import Checked, Choice, Xi
from dpgep_core.privacy import Curator, Grant
from dpgep_core.privacy.calibration import beyond_classical, classical, classical_holds, exact
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Isotropic, UpperTriangle

TwoMatrices = Annotated[
    str,
    Choice(label="Noise calibration", doc="The rule that turns ε, δ and the sensitivity into the noise σ.",
           options={"published": "half of ε and δ for each matrix, classical rule, constants the papers prove",
                    "unit": "the same with constants 1",
                    "exact": "half of μ² for each matrix, tight sensitivities, exact accounting",
                    "forgetful": "each matrix calibrated as if it were the only one: composition forgotten"}),
]  # fmt: skip


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
)
@dataclass(frozen=True, kw_only=True)
class NoisyReduction(Checked):
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

    xi: Xi = 0.01
    calibration: TwoMatrices = "published"

    def overdraws(self, public: Public, grant: Grant) -> bool:
        """Constants of 1 and forgotten composition always; the classical rule where it has given out."""
        if self.calibration == "published":
            return not classical_holds(self._half(public, grant))
        return self.calibration != "exact"

    def outside_claim(self, public: Public, grant: Grant) -> str:
        """Where the classical rule is used beyond its theorem."""
        return beyond_classical(self._half(public, grant).epsilon)

    def facts(self, public: Public, grant: Grant) -> dict[str, float]:
        """Noise scales on A and B."""
        sigma = self._sigma(public, grant, public.sensitivity.target, public.published.target)
        if public.identity_constraint:
            return {"sigma_A": sigma}
        sigma_B = self._sigma(public, grant, public.sensitivity.constraint, public.published.constraint)
        return {"sigma_A": sigma, "sigma_B": sigma_B}

    def iterates(self, curator: Curator[Problem], public: Public, start: Array) -> Iterator[Array]:
        """Yield the components of the noisy pencil once."""
        law = Isotropic() if self.calibration in ("exact", "forgetful") else UpperTriangle()
        sigma = self.facts(public, curator.grant)
        A = curator.ask(target(public), sigma=sigma["sigma_A"], law=law)
        if public.identity_constraint:
            yield Pencil(A).solve(public.k, self.xi)
            return
        B = curator.ask(constraint(public), sigma=sigma["sigma_B"], law=law)
        yield Pencil(A, B).solve(public.k, self.xi)

    def _half(self, public: Public, grant: Grant) -> Grant:
        if public.identity_constraint:
            return grant
        return Grant(epsilon=grant.epsilon / 2, delta=grant.delta / 2)

    def _sigma(self, public: Public, grant: Grant, tight: float, published: float) -> float:
        if self.calibration == "exact":
            return exact(tight, grant, share=1.0 if public.identity_constraint else 0.5)
        if self.calibration == "forgetful":
            return exact(tight, grant)
        half = self._half(public, grant)
        return classical(published if self.calibration == "published" else 1 / public.n, half.epsilon, half.delta)
