"""Rayleigh flow: the step that four algorithms share, and the noisy products that two of them take it with."""

from collections.abc import Callable
from typing import Annotated

import numpy as np

from dpgep_core import starts
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import CONSTRAINT_TIMES, TARGET_TIMES, constraint_times, target_times
from dpgep_core.models.sparse import truncate
from dpgep_core.numerics import Spectrum, leading_eigenvectors, unit_columns
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.calibration import (
    EXACT,
    FORGETFUL,
    Ruled,
    choice_of,
    keyed,
    published,
    with_printed_constants,
    with_unit_constants,
    zcdp,
)
from dpgep_core.privacy.ledger import by_symbol
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import IsotropicTimes, NoiseLaw, TriangleTimes

TINY = 1e-6
HU = published(
    "the paper's rule with constants that are proved for the A and B used",
    "Hu et al. 2023, Theorem 2, with Bun & Steinke 2016, Proposition 1.3",
    zcdp,
    "proved",
)
PRINTED = with_printed_constants(
    HU, "the paper's rule with the constants that Hu et al. print: 1 for PCA, 4 and 7 for FDA"
)
UNIT = with_unit_constants(HU, "the paper's rule with constants 1, what published accuracies appear to need")
FLOW_RULES = keyed(HU, PRINTED, UNIT, EXACT, FORGETFUL)
FlowCalibration = Annotated[str, choice_of(FLOW_RULES)]
Products = Callable[[Array], tuple[Array, Array]]  # V → (AV, BV)


def step(V: Array, AV: Array, BV: Array, step_size: float, sparsity: int = 0) -> Array:
    """v + (η/ρ)(Av − ρBv) with ρ = vᵀAv / vᵀBv, normalised; then the ``sparsity`` largest entries, normalised.

    Several columns are first kept apart by a Rayleigh–Ritz rotation within their span. ``sparsity`` 0 keeps all.
    """
    V, AV, BV, quotients = separate(V, AV, BV)
    moved = unit_columns(V + step_size * (AV / quotients - BV))
    return sparse_columns(moved, sparsity)


def sparse_columns(V: Array, sparsity: int) -> Array:
    """Unit columns with the ``sparsity`` largest entries of each; 0, or as many as there are, keeps all."""
    return unit_columns(truncate(V, sparsity)) if 0 < sparsity < V.shape[0] else V


def separate(V: Array, AV: Array, BV: Array) -> tuple[Array, Array, Array, Array]:
    """Rotate the columns so that they are uncorrelated under the (noisy) pencil, and give their quotients ρ."""
    if V.shape[1] > 1:
        within = Spectrum.of(V.T @ BV)
        whitener = within.vectors / np.sqrt(np.maximum(within.values, TINY * np.abs(within.values).max()))
        rotation = unit_columns(whitener @ leading_eigenvectors(whitener.T @ (V.T @ AV) @ whitener, V.shape[1]))
        V, AV, BV = V @ rotation, AV @ rotation, BV @ rotation
    above, below = np.einsum("ij,ij->j", V, AV), np.einsum("ij,ij->j", V, BV)
    quotients = above / np.where(below == 0, TINY, below)
    return V, AV, BV, np.where(quotients == 0, TINY, quotients)


class NoisyFlow(Ruled):
    """Mixin: Ã V and B̃ V with fresh symmetric noise in each of m steps, as DP-RF and DP-TRF ask for them.

    Hu et al., Algorithms 1 and 3: σ² = C²m/(n²ρ) on the upper triangle for A and for B. See ``dprf`` for the other
    calibrations. With the private start and ``exact``, the start takes its share first.
    """

    rules = FLOW_RULES
    n_iterations: int
    start: str

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """The first basis, then m products with A and m with a B that is not public."""
        m, bounds, tight, share = self.n_iterations, public.bounds(self.rule.constants), public.sensitivity, 0.5
        if self.rule.accounted:
            share = (1.0 if public.identity_constraint else 0.5) * (1 - starts.SHARE if self.start == "private" else 1)
        sigma = self.rule.sigma(bounds.target, grant, count=m, share=share)
        products = [PlannedAnswer(TARGET_TIMES, tight.target, sigma, m, symbol="sigma_A")]
        if not public.identity_constraint:
            sigma = self.rule.sigma(bounds.constraint, grant, count=m, share=share)
            products.append(PlannedAnswer(CONSTRAINT_TIMES, tight.constraint, sigma, m, symbol="sigma_B"))
        return (*starts.noise_plan(self.start, self.rule, public, grant), *products)

    def outside_claim(self, public: PublicFacts, grant: Grant) -> str:
        """Where the start is not one that the theorem allows for the whole of ε."""
        return starts.outside_claim(self.start)

    def noisy_products(self, curator: Curator[Problem], public: PublicFacts) -> Products:
        """Pay for all steps; the function returned asks for one."""
        planned = by_symbol(self.noise_plan(public, curator.grant))
        ask_A = curator.reserve_planned(planned["sigma_A"])
        ask_B = None if public.identity_constraint else curator.reserve_planned(planned["sigma_B"])

        def products(V: Array) -> tuple[Array, Array]:
            frame, law, R = self._noise_along(V)
            AV = ask_A.ask(target_times(frame, public), law=law)
            BV = V if ask_B is None else ask_B.ask(constraint_times(frame, public), law=law)
            return (AV, BV) if R is None else (AV @ R, V if ask_B is None else BV @ R)

        return products

    def _noise_along(self, V: Array) -> tuple[Array, NoiseLaw, Array | None]:
        """The frame that is asked for in V's place, its noise law, and R where one leads back to V: one QR for both."""
        if self.rule.isotropic:
            Q, R = np.linalg.qr(V)
            return Q, IsotropicTimes(Q), R
        return V, TriangleTimes(V), None
