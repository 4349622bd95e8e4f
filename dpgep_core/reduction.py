"""Simultaneous reduction by noisy gradient steps as Chen et al. publish it: what DPSR and DPSRS share."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from dpgep_core.errors import ParameterError
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts, Sensitivity
from dpgep_core.models.queries import (
    EIGENVALUES,
    GRADIENT,
    WHITENED,
    constraint_diagonal,
    constraint_gradient,
    whitened_gradient,
)
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.calibration import (
    EXACT,
    FORGETFUL,
    Calibration,
    Scale,
    choice_of,
    keyed,
    published,
    with_unit_constants,
)
from dpgep_core.privacy.noise_plan import by_symbol
from dpgep_core.privacy.query import Array


def positive_ridge(xi: float, key: str) -> float:
    """ξ itself; whitening by noisy eigenvalues, which may all be zero, needs it to be positive."""
    if xi <= 0:
        raise ParameterError("xi", xi, f"> 0 for {key}, whose noise grows as 1/xi")
    return xi


def whitened_bound(public: PublicFacts, xi: float, key: str) -> float:
    """Largest change of 2ΦᵀAΦV over every Λ_B ≥ 0 that may be released: 2Δ_A/ξ, or 2Δ_A/(1 + ξ) for a public B = I.

    At the Λ_B that was drawn the change is 2Δ_A/(ξ + min Λ_B). That number is not known before the run, so paying it
    would make the reported ε a function of the noise, and too small in the runs in which the noise is lucky.
    """
    return 2 * public.sensitivity.target / (1 + xi if public.identity_constraint else positive_ridge(xi, key))


@dataclass(frozen=True, kw_only=True)
class PublishedReduction:
    """Steps for the eigenvectors of B, an exact Λ_B, whitening, steps for those of Ã = ΦᵀAΦ.

    Chen et al., Algorithms 2 and 3: σ₁ = 2C₁√(m log(1.25 f/δ))/(nε) and σ₂ = 2C₂√(m log(1.25 f/δ))/(nεξ), with f = 1
    in Algorithm 2 and f = m in Algorithm 3.

    Parameters
    ----------
    rule : Calibration
        How σ₁ and σ₂ are calibrated; Theorem 12 states f = m and √2 more than Algorithm 2.
    tidy : callable
        What brings a basis back to the constraint after each step; its result has orthonormal columns.
    """

    key: str
    xi: float
    step_size: float
    n_iterations: int
    rule: Calibration
    tidy: Callable[[Array], Array]

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """Steps on B, an exact Λ_B, steps on Ã; where B is public, the last alone."""
        m, bound = self.n_iterations, whitened_bound(public, self.xi, self.key)
        last = PlannedAnswer(WHITENED, bound, self._sigma_2(public, grant, bound), m, symbol="sigma_2")
        if public.identity_constraint:
            return (last,)
        change = 2 * public.sensitivity.constraint
        first = PlannedAnswer(GRADIENT, change, self._sigma_1(public, grant, change), m, symbol="sigma_1")
        read = PlannedAnswer(EIGENVALUES, public.sensitivity.constraint, 0.0, protected=False)
        return (first, read, last)

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield Φ V′ after each step of the second phase."""
        planned = by_symbol(self.noise_plan(public, curator.grant))
        whitener, W = self._whitener(curator, public, planned), self.tidy(start)
        channel = curator.reserve_planned(planned["sigma_2"])
        for _ in range(self.n_iterations):
            W = self.tidy(W + self.step_size * channel.ask(whitened_gradient(whitener, W, public)))
            yield whitener @ W

    def _whitener(self, curator: Curator[Problem], public: PublicFacts, planned: Mapping[str, PlannedAnswer]) -> Array:
        V = self.tidy(public.frame(public.d, "constraint basis"))
        if public.identity_constraint:
            return V / math.sqrt(1 + self.xi)
        channel = curator.reserve_planned(planned["sigma_1"])
        for _ in range(self.n_iterations):
            V = self.tidy(V + self.step_size * channel.ask(constraint_gradient(V, public)))
        eigenvalues = curator.peek(constraint_diagonal(V, public))  # as published: this step adds no noise
        return V / np.sqrt(np.maximum(eigenvalues, 0.0) + self.xi)

    def _sigma_1(self, public: PublicFacts, grant: Grant, change: float) -> float:
        if self.rule.constants == "tight":
            return self.rule.sigma(change, grant, count=self.n_iterations, share=0.5)
        return self.rule.sigma(self._constant(public).constraint, grant, count=self.n_iterations)

    def _sigma_2(self, public: PublicFacts, grant: Grant, change: float) -> float:
        if self.rule.constants == "tight":
            share = 1.0 if public.identity_constraint else 0.5
            return self.rule.sigma(change, grant, count=self.n_iterations, share=share)
        sigma = self.rule.sigma(self._constant(public).target, grant, count=self.n_iterations)
        return sigma / positive_ridge(self.xi, self.key)

    def _constant(self, public: PublicFacts) -> Sensitivity:
        """C/n of the gradients: twice the bound on the matrix, or 1/n."""
        bounds = public.bounds(self.rule.constants)
        return bounds if self.rule.constants == "unit" else bounds.doubled


def gradient_rule(
    bound: float,
    grant: Grant,
    /,
    *,
    count: int = 1,
    share: float = 1.0,
    delta_is_shared: bool = False,
    factor: float = 1.0,
) -> float:
    """2 (C/n) √(m log(1.25 f/δ)) / ε times ``factor``, with C/n the ``bound`` on the change of one gradient.

    f, the number of answers that δ is shared among, is 1 or m.
    """
    failures = count if delta_is_shared else 1
    return 2 * bound * math.sqrt(count / share * math.log(1.25 * failures / grant.delta)) / grant.epsilon * factor


def reduction_rules(scale: Scale, source: str) -> Mapping[str, Calibration]:
    """The calibrations of DPSR and DPSRS, under the rule that one statement of the paper gives."""
    paper = published("the paper's rule with the constants it proves", source, scale, "proved")
    unit = with_unit_constants(paper, "the paper's rule with constants 1, what published accuracies appear to need")
    return keyed(paper, unit, EXACT, FORGETFUL)


ReductionCalibration = Annotated[str, choice_of(reduction_rules(gradient_rule, "Chen et al."))]
