"""PPI, private power iteration: noise on each product of A with the basis."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import TARGET_TIMES, target_columns, target_times
from dpgep_core.numerics import orthonormalise
from dpgep_core.params import Iterations
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.calibration import EXACT, Ruled, choice_of, keyed, published
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import IsotropicTimes


def power_rule(sensitivity: float, grant: Grant, /, *, count: int = 1, share: float = 1.0) -> float:
    """σ = Δ√(4 m log(1/δ))/ε of m steps."""
    return sensitivity * math.sqrt(4 * count * math.log(1 / grant.delta) / share) / grant.epsilon


RULES = keyed(
    published("σ = Δ√(4 m log(1/δ))/ε, independent noise on every entry", "Hardt & Price 2014, Section 3", power_rule),
    EXACT.said("exact accounting, noise of a symmetric matrix times the basis"),
)
Power = Annotated[str, choice_of(RULES)]


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
    growth=(Growth("m d^2 k", ("m d^2", "m d k^2", "m d k", "d^2", "m")),),
)
@dataclass(frozen=True, kw_only=True)
class PowerIteration(Ruled):
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

    rules = RULES
    n_iterations: Iterations = 15
    calibration: Power = "published"

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """One product with A in each step."""
        bound, m = public.sensitivity.target, self.n_iterations
        return (PlannedAnswer(TARGET_TIMES, bound, self.rule.sigma(bound, grant, count=m), m, symbol="sigma_A"),)

    def outside_claim(self, public: PublicFacts, grant: Grant) -> str:
        """Always: the theorem is about another relation."""
        return "the authors' theorem is about matrices that differ in one entry, not by a whole row"

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield the basis after each step."""
        (steps,) = self.noise_plan(public, curator.grant)
        channel = curator.reserve_planned(steps)
        V = start
        for _ in range(self.n_iterations):
            if self.rule.isotropic:
                V = orthonormalise(channel.ask(target_times(V, public), law=IsotropicTimes(V)))
            else:
                V = orthonormalise(channel.ask(target_columns(V, public)))
            yield V
