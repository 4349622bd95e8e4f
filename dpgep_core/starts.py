"""The first basis of an iterative method: random, private or the exact answer."""

import math
from typing import Any

import numpy as np

from dpgep_core.models.problem import Problem
from dpgep_core.models.public import Public, Sensitivity
from dpgep_core.models.queries import constraint, exact_components, target
from dpgep_core.models.relaxation import relaxed_components
from dpgep_core.numerics import unit_columns
from dpgep_core.privacy import Curator, Grant
from dpgep_core.privacy.calibration import exact, zcdp
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Isotropic, UpperTriangle

SHARE = 0.5  # of μ², for a private start under exact accounting


def first_basis(method: Any, curator: Curator[Problem], public: Public) -> Array:
    """The (d, k) basis that a method starts from, as its ``start`` says; what it costs is in the ledger."""
    choice = getattr(method, "start", "random")
    if choice == "oracle":
        return unit_columns(curator.peek(exact_components(public.k, method.xi)))
    if choice == "private":
        return private(curator, public, method.xi, method.calibration)
    return public.frame(public.k, "start")


def private(curator: Curator[Problem], public: Public, xi: float, calibration: str) -> Array:
    """Leading eigenvectors of a convex relaxation with an l1 penalty of the noisy pencil.

    Source: Hu et al., Algorithm 2. Claimed guarantee: ρ-zCDP (their Theorem 5). What holds: its σ_i² = C_i²/(2n²ρ)
    spends ρ on A and ρ on B, so 2ρ, and ρ more for the flow that follows it; where B is the identity, ρ and ρ.
    Under exact accounting it takes `SHARE` of μ² and the flow the rest, so that the whole keeps to the grant.
    Departs from the paper: the negative eigenvalues that noise gives B̃ are set to zero and ξ is added, or B̃^½ would
    not exist; the penalty is the size of the largest entries of pure noise, σ√(2 log d), at most half the largest
    entry of Ã; k directions take K = k. All of this is post-processing.
    """
    sigma = facts(calibration, public, curator.grant)
    law = Isotropic() if calibration in ("exact", "forgetful") else UpperTriangle()
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


def facts(calibration: str, public: Public, grant: Grant) -> dict[str, float]:
    """Noise scales of the private start on A and on a B that is not public."""
    tight, published = public.sensitivity, papers_bounds(calibration, public)
    found = {"start_sigma_A": _sigma(calibration, public, grant, tight.target, published.target)}
    if not public.identity_constraint:
        found["start_sigma_B"] = _sigma(calibration, public, grant, tight.constraint, published.constraint)
    return found


def papers_bounds(calibration: str, public: Public) -> Sensitivity:
    """The bounds on A and B that the papers' rule takes: proved ones, or those that Hu et al. print."""
    return (public.printed if calibration == "printed" else None) or public.published


def spent(calibration: str, public: Public, grant: Grant) -> float:
    """μ of the private start."""
    scales, tight = facts(calibration, public, grant), public.sensitivity
    on_constraint = 0.0 if public.identity_constraint else tight.constraint / scales["start_sigma_B"]
    return math.hypot(tight.target / scales["start_sigma_A"], on_constraint)


def _sigma(calibration: str, public: Public, grant: Grant, tight: float, published: float) -> float:
    if calibration == "exact":
        return exact(tight, grant, share=SHARE * (1.0 if public.identity_constraint else 0.5))
    if calibration == "forgetful":
        return exact(tight, grant)
    return zcdp(1 / public.n if calibration == "unit" else published, grant)
