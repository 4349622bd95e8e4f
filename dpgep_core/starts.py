"""The first basis of an iterative method: random, private or the exact answer."""

import math

import numpy as np

from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import constraint, exact_components, target
from dpgep_core.models.relaxation import relaxed_components
from dpgep_core.numerics import unit_columns
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.calibration import Calibration
from dpgep_core.privacy.ledger import noise_scales
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Isotropic, UpperTriangle
from dpgep_core.protocols import Calibrated, Method, Started

SHARE = 0.5  # of μ², for a private start under exact accounting


def first_basis(method: Method, plan: NoisePlan, curator: Curator[Problem], public: PublicFacts) -> Array:
    """The (d, k) basis that a method starts from, as its ``start`` says; what it costs is in the ledger."""
    if isinstance(method, Started) and method.start == "oracle":
        return unit_columns(curator.peek(exact_components(public.k, method.xi)))
    if isinstance(method, Started) and isinstance(method, Calibrated) and method.start == "private":
        return private(plan, method.rule, curator, public, method.xi)
    return public.frame(public.k, "start")


def private(plan: NoisePlan, rule: Calibration, curator: Curator[Problem], public: PublicFacts, xi: float) -> Array:
    """Leading eigenvectors of a convex relaxation with an l1 penalty of the noisy pencil.

    Source: Hu et al., Algorithm 2. Claimed guarantee: ρ-zCDP (their Theorem 5). What holds: its σ_i² = C_i²/(2n²ρ)
    spends ρ on A and ρ on B, so 2ρ, and ρ more for the flow that follows it; where B is the identity, ρ and ρ.
    Under exact accounting it takes `SHARE` of μ² and the flow the rest, so that the whole keeps to the grant.
    Departs from the paper: the negative eigenvalues that noise gives B̃ are set to zero and ξ is added, or B̃^½ would
    not exist; the penalty is the size of the largest entries of pure noise, σ√(2 log d), at most half the largest
    entry of Ã; k directions take K = k. All of this is post-processing.
    """
    sigma = noise_scales(plan)
    law = Isotropic() if rule.isotropic else UpperTriangle()
    A = curator.ask(target(public), sigma=sigma["start_sigma_A"], law=law)
    B = None
    if not public.identity_constraint:
        B = curator.ask(constraint(public), sigma=sigma["start_sigma_B"], law=law)
    threshold = sigma["start_sigma_A"] * math.sqrt(2 * math.log(max(public.d, 2)))
    penalty = min(threshold, float(np.abs(A).max()) / 2)
    return unit_columns(relaxed_components(A, B, public.k, xi, penalty))


def outside_claim(start: str) -> str:
    """Why Hu et al. do not claim the ε of a flow from this start; "" where they do."""
    return {
        "private": "the authors claim ρ for the start and ρ for the flow, which is more than ε for the two",
        "oracle": "the theorem is about a start that does not come from the rows, and this one is the exact answer",
    }.get(start, "")


def noise_plan(start: str, rule: Calibration, public: PublicFacts, grant: Grant) -> NoisePlan:
    """Answers that the first basis asks for: an exact answer, noisy matrices, or nothing."""
    if start == "oracle":
        return reads_components(public)
    if start != "private":
        return ()
    bounds = public.bounds(rule.constants)
    share = SHARE * (1.0 if public.identity_constraint else 0.5) if rule.accounted else 1.0
    A = PlannedAnswer.of(target(public), rule.sigma(bounds.target, grant, share=share), "start_sigma_A")
    if public.identity_constraint:
        return (A,)
    return (A, PlannedAnswer.of(constraint(public), rule.sigma(bounds.constraint, grant, share=share), "start_sigma_B"))


def reads_components(public: PublicFacts) -> NoisePlan:
    """Answers that an oracle start asks for."""
    return (PlannedAnswer.exactly(exact_components(public.k, 0.0)),)


def reads_pencil(start: str, public: PublicFacts) -> NoisePlan:
    """Answers that a method without noise asks for: its first basis, A and B."""
    first = reads_components(public) if start == "oracle" else ()
    return (*first, PlannedAnswer.exactly(target(public)), PlannedAnswer.exactly(constraint(public)))
