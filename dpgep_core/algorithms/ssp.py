"""SSP: private sufficient statistics, in one to three steps; everything else is post-processing."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpgep_core.flow import sparse_columns
from dpgep_core.method import Growth, Guarantee, Source, Verdict, register
from dpgep_core.models.cleaning import standing_shares
from dpgep_core.models.large import Memory, by_products, joint_components, joint_matrix
from dpgep_core.models.moments import Answers, Moments, TidyMoments
from dpgep_core.models.pencil import Pencil
from dpgep_core.models.problem import Problem
from dpgep_core.models.public import PublicFacts
from dpgep_core.models.queries import joint_gram, unpack_joint
from dpgep_core.models.sparse import components
from dpgep_core.numerics import SINGULAR
from dpgep_core.params import (
    Checked,
    CleanEigenvalues,
    Floor,
    NoiseXi,
    ReleaseSteps,
    ShrinkCounts,
    ShrinkMeans,
    Sparsity,
    Weight,
)
from dpgep_core.privacy import Curator, Grant, NoisePlan, PlannedAnswer
from dpgep_core.privacy.calibration import exact
from dpgep_core.privacy.query import Array
from dpgep_core.privacy.randomness import Isotropic
from dpgep_core.three_step import ThreeSteps
from dpgep_core.two_step import RIDGE_SHARE, Cleaning, TwoSteps, noise_edge

SOLVABLE = 100 * SINGULAR  # ridge, as a share of the largest eigenvalue of B, with which B is surely no singular one
FAR_OUT = 8.0  # noise edges that bound the largest eigenvalue of the noise: more happens in no lifetime


def least_ridge(edge: float, *, floor: bool, steps: int = 1) -> float:
    """Ridge that ξ is raised to: the edge of the noise, or 0.4 of it after more steps; 0 where ``floor`` is off."""
    return (RIDGE_SHARE if steps > 1 else 1.0) * edge if floor else 0.0


def ridge_used(xi: float, edge: float, *, floor: bool, steps: int = 1) -> float:
    """Ridge that is used where ξ is asked for.

    Where ``floor`` is off it is still one with which B has no singular answer: B is noisy, and paid for by then.
    """
    solvable = SOLVABLE * (1 + FAR_OUT * edge) if xi and not floor else 0.0
    return max(xi, least_ridge(edge, floor=floor or not xi, steps=steps), solvable)


@register(
    "ssp",
    "Sufficient statistics (ours)",
    Source("DP-GEP Lab", "docs/algorithms/ssp.md"),
    Guarantee(
        "(ε, δ)-DP",
        Verdict.HOLDS,
        "One to three Gaussian releases, accounted exactly; ridge, number of components and model are post-processing.",
    ),
    growth=(
        Growth("n d^2", ("d^3", "d^2 K", "n d"), memory=("d^2", "d K", "d")),
        Growth("d^3", ("d^2 K", "d K^2", "d^2"), memory=("d^2", "d K"), setting="steps=1"),
    ),
)
@dataclass(frozen=True, kw_only=True)
class SufficientStatistics(Checked):
    """Class sums leave with noise, then Σ zzᵀ of the rows about the noisy centres, then whitened; or Σ zzᵀ once.

    Source: this project. Claimed guarantee: (ε, δ)-DP, exactly μ-GDP. In one step Σ zzᵀ of the augmented rows
    z = [x ; w e_y] leaves under isotropic symmetric noise, μ = Δ/s and Δ = √2(1 + w²) under replace-one, 1 + w² under
    add/remove (see `dpgep_core.models.queries.joint_gram`). In more, the answers share μ². It holds.
    A and B follow from the noisy sums as they would from exact ones; B loses its negative eigenvalues and gains
    a ridge: ξ, or the spectral edge of the noise where that is more, which is public.

    Parameters
    ----------
    xi : float
        Ridge ξ asked for. Moving it costs nothing. 0 leaves the ridge to the noise, whatever ``floor`` says.
    sparsity : int
        Entries kept in each component, by truncated Rayleigh flow on the released pencil: free. 0 keeps all.
    floor : bool
        Whether a ξ that is asked for is raised to the noise edge. Off is for teaching; ξ is then raised to what any
        noisy B can be solved with, about 1e-11, as the budget is spent by then.
    weight : float or None
        w². None takes the model's near-optimal value: 1/2 with class sums, .3 with a single sum.
    memory : {"auto", "whole", "products"}
        ``products`` (not with CCA) never forms Σ zzᵀ: the same one release, revealed along a few directions. No other
        ridge or number of components can then be had from it, and sparse components are truncated dense ones.
    steps : int
        2: class sums leave first, and then the joint Gram matrix of the rows about their noisy centres, brought to
        norm 1 (`dpgep_core.models.centred_queries` proves both sensitivities). The two answers share μ² and compose to
        the same guarantee. ξ is raised to 0.4 of the noise edge ρ²s√(2d)/n, with the s of the second step and ρ² the
        mean square distance of the rows from their centres. 3: two steps with three fifths of μ², and then the Gram
        matrix of the rows whitened by the released scatter, at norm 1 again (`dpgep_core.three_step`): for columns of
        very different scales. 1: one release, and ξ is raised to s√(2d)/n. Sums by products, which are never formed,
        take one step whatever is asked for: the fact ``steps_used`` tells.
    clean_eigenvalues, shrink_counts, shrink_means : bool
        Post-processing of two steps or three by the known law of the noise: free. One step is not cleaned.
    """

    xi: NoiseXi = 0.0
    sparsity: Sparsity = 0
    floor: Floor = True
    weight: Weight | None = None
    memory: Memory = "auto"
    steps: ReleaseSteps = 2
    clean_eigenvalues: CleanEigenvalues = True
    shrink_counts: ShrinkCounts = True
    shrink_means: ShrinkMeans = False

    def steps_used(self, public: PublicFacts) -> int:
        """Steps that are taken: one where sums are too large to form, which follows from d and so is public."""
        return 1 if self.by_products(public) else self.steps

    def release(self, curator: Curator[Problem], public: PublicFacts) -> Answers:
        """The noisy sums: all that is asked for, in one answer or more."""
        if self.steps > 1:
            return self.in_steps(public, curator.grant).answers(curator)
        query = joint_gram(self._weight(public), public)
        return (curator.ask(query, sigma=self._sigma(public, curator.grant), law=Isotropic()),)

    def tidied(self, answers: Answers, public: PublicFacts, grant: Grant) -> TidyMoments:
        """The released moments with plausible counts; those of more steps than one are cleaned as the switches say."""
        if self.steps > 1:
            cleaning = Cleaning(self.clean_eigenvalues, self.shrink_counts, self.shrink_means)
            return self.in_steps(public, grant).tidied(answers, cleaning)
        sigma, weight, n = self._sigma(public, grant), self._weight(public), public.n
        released = unpack_joint(answers[0], weight, public.d, float(n))
        counts = n * standing_shares(released.counts / n, sigma / weight / n, 1 / n)
        moments = Moments(float(n), released.gram, np.where(counts > 0, released.sums, 0.0), counts)
        return TidyMoments(moments, noise_edge(sigma, public.d, n))

    def ridge_facts(self, noise_edge: float) -> dict[str, float]:
        """Noise edge of the averages, least and used ridge, and the one that the exact answer is compared at."""
        return self._ridge_facts(noise_edge, self.steps)

    def _ridge_facts(self, noise_edge: float, steps: int) -> dict[str, float]:
        least = least_ridge(noise_edge, floor=self.floor or not self.xi, steps=steps)
        used = ridge_used(self.xi, noise_edge, floor=self.floor, steps=steps)
        compared = used if steps > 1 or not self.xi else self.xi
        return {"noise_edge": noise_edge, "xi_least": least, "xi_effective": used, "xi_compared": compared}

    def components(self, pencil: Pencil, public: PublicFacts, xi: float) -> Array:
        """Components of the pencil of the released moments, at a ridge."""
        return components(pencil, public.k, xi, self.sparsity)

    @property
    def dense(self) -> bool:
        """Whether components keep all their entries, so that they solve the released pencil."""
        return self.sparsity == 0

    def by_products(self, public: PublicFacts) -> bool:
        """Whether the sums are too large to form."""
        return by_products(self.memory, public)

    def iterates(self, curator: Curator[Problem], public: PublicFacts, start: Array) -> Iterator[Array]:
        """Yield the components once."""
        if self.by_products(public):
            yield self._along_directions(curator, public)
            return
        tidy = self.tidied(self.release(curator, public), public, curator.grant)
        xi = self.ridge_facts(tidy.noise_edge)["xi_effective"]
        yield self.components(public.pencil(tidy.moments), public, xi)

    def _along_directions(self, curator: Curator[Problem], public: PublicFacts) -> Array:
        """Components from products with the noisy Σ zzᵀ alone."""
        weight, sigma = self._weight(public), self._sigma(public, curator.grant)
        gram = curator.reveal(joint_matrix(weight, public), sigma=sigma)
        xi = self._ridge_facts(noise_edge(sigma, public.d, public.n), 1)["xi_effective"]
        return sparse_columns(joint_components(gram, weight, sigma, xi, public), self.sparsity)

    def noise_plan(self, public: PublicFacts, grant: Grant) -> NoisePlan:
        """The sums once; or class sums, then the rows about their centres, and with three steps these whitened."""
        if self.steps_used(public) > 1:
            return self.in_steps(public, grant).plan
        ask = joint_matrix if self.by_products(public) else joint_gram
        query = ask(self._weight(public), public)
        return (PlannedAnswer.of(query, exact(query.sensitivity, grant), "sigma"),)

    def more_facts(self, public: PublicFacts, grant: Grant) -> dict[str, float]:
        """Steps that are taken, and noise edge and ridge of the first scatter as if ρ = 1, which the rows tell."""
        edge, steps = noise_edge(self._sigma(public, grant), public.d, public.n), self.steps_used(public)
        return {**self._ridge_facts(edge, steps), "steps_used": float(steps)}

    def _sigma(self, public: PublicFacts, grant: Grant) -> float:
        return self.noise_plan(public, grant)[min(self.steps_used(public), 2) - 1].sigma

    def in_steps(self, public: PublicFacts, grant: Grant) -> TwoSteps | ThreeSteps:
        """How the grant is split between two answers or three, and what is made of them."""
        return (TwoSteps if self.steps == 2 else ThreeSteps)(public, grant, self.weight)

    def _weight(self, public: PublicFacts) -> float:
        return public.weight if self.weight is None else self.weight
