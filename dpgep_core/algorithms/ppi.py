"""PPI, private power iteration: noise on each product of A with the basis."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from dpgep_core.method import Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import Public
from dpgep_core.models.queries import target_columns, target_times
from dpgep_core.numerics import orthonormalise
from dpgep_core.params import Checked, Choice, Iterations
from dpgep_core.privacy import Curator, Grant
from dpgep_core.privacy.calibration import exact, exceeds
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import IsotropicTimes

Power = Annotated[
    str,
    Choice(label="Noise calibration", doc="The rule that turns ε, δ and the sensitivity into the noise σ.",
           options={"published": "σ = Δ√(4 m log(1/δ))/ε, independent noise on every entry",
                    "exact": "exact accounting, noise of a symmetric matrix times the basis"}),
]  # fmt: skip


@register(
    "ppi",
    "Private power iteration (Hardt & Roth)",
    Source(
        "Hardt & Price, The noisy power method, NeurIPS 2014; Hardt & Roth, Beyond worst-case analysis, STOC 2013",
        "Section 3, private power method",
        "arXiv:1311.2495",
    ),
    Guarantee(
        "(ε, δ)-DP",
        Verdict.HOLDS_OTHERWISE,
        "Proved for matrices that differ in one entry. For a whole row the same rule holds with the row's sensitivity, "
        "up to a large ε that depends on δ, and fails above.",
    ),
    models=("pca",),
)
@dataclass(frozen=True, kw_only=True)
class PowerIteration(Checked):
    """V ← orth(AV + G) with fresh Gaussian noise G in each of m steps.

    Source: Hardt & Price 2014, Section 3 (private power method), after Hardt & Roth 2013. Claimed guarantee:
    (ε, δ)-DP for neighbours that differ in a single entry of A by at most 1, with σ = √(4 k m log(1/δ))/ε times the
    largest entry of V, which bounds the change √k ‖V‖_∞ of AV. What holds: with Δ_A in place of √k ‖V‖_∞, the same
    rule for neighbours that differ in a row, as Shang et al. use it: μ = ε/√(4 log(1/δ)) for the whole.
    Departs from the paper: that sensitivity; and the number of steps, which the paper lets grow with log d over the
    eigengap, is 15 as in the other iterative methods here.

    Parameters
    ----------
    n_iterations : int
        m.
    calibration : {"published", "exact"}
        The paper's rule, or exact accounting with the noise of one symmetric matrix a step.
    """

    n_iterations: Iterations = 15
    calibration: Power = "published"

    def overdraws(self, public: Public, grant: Grant) -> bool:
        """Only where the published rule has given out, at large ε."""
        bound, sigma = public.sensitivity.target, self.facts(public, grant)["sigma_A"]
        return exceeds(math.sqrt(self.n_iterations) * bound / sigma, grant)

    def outside_claim(self, public: Public, grant: Grant) -> str:
        """Always: the theorem is about another relation."""
        return "the authors' theorem is about matrices that differ in one entry, not by a whole row"

    def facts(self, public: Public, grant: Grant) -> dict[str, float]:
        """Noise scale of each step."""
        bound, m = public.sensitivity.target, self.n_iterations
        if self.calibration == "exact":
            return {"sigma_A": exact(bound, grant, count=m)}
        return {"sigma_A": bound * math.sqrt(4 * m * math.log(1 / grant.delta)) / grant.epsilon}

    def iterates(self, curator: Curator[Problem], public: Public, start: Array) -> Iterator[Array]:
        """Yield the basis after each step."""
        sigma = self.facts(public, curator.grant)["sigma_A"]
        channel = curator.reserve("A·V", sensitivity=public.sensitivity.target, sigma=sigma, count=self.n_iterations)
        V = start
        for _ in range(self.n_iterations):
            if self.calibration == "exact":
                V = orthonormalise(channel.ask(target_times(V, public), law=IsotropicTimes(V)))
            else:
                V = orthonormalise(channel.ask(target_columns(V, public)))
            yield V
