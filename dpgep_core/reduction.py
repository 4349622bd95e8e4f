"""Simultaneous reduction by noisy gradient steps as Chen et al. publish it: what DPSR and DPSRS share."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, ClassVar

import numpy as np

from dpgep_core.errors import ParameterError
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts, Sensitivity
from dpgep_core.models.queries import (
    EIGENVALUES,
    GRADIENT,
    WHITENED,
    Whitener,
    constraint_diagonal,
    constraint_gradient,
    whitened_gradient,
    whole_gradient,
)
from dpgep_core.numerics import orthonormalise, well_conditioned
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.calibration import (
    EXACT,
    FORGETFUL,
    Calibration,
    Ruled,
    Scale,
    choice_of,
    keyed,
    published,
    with_unit_constants,
)
from dpgep_core.privacy.ledger import by_symbol
from dpgep_core.privacy.query import Array
from dpgep_core.unlocked import moved

NOISE_EDGE = 2.2  # stretch of a square Gaussian matrix times √d over its Frobenius norm, with a margin
LARGE_ENTRY = 1e3  # noise that moves every direction anywhere
MOST_CONDITION = 1e8  # of a product whose Gram–Schmidt vectors are wanted: it costs them some five of sixteen digits
STRETCHES = 3.0  # growth of a condition number over √d where noise alone moves, with a margin: products grow by 1.9 √d


def square_basis(ask: Callable[[], Array], steps: int, step_size: float, public: PublicFacts) -> Array:
    """(d, d) basis after V ← orth(V + η M V) with a fresh noisy answer M, from ``ask``, in each step.

    For square V the noise of an answer at V is that of an answer at I times V: independent noise has the law of any of
    its rotations, and symmetric noise is a matrix Z in ZV anyway. Gram–Schmidt vectors do not change where columns are
    combined from left to right, so they are taken of the product (I + ηM_m) ⋯ (I + ηM_1) V₀, and its columns are made
    well conditioned in between, by that kind of combination, only where its condition may have grown large.
    """
    usual = 10.0 * public.d  # condition number as far as most draws go, and more than that of what was conditioned
    V, condition = np.asfortranarray(public.gaussian_frame(public.d, "constraint basis")), usual
    for _ in range(steps):
        M = ask()
        size = max(1.0, float(M.max()), -float(M.min()))
        grown = _growth(M, size, step_size)
        if condition * grown > MOST_CONDITION:
            V, condition = well_conditioned(V), usual
        # The common factor 1 / (size · max(1, η)) changes no direction, and keeps numbers within their range.
        V = moved(V, M, min(step_size, 1.0) / size, 1 / size / max(step_size, 1.0))
        condition *= grown
    return orthonormalise(V)


def _growth(M: Array, size: float, step_size: float) -> float:
    """How the condition number grows by I + ηM, M's entries being up to ``size``, for 0 ≤ B ≤ I as in all models.

    The noise stretches a vector by 2/√d times its Frobenius norm, whichever of the two laws it has. Where it is small
    that bounds the growth; where it moves every direction anywhere, a product of such matrices grows by √d a step.
    """
    usual = STRETCHES * math.sqrt(len(M))
    if size > LARGE_ENTRY:
        return usual
    noise = step_size * NOISE_EDGE * float(np.linalg.norm(M)) / math.sqrt(len(M))
    return min((1 + 2 * step_size + noise) / (1 - noise), usual) if noise < 1 else usual


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


class PublishedReduction(Ruled):
    """Mixin: steps for the eigenvectors of B, an exact Λ_B, whitening, steps for those of Ã = ΦᵀAΦ.

    Chen et al., Algorithms 2 and 3: σ₁ = 2C₁√(m log(1.25 f/δ))/(nε) and σ₂ = 2C₂√(m log(1.25 f/δ))/(nεξ), with f = 1
    in Algorithm 2 and f = m in Algorithm 3.
    """

    key: ClassVar[str]
    xi: float
    step_size: float
    n_iterations: int

    @property
    def tidy(self) -> Callable[[Array], Array]:
        """Way back to the constraint after each step; its result has orthonormal columns."""
        return orthonormalise

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

    def needed_epsilon(self, public: PublicFacts, grant: Grant) -> float:
        """No ε is enough where Λ_B leaves exactly: a data set with B = 0 shows itself, and its neighbour does not."""
        return 0.0 if public.identity_constraint else math.inf

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield Φ V′ after each step of the second phase."""
        planned = by_symbol(self.noise_plan(public, curator.grant))
        whitener, W = self._whitener(curator, public, planned), self.tidy(start)
        channel = curator.reserve_planned(planned["sigma_2"])
        for _ in range(self.n_iterations):
            W = self.tidy(W + self.step_size * channel.ask(whitened_gradient(whitener, W, public)))
            yield whitener.matrix @ W

    def _whitener(
        self, curator: Curator[Problem], public: PublicFacts, planned: Mapping[str, PlannedAnswer]
    ) -> Whitener:
        if public.identity_constraint:
            V = self.tidy(public.frame(public.d, "constraint basis"))
            return Whitener.of(V, np.full(public.d, 1 / math.sqrt(1 + self.xi)))
        V = self._constraint_basis(curator, public, planned["sigma_1"])
        eigenvalues = curator.peek(constraint_diagonal(V, public))  # as published: this step adds no noise
        return Whitener.of(V, 1 / np.sqrt(np.maximum(eigenvalues, 0.0) + self.xi))

    def _constraint_basis(self, curator: Curator[Problem], public: PublicFacts, steps: PlannedAnswer) -> Array:
        channel = curator.reserve_planned(steps)
        if self.tidy is orthonormalise:
            whole = whole_gradient(public)
            return square_basis(lambda: channel.ask(whole), steps.count, self.step_size, public)
        V = self.tidy(public.frame(public.d, "constraint basis"))
        for _ in range(self.n_iterations):
            V = self.tidy(V + self.step_size * channel.ask(constraint_gradient(V, public)))
        return V

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
