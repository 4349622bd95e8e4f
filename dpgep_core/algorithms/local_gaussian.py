"""Local Gaussian mechanism: each person adds the noise before anyone sees the record."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.record_queries import reported_products
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.accountant import epsilon_of
from dpgep_core.privacy.calibration import EXACT, Ruled, beyond_classical, choice_of, classical_part, keyed, published
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import LocalTriangles

PAPER_BOUND = 1.0  # on the change of xxᵀ; the largest is √2

RULES = keyed(
    published(
        "classical rule with a change of at most 1",
        "Wang & Xu 2020, Algorithm 1, with Dwork & Roth 2014, Theorem A.1",
        classical_part,
    ),
    EXACT.said("exact accounting with the true change of at most √2"),
)
Local = Annotated[str, choice_of(RULES)]


@register(
    "local_gaussian",
    "Local Gaussian mechanism (Wang & Xu)",
    Source(
        "Wang & Xu, Principal component analysis in the local differential privacy model, TCS 809 (2020)",
        "Algorithm 1",
        "doi:10.1016/j.tcs.2019.12.019",
    ),
    Guarantee(
        "(ε, δ)-local DP",
        Verdict.FALSE,
        "The rule bounds the change of xxᵀ by 1 where it is √2 for orthogonal records. The slack of the classical rule "
        "covers that below ε of about 0.3, by another proof, and not above. Its ε is local: it protects a record from "
        "the curator too, and is no match for a central ε.",
    ),
    models=("pca",),
    growth=(Growth("d^3", ("d^2",)),),
)
@dataclass(frozen=True, kw_only=True)
class LocalGaussian(Ruled):
    """Leading eigenvectors of the mean of x_i x_iᵀ + Z_i, with symmetric Gaussian noise Z_i added by each person.

    Source: Wang & Xu 2020, Algorithm 1, the baseline "Local Gaussian" of Shang et al. Claimed guarantee: (ε, δ)-local
    differential privacy: any two records give reports that are hard to tell apart, whoever collects them. The ledger
    has one entry, what each person pays once: neighbours are two values x, y of one record, whose xxᵀ differ by up to
    √2. The mean then carries noise of the scale σ/√n, about √n times that of a central method at the same ε; in the
    central model it would be worth μ/√n.
    What holds: σ = √(2 log(1.25/δ))/ε is calibrated to a change of 1. Exact accounting covers √2 while ε is small
    (below about 0.3 at n = 60,000 and δ = n^-1.1); beyond, the setting spends more than ε and says so.
    Departs from the paper: reports are of the second moment about zero, whatever the model centres, since nobody
    knows the mean; the sum of the reports is drawn as one, which has the same law.

    Parameters
    ----------
    calibration : {"published", "exact"}
        The paper's rule, or exact accounting with √2.
    """

    rules = RULES
    calibration: Local = "published"

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """Payment of each person: one report."""
        query = reported_products(public)
        bound = query.sensitivity if self.rule.accounted else PAPER_BOUND
        return (PlannedAnswer.of(query, self.rule.sigma(bound, grant), "sigma"),)

    def more_facts(self, public: PublicFacts, grant: Grant) -> dict[str, float]:
        """Noise scale of the mean report."""
        return {"noise_of_mean": self._sigma(public, grant) / math.sqrt(public.n)}

    def outside_claim(self, public: PublicFacts, grant: Grant) -> str:
        """Where the classical rule is used beyond its theorem."""
        return beyond_classical(grant.epsilon)

    def needed_epsilon(self, public: PublicFacts, grant: Grant) -> float:
        """ε that two orthogonal records need, which are √2 apart; in one column of 1 and 0."""
        change = math.sqrt(2) if public.d > 1 else 1.0
        return epsilon_of(change / self._sigma(public, grant), grant.delta)

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield the eigenvectors of the mean report once."""
        sigma = self._sigma(public, curator.grant)
        mean = curator.ask(reported_products(public), sigma=sigma, law=LocalTriangles(public.n))
        yield Pencil(mean).solve(public.k, 0.0)

    def _sigma(self, public: PublicFacts, grant: Grant) -> float:
        return self.noise_plan(public, grant)[0].sigma
